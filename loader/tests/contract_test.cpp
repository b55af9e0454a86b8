//===-- loader/tests/contract_test.cpp - Which start-up contract ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images are PTX text here: readable, and the contract does not depend on the
// format.
#include "loader/program/contract.h"
#include "loader/program/program.h"
#include "support/failure.h"
#include <gtest/gtest.h>

using namespace gpuexec;

namespace {

constexpr char HEAD[] = ".version 7.8\n.target sm_70\n.address_size 64\n";
constexpr char BEGIN_AND_START[] = R"(
.visible .entry _begin(.param .u32 a, .param .u64 b, .param .u64 c) { ret; }
.visible .entry _start(.param .u32 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }
)";
constexpr char INIT[] = R"(
.weak .entry nvptx$device$init() { ret; }
.weak .entry nvptx$device$fini() { ret; }
)";

struct Parsed {
  std::string text;
  std::unique_ptr<Image> image;
};

Parsed parse(std::string body) {
  Parsed parsed;
  parsed.text = HEAD + body;
  llvm::Expected<Image> image =
      Image::parse(llvm::MemoryBufferRef(parsed.text, "test.ptx"));
  if (image)
    parsed.image = std::make_unique<Image>(std::move(*image));
  else
    ADD_FAILURE() << llvm::toString(image.takeError());
  return parsed;
}

std::string client(int size) {
  return ".visible .global .align 8 .b8 __llvm_rpc_client[" +
         std::to_string(size) + "];\n";
}

Contract contract_of(const Parsed &parsed,
                     Constructors constructors = Constructors::automatic,
                     std::vector<std::string> kernels = {}) {
  llvm::Expected<Contract> contract =
      find_contract(*parsed.image, constructors, kernels);
  if (contract)
    return std::move(*contract);
  ADD_FAILURE() << llvm::toString(contract.takeError());
  return {};
}

std::string error_of(const Parsed &parsed,
                     std::vector<std::string> kernels = {}) {
  llvm::Expected<Contract> contract =
      find_contract(*parsed.image, Constructors::automatic, kernels);
  if (contract)
    return "no error";
  std::string text;
  llvm::handleAllErrors(contract.takeError(), [&](const Failure &failure) {
    EXPECT_EQ(failure.reason(), Reason::not_runnable);
    text = failure.message();
  });
  return text;
}

TEST(Contract, Llvm22) {
  Parsed parsed = parse(client(552) + BEGIN_AND_START + INIT +
                        ".visible .entry _end() { ret; }\n");
  Contract contract = contract_of(parsed);
  EXPECT_FALSE(contract.end_takes_status);
  EXPECT_EQ(contract.init, nullptr); // _begin constructs; twice would be wrong
  EXPECT_EQ(contract.fini, nullptr);
  ASSERT_EQ(contract.launches().size(), 3u);
  EXPECT_EQ(contract.launches()[1]->name, "_start");
}

TEST(Contract, Llvm19HasAPointerToItsClient) {
  Parsed parsed =
      parse(".visible .global .align 8 .u64 __llvm_libc_rpc_client;\n" +
            std::string(BEGIN_AND_START) + INIT +
            ".visible .entry _end(.param .u32 status) { ret; }\n");
  Contract contract = contract_of(parsed);
  EXPECT_TRUE(contract.end_takes_status);
  EXPECT_EQ(contract.init, nullptr);
}

TEST(Contract, Llvm21EndTakesTheStatus) {
  Parsed parsed = parse(client(552) + BEGIN_AND_START +
                        ".visible .entry _end(.param .u32 status) { ret; }\n");
  EXPECT_TRUE(contract_of(parsed).end_takes_status);
}

TEST(Contract, Llvm23TheRuntimeConstructs) {
  Parsed parsed = parse(client(2096) + BEGIN_AND_START + INIT +
                        ".visible .entry _end() { ret; }\n");
  Contract contract = contract_of(parsed);
  ASSERT_NE(contract.init, nullptr);
  ASSERT_NE(contract.fini, nullptr);
  EXPECT_EQ(contract.launches().size(), 5u);
  EXPECT_EQ(contract.launches().front()->name, "nvptx$device$init");
  EXPECT_EQ(contract.launches().back()->name, "nvptx$device$fini");
  EXPECT_EQ(contract_of(parsed, Constructors::by_begin).init, nullptr);
}

TEST(Contract, WithoutMailboxTheUserDecides) {
  Parsed parsed = parse(std::string(BEGIN_AND_START) + INIT +
                        ".visible .entry _end() { ret; }\n");
  EXPECT_EQ(contract_of(parsed).init, nullptr);
  EXPECT_NE(contract_of(parsed, Constructors::by_runtime).init, nullptr);
}

TEST(Contract, GccStartsMainByAKernelOfItsOwn) {
  Parsed parsed = parse(
      ".visible .entry __main(.param .u64 a, .param .u32 b, .param .u64 c) "
      "{ ret; }\n");
  Contract contract = contract_of(parsed);
  ASSERT_NE(contract.gcc_main, nullptr);
  EXPECT_EQ(contract.launches().size(), 1u);
  EXPECT_EQ(error_of(parse(".visible .entry __main(.param .u64 a) { ret; }\n")),
            "test.ptx: kernel '__main' takes 8 bytes of arguments where a "
            "start-up file's takes 24");
}

TEST(Contract, NamedKernels) {
  Parsed parsed = parse(R"(
.visible .entry one() { ret; }
.visible .entry two(.param .u64 a) { ret; }
)");
  Contract contract =
      contract_of(parsed, Constructors::automatic, {"one", "one"});
  EXPECT_EQ(contract.named.size(), 2u);
  EXPECT_EQ(contract.start, nullptr);
  EXPECT_EQ(error_of(parsed, {"three"}),
            "test.ptx: no kernel 'three' (it has one, two)");
  EXPECT_EQ(error_of(parsed, {"two"}),
            "test.ptx: kernel 'two' takes 8 bytes of arguments: only kernels "
            "without any can be named");
}

TEST(Contract, Errors) {
  EXPECT_EQ(error_of(parse(".visible .entry other() { ret; }\n")),
            "test.ptx: no kernel '_start': not linked with start-up code");
  EXPECT_EQ(error_of(parse(".visible .entry _start(.param .u64 a) { ret; }\n")),
            "test.ptx: kernel '_start' takes 8 bytes of arguments where a "
            "start-up file's takes 32");
  EXPECT_EQ(error_of(parse(std::string(BEGIN_AND_START) +
                           ".visible .entry _end(.param .u64 a) { ret; }\n")),
            "test.ptx: kernel '_end' takes 8 bytes of arguments where a "
            "start-up file's takes 0");
}

TEST(PortCount, TwoForEveryWaveThatCanRunAndALineEachForFew) {
  EXPECT_EQ(port_count(1, 10000), 16u);
  EXPECT_EQ(port_count(20, 10000), 512u);
  EXPECT_EQ(port_count(64, 10000), 512u);
  EXPECT_EQ(port_count(257, 10000), 1024u);
  EXPECT_EQ(port_count(1000000, 9728), 32768u);
  EXPECT_EQ(port_count(0, 0), 16u);
  EXPECT_LE(port_count(UINT64_MAX, UINT64_MAX), 65535u);
}

} // namespace
