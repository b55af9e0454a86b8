//===-- toolchain/gpucc/self_run.cpp - See self_run.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/self_run.h"
#include "support/shell_word.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec {

namespace {

// The image's offset in the file, where loader/image/container.cpp expects it:
// page-aligned, as in a file of its own.
constexpr size_t IMAGE_OFFSET = 4096;

/// The shell script that runs gpuexec with the script's own file: `launcher`,
/// or the gpuexec on PATH if there is none at that path any more.
std::string script(const std::string &launcher) {
  return "#!/bin/sh\n"
         "for gpuexec in " +
         single_quoted(launcher) +
         " gpuexec; do\n"
         "  command -v \"$gpuexec\" > /dev/null && exec \"$gpuexec\" run -- "
         "\"$0\" \"$@\"\n"
         "done\n"
         "echo \"$0: a program for a GPU needs gpuexec, and there is none in "
         "PATH\" >&2\n"
         "exit 127\n";
}

/// Makes a file executable for those who can read it. Returns an error, or "".
std::string make_executable(const std::string &path) {
  struct stat status; // adds x wherever r is
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return "";
  if (stat(path.c_str(), &status) ||
      chmod(path.c_str(), status.st_mode | (status.st_mode & 0444) >> 2))
    return path + ": cannot be made executable: " + strerror(errno);
  return "";
}

/// Inserts `head` before the image in the file, and makes the file executable.
/// Returns an error, or "".
std::string put_before(const std::string &path, const std::string &head) {
  std::ifstream in(path, std::ios::binary);
  std::string image{std::istreambuf_iterator<char>(in), {}};
  if (!in || image.empty())
    return path + ": cannot read what was linked";
  in.close();
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << head << image;
  out.close();
  if (!out)
    return path + ": cannot be written: " + strerror(errno);
  return make_executable(path);
}

/// Inserts the script before the image in the file. Returns an error, or "".
std::string put_script(const std::string &path, const std::string &launcher) {
  std::string head = script(launcher);
  if (head.size() > IMAGE_OFFSET)
    return launcher + ": too long a path for --self-run";
  head.resize(IMAGE_OFFSET, '\n');
  return put_before(path, head);
}

// A comment of PTX and a command of a shell: Linux starts no text without `#!`,
// and a shell takes such a file for a script of its own.
constexpr char COMMENT_THAT_RUNS[] =
    "//usr/bin/env gpuexec run -- \"$0\" \"$@\"; exit\n";

} // namespace

std::string output_of(const std::vector<std::string> &arguments) {
  std::string output = "a.out";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if ((argument == "-o" || argument == "--output") &&
        i + 1 < arguments.size())
      output = arguments[++i];
    else if (argument.starts_with("-o") && argument.size() > 2)
      output = argument.substr(2);
    else if (argument.starts_with("--output="))
      output = argument.substr(9);
  }
  return output;
}

std::string make_ptx_program(const std::string &path) {
  std::error_code none; // not regular: /dev/null
  if (!std::filesystem::is_regular_file(path, none))
    return "";
  std::string problem = put_before(path, COMMENT_THAT_RUNS);
  if (!problem.empty())
    unlink(path.c_str()); // as make_self_run() does
  return problem;
}

int make_self_run(const std::string &output, const std::string &launcher) {
  std::error_code none; // not regular: a device (/dev/null), or no file at all
  if (!std::filesystem::is_regular_file(output, none))
    return 0;
  if (std::string problem = put_script(output, launcher); !problem.empty()) {
    fprintf(stderr, "gpucc: error: %s\n", problem.c_str());
    unlink(output.c_str()); // make would use the incomplete file
    return 1;
  }
  return 0;
}

} // namespace gpuexec
