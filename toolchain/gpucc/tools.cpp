//===-- toolchain/gpucc/tools.cpp - See tools.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/tools.h"
#include <algorithm>

namespace gpuexec {

namespace {

/// The full path of a program on PATH, or "". Relative folders on PATH are
/// skipped: they depend on the current directory, where another user may have
/// put a program of that name.
std::string find_program(const Machine &machine, const std::string &name) {
  const std::string folders =
      machine.variable("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  for (size_t begin = 0; begin <= folders.size();) {
    size_t end = std::min(folders.find(':', begin), folders.size());
    std::string candidate = folders.substr(begin, end - begin) + "/" + name;
    if (folders[begin] == '/' && machine.is_executable(candidate))
      return candidate;
    begin = end + 1;
  }
  return "";
}

/// The folder of a program, symbolic links followed.
std::string real_folder(const Machine &machine, const std::string &program) {
  const std::string path = machine.real_path(program);
  return path.substr(0, path.rfind('/'));
}

/// Is it the folder of a version of LLVM other than 22? Debian has a folder for
/// each version: /usr/lib/llvm-14/bin.
bool is_another_llvm(const std::string &folder) {
  const size_t at = folder.find("/llvm-");
  return at != std::string::npos && folder.compare(at, 9, "/llvm-22/") != 0;
}

std::string not_found(const std::string &tool, const std::string &package) {
  return tool + " not found (Debian: apt-get install " + package + ")";
}

} // namespace

std::string find_clang(bool cpp, const Machine &machine, std::string &problem) {
  const std::string name = cpp ? "clang++-22" : "clang-22";
  std::string clang = find_program(machine, name);
  if (clang.empty())
    problem = not_found(name, "clang-22");
  return clang;
}

std::string find_cuda_tools(const Machine &machine, std::string &warning) {
  std::vector<std::string> candidates;
  for (const char *name : {"CUDA_PATH", "CUDA_HOME"})
    if (auto value = machine.variable(name); value && !value->empty())
      candidates.push_back(*value);
  for (const char *name : {"ptxas", "nvlink"})
    if (std::string tool = find_program(machine, name); !tool.empty()) {
      tool = real_folder(machine, tool);
      candidates.push_back(tool.substr(0, tool.rfind("/bin")));
    }
  const size_t meant = candidates.size();
  candidates.push_back("/usr/local/cuda");
  candidates.push_back("/opt/cuda");
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string &folder = candidates[i];
    const bool ptxas = machine.is_executable(folder + "/bin/ptxas");
    const bool nvlink = machine.is_executable(folder + "/bin/nvlink");
    if (ptxas && nvlink)
      return warning.clear(), folder;
    if (warning.empty() && (i < meant || ptxas || nvlink))
      warning = folder + "/bin/" + (ptxas ? "nvlink" : "ptxas") +
                " not found, which is part of the CUDA toolkit: PTX is made "
                "instead of a cubin";
  }
  return "";
}

std::string find_linker(const std::string &clang,
                        const std::vector<std::string> &arguments,
                        Vendor vendor, const Machine &machine,
                        std::string &problem) {
  const bool nvidia = vendor == Vendor::nvidia;
  const char *name = nvidia ? "clang-nvlink-wrapper" : "ld.lld";
  // clang looks where -B says, then in its own folder, then on PATH.
  std::vector<std::string> folders;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument.starts_with("-fuse-ld=") || argument.starts_with("--ld-path="))
      return ""; // the user names another linker
    if (!argument.starts_with("-B"))
      continue;
    if (argument.size() > 2)
      folders.push_back(argument.substr(2));
    else if (i + 1 < arguments.size())
      folders.push_back(arguments[++i]);
  }
  folders.push_back(real_folder(machine, clang));
  for (const std::string &folder : folders)
    if (machine.is_executable(folder + "/" + name))
      return folder + "/" + name;
  if (std::string found = find_program(machine, name);
      !found.empty() && !is_another_llvm(real_folder(machine, found)))
    return found;
  problem = not_found(name, nvidia ? "clang-tools-22" : "lld-22");
  return "";
}

} // namespace gpuexec
