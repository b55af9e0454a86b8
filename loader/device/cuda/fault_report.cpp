//===-- loader/device/cuda/fault_report.cpp - Where a fault was -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/fault_report.h"
#include "loader/device/cuda/core_dump.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <random>
#include <thread>
#include <unistd.h>

namespace gpuexec::cuda {

/// Parts of a core dump that are not needed, and the flag that the process goes
/// on after it.
static constexpr char LEFT_OUT[] =
    "skip_nonrelocated_elf_images,skip_global_memory,skip_shared_memory,"
    "skip_local_memory,skip_constbank_memory,skip_abort";

FaultReport::FaultReport() {
  // The driver makes the file only at a fault, so a run that is killed leaves
  // no file. The name is random, so that no other user can put a file there
  // before.
  llvm::SmallString<128> name;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, name);
  std::random_device random;
  llvm::sys::path::append(
      name, llvm::formatv("gpuexec-fault-{0}-{1:x-}{2:x-}.core", getpid(),
                          uint32_t(random()), uint32_t(random())));
  path = name.str();
  const std::pair<const char *, const char *> wanted[] = {
      {"CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1"},
      {"CUDA_COREDUMP_FILE", path.c_str()},
      {"CUDA_COREDUMP_GENERATION_FLAGS", LEFT_OUT},
  };
  for (auto [variable, value] : wanted) {
    const char *old = getenv(variable);
    before.emplace_back(variable,
                        old ? std::optional<std::string>(old) : std::nullopt);
    setenv(variable, value, /*overwrite=*/1);
  }
}

FaultReport::~FaultReport() {
  driver_is_ready();
  llvm::sys::fs::remove(path);
}

void FaultReport::driver_is_ready() {
  for (auto &[variable, value] : before)
    if (value)
      setenv(variable, value->c_str(), 1);
    else
      unsetenv(variable);
  before.clear();
}

std::string FaultReport::take(std::chrono::milliseconds timeout) {
  // NVIDIA does not say whether the driver has written the whole file when it
  // reports the fault.
  auto end = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    std::string why;
    if (auto file = llvm::MemoryBuffer::getFile(
            path, /*IsText=*/false, /*RequiresNullTerminator=*/false)) {
      llvm::Expected<std::string> text =
          describe_core_dump((*file)->getMemBufferRef());
      if (text) {
        llvm::sys::fs::remove(path);
        return text->empty() ? "  the driver's core dump names no thread\n"
                             : *text;
      }
      why = "  the driver's core dump cannot be read: " +
            llvm::toString(text.takeError()) + "\n";
    } else {
      why = "  the driver has written no core dump that would say where\n";
    }
    if (std::chrono::steady_clock::now() >= end)
      return why;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

} // namespace gpuexec::cuda
