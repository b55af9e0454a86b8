//===-- replay/recorder/chunk.h - The parts of a recording's file -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only for the files of this folder.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_CHUNK_H
#define GPUEXEC_REPLAY_RECORDER_CHUNK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gpuexec::recording {

inline constexpr char MAGIC[8] = {'g', 'p', 'u', 'e', 'x', 'r', 'e', 'c'};

/// The file begins with this. Numbers are little-endian, as of all machines
/// that gpuexec runs on.
struct FileHeader {
  char magic[8];
  uint32_t version, inverted_version;
};
static_assert(sizeof(FileHeader) == 16, "docs/recording.md");

enum class Kind : uint32_t { facts = 1, image = 2, events = 3, end = 4 };

/// Before each chunk. `stored` bytes follow: zstd's, or as they are if that is
/// no fewer.
struct ChunkHeader {
  uint32_t kind;
  uint32_t reserved;
  uint64_t stored, size;
  uint64_t checksum;        ///< xxh3 of the stored bytes
  uint64_t header_checksum; ///< xxh3 of what is before
};
static_assert(sizeof(ChunkHeader) == 40 &&
                  std::is_trivially_copyable_v<ChunkHeader>,
              "docs/recording.md");

/// No chunk has more bytes when it is unpacked.
inline constexpr uint64_t LARGEST_CHUNK = uint64_t(1) << 32;

/// A file has its reader use no more memory than MEMORY_ALLOWANCE and
/// MEMORY_PER_BYTE for each of its bytes: zstd makes gigabytes of kilobytes,
/// and an event of three bytes is a value of a hundred. gpu-replay counts in
/// the same way (replay/player/recording.c, docs/recording.md).
inline constexpr uint64_t MEMORY_ALLOWANCE = uint64_t(256) << 20;
inline constexpr uint64_t MEMORY_PER_BYTE = 128;
/// What an event, or a string of a fact, counts besides its bytes: room for a
/// value of either reader in a list that grows.
inline constexpr uint64_t ITEM_MEMORY = 320;
/// The same for an address of a call.
inline constexpr uint64_t ADDRESS_MEMORY = 24;

/// How much memory a file needs when it is read. The writer keeps an account as
/// well: what it writes can be read.
class MemoryAccount {
public:
  /// Counts `count` items and their `addresses`. False, and nothing is counted,
  /// when `file` bytes do not allow that.
  bool take(uint64_t bytes, uint64_t count, uint64_t addresses, uint64_t file) {
    const uint64_t more =
        bytes + count * ITEM_MEMORY + addresses * ADDRESS_MEMORY;
    if (bytes > LARGEST_CHUNK || more > limit(file) - taken)
      return false;
    taken += more;
    return true;
  }
  static constexpr uint64_t limit(uint64_t file) {
    return MEMORY_ALLOWANCE +
           std::min(file, UINT64_MAX / 2 / MEMORY_PER_BYTE) * MEMORY_PER_BYTE;
  }

private:
  uint64_t taken = 0;
};

enum class Event : uint64_t {
  call = 1,
  output = 2,
  scheduled = 3, // the call that follows, in a schedule
  waited = 4,
  halted = 5,
};

inline uint64_t checksum(llvm::StringRef bytes) {
  return llvm::xxh3_64bits(bytes);
}
inline uint64_t header_checksum(const ChunkHeader &header) {
  return checksum({reinterpret_cast<const char *>(&header),
                   offsetof(ChunkHeader, header_checksum)});
}

} // namespace gpuexec::recording

#endif // GPUEXEC_REPLAY_RECORDER_CHUNK_H
