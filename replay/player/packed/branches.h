//===-- replay/player/packed/branches.h - Code that packs better --*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call instruction of x86-64 contains the distance to its target, so the
// bytes of all calls of one function differ. Before a file is packed, the
// position of each byte that may be a call or a jump is added to the four bytes
// behind it, which makes calls of one function equal; after unpacking it is
// subtracted. Any bytes are restored exactly.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_PACKED_BRANCHES_H
#define GPUEXEC_REPLAY_PLAYER_PACKED_BRANCHES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// `factor`: 1 before packing, -1u after unpacking.
static inline void move_branches(uint8_t *bytes, size_t size, uint32_t factor) {
  enum { CALL = 0xe8, JUMP = 0xe9, LENGTH = 5 };
  for (size_t i = 0; i + LENGTH <= size;) {
    if (bytes[i] != CALL && bytes[i] != JUMP) {
      ++i;
      continue;
    }
    uint32_t distance;
    memcpy(&distance, bytes + i + 1, sizeof distance);
    distance += factor * (uint32_t)i;
    memcpy(bytes + i + 1, &distance, sizeof distance);
    i += LENGTH;
  }
}

#endif // GPUEXEC_REPLAY_PLAYER_PACKED_BRANCHES_H
