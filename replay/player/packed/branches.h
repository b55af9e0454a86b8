//===-- replay/player/packed/branches.h - Code that packs better --*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of x86-64's holds the distance to its target, so that calls of one
// function all differ. Before a file is packed, what follows each byte that may
// be a call or a jump gets the byte's place added; afterwards it is subtracted
// again. This is exact for any bytes.
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
