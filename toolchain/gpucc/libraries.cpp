//===-- toolchain/gpucc/libraries.cpp - See libraries.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/libraries.h"

namespace gpuexec {
namespace {

/// The libraries and folders of a command line.
struct Search {
  std::vector<std::string> libraries, folders;
  bool known = true; ///< there are no others

  /// Reads "-lNAME" and "-l NAME". False for other options.
  static bool take(const std::vector<std::string> &arguments, size_t &at,
                   const char *option, std::vector<std::string> &to) {
    if (!arguments[at].starts_with(option))
      return false;
    if (arguments[at].size() > 2)
      to.push_back(arguments[at].substr(2));
    else if (at + 1 < arguments.size())
      to.push_back(arguments[++at]);
    return true;
  }

  /// Does the linker's option name a folder, or libraries?
  static bool is_of_linker(const std::string &argument) {
    if (!argument.starts_with("-Wl,"))
      return false;
    for (const char *option : {",-L", "library-path", ",-T", ",@", "sysroot"})
      if (argument.find(option) != std::string::npos)
        return true;
    return false;
  }

  explicit Search(const std::vector<std::string> &arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const std::string &argument = arguments[i];
      if (argument == "-o" || argument == "-mllvm" || argument == "-Xclang")
        ++i;
      else if (!take(arguments, i, "-l", libraries) &&
               !take(arguments, i, "-L", folders))
        known &= !argument.starts_with('@') && argument != "-Xlinker" &&
                 argument != "-T" && !is_of_linker(argument);
    }
  }

  bool finds(const std::string &library, const Machine &machine) const {
    for (const std::string &folder : folders) {
      if (library.starts_with(':')) {
        if (!machine.cannot_read(folder + "/" + library.substr(1)))
          return true;
        continue;
      }
      std::string file = folder;
      file.append("/lib").append(library);
      for (const char *suffix : {".a", ".so"})
        if (!machine.cannot_read(file + suffix))
          return true;
    }
    return false;
  }
};

/// What a user can do about a library that is not there.
std::string remedy_for(const std::string &library,
                       const LibraryFolders &folders, const Machine &machine) {
  if (folders.ports.folder.size() && !folders.ports.problem.empty())
    return "; the libraries of gpucc-port are not used: " +
           folders.ports.problem;
  const std::string port = port_of(library, folders.root, machine);
  if (!port.empty())
    return "; build it with: gpucc-port install " + port + " --target " +
           folders.arch;
  return "; build it as a static one (CC=gpucc) and name its folder with -L "
         "(gpucc-port list shows those that are built for you)";
}

} // namespace

std::string check_libraries(const std::vector<std::string> &arguments,
                            const LibraryFolders &folders,
                            const Machine &machine) {
  Search search(arguments);
  if (!search.known)
    return "";
  search.folders.push_back(folders.sysroot);
  if (folders.ports.usable())
    search.folders.push_back(folders.ports.folder + "/lib");
  for (const std::string &library : search.libraries)
    if (!search.finds(library, machine))
      return "-l" + library + ": no such library for GPUs in " +
             folders.sysroot +
             " or a folder of -L, and the host's cannot be linked" +
             remedy_for(library, folders, machine);
  return "";
}

} // namespace gpuexec
