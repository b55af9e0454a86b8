//===-- toolchain/gpucc/blank_assembly.cpp - See blank_assembly.h ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/blank_assembly.h"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace gpuexec {

namespace {

bool is_assembly(const std::string &argument) {
  return !argument.starts_with('-') && argument.ends_with(".S");
}

/// The command that preprocesses its only input: no file is written.
std::vector<std::string> preprocessing(const std::vector<std::string> &command,
                                       const std::string &input) {
  std::vector<std::string> made;
  for (size_t i = 0; i < command.size(); ++i) {
    const std::string &argument = command[i];
    if (argument == "-o" || argument == "-MF" || argument == "-MT" ||
        argument == "-MQ")
      ++i;
    else if (argument != "-c" && !argument.starts_with("-M") &&
             !argument.starts_with("-o") && argument != "-v" &&
             argument != "-###" && !is_assembly(argument))
      made.push_back(argument);
  }
  made.insert(made.end(), {"-E", "-P", "-w", input});
  return made;
}

/// Does a program print nothing but blanks, and end well? What it says on
/// standard error is left to its next run.
bool prints_blanks(const std::string &program,
                   const std::vector<std::string> &arguments) {
  int ends[2];
  if (pipe(ends))
    return false;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&files, ends[0]);
  posix_spawn_file_actions_addclose(&files, ends[1]);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1, 0);
  std::vector<char *> raw;
  for (const std::string &argument : arguments)
    raw.push_back(const_cast<char *>(argument.c_str()));
  raw.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &files, nullptr,
                                raw.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  bool blank = !error;
  char text[4096];
  for (ssize_t size; !error && (size = read(ends[0], text, sizeof text)) > 0;)
    blank = blank && std::all_of(text, text + size,
                                 [](unsigned char c) { return isspace(c); });
  close(ends[0]);
  int status = 0;
  return !error && waitpid(child, &status, 0) == child && status == 0 && blank;
}

} // namespace

void replace_blank_assembly(Command &clang) {
  auto &arguments = clang.arguments;
  if (std::find(arguments.begin(), arguments.end(), "-c") == arguments.end())
    return; // a link would get an object of an unexpected name
  std::vector<std::string> blank;
  for (size_t i = 1; i < arguments.size(); ++i)
    if (is_assembly(arguments[i]) && arguments[i - 1] != "-o" &&
        prints_blanks(clang.program, preprocessing(arguments, arguments[i])))
      blank.push_back(arguments[i]);
  for (const std::string &path : blank) {
    std::erase(arguments, path);
    arguments.insert(arguments.end(), {"-D__ASSEMBLER__=1", "-x", "c", path});
  }
}

} // namespace gpuexec
