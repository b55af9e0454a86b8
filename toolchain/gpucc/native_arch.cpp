//===-- toolchain/gpucc/native_arch.cpp - The GPU of this machine ---------===//
// NVIDIA's through its driver library, AMD's from the kernel's topology files.
// No driver is initialised unless its device file is there.
//===----------------------------------------------------------------------===//
#include "host_machine.h"
#include <cctype>
#include <cstdio>
#include <dirent.h>
#include <dlfcn.h>
#include <fstream>
#include <unistd.h>

namespace gpuexec {

static std::optional<std::string> native_nvidia() {
  // The library takes a tenth of a second to say that there is no device.
  if (access("/dev/nvidiactl", R_OK) != 0 && access("/dev/dxg", R_OK) != 0)
    return std::nullopt;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::nullopt;
  auto init = (int (*)(unsigned))dlsym(library, "cuInit");
  auto get = (int (*)(int *, int))dlsym(library, "cuDeviceGet");
  auto attribute =
      (int (*)(int *, int, int))dlsym(library, "cuDeviceGetAttribute");
  // Attributes 75 and 76: compute capability, major and minor.
  int device, major, minor;
  if (!init || !get || !attribute || init(0) || get(&device, 0) ||
      attribute(&major, 75, device) || attribute(&minor, 76, device))
    return std::nullopt;
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

static std::optional<std::string> native_amd() {
  const std::string nodes = "/sys/class/kfd/kfd/topology/nodes";
  DIR *folder = opendir(nodes.c_str());
  if (!folder)
    return std::nullopt;
  std::optional<std::string> found;
  int lowest = -1;
  while (dirent *entry = readdir(folder)) {
    if (!isdigit((unsigned char)entry->d_name[0]))
      continue;
    std::ifstream properties(nodes + "/" + entry->d_name + "/properties");
    std::string name;
    // One "name value" pair per line; CPUs have version 0.
    for (unsigned long value; properties >> name >> value;) {
      if (name != "gfx_target_version" || !value)
        continue;
      int node = atoi(entry->d_name);
      if (found && node > lowest)
        continue;
      lowest = node;
      char text[32];
      snprintf(text, sizeof text, "gfx%lu%lx%lx", value / 10000,
               value / 100 % 100, value % 100);
      found = text;
    }
  }
  closedir(folder);
  return found;
}

std::optional<std::string> HostMachine::native_arch() const {
  if (auto arch = native_nvidia())
    return arch;
  return native_amd();
}

} // namespace gpuexec
