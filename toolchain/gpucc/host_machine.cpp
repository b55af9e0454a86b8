//===-- toolchain/gpucc/host_machine.cpp - See host_machine.h -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/host_machine.h"
#include "drivers/cuda.h"
#include "support/trusted_path.h"
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec {
namespace {

//===-- The GPU of this machine -------------------------------------------===//
// NVIDIA's driver library names an NVIDIA GPU, the kernel's topology files an
// AMD GPU. The driver library is not loaded unless its device file exists.

std::optional<std::string> native_nvidia() {
  // The library takes a tenth of a second to say that there is no device.
  if (access("/dev/nvidiactl", R_OK) != 0 && access("/dev/dxg", R_OK) != 0)
    return std::nullopt;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::nullopt;
#define FUNCTIONS(F) F(cuInit) F(cuDeviceGet) F(cuDeviceGetAttribute)
  struct {
    FUNCTIONS(DRIVER_MEMBER)
  } cuda;
  CUdevice device;
  int major, minor;
  if (bind_functions(library, FUNCTIONS(DRIVER_NAME), &cuda) ||
      cuda.cuInit(0) || cuda.cuDeviceGet(&device, 0) ||
      cuda.cuDeviceGetAttribute(
          &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) ||
      cuda.cuDeviceGetAttribute(
          &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device))
    return std::nullopt;
#undef FUNCTIONS
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

std::optional<std::string> native_amd() {
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

//===-- What machine an object is for -------------------------------------===//
// These functions read only the first 20 bytes of an ELF file, and in an
// archive (ar(5)) the headers of the members.

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

/// e_machine of the ELF file that begins at the position of `file`; nothing for
/// another file.
std::optional<unsigned> read_machine(FILE *file) {
  unsigned char header[20];
  if (fread(header, 1, sizeof header, file) != sizeof header ||
      memcmp(header, ELFMAG, SELFMAG) != 0)
    return std::nullopt;
  return header[EI_DATA] == ELFDATA2MSB ? header[18] << 8 | header[19]
                                        : header[19] << 8 | header[18];
}

/// e_machine of an archive's first object; the position of `file` is after the
/// archive's magic bytes.
std::optional<unsigned> read_archive(FILE *file) {
  for (;;) {
    char header[61] = {}; // name 16, date 12, owner 6, group 6, mode 8, size 10
    if (fread(header, 1, 60, file) != 60)
      return std::nullopt;
    const long begin = ftell(file);
    const long size = strtol(header + 48, nullptr, 10);
    // "/", "//" and "/SYM64/" are the index and the list of long names; "/17"
    // is a member whose name is in that list.
    bool member = header[0] != '/' || (header[1] >= '0' && header[1] <= '9');
    if (auto machine = member ? read_machine(file) : std::nullopt)
      return machine;
    if (size < 0 || fseek(file, begin + size + size % 2, SEEK_SET) != 0)
      return std::nullopt;
  }
}

//===-- The host ----------------------------------------------------------===//

class HostMachine final : public Machine {
public:
  // build/bin/gpucc -> build/lib/gpuexec
  std::string device_root(std::string &problem) const override {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
      problem =
          std::string("cannot find my own executable: ") + strerror(errno);
      return "";
    }
    std::string bin(self, (size_t)length);
    bin.resize(bin.rfind('/'));
    std::string root = bin.substr(0, bin.rfind('/')) + "/lib/gpuexec";
    // clang loads plugins from this folder, and code of it is linked into
    // programs.
    if (std::string why = gpuexec::distrust(root);
        !why.empty() && errno != ENOENT) {
      problem = why;
      return "";
    }
    return root;
  }
  std::optional<std::string> native_arch() const override {
    auto arch = native_nvidia();
    return arch ? arch : native_amd();
  }
  std::optional<std::string> variable(const char *name) const override {
    const char *value = getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
  }
  bool is_executable(const std::string &path) const override {
    return access(path.c_str(), X_OK) == 0;
  }
  int cannot_read(const std::string &path) const override {
    return access(path.c_str(), R_OK) == 0 ? 0 : errno;
  }
  std::string distrust(const std::string &folder) const override {
    const std::string why = gpuexec::distrust(folder);
    return errno == ENOENT ? "" : why;
  }
  std::string text_of(const std::string &path) const override {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string real_path(const std::string &path) const override {
    char real[PATH_MAX];
    return realpath(path.c_str(), real) ? real : path;
  }
  std::optional<unsigned> elf_machine(const std::string &path) const override {
    struct stat info;
    if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
      return std::nullopt;
    File file(fopen(path.c_str(), "rbe"), fclose);
    if (!file)
      return std::nullopt;
    char magic[8] = {};
    if (fread(magic, 1, sizeof magic, file.get()) == sizeof magic &&
        memcmp(magic, "!<arch>\n", sizeof magic) == 0)
      return read_archive(file.get());
    rewind(file.get());
    return read_machine(file.get());
  }
};

} // namespace

std::unique_ptr<Machine> host_machine() {
  return std::make_unique<HostMachine>();
}

} // namespace gpuexec
