//===-- replayer/packed/pack.c - Packs a file, while building -------------===//
// usage: pack FROM TO
//===----------------------------------------------------------------------===//
#include "replayer/packed/branches.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static void check(int good, const char *what) {
  if (!good) {
    perror(what);
    exit(1);
  }
}

int main(int argc, char **argv) {
  enum { MOST = 1 << 20 };
  static unsigned char bytes[MOST], packed[MOST];
  check(argc == 3, "usage: pack FROM TO");
  FILE *from = fopen(argv[1], "rb"), *to = fopen(argv[2], "wb");
  check(from != NULL, argv[1]);
  check(to != NULL, argv[2]);
  const uint64_t size = fread(bytes, 1, MOST, from);
  check(size && size < MOST, argv[1]);
  move_branches(bytes, size, 1);
  z_stream stream = {.next_in = bytes,
                     .avail_in = (unsigned)size,
                     .next_out = packed,
                     .avail_out = MOST};
  // Without zlib's head; the largest window, the most memory.
  check(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 9,
                     Z_DEFAULT_STRATEGY) == Z_OK &&
            deflate(&stream, Z_FINISH) == Z_STREAM_END,
        "packing");
  check(fwrite(&size, sizeof size, 1, to) == 1 &&
            fwrite(packed, stream.total_out, 1, to) == 1 && fclose(to) == 0,
        argv[2]);
  return 0;
}
