//===-- emulator/amdgpu/interpret/typed.h - Sources from bits ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a source of a function of ops/ from its bits, in stencils and routines.
// Included once per unit inside the level's namespace, after operands.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

/// A source of type T that consists of `bits`.
template <typename T> INLINE T typed(u64 bits) {
  if constexpr (std::is_same_v<T, ops::P16>)
    return ops::P16{u32(bits)};
  else if constexpr (std::is_same_v<T, ops::F32x2>)
    return ops::F32x2{ops::f32(u32(bits)), ops::f32(u32(bits >> 32))};
  else if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, bits);
  else if constexpr (sizeof(T) == 2)
    return T(bits);
  else
    return __builtin_bit_cast(T, u32(bits));
}

template <typename A>
inline constexpr bool IS_FLOAT =
    std::is_same_v<A, float> || std::is_same_v<A, double>;

} // namespace gpuexec::emulator::amdgpu::LEVEL
