//===-- loader/blas/blas.cpp - See blas.h ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/blas/blas.h"
#include "loader/blas/program.h"
#include "loader/command_line/commands.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/option_table.h"
#include "support/failure.h"
#include "support/trusted_path.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace gpuexec::blas {
namespace {

using namespace llvm::opt;

#define OPTIONS_INC "loader/blas/options.inc"
#include "loader/command_line/option_table.inc"

constexpr unsigned LARGEST_SIZE = 1u << 30;

struct Settings {
  /// Variables for offload/blas/policy/settings.h.
  std::vector<std::pair<std::string, std::string>> variables;
  bool help = false;
  unsigned program = 0; ///< its place in argv
};

void print_blas_help(llvm::raw_ostream &os) {
  print_command_help(os, Command::blas, Table(), {"Run", "Look"});
}

llvm::Error apply(const Arg &arg, Settings &settings) {
  llvm::StringRef value = arg.getNumValues() ? arg.getValue() : "";
  auto set = [&](const char *name, llvm::StringRef text) {
    settings.variables.emplace_back(name, text.str());
    return llvm::Error::success();
  };
  unsigned number = 0;
  switch (arg.getOption().getUnaliasedOption().getID()) {
  case OPT_device:
    if (value != "off" && value != "cuda" &&
        (!value.starts_with("cuda:") ||
         !llvm::to_integer(value.substr(5), number, 10)))
      return bad_value(arg, "cuda, cuda:N or off");
    return set("GPUEXEC_BLAS_DEVICE", value);
  case OPT_min_size:
    if (!llvm::to_integer(value, number, 10) || number > LARGEST_SIZE)
      return bad_value(arg, "a number of rows and columns");
    return set("GPUEXEC_BLAS_MIN_SIZE", value);
  case OPT_deterministic:
    return set("GPUEXEC_BLAS_DETERMINISTIC", "1");
  case OPT_blas_stats: {
    if (value.empty())
      return bad_value(arg, "the name of a file");
    if (value == "-")
      return set("GPUEXEC_BLAS_STATS", value);
    llvm::SmallString<128> path = value; // the program may change its folder
    if (std::error_code error = llvm::sys::fs::make_absolute(path))
      return failure(Reason::failed, "{0}: {1}", value, error.message());
    return set("GPUEXEC_BLAS_STATS", path);
  }
  case OPT_verbose:
    return set("GPUEXEC_BLAS_VERBOSE", "1");
  case OPT_help:
    settings.help = true;
    return llvm::Error::success();
  default:
    llvm_unreachable("an option of the table without a meaning");
  }
}

llvm::Expected<Settings> parse(llvm::ArrayRef<const char *> argv) {
  Settings settings;
  Table table;
  InputArgList list(argv.begin(), argv.end());
  unsigned index = 0;
  while (index < argv.size() && argv[index][0] == '-' && argv[index][1]) {
    if (llvm::StringRef(argv[index]) == "--") {
      ++index;
      break;
    }
    llvm::Expected<std::unique_ptr<Arg>> arg =
        next_option(table, list, index, "gpuexec blas");
    if (!arg)
      return failure(Reason::failed, "{0}", llvm::toString(arg.takeError()));
    if (llvm::Error error = apply(**arg, settings))
      return failure(Reason::failed, "blas: {0}",
                     llvm::toString(std::move(error)));
    if (settings.help)
      return settings;
  }
  settings.program = index;
  if (index == argv.size())
    return failure(Reason::failed,
                   "blas: no program is named (gpuexec blas --help; an image "
                   "of the name 'blas' is ./blas)");
  return settings;
}

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
void hint_at_missing_gpu(const Settings &settings) {
  bool verbose = false, off = false;
  for (const auto &[name, value] : settings.variables) {
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

void set_environment(const Settings &settings, const std::string &library) {
  for (const auto &[name, value] : settings.variables)
    ::setenv(name.c_str(), value.c_str(), 1);
  const char *others = std::getenv("LD_PRELOAD");
  const std::string preload =
      others && *others ? library + ":" + others : library;
  ::setenv("LD_PRELOAD", preload.c_str(), 1);
  // cuBLAS has hundreds of megabytes of code, of which a program needs few.
  ::setenv("CUDA_MODULE_LOADING", "LAZY", 0);
}

} // namespace

llvm::Error run(llvm::ArrayRef<char *> argv, bool &is_missing) {
  llvm::Expected<Settings> settings =
      parse(llvm::ArrayRef<const char *>(argv.data(), argv.size()));
  if (!settings)
    return settings.takeError();
  if (settings->help) {
    print_blas_help(llvm::outs());
    return llvm::Error::success();
  }
  const char *name = argv[settings->program];
  llvm::Expected<std::string> library = intercepting_library();
  if (!library)
    return library.takeError();
  llvm::Expected<std::string> path = find_program(name);
  if (!path) {
    is_missing = true;
    return path.takeError();
  }
  if (llvm::Error error = check_program(*path))
    return error;
  hint_at_missing_gpu(*settings);
  set_environment(*settings, *library);
  ::execv(path->c_str(), argv.data() + settings->program);
  return failure(Reason::not_runnable, "blas: {0}: {1}", *path,
                 llvm::errnoAsErrorCode().message());
}

} // namespace gpuexec::blas
