//===-- loader/apps/blas/blas.cpp - gpuexec blas --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a native program with a library before its BLAS, which has a GPU do
// what is faster there: offload/blas/.
//===----------------------------------------------------------------------===//
#include "loader/apps/native/native.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/option_values.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace gpuexec {
namespace {

constexpr unsigned LARGEST_SIZE = 1u << 30;

using native::Options;

llvm::Error read_gpu(const Given &given, Options &to) {
  llvm::StringRef value = given.value, index = value;
  unsigned number;
  if (value != "off" && value != "cuda" &&
      (!index.consume_front("cuda:") || !llvm::to_integer(index, number, 10)))
    return given.is_not("cuda, cuda:N or off");
  return to.set("GPUEXEC_BLAS_DEVICE", value);
}

llvm::Error read_min_size(const Given &given, Options &to) {
  unsigned number;
  if (!llvm::to_integer(llvm::StringRef(given.value), number, 10) ||
      number > LARGEST_SIZE)
    return given.is_not("a number of rows and columns");
  return to.set("GPUEXEC_BLAS_MIN_SIZE", given.value);
}

llvm::Error read_statistics(const Given &given, Options &to) {
  const llvm::StringRef name = given.value ? given.value : "-";
  if (name.empty())
    return given.is_not("the name of a file");
  llvm::SmallString<128> path = name; // the program may change its folder
  if (name != "-")
    if (std::error_code error = llvm::sys::fs::make_absolute(path))
      return failure(Reason::failed, "{0}: {1}", name, error.message());
  return to.set("GPUEXEC_BLAS_STATS", path);
}

constexpr OptionRow ROWS[] = {
#include "loader/apps/blas/options.def"
};

/// Says once that this machine has no GPU to use: at a terminal, or to who
/// wants to know everything. A driver without its device file may be a
/// stand-in.
void hint_at_missing_gpu(const Options &options) {
  bool verbose = false, off = false;
  for (const auto &[name, value] : options.variables) {
    verbose |= name == "GPUEXEC_BLAS_VERBOSE";
    off |= name == "GPUEXEC_BLAS_DEVICE" && value == "off";
  }
  if (off || (!verbose && !::isatty(STDERR_FILENO)))
    return;
  for (const char *device : {"/dev/nvidiactl", "/dev/dxg"})
    if (::access(device, F_OK) == 0)
      return;
  if (void *driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    ::dlclose(driver);
    return;
  }
  say_error("gpuexec: note: blas: this machine has no NVIDIA GPU: the "
            "program's own library does all calls (gpuexec doctor)\n");
}

void prepare(const Options &options) {
  hint_at_missing_gpu(options);
  // cuBLAS has hundreds of megabytes of code, of which a program needs few.
  ::setenv("CUDA_MODULE_LOADING", "LAZY", 0);
}

constexpr native::Library LIBRARY = {
    .file = "libgpuexec-offload-blas.so",
    .variable = "LD_PRELOAD",
    .by_folder = false,
    .ends = " :",
    .ends_are = "a space or colon",
    .lost = "nothing can be put before its BLAS",
    .check = nullptr,
    .prepare = prepare,
};

ExitResult start(const Call &call) {
  return native::start(call, ROWS, LIBRARY);
}

} // namespace

const App apps::blas = {ROWS, start};

} // namespace gpuexec
