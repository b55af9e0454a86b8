//===-- toolchain/gpucc/tools.cpp - See tools.h ---------------------------===//
#include "tools.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace gpuexec {

namespace {

bool is_executable(const std::string &path) {
  return access(path.c_str(), X_OK) == 0;
}

/// The full path of a program on PATH, or "".
std::string find_program(const std::string &name) {
  const char *path = getenv("PATH");
  std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (size_t begin = 0; begin <= folders.size();) {
    size_t end = std::min(folders.find(':', begin), folders.size());
    std::string candidate = folders.substr(begin, end - begin) + "/" + name;
    if (is_executable(candidate))
      return candidate;
    begin = end + 1;
  }
  return "";
}

/// The folder of a program, symbolic links followed.
std::string real_folder(const std::string &program) {
  char real[PATH_MAX];
  std::string path = realpath(program.c_str(), real) ? real : program;
  return path.substr(0, path.rfind('/'));
}

/// Debian keeps each version of LLVM in a folder of its own:
/// /usr/lib/llvm-14/bin.
bool is_another_llvm(const std::string &folder) {
  const size_t at = folder.find("/llvm-");
  return at != std::string::npos && folder.compare(at, 9, "/llvm-22/") != 0;
}

std::string not_found(const std::string &tool, const std::string &package) {
  return tool + " not found (Debian: apt-get install " + package + ")";
}

} // namespace

std::string find_clang(bool cpp, std::string &problem) {
  const std::string name = cpp ? "clang++-22" : "clang-22";
  std::string clang = find_program(name);
  if (clang.empty())
    problem = not_found(name, "clang-22");
  return clang;
}

std::string find_cuda_tools(std::string &warning) {
  std::vector<std::string> candidates;
  for (const char *name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *value = getenv(name); value && *value)
      candidates.push_back(value);
  for (const char *name : {"ptxas", "nvlink"})
    if (std::string tool = find_program(name); !tool.empty()) {
      tool = real_folder(tool);
      candidates.push_back(tool.substr(0, tool.rfind("/bin")));
    }
  const size_t meant = candidates.size();
  candidates.push_back("/usr/local/cuda");
  candidates.push_back("/opt/cuda");
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string &folder = candidates[i];
    const bool ptxas = is_executable(folder + "/bin/ptxas");
    const bool nvlink = is_executable(folder + "/bin/nvlink");
    if (ptxas && nvlink)
      return warning.clear(), folder;
    if (warning.empty() && (i < meant || ptxas || nvlink))
      warning = folder + "/bin/" + (ptxas ? "nvlink" : "ptxas") +
                " not found, which is part of the CUDA toolkit: PTX is made "
                "instead of a cubin";
  }
  return "";
}

std::string missing_linker(const std::string &clang,
                           const std::vector<const char *> &arguments,
                           Vendor vendor) {
  const bool nvidia = vendor == Vendor::nvidia;
  const char *name = nvidia ? "clang-nvlink-wrapper" : "ld.lld";
  // clang looks where -B says, then in its own folder, then on PATH.
  std::vector<std::string> folders = {real_folder(clang)};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const char *argument = arguments[i];
    if (!strncmp(argument, "-fuse-ld=", 9) ||
        !strncmp(argument, "--ld-path=", 10))
      return ""; // another linker: the user's affair
    if (strncmp(argument, "-B", 2))
      continue;
    if (argument[2])
      folders.push_back(argument + 2);
    else if (i + 1 < arguments.size())
      folders.push_back(arguments[++i]);
  }
  for (const std::string &folder : folders)
    if (is_executable(folder + "/" + name))
      return "";
  if (std::string found = find_program(name);
      !found.empty() && !is_another_llvm(real_folder(found)))
    return "";
  return not_found(name, nvidia ? "clang-tools-22" : "lld-22");
}

int run_clang(const std::string &clang, char *const *arguments) {
  pid_t child;
  int status = 0;
  if (int error = posix_spawn(&child, clang.c_str(), nullptr, nullptr,
                              arguments, environ)) {
    fprintf(stderr, "gpucc: error: %s: %s\n", clang.c_str(), strerror(error));
    return 1;
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status))
    return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

} // namespace gpuexec
