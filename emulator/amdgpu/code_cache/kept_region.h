//===-- emulator/amdgpu/code_cache/kept_region.h - A file's records -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format of the files that keep compiled code. A file begins with a header
// that holds its key; records follow, each with its size and checksum. What a
// process has written last may be cut off: a reader stops at the first record
// that is not whole. Every size and offset is checked; the machine code itself
// is believed (docs/security.md).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_KEPT_REGION_H
#define GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_KEPT_REGION_H

#include "emulator/amdgpu/jit/jit.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec::emulator::amdgpu::code_cache {

/// A hash of everything that compiled code depends on.
using Key = std::array<u8, 32>;

/// Names a decoded micro-op in any process. Offsets are those of Inst::pc.
struct InstReference {
  u32 block = 0; // of the block that it was decoded in
  u32 pc = 0;
  u32 index = 0; // among the micro-ops of its instruction
  u64 check = 0; // a hash of what it does
  bool operator==(const InstReference &) const = default;
};

/// A jit::HostPointer in any process.
struct KeptPointer {
  jit::HostPointer::Kind kind = jit::HostPointer::Kind::epoch;
  u32 offset = 0;
  InstReference inst;   // Kind::instruction
  std::string function; // Kind::function
  bool operator==(const KeptPointer &) const = default;
};

struct KeptEntry {
  InstReference inst;
  Shape shape = ONE;
  u32 handler = 0; // offset in the code
  bool operator==(const KeptEntry &) const = default;
};

/// A region, or no code: what `covered` names was not worth compiling.
struct KeptRegion {
  jit::Tier tier = jit::Tier::quick;
  std::vector<u32> covered; // blocks that are not compiled again
  std::vector<KeptEntry> entries;
  std::vector<KeptPointer> pointers;
  std::vector<u8> code;
  bool operator==(const KeptRegion &) const = default;
};

/// A file is this large at most.
inline constexpr size_t LARGEST_FILE = 16 << 20;

/// The first bytes of a file.
std::vector<u8> encode_header(const Key &key);
/// Appends a record.
void encode(std::vector<u8> &bytes, const KeptRegion &region);

/// The decoded records of a file.
struct KeptFile {
  std::vector<KeptRegion> regions;
  size_t size = 0; // of header and whole records; 0: no file with this key
};
KeptFile decode_file(llvm::ArrayRef<u8> bytes, const Key &key);

} // namespace gpuexec::emulator::amdgpu::code_cache

#endif // GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_KEPT_REGION_H
