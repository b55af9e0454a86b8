//===-- emulator/amdgpu/ops/tests/call.cpp --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call.h"
#include <tuple>
#include <type_traits>
#include <utility>

namespace gpuexec::emulator::ops::tests {
namespace {

template <typename T> T operand(uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>)
    return bits != 0;
  else if constexpr (std::is_same_v<T, float>)
    return f32(uint32_t(bits));
  else if constexpr (std::is_same_v<T, double>)
    return f64(bits);
  else if constexpr (std::is_same_v<T, F16>)
    return f16(uint32_t(bits));
  else if constexpr (std::is_same_v<T, P16> || std::is_same_v<T, LaneId>)
    return T{uint32_t(bits)};
  else
    return T(bits);
}

template <typename T> uint64_t bits(T value) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                std::is_same_v<T, F16>)
    return bits_of(value);
  else if constexpr (std::is_same_v<T, P16>)
    return value.bits;
  else if constexpr (std::is_same_v<T, F32x2>)
    return bits_of(value.low) | uint64_t(bits_of(value.high)) << 32;
  else if constexpr (std::is_same_v<T, bool>)
    return value;
  else
    return std::make_unsigned_t<T>(value);
}

template <typename T> Result result(T value) { return {bits(value), {}}; }
template <typename T> Result result(WithBit<T> r) {
  return {bits(r.value), r.bit};
}
template <typename T> Result result(WithScc<T> r) {
  return {bits(r.value), r.scc};
}
Result result(Scc r) { return {0, r.scc}; }

template <typename> struct Signature;
template <typename R, typename... Args> struct Signature<R (*)(Args...)> {
  static constexpr unsigned OPERANDS = sizeof...(Args);
  template <auto F> static Result call(const FloatMode &, const uint64_t *v) {
    return call<F>(v, std::make_index_sequence<sizeof...(Args)>());
  }
  template <auto F, size_t... I>
  static Result call([[maybe_unused]] const uint64_t *v,
                     std::index_sequence<I...>) {
    return result(F(operand<Args>(v[I])...));
  }
};
template <typename R, typename... Args>
struct Signature<R (*)(const FloatMode &, Args...)> {
  static constexpr unsigned OPERANDS = sizeof...(Args);
  template <auto F>
  static Result call(const FloatMode &mode, const uint64_t *v) {
    return call<F>(mode, v, std::make_index_sequence<sizeof...(Args)>());
  }
  template <auto F, size_t... I>
  static Result call(const FloatMode &mode, const uint64_t *v,
                     std::index_sequence<I...>) {
    return result(F(mode, operand<Args>(v[I])...));
  }
};

template <auto F> Function plain() {
  using S = Signature<decltype(F)>;
  return {S::OPERANDS, S::template call<F>};
}

/// Applies a function to each part of its operands: halves or registers.
template <auto F, unsigned BITS>
Result by_parts(const FloatMode &mode, const uint64_t *v) {
  using S = Signature<decltype(F)>;
  uint64_t mask = (uint64_t(1) << BITS) - 1, value = 0;
  for (unsigned part = 0; part < 2; ++part) {
    uint64_t operands[S::OPERANDS];
    for (unsigned i = 0; i < S::OPERANDS; ++i)
      operands[i] = v[i] >> (part * BITS) & mask;
    value |= S::template call<F>(mode, operands).value << (part * BITS);
  }
  return {value, {}};
}
template <auto F, unsigned BITS> Function parts() {
  return {Signature<decltype(F)>::OPERANDS, by_parts<F, BITS>};
}

} // namespace

const std::map<std::string, Function> &functions() {
  static const std::map<std::string, Function> all = {
#define VALU(name) {#name, plain<&name>()},
#define VALU_SAT(name)                                                         \
  {#name, plain<&name>()}, {#name "_sat", plain<&name##_sat>()},
#define VALU_KEEP_HIGH_SAT(name) VALU_SAT(name)
#define VPK(name, half) {#name, parts<&half, 16>()},
#define VPK_SAT(name, half)                                                    \
  {#name, parts<&half, 16>()}, {#name "_sat", parts<&half##_sat, 16>()},
#define VPK32(name, half) {#name, parts<&half, 32>()},
#define VMIX(name) VALU(name)
#include "emulator/amdgpu/ops/valu.def"
#define SALU(name) {#name, plain<&name>()},
#define SALU_SAVEEXEC(name, logic) {#name, plain<&logic>()},
#define SALU_WREXEC(name, logic) {#name, plain<&logic>()},
#include "emulator/amdgpu/ops/salu.def"
  };
  return all;
}

const std::vector<std::string> &mnemonics() {
  static const std::vector<std::string> all = {
#define VALU(name) #name,
#define VPK(name, half) #name,
#define VPK32(name, half) #name,
#define VMIX(name) #name,
#include "emulator/amdgpu/ops/valu.def"
#define SALU(name) #name,
#define SALU_SAVEEXEC(name, logic) #name,
#define SALU_WREXEC(name, logic) #name,
#include "emulator/amdgpu/ops/salu.def"
  };
  return all;
}

} // namespace gpuexec::emulator::ops::tests
