//===-- rpc/tests/held_back_test.cpp - Output in the program's own buffer -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rpc_output: what is in it is the loader's to write when the device is dead.
//===----------------------------------------------------------------------===//
#include "rpc/tests/fixture.h"

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;

namespace {

struct Program : Session {
  explicit Program(Setup setup = {}) : Session(std::move(setup)) {
    output_buffer = reinterpret_cast<rpc_output *>(
        static_cast<char *>(buffer.get()) + layout.output_offset());
  }
  void print(const std::string &text) {
    memcpy(output_buffer->text + output_buffer->used, text.data(), text.size());
    output_buffer->used += text.size();
  }
  /// What the library does when the buffer is full; it dies before it notes it.
  uint64_t send(uint64_t address, uint64_t size) {
    auto port = open(RPC_BULK_WRITE_STREAM, 1);
    port.send([&](unsigned, rpc_packet &packet) {
      packet.words[0] = RPC_STREAM_STDOUT;
      packet.words[1] = address;
      packet.words[2] = size;
    });
    uint64_t done = 0;
    port.recv([&](unsigned, rpc_packet &packet) { done = packet.words[0]; });
    port.close();
    return done;
  }
  uint64_t text() const { return uint64_t(output_buffer->text); }
  rpc_output *output_buffer;
};

rpc_extensions offered(const Session &session) {
  rpc_extensions extensions;
  auto bytes = session.server->extensions_object();
  memcpy(&extensions, bytes.data(), sizeof extensions);
  return extensions;
}

} // namespace

TEST(HeldBack, IsOfferedWhereItCanBeSent) {
  Program program;
  EXPECT_EQ(offered(program).output, uint64_t(program.output_buffer));
  ServerOptions options;
  options.disabled_features = RPC_FEATURE_BULK;
  Session without({.options = std::move(options)});
  EXPECT_EQ(offered(without).output, 0u);
}

TEST(HeldBack, IsThereWhenTheDeviceIsDead) {
  Program program;
  EXPECT_EQ(program.server->unwritten_output(), "");
  program.print("not sent");
  program.server->abandon();
  EXPECT_EQ(program.server->unwritten_output(), "not sent");
}

TEST(HeldBack, IsSentWithoutACopyAndNotTwice) {
  Program program;
  program.memory.views = false; // no memory of the device's is the host's
  program.print("first line\n");
  EXPECT_EQ(program.send(program.text(), 11), 11u);
  program.server->abandon();
  EXPECT_EQ(program.server->unwritten_output(), "");
  EXPECT_EQ(program.output(), "first line\n");
}

TEST(HeldBack, NonsenseIsNotBelieved) {
  Program program;
  program.output_buffer->used = RPC_OUTPUT_BYTES + 1;
  EXPECT_EQ(program.server->unwritten_output(), "");
  program.output_buffer->used = ~uint64_t(0);
  EXPECT_EQ(program.server->unwritten_output(), "");
  // Beyond the end, before the beginning, more than there is.
  EXPECT_EQ(program.send(program.text() + RPC_OUTPUT_BYTES - 1, 2), 0u);
  EXPECT_EQ(program.send(program.text() - 1, 2), 0u);
  EXPECT_EQ(program.send(program.text(), RPC_OUTPUT_BYTES + 1), 0u);
  EXPECT_EQ(program.send(program.text(), RPC_OUTPUT_BYTES), RPC_OUTPUT_BYTES);
}
