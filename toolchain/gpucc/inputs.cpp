//===-- toolchain/gpucc/inputs.cpp - Objects that are given to gpucc ------===//
// Of ELF only the header's first 20 bytes are read, of ar(5) the headers of the
// members.
//===----------------------------------------------------------------------===//
#include "inputs.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <memory>
#include <optional>
#include <sys/stat.h>

namespace gpuexec {
namespace {

constexpr unsigned MACHINE_AMDGPU = 224; // younger than some <elf.h>
constexpr unsigned MACHINE_CUDA = 190;

std::string machine_name(unsigned machine) {
  switch (machine) {
  case EM_X86_64:
    return "x86-64";
  case EM_386:
    return "i386";
  case EM_AARCH64:
    return "AArch64";
  case MACHINE_AMDGPU:
    return "an AMD GPU";
  case MACHINE_CUDA:
    return "an NVIDIA GPU";
  }
  return "ELF machine " + std::to_string(machine);
}

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

/// The machine of the ELF file that begins here; nothing when none does.
std::optional<unsigned> read_machine(FILE *file) {
  unsigned char header[20];
  if (fread(header, 1, sizeof header, file) != sizeof header ||
      memcmp(header, ELFMAG, SELFMAG) != 0)
    return std::nullopt;
  return header[EI_DATA] == ELFDATA2MSB ? header[18] << 8 | header[19]
                                        : header[19] << 8 | header[18];
}

/// That of an archive's first object; `file` stands behind the magic.
std::optional<unsigned> read_archive(FILE *file) {
  for (;;) {
    char header[61] = {}; // name 16, date 12, owner 6, group 6, mode 8, size 10
    if (fread(header, 1, 60, file) != 60)
      return std::nullopt;
    const long begin = ftell(file);
    const long size = strtol(header + 48, nullptr, 10);
    // "/", "//" and "/SYM64/" are the index and the long names; "/17" is a
    // member by its long name.
    bool member = header[0] != '/' || (header[1] >= '0' && header[1] <= '9');
    if (auto machine = member ? read_machine(file) : std::nullopt)
      return machine;
    if (size < 0 || fseek(file, begin + size + size % 2, SEEK_SET) != 0)
      return std::nullopt;
  }
}

std::optional<unsigned> machine_of(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
    return std::nullopt;
  File file(fopen(path, "rbe"), fclose);
  if (!file)
    return std::nullopt;
  char magic[8] = {};
  if (fread(magic, 1, sizeof magic, file.get()) == sizeof magic &&
      memcmp(magic, "!<arch>\n", sizeof magic) == 0)
    return read_archive(file.get());
  rewind(file.get());
  return read_machine(file.get());
}

/// Is the argument behind this one its value? Of the options that have one only
/// those whose value may be the name of an ELF file.
bool takes_a_file(const char *option) {
  return !strcmp(option, "-o") || !strcmp(option, "-mllvm") ||
         !strncmp(option, "-X", 2);
}

} // namespace

std::string check_inputs(const std::vector<const char *> &arguments,
                         Vendor vendor) {
  const unsigned wanted =
      vendor == Vendor::nvidia ? MACHINE_CUDA : MACHINE_AMDGPU;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (*arguments[i] == '-') {
      i += takes_a_file(arguments[i]);
      continue;
    }
    const std::optional<unsigned> machine = machine_of(arguments[i]);
    if (machine && *machine != wanted)
      return std::string(arguments[i]) + ": made for " +
             machine_name(*machine) + ", not for " + machine_name(wanted) +
             " (compile its source with gpucc)";
  }
  return "";
}

} // namespace gpuexec
