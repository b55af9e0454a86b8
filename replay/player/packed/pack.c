//===-- replay/player/packed/pack.c - Packs a file, while building --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: pack FROM TO
//===----------------------------------------------------------------------===//
#include "replay/player/packed/branches.h"
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zopfli/zopfli.h>

static void check(int good, const char *what) {
  if (!good) {
    perror(what);
    exit(1);
  }
}

/// Cuts off the sections' names and headers, which only linkers and debuggers
/// read. Returns the size of what the dynamic linker needs.
static uint64_t cut_sections(unsigned char *bytes, uint64_t size) {
  Elf64_Ehdr header;
  uint64_t end = 0;
  memcpy(&header, bytes, sizeof header);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    memcpy(&part, bytes + header.e_phoff + i * sizeof part, sizeof part);
    if (part.p_type == PT_LOAD && part.p_offset + part.p_filesz > end)
      end = part.p_offset + part.p_filesz;
  }
  check(end && end <= size, "an ELF library");
  header.e_shoff = header.e_shnum = header.e_shstrndx = 0;
  memcpy(bytes, &header, sizeof header);
  return end;
}

int main(int argc, char **argv) {
  enum { MOST = 1 << 20 };
  static unsigned char bytes[MOST];
  check(argc == 3, "usage: pack FROM TO");
  FILE *from = fopen(argv[1], "rb"), *to = fopen(argv[2], "wb");
  check(from != NULL, argv[1]);
  check(to != NULL, argv[2]);
  uint64_t size = fread(bytes, 1, MOST, from);
  check(size > sizeof(Elf64_Ehdr) && size < MOST, argv[1]);
  size = cut_sections(bytes, size);
  move_branches(bytes, size, 1);
  // Raw deflate. zopfli searches much longer than zlib for a short encoding,
  // and saves 2300 bytes.
  ZopfliOptions options;
  ZopfliInitOptions(&options);
  unsigned char *packed = NULL;
  size_t packed_size = 0;
  ZopfliCompress(&options, ZOPFLI_FORMAT_DEFLATE, bytes, size, &packed,
                 &packed_size);
  check(fwrite(&size, sizeof size, 1, to) == 1 &&
            fwrite(packed, packed_size, 1, to) == 1 && fclose(to) == 0,
        argv[2]);
  free(packed);
  return 0;
}
