//===-- toolchain/gpucc/elf_machine.cpp - What machine an object is for ---===//
// Of ELF only the header's first 20 bytes are read, of ar(5) the headers of the
// members.
//===----------------------------------------------------------------------===//
#include "host_machine.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <memory>
#include <sys/stat.h>

namespace gpuexec {
namespace {

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

/// The machine of the ELF file that begins here; nothing for another file.
std::optional<unsigned> read_machine(FILE *file) {
  unsigned char header[20];
  if (fread(header, 1, sizeof header, file) != sizeof header ||
      memcmp(header, ELFMAG, SELFMAG) != 0)
    return std::nullopt;
  return header[EI_DATA] == ELFDATA2MSB ? header[18] << 8 | header[19]
                                        : header[19] << 8 | header[18];
}

/// The machine of an archive's first object; `file` is behind the magic.
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

} // namespace

std::optional<unsigned>
HostMachine::elf_machine(const std::string &path) const {
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

} // namespace gpuexec
