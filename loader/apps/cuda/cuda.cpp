//===-- loader/apps/cuda/cuda.cpp - gpuexec cuda --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a native CUDA program with libcuda and libcudart of gpuexec before
// others: emulator/cuda/.
//===----------------------------------------------------------------------===//
#include "loader/apps/apps.h"
#include "loader/apps/cuda/program.h"
#include "loader/command_line/option_values.h"
#include "support/trusted_path.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <unistd.h>

namespace gpuexec {
namespace {

struct Options : CommandOptions {
  llvm::Error set(const char *name, llvm::StringRef value) {
    variables.emplace_back(name, value.str());
    return llvm::Error::success();
  }
  std::vector<std::pair<std::string, std::string>> variables;
};

constexpr OptionRow ROWS[] = {
#include "loader/apps/cuda/options.def"
};

/// The folder of the libraries: next to this program, installed or in its
/// build folder.
llvm::Expected<std::string> library_folder() {
  llvm::SmallString<128> program;
  llvm::sys::fs::real_path("/proc/self/exe", program);
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(program));
  llvm::sys::path::append(folder, "..", "lib", "gpuexec", "cuda");
  llvm::sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
  const std::string library = (folder + "/libcuda.so.1").str();
  if (!llvm::sys::fs::exists(library))
    return failure(Reason::failed, "cuda: {0} is missing", library);
  if (std::string problem = distrust(library); !problem.empty())
    return failure(Reason::failed, "cuda: {0}", problem);
  if (folder.str().contains(':'))
    return failure(Reason::failed,
                   "cuda: {0}: LD_LIBRARY_PATH takes no name with a colon",
                   folder);
  return folder.str().str();
}

void set_environment(const Options &options, const std::string &folder) {
  for (const auto &[name, value] : options.variables)
    ::setenv(name.c_str(), value.c_str(), 1);
  const char *others = std::getenv("LD_LIBRARY_PATH");
  const std::string path = others && *others ? folder + ":" + others : folder;
  ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
}

/// Runs the program that `words` begins with, in place of this process. Errors:
/// Failure. `is_missing`: there is no such program.
llvm::Error run(llvm::ArrayRef<char *> words, const Options &options,
                bool &is_missing) {
  llvm::Expected<std::string> folder = library_folder();
  if (!folder)
    return folder.takeError();
  llvm::Expected<std::string> path = cuda::find_program(words.front());
  if (!path) {
    is_missing = true;
    return path.takeError();
  }
  if (llvm::Error error = cuda::check_program(*path))
    return error;
  set_environment(options, *folder);
  ::execv(path->c_str(), words.data());
  return failure(Reason::not_runnable, "cuda: {0}: {1}", *path,
                 llvm::errnoAsErrorCode().message());
}

ExitResult start(const Call &call) {
  Options options;
  llvm::Expected<size_t> read =
      OptionTable{ROWS, "gpuexec cuda", "cuda: "}.read(call.arguments(),
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
                            "cuda: no program is named (gpuexec cuda --help; "
                            "an image of the name 'cuda' is ./cuda)"));
  bool is_missing = false;
  ExitResult end = call.end(run(words, options, is_missing));
  if (is_missing)
    end.status = status::NotFound;
  return end;
}

} // namespace

const App apps::cuda = {ROWS, start};

} // namespace gpuexec
