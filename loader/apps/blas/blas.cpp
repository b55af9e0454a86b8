//===-- loader/apps/blas/blas.cpp - gpuexec blas --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a native program with a library before its BLAS, which has a GPU do
// what is faster there: offload/blas/.
//===----------------------------------------------------------------------===//
#include "loader/apps/apps.h"
#include "loader/apps/blas/program.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/option_values.h"
#include "support/trusted_path.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace gpuexec {
namespace {

constexpr unsigned LARGEST_SIZE = 1u << 30;

struct Options : CommandOptions {
  /// Variables for offload/blas/policy/settings.h.
  std::vector<std::pair<std::string, std::string>> variables;

  llvm::Error set(const char *name, llvm::StringRef text) {
    variables.emplace_back(name, text.str());
    return llvm::Error::success();
  }
};

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

/// The library that is put before the program's BLAS: next to this program,
/// installed or in its build folder.
llvm::Expected<std::string> intercepting_library() {
  llvm::SmallString<128> program;
  llvm::sys::fs::real_path("/proc/self/exe", program);
  llvm::SmallString<128> library(llvm::sys::path::parent_path(program));
  llvm::sys::path::append(library, "..", "lib", "gpuexec",
                          "libgpuexec-offload-blas.so");
  llvm::sys::path::remove_dots(library, /*remove_dot_dot=*/true);
  if (!llvm::sys::fs::exists(library))
    return failure(Reason::failed, "blas: {0} is missing", library);
  if (std::string problem = distrust(library.str().str()); !problem.empty())
    return failure(Reason::failed, "blas: {0}", problem);
  // The dynamic linker takes both for the end of a name.
  if (library.find_first_of(" :") != llvm::StringRef::npos)
    return failure(Reason::failed,
                   "blas: {0}: LD_PRELOAD takes no name with a space or colon",
                   library);
  return library.str().str();
}

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

void set_environment(const Options &options, const std::string &library) {
  for (const auto &[name, value] : options.variables)
    ::setenv(name.c_str(), value.c_str(), 1);
  const char *others = std::getenv("LD_PRELOAD");
  const std::string preload =
      others && *others ? library + ":" + others : library;
  ::setenv("LD_PRELOAD", preload.c_str(), 1);
  // cuBLAS has hundreds of megabytes of code, of which a program needs few.
  ::setenv("CUDA_MODULE_LOADING", "LAZY", 0);
}

/// Runs the program that `words` begins with, in place of this process. Errors:
/// Failure. `is_missing`: there is no such program.
llvm::Error run(llvm::ArrayRef<char *> words, const Options &options,
                bool &is_missing) {
  llvm::Expected<std::string> library = intercepting_library();
  if (!library)
    return library.takeError();
  llvm::Expected<std::string> path = blas::find_program(words.front());
  if (!path) {
    is_missing = true;
    return path.takeError();
  }
  if (llvm::Error error = blas::check_program(*path))
    return error;
  hint_at_missing_gpu(options);
  set_environment(options, *library);
  ::execv(path->c_str(), words.data());
  return failure(Reason::not_runnable, "blas: {0}: {1}", *path,
                 llvm::errnoAsErrorCode().message());
}

ExitResult start(const Call &call) {
  Options options;
  llvm::Expected<size_t> read =
      OptionTable{ROWS, "gpuexec blas", "blas: "}.read(call.arguments(),
                                                       options);
  if (!read)
    return call.end(read.takeError());
  if (options.help) {
    print_help(llvm::outs(), *call.command);
    return call.end(llvm::Error::success());
  }
  llvm::ArrayRef<char *> words = call.words.drop_front(*read);
  if (!words.empty() && llvm::StringRef(words.front()) == "--")
    words = words.drop_front();
  if (words.empty())
    return call.end(failure(Reason::failed,
                            "blas: no program is named (gpuexec blas --help; "
                            "an image of the name 'blas' is ./blas)"));
  bool is_missing = false;
  ExitResult end = call.end(run(words, options, is_missing));
  if (is_missing)
    end.status = status::NotFound;
  return end;
}

} // namespace

const App apps::blas = {ROWS, start};

} // namespace gpuexec
