//===-- emulator/amdgpu/baseline/holes.h - What a stencil leaves open ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hole is the address of a symbol that nobody defines: extract.cpp finds its
// uses in the object file. The names are those of enum Hole.
// Included by stencils.cpp and wave_stencils.cpp, before their other headers.
//===----------------------------------------------------------------------===//

extern "C" {
#define GPUEXEC_NUMBERS(X)                                                     \
  X(dst)                                                                       \
  X(src0)                                                                      \
  X(src1)                                                                      \
  X(src2)                                                                      \
  X(sdst)                                                                      \
  X(scond) X(cache) X(offset) X(length) X(cache_number) X(executions) X(room)
#define GPUEXEC_VALUES(X)                                                      \
  X(imm) X(keep0) X(keep1) X(keep2) X(flip0) X(flip1) X(flip2)
#define GPUEXEC_PLACES(X)                                                      \
  X(next) X(cold) X(again) X(taken) X(now_on) X(now_off) X(dispatch) X(leave)
#define X(name) extern char hole_##name;
GPUEXEC_NUMBERS(X)
#undef X
#define X(name) [[gnu::visibility("hidden")]] extern const uint64_t hole_##name;
GPUEXEC_VALUES(X) // in the pool, beside the code
#undef X
#define X(name)                                                                \
  [[gnu::visibility("hidden")]] void hole_##name(                              \
      gpuexec::emulator::amdgpu::State &,                                      \
      const gpuexec::emulator::amdgpu::Inst *);
GPUEXEC_PLACES(X)
#undef X
[[gnu::visibility(
    "hidden")]] extern const gpuexec::emulator::amdgpu::Inst *const hole_inst;
[[gnu::visibility(
    "hidden")]] extern const gpuexec::emulator::amdgpu::Inst *const hole_target;
[[gnu::visibility(
    "hidden")]] extern const gpuexec::emulator::amdgpu::Handler hole_handler,
    *const hole_target_handler;
[[gnu::visibility("hidden")]] extern const uint64_t *const hole_epoch;
[[gnu::visibility("hidden")]] extern uint64_t *const hole_passes;
// Functions of the emulator (block_code.cpp says which).
[[clang::preserve_most]] bool baseline_fill(gpuexec::emulator::amdgpu::State &,
                                            uint32_t number, uint64_t address,
                                            uint32_t bytes_write,
                                            uint32_t flat);
[[clang::preserve_most]] void
baseline_forget(gpuexec::emulator::amdgpu::State &);
const gpuexec::emulator::amdgpu::Inst *
baseline_find(gpuexec::emulator::amdgpu::State &,
              const gpuexec::emulator::amdgpu::Inst *, uint64_t pc);
}

namespace gpuexec::emulator::amdgpu::baseline {
namespace {
using namespace baseline_level;

#define NUMBER(name) u32(reinterpret_cast<uintptr_t>(&hole_##name))
/// Jumps to the place. The code there does not read the second argument.
#define JUMP_TO(place)                                                         \
  do {                                                                         \
    const Inst *none_;                                                         \
    _Pragma("clang diagnostic push")                                           \
        _Pragma("clang diagnostic ignored \"-Wuninitialized\"")                \
            [[clang::musttail]] return hole_##place(s, none_);                 \
    _Pragma("clang diagnostic pop")                                            \
  } while (0)

template <typename T> INLINE T *at(State &s, uintptr_t offset) {
  return reinterpret_cast<T *>(reinterpret_cast<char *>(&s) + offset);
}
#define FIELD(T, name) at<T>(s, reinterpret_cast<uintptr_t>(&hole_##name))

template <unsigned K> INLINE u32 *source_field(State &s) {
  if constexpr (K == 0)
    return FIELD(u32, src0);
  else if constexpr (K == 1)
    return FIELD(u32, src1);
  else
    return FIELD(u32, src2);
}
template <Source S, unsigned K> INLINE const u32 *source(State &s) {
  if constexpr (S == Source::literal)
    return reinterpret_cast<const u32 *>(&hole_imm);
  else
    return source_field<K>(s);
}
/// The bits of a vector operation's source.
template <typename T, Source S, unsigned K>
INLINE u64 bits_of_source(State &s) {
  if constexpr (S == Source::literal) // volatile: its address has no 32 bits
    return *const_cast<const volatile u64 *>(&hole_imm);
  const u32 *from = source<S, K>(s);
  if constexpr (registers_of(TYPE<T>) == 2)
    return from[0] | u64(from[S == Source::row ? LANES : 1]) << 32;
  else
    return *from;
}
/// With the sign of source K changed as the instruction says.
template <unsigned K> INLINE u64 modified_bits(u64 bits) {
  if constexpr (K == 0)
    return (bits & hole_keep0) ^ hole_flip0;
  else if constexpr (K == 1)
    return (bits & hole_keep1) ^ hole_flip1;
  else
    return (bits & hole_keep2) ^ hole_flip2;
}
template <typename T, Source S, unsigned K, bool Modified>
INLINE T vector_source(State &s) {
  u64 bits = bits_of_source<T, S, K>(s);
  if constexpr (Modified)
    bits = modified_bits<K>(bits);
  return typed<T>(bits);
}

template <typename A>
inline constexpr bool IS_UNUSUAL = TYPE<A> == Type::f16 || TYPE<A> == Type::u8;

} // namespace
} // namespace gpuexec::emulator::amdgpu::baseline
