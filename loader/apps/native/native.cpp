//===-- loader/apps/native/native.cpp - See native.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/native/native.h"
#include "loader/apps/native/program.h"
#include "support/failure.h"
#include "support/trusted_path.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <unistd.h>

namespace gpuexec::native {

namespace {

/// What the variable gets: the library, or its folder. It lies next to this
/// program, installed or in its build folder.
llvm::Expected<std::string> find_library(llvm::StringRef command,
                                         const Library &library) {
  llvm::SmallString<128> program;
  llvm::sys::fs::real_path("/proc/self/exe", program);
  llvm::SmallString<128> path(llvm::sys::path::parent_path(program));
  llvm::sys::path::append(path, "..", "lib", "gpuexec", library.file);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  if (!llvm::sys::fs::exists(path))
    return failure(Reason::failed, "{0}: {1} is missing", command, path);
  if (std::string problem = distrust(path.str().str()); !problem.empty())
    return failure(Reason::failed, "{0}: {1}", command, problem);
  if (library.by_folder)
    llvm::sys::path::remove_filename(path);
  if (path.find_first_of(library.ends) != llvm::StringRef::npos)
    return failure(Reason::failed, "{0}: {1}: {2} takes no name with {3}",
                   command, path, library.variable, library.ends_are);
  return path.str().str();
}

void set_environment(const Options &options, const Library &library,
                     const std::string &path) {
  for (const auto &[name, value] : options.variables)
    ::setenv(name.c_str(), value.c_str(), 1);
  const char *others = std::getenv(library.variable.data());
  std::string all = others && *others ? path + ":" + others : path;
  if (library.first_folder)
    if (llvm::StringRef first = library.first_folder(options); !first.empty())
      all = path + "/" + first.str() + ":" + all;
  ::setenv(library.variable.data(), all.c_str(), 1);
}

/// Runs the program that `words` begins with, in place of this process. Errors:
/// Failure. `is_missing`: there is no such program.
llvm::Error run(llvm::StringRef command, llvm::ArrayRef<char *> words,
                const Options &options, const Library &library,
                bool &is_missing) {
  llvm::Expected<std::string> found = find_library(command, library);
  if (!found)
    return found.takeError();
  llvm::Expected<std::string> path = find_program(command, words.front());
  if (!path) {
    is_missing = true;
    return path.takeError();
  }
  if (llvm::Error error = check_program(command, *path, library))
    return error;
  if (library.prepare)
    library.prepare(options);
  set_environment(options, library, *found);
  ::execv(path->c_str(), words.data());
  return failure(Reason::not_runnable, "{0}: {1}: {2}", command, *path,
                 llvm::errnoAsErrorCode().message());
}

} // namespace

ExitResult start(const Call &call, llvm::ArrayRef<OptionRow> rows,
                 const Library &library) {
  const std::string command = call.command->name.str();
  Options options;
  llvm::Expected<size_t> read =
      OptionTable{rows, "gpuexec " + command, command + ": "}.read(
          call.arguments(), options);
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
                            "{0}: no program is named (gpuexec {0} --help; "
                            "an image of the name '{0}' is ./{0})",
                            command));
  bool is_missing = false;
  ExitResult end = call.end(run(command, words, options, library, is_missing));
  if (is_missing)
    end.status = status::NotFound;
  return end;
}

} // namespace gpuexec::native
