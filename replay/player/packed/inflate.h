//===-- replay/player/packed/inflate.h - Unpacks deflate's format ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_PLAYER_PACKED_INFLATE_H
#define GPUEXEC_REPLAY_PLAYER_PACKED_INFLATE_H

#include <stddef.h>
#include <stdint.h>

/// Unpacks a raw stream (RFC 1951) into exactly `size` bytes. False if the
/// stream is cut off. Only for streams that gpuexec's own build has made: other
/// damage may stay unnoticed.
_Bool inflate_all(const uint8_t *from, size_t from_size, uint8_t *to,
                  size_t size);

#endif // GPUEXEC_REPLAY_PLAYER_PACKED_INFLATE_H
