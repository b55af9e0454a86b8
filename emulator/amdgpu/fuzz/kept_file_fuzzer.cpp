//===-- emulator/amdgpu/fuzz/kept_file_fuzzer.cpp - Any file of code ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever the bytes, what is read from them lies inside of them and is written
// as the same bytes again. The checksums are put right first, or no input would
// get behind them.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/code_cache/kept_region.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace gpuexec::emulator::amdgpu;
using namespace gpuexec::emulator::amdgpu::code_cache;

/// The file's header, then the input's records with their hashes.
static std::vector<u8> file_of(llvm::ArrayRef<u8> input, const Key &key) {
  std::vector<u8> bytes = encode_header(key);
  while (input.size() >= 2) {
    const u32 size =
        std::min<u32>(input[0] | u32(input[1]) << 8, u32(input.size() - 2));
    const llvm::ArrayRef<u8> body = input.slice(2, size);
    const u64 hash = llvm::xxh3_64bits(body);
    const auto *raw = reinterpret_cast<const u8 *>(&size);
    bytes.insert(bytes.end(), raw, raw + sizeof(size));
    raw = reinterpret_cast<const u8 *>(&hash);
    bytes.insert(bytes.end(), raw, raw + sizeof(hash));
    bytes.insert(bytes.end(), body.begin(), body.end());
    input = input.drop_front(2 + size);
  }
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
  const Key key = {1, 2, 3};
  const llvm::ArrayRef<u8> input(data, size);
  (void)decode_file(input, key);
  const std::vector<u8> bytes = file_of(input, key);
  const KeptFile file = decode_file(bytes, key);
  std::vector<u8> again = encode_header(key);
  for (const KeptRegion &region : file.regions) {
    for (const KeptEntry &entry : region.entries)
      if (entry.handler >= region.code.size())
        std::abort();
    for (const KeptPointer &pointer : region.pointers)
      if (pointer.offset + sizeof(u64) > region.code.size())
        std::abort();
    encode(again, region);
  }
  if (file.size > bytes.size() || again.size() != file.size ||
      std::memcmp(again.data(), bytes.data(), again.size()) != 0)
    std::abort();
  return 0;
}
