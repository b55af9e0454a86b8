//===-- loader/tests/hsa_test.cpp - The HSA backend, on the emulator ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels are given in each code object version, faults, and every
// function of the runtime failing in turn.
#include "loader/device/hsa/runtime.h"
#include "loader/program/program.h"
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace gpuexec;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// As tests/inputs/start.c writes it.
struct Seen {
  uint64_t begin_argc, begin_argv, begin_envp;
  uint64_t argc, argv, envp, ret_before;
  uint64_t groups[3], group_size[3], grid_size[3];
  uint64_t threads, first_argument, end, clock;
};

/// Functions that can be made to fail, in front of the emulator's.
struct Failing {
  static inline std::string name; // which one; "" = none
  static inline std::set<std::string> called;
};

template <int Index, typename Type> struct Wrapped;
template <int Index, typename Result, typename... Args>
struct Wrapped<Index, Result (*)(Args...)> {
  static inline Result (*original)(Args...) = nullptr;
  static inline const char *name = nullptr;
  static Result call(Args... args) {
    Failing::called.insert(name);
    if constexpr (std::is_same_v<Result, hsa_status_t>)
      if (Failing::name == name)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    return original(args...);
  }
};

template <int Index, typename Type>
void wrap(Type &function, const char *name) {
  Wrapped<Index, Type>::original = function;
  Wrapped<Index, Type>::name = name;
  function = &Wrapped<Index, Type>::call;
}

class Hsa : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    Failing::name.clear();
    Failing::called.clear();
  }

  /// Opens the emulator, loads a test image and runs it.
  llvm::Expected<int32_t> run(const char *image_name,
                              ProgramOptions options = {}) {
    llvm::Expected<hsa::Api> api = hsa::load_api(EMULATOR_LIBRARY);
    if (!api)
      return api.takeError();
    if (llvm::Error error = api->check(api->hsa_init(), "hsa_init"))
      return std::move(error);
    int wrapped = 0;
#define WRAP(NAME) wrap<__COUNTER__>(api->NAME, #NAME), ++wrapped;
    GPUEXEC_HSA_FUNCTIONS(WRAP)
#undef WRAP
    std::shared_ptr<hsa::Runtime> runtime =
        hsa::Runtime::adopt(*api, hsa::Kind::emulated);

    std::string path = std::string(TEST_IMAGES) + "/" + image_name;
    llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file =
        Image::read_file(path);
    if (!file)
      return file.takeError();
    llvm::Expected<Image> image = Image::parse((*file)->getMemBufferRef());
    if (!image)
      return image.takeError();
    llvm::Expected<std::unique_ptr<Device>> device =
        hsa::open_device(runtime, 0);
    if (!device)
      return device.takeError();
    options.image = "image";
    Phases phases(Phases::Clock::now());
    llvm::Expected<std::unique_ptr<Program>> program =
        Program::load(**device, *image, std::move(options), phases);
    if (!program)
      return program.takeError();
    llvm::Expected<int32_t> status = (*program)->run();
    if (status) {
      llvm::Expected<std::optional<DeviceAddress>> address =
          (*program)->module().find_global("seen");
      if (!address)
        return address.takeError();
      if (llvm::Error error = (*device)->queue().copy_from_device(
              {reinterpret_cast<std::byte *>(&seen), sizeof(seen)}, **address))
        return std::move(error);
      clock = (*device)->clock_frequency();
    }
    return status;
  }

  Seen seen = {};
  uint64_t clock = 0;
};

TEST(HsaRuntime, SaysWhetherTheDeviceUsesTheHostsMemory) {
  llvm::Expected<hsa::Api> api = hsa::load_api(EMULATOR_LIBRARY);
  ASSERT_TRUE(bool(api));
  ASSERT_EQ(api->hsa_init(), HSA_STATUS_SUCCESS);
  static decltype(api->hsa_system_get_info) original;
  original = api->hsa_system_get_info;
  auto reaches = [&](hsa::Kind kind) {
    auto runtime = hsa::Runtime::adopt(*api, kind);
    api->hsa_init(); // which the runtime gives back
    llvm::Expected<std::vector<hsa_agent_t>> agents = runtime->gpu_agents();
    EXPECT_TRUE(agents && !agents->empty());
    llvm::Expected<DeviceInfo> info = runtime->describe(agents->front(), 0);
    EXPECT_TRUE(bool(info));
    return info->reaches_host_memory;
  };
  EXPECT_FALSE(reaches(hsa::Kind::emulated));
  EXPECT_FALSE(reaches(hsa::Kind::system));
  api->hsa_system_get_info = [](hsa_system_info_t attribute, void *value) {
    if (attribute == HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT)
      return *static_cast<bool *>(value) = true, HSA_STATUS_SUCCESS;
    return original(attribute, value);
  };
  EXPECT_TRUE(reaches(hsa::Kind::system));
  api->hsa_shut_down();
}

TEST_P(Hsa, KernelsAreGivenWhatTheContractSays) {
  ProgramOptions options;
  options.arguments = {"argument"};
  options.environment = {"A=1"};
  options.grid.threads = {8, 4, 2};
  options.grid.blocks = {3, 2, 2};
  llvm::Expected<int32_t> status = run(GetParam(), std::move(options));
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(*status, 42);
  EXPECT_EQ(seen.begin_argc, 2u);
  EXPECT_EQ(seen.argc, 2u);
  EXPECT_EQ(seen.argv, seen.begin_argv);
  EXPECT_EQ(seen.envp, seen.begin_envp);
  EXPECT_NE(seen.envp, seen.argv);
  EXPECT_EQ(seen.ret_before, 0u);
  EXPECT_EQ(std::memcmp(&seen.first_argument, "argument", 8), 0);
  EXPECT_THAT(seen.group_size, ElementsAre(8u, 4u, 2u));
  EXPECT_THAT(seen.grid_size, ElementsAre(24u, 8u, 4u));
  EXPECT_THAT(seen.groups, ElementsAre(3u, 2u, 2u));
  EXPECT_EQ(seen.threads, 8u * 4 * 2 * 3 * 2 * 2);
  bool end_takes_status = llvm::StringRef(GetParam()) == "start-v4";
  EXPECT_EQ(seen.end, end_takes_status ? 43u : 1u);
  EXPECT_EQ(seen.clock, clock);
  EXPECT_GE(clock, 1000000u);
}

INSTANTIATE_TEST_SUITE_P(CodeObject, Hsa,
                         testing::Values("start-v4", "start-v5", "start-v6"),
                         [](const auto &info) {
                           return std::string(info.param).substr(6);
                         });

TEST_F(Hsa, AFaultIsTheProgramS) {
  ProgramOptions options;
  options.kernels = {"fault"};
  llvm::Expected<int32_t> status = run("start-v6", std::move(options));
  ASSERT_FALSE(bool(status));
  llvm::handleAllErrors(
      status.takeError(),
      [](const DeviceFault &fault) {
        EXPECT_THAT(fault.message(), HasSubstr("kernel 'fault'"));
        EXPECT_THAT(fault.message(), HasSubstr("0x0000123456789000"));
        EXPECT_THAT(fault.report(), HasSubstr("thread (0,0,0)"));
      },
      [](const llvm::ErrorInfoBase &other) {
        ADD_FAILURE() << other.message();
      });
}

TEST_F(Hsa, TooManyThreads) {
  ProgramOptions options;
  options.grid.threads = {70000, 1, 1};
  llvm::Expected<int32_t> status = run("start-v6", std::move(options));
  ASSERT_FALSE(bool(status));
  EXPECT_THAT(llvm::toString(status.takeError()), HasSubstr("--threads"));
  options = {};
  options.grid.blocks = {1, UINT32_MAX, 1};
  options.grid.threads = {1, 2, 1};
  status = run("start-v6", std::move(options));
  ASSERT_FALSE(bool(status));
  EXPECT_THAT(llvm::toString(status.takeError()), HasSubstr("--blocks-y"));
}

TEST_F(Hsa, EveryFunctionMayFail) {
  llvm::Expected<int32_t> status = run("start-v6");
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  std::set<std::string> called = Failing::called;
  ASSERT_GT(called.size(), 20u);
  for (const std::string &name : called) {
    SetUp();
    Failing::name = name;
    status = run("start-v6");
    Failing::name.clear();
    if (status)
      continue; // what only helps, or frees, need not succeed
    std::string text = llvm::toString(status.takeError());
    EXPECT_EQ(text.find('\n'), std::string::npos) << name << ": " << text;
    EXPECT_FALSE(text.empty()) << name;
  }
}

TEST_F(Hsa, NoSuchDevice) {
  llvm::Expected<std::shared_ptr<hsa::Runtime>> runtime =
      hsa::Runtime::open(EMULATOR_LIBRARY, hsa::Kind::emulated);
  ASSERT_TRUE(bool(runtime)) << llvm::toString(runtime.takeError());
  EXPECT_THAT(llvm::toString(hsa::open_device(*runtime, 99).takeError()),
              HasSubstr("no device emulator:99: there "));
  EXPECT_THAT(
      llvm::toString(
          hsa::Runtime::open("libm.so.6", hsa::Kind::system).takeError()),
      HasSubstr("libm.so.6: missing symbol 'hsa_init'"));
}

TEST_F(Hsa, TheEmulatorTellsOfItsWavesAndIsNotLentTwice) {
  llvm::Expected<std::shared_ptr<hsa::Runtime>> runtime =
      hsa::Runtime::open(EMULATOR_LIBRARY, hsa::Kind::emulated);
  ASSERT_TRUE(bool(runtime)) << llvm::toString(runtime.takeError());
  llvm::Expected<std::unique_ptr<Device>> device =
      hsa::open_device(*runtime, 0);
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  EXPECT_TRUE(bool(need_observable(**device)));
  EXPECT_TRUE(bool(need_lockstep(**device)));
  EXPECT_EQ(llvm::toString(need_leasable(**device).takeError()),
            "emulator cannot be lent: it runs one program only, and does not "
            "reach memory of other processes");
}

TEST_F(Hsa, HeapKeepsItsPromises) {
  llvm::Expected<std::shared_ptr<hsa::Runtime>> runtime =
      hsa::Runtime::open(EMULATOR_LIBRARY, hsa::Kind::emulated);
  ASSERT_TRUE(bool(runtime)) << llvm::toString(runtime.takeError());
  llvm::Expected<std::unique_ptr<Device>> device =
      hsa::open_device(*runtime, 0);
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  rpc::DeviceMemory &heap = (*device)->heap();
  constexpr uint64_t ALIGNMENT = 2u << 20;
  std::set<DeviceAddress> addresses;
  for (uint64_t size : {1ull, 100ull, 2ull << 20, 3ull << 20, 0ull}) {
    DeviceAddress address = heap.allocate(size, ALIGNMENT);
    ASSERT_TRUE(address) << size;
    EXPECT_EQ(address.value % ALIGNMENT, 0u);
    EXPECT_TRUE(addresses.insert(address).second);
  }
  // More than there is, and sizes that would overflow.
  EXPECT_FALSE(heap.allocate(uint64_t(1) << 50, ALIGNMENT));
  EXPECT_FALSE(heap.allocate(UINT64_MAX, ALIGNMENT));
  DeviceAddress first = *addresses.begin();
  std::string text = "some text", back(text.size(), ' ');
  EXPECT_FALSE(bool(heap.write(first, text.data(), 1)));
  EXPECT_FALSE(bool(heap.read(back.data(), first, 1)));
  EXPECT_EQ(back[0], 's');
  // What the device makes up is an error and no crash.
  for (uint64_t value : {uint64_t(0), uint64_t(8), uint64_t(1) << 63,
                         UINT64_MAX - 3, first.value + (uint64_t(1) << 40)}) {
    DeviceAddress address(value);
    EXPECT_TRUE(llvm::errorToBool(heap.read(back.data(), address, 9))) << value;
    EXPECT_TRUE(llvm::errorToBool(heap.write(address, text.data(), 9)))
        << value;
    EXPECT_EQ(heap.host_view(address, 9, true), nullptr) << value;
  }
  EXPECT_TRUE(
      llvm::errorToBool(heap.read(back.data(), first, uint64_t(1) << 40)));
  EXPECT_TRUE(heap.holds(first, 1, true));
  EXPECT_FALSE(heap.holds(first, uint64_t(1) << 40, false));
  EXPECT_FALSE(heap.holds(first, UINT64_MAX, false));
  EXPECT_FALSE(heap.holds(DeviceAddress(UINT64_MAX - 3), 9, false));
  for (DeviceAddress address : addresses)
    heap.free(address);
  heap.free(first); // twice, and what never was: ignored
  heap.free(DeviceAddress(12345));
}

} // namespace
