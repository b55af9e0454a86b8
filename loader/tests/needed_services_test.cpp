//===-- loader/tests/needed_services_test.cpp - Services of an image ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image names services of services/services.def by its marks.
#include "loader/job/needed_services.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace gpuexec;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

Image image_with(const std::string &mark) {
  static std::vector<std::unique_ptr<std::string>> texts; // images refer to it
  texts.push_back(std::make_unique<std::string>(
      ".version 8.8\n.target sm_90\n.visible .global .align 1 .b8 " + mark +
      "[1] = {1};\n"));
  return cantFail(
      Image::parse(llvm::MemoryBufferRef(*texts.back(), "program.ptx")));
}

/// A folder in which every service is.
struct NeededServices : testing::Test {
  NeededServices() {
    char name[] = "/tmp/needed-services.XXXXXX";
    folder = ::mkdtemp(name);
#define GPUEXEC_SERVICE(NAME, SHARES_DEVICE, IN_SANDBOX)                       \
  std::ofstream(folder + "/libgpuexec-" #NAME ".so");
#include "services/services.def"
  }
  ~NeededServices() override { std::filesystem::remove_all(folder); }

  std::vector<std::string> needed(const std::string &mark,
                                  const std::vector<std::string> &given = {}) {
    return cantFail(needed_services(image_with(mark), given, folder));
  }

  std::string folder;
};

} // namespace

TEST_F(NeededServices, IsTheOneWhoseMarkTheImageHas) {
  EXPECT_THAT(needed("__gpuexec_service_blas"),
              ElementsAre(folder + "/libgpuexec-blas.so"));
  EXPECT_THAT(needed("__gpuexec_service_fft"),
              ElementsAre(folder + "/libgpuexec-fft.so"));
}

TEST_F(NeededServices, AreRefusedInASandboxWhereTheTableSaysSo) {
  EXPECT_FALSE(llvm::errorToBool(
      check_services_for_sandbox(image_with("__gpuexec_service_fft"))));
  EXPECT_THAT(llvm::toString(check_services_for_sandbox(
                  image_with("__gpuexec_service_mpi"))),
              testing::HasSubstr("service 'mpi'"));
}

TEST_F(NeededServices, IsNoneForAMarkThatIsNotInTheTable) {
  EXPECT_THAT(needed("__gpuexec_service_framebuffer"), ElementsAre());
}

TEST_F(NeededServices, IsNoneThatTheUserNamesWithArguments) {
  EXPECT_THAT(needed("__gpuexec_service_blas", {"/x/libgpuexec-blas.so,host"}),
              ElementsAre());
}

TEST_F(NeededServices, SaysWhichLibraryIsMissing) {
  auto found =
      needed_services(image_with("__gpuexec_service_fft"), {}, "/nowhere");
  ASSERT_FALSE(bool(found));
  EXPECT_THAT(llvm::toString(found.takeError()),
              HasSubstr("not there: /nowhere/libgpuexec-fft.so"));
}

TEST_F(NeededServices, SomeShareAnNvidiaGpuWithTheProgram) {
  EXPECT_TRUE(shares_device(image_with("__gpuexec_service_blas")));
  EXPECT_FALSE(shares_device(image_with("__gpuexec_service_fft")));
  EXPECT_FALSE(shares_device(image_with("__gpuexec_service_other")));
}
