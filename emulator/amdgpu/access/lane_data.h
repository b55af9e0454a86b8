//===-- emulator/amdgpu/access/lane_data.h - What a lane moves --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of one lane's data in memory and in registers: once, for all
// tiers and for --check=uninit.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_ACCESS_LANE_DATA_H
#define GPUEXEC_EMULATOR_AMDGPU_ACCESS_LANE_DATA_H

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/decode/register_parts.h"
#include "emulator/amdgpu/decode/state.h"

namespace gpuexec::emulator::amdgpu::access {

/// How the bytes of an access lie in a register. T stands for 32 bits
/// (decode/register_parts.h).
struct DataFormat {
  unsigned bytes; // in memory
  bool is_signed;
  Half half; // of the register

  [[gnu::always_inline]] constexpr unsigned words() const {
    return (bytes + 3) / 4;
  }
  /// The first register after a load. `raw`: the bytes from memory; `old`: the
  /// register before.
  template <typename T>
  [[gnu::always_inline]] constexpr T loaded(T raw, T old) const {
    if (bytes < 4)
      raw = Sdwa{{0, 8 * bytes}, is_signed}.read(raw);
    return half == Half::none
               ? raw
               : HalfInsertion{half == Half::high}.written(old, raw);
  }
  /// The bits that a store writes, in the low ones of the result.
  template <typename T>
  [[gnu::always_inline]] constexpr T stored(T data) const {
    return half == Half::high ? data >> 16 : data;
  }
};
inline DataFormat format_of(const Operation &operation) {
  return {operation.memory.bytes, operation.memory.is_signed, operation.half};
}

/// Moves one lane's values between memory and registers. `d` points to the lane
/// in the first row; the next rows follow.
template <unsigned Bytes, bool Signed = false, Half D16 = Half::none>
struct LaneData {
  static constexpr DataFormat format = {Bytes, Signed, D16};
  static constexpr unsigned bytes = Bytes;
  static constexpr unsigned words = format.words();
  static constexpr bool sub_word = Bytes < 4;

  template <typename T> [[gnu::always_inline]] static T extend(T raw, T old) {
    return format.loaded(raw, old);
  }
  template <typename T> [[gnu::always_inline]] static T source(T data) {
    return format.stored(data);
  }
  /// The bytes from memory, before they are extended.
  [[gnu::always_inline]] static void fetch(const char *from,
                                           u32 (&word)[words]) {
    if constexpr (Bytes == 8) {
      u64 both; // one access: 64-bit atomic loads rely on it
      __builtin_memcpy(&both, from, 8);
      word[0] = u32(both);
      word[1] = u32(both >> 32);
    } else {
      word[0] = 0;
      __builtin_memcpy(word, from, Bytes);
    }
  }
  [[gnu::always_inline]] static void load(const char *from, u32 *d) {
    u32 word[words];
    fetch(from, word);
    for (unsigned k = 0; k < words; ++k)
      d[k * LANES] = sub_word ? extend(word[k], *d) : word[k];
  }
  [[gnu::always_inline]] static void store(char *to, const u32 *d) {
    if constexpr (sub_word) {
      u32 raw = source(*d);
      __builtin_memcpy(to, &raw, Bytes);
    } else if constexpr (Bytes == 8) {
      u64 both = d[0] | u64(d[LANES]) << 32;
      __builtin_memcpy(to, &both, 8);
    } else {
      u32 word[words];
      for (unsigned k = 0; k < words; ++k)
        word[k] = d[k * LANES];
      __builtin_memcpy(to, word, Bytes);
    }
  }
  template <bool Write>
  [[gnu::always_inline]] static void move(char *memory, u32 *d) {
    if constexpr (Write)
      store(memory, d);
    else
      load(memory, d);
  }
};

} // namespace gpuexec::emulator::amdgpu::access

#endif // GPUEXEC_EMULATOR_AMDGPU_ACCESS_LANE_DATA_H
