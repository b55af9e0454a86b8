//===-- replayer/packed/pack.c - Packs a file, while building -------------===//
// usage: pack FROM TO
//===----------------------------------------------------------------------===//
#include "replayer/packed/branches.h"
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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
  static unsigned char bytes[MOST], packed[MOST];
  check(argc == 3, "usage: pack FROM TO");
  FILE *from = fopen(argv[1], "rb"), *to = fopen(argv[2], "wb");
  check(from != NULL, argv[1]);
  check(to != NULL, argv[2]);
  uint64_t size = fread(bytes, 1, MOST, from);
  check(size > sizeof(Elf64_Ehdr) && size < MOST, argv[1]);
  size = cut_sections(bytes, size);
  move_branches(bytes, size, 1);
  z_stream stream = {.next_in = bytes,
                     .avail_in = (unsigned)size,
                     .next_out = packed,
                     .avail_out = MOST};
  // Without zlib's head; the largest window. More memory than this makes longer
  // blocks, and 250 bytes more of them.
  check(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 7,
                     Z_DEFAULT_STRATEGY) == Z_OK &&
            deflate(&stream, Z_FINISH) == Z_STREAM_END,
        "packing");
  check(fwrite(&size, sizeof size, 1, to) == 1 &&
            fwrite(packed, stream.total_out, 1, to) == 1 && fclose(to) == 0,
        argv[2]);
  return 0;
}
