//===-- toolchain/gpucc/libraries.cpp - See libraries.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/libraries.h"

namespace gpuexec {
namespace {

/// The libraries and folders that a command line names.
struct Search {
  std::vector<std::string> libraries, folders;
  bool known = true; ///< no other option can add libraries or folders

  /// Reads `option` ("-l") as "-lNAME" or "-l NAME" at arguments[at] and
  /// appends the name to `to`. False for other options.
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

  /// Is it an option for the linker alone that names folders or libraries?
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

  /// Does one of the folders have the library? ":FILE" is the name of a file.
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

/// The end of an error: what the user can do about a missing library.
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
