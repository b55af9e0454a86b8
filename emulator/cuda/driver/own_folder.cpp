//===-- emulator/cuda/driver/own_folder.cpp - See own_folder.h ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/own_folder.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>

namespace gpuexec::cuda {

std::string own_folder() {
  Dl_info info;
  char path[PATH_MAX];
  if (!dladdr(reinterpret_cast<void *>(&own_folder), &info) ||
      !realpath(info.dli_fname, path))
    return ".";
  std::string name = path;
  return name.substr(0, name.rfind('/'));
}

} // namespace gpuexec::cuda
