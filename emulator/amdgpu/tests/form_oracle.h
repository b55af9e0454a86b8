//===-- emulator/amdgpu/tests/form_oracle.h - What a form must give ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of a case of forms.h, lane by lane: the operation's function in
// ops/, called with the sources that the modifiers choose and change; its
// result, changed and placed as the modifiers of the result say. Nothing here
// is the emulator's but the functions of ops/ and the table's types.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_TESTS_FORM_ORACLE_H
#define GPUEXEC_EMULATOR_AMDGPU_TESTS_FORM_ORACLE_H

#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/ops/tests/call.h"
#include "emulator/amdgpu/tests/forms.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace gpuexec::emulator::amdgpu::test {

// What modifiers do to values, said once more.

inline unsigned bits_of(Type type) {
  return type == Type::u8          ? 8
         : is_half(type)           ? 16
         : registers_of(type) == 2 ? 64
                                   : 32;
}
inline u64 with_signs(u64 value, Type type, bool neg, bool abs) {
  const u64 sign = u64(1) << (bits_of(type) - 1);
  return (abs ? value & ~sign : value) ^ (neg ? sign : 0);
}

template <typename T> T from(u64 bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
/// omod and clamp of one float.
inline u64 finished(u64 bits, Type type, unsigned omod, bool clamp,
                    const ops::FloatMode &mode) {
  const auto apply = [&](auto v, u8 denormals, auto least) {
    static constexpr double FACTOR[] = {1, 2, 4, 0.5};
    if (omod && !mode.ieee && !(denormals & ops::KEEP_OUTPUT)) {
      v = decltype(v)(v * FACTOR[omod]);
      if (std::fabs(v) < least)
        v = 0;
    }
    if (clamp)
      v = v > 0 ? v < 1 ? v : 1 : 0;
    return v;
  };
  u64 out = 0;
  if (type == Type::f64) {
    const double v = apply(from<double>(bits), mode.denorm64_16, 0x1p-1022);
    std::memcpy(&out, &v, 8);
  } else if (type == Type::f32) {
    const float v = apply(from<float>(bits), mode.denorm32, 0x1p-126f);
    std::memcpy(&out, &v, 4);
  } else {
    _Float16 half = from<_Float16>(bits);
    if (half != half && !clamp)
      return bits & 0xffff;
    if (omod && !(mode.denorm64_16 & ops::KEEP_OUTPUT) && !(bits & 0x7c00))
      half = 0; // a denormal
    // In float, where no product is rounded or too large; then as an f16.
    half = _Float16(apply(float(half), mode.denorm64_16, 0x1p-14f));
    std::memcpy(&out, &half, 2);
  }
  return out;
}

/// The lane that a DPP control names; nullopt: none.
inline std::optional<unsigned> dpp_source(const Fields &f, bool is_dpp8,
                                          unsigned lane) {
  const unsigned at = lane % 16, row = lane - at, n = f.control & 15;
  if (is_dpp8)
    return lane / 8 * 8 + (f.lanes >> (3 * (lane % 8)) & 7);
  const auto if_in = [&](int to) {
    return to >= 0 && to < 16 ? std::optional(row + unsigned(to))
                              : std::nullopt;
  };
  switch (f.control >> 4) {
  case 0x10:
    return if_in(int(at + n));
  case 0x11:
    return if_in(int(at) - int(n));
  case 0x12:
    return row + (at + 16 - n) % 16;
  case 0x13: // by one, in the whole wave
    switch (n) {
    case 0:
      return lane == 63 ? std::nullopt : std::optional(lane + 1);
    case 4:
      return (lane + 1) % 64;
    case 8:
      return lane == 0 ? std::nullopt : std::optional(lane - 1);
    default:
      return (lane + 63) % 64;
    }
  case 0x14:
    switch (n) {
    case 0:
      return row + 15 - at;
    case 1:
      return lane / 8 * 8 + 7 - lane % 8;
    case 2:
      return row ? std::optional(row - 1) : std::nullopt;
    default:
      return lane >= 32 ? std::optional(31u) : std::nullopt;
    }
  case 0x15:
    return row + n;
  case 0x16:
    return row + (at ^ n);
  default: // quad_perm
    return lane / 4 * 4 + (f.control >> (2 * (lane % 4)) & 3);
  }
}

struct Outcome {
  bool writes = true; // the lane's result register
  u64 value = 0;
  std::optional<bool> bit; // of the mask
  bool is_nan = false;     // NaNs are not compared: any is as good
};

/// One case's lanes, from the registers before it.
class Oracle {
public:
  Oracle(const Case &c, const Target &target, const State &before,
         const ops::FloatMode &mode)
      : c(c), op(*c.info->operation), target(target), s(before), mode(mode),
        f(fields_of(c, target)) {}

  /// nullptr if the test has no rule for the operation.
  const ops::tests::Function *function() const {
    std::string name = op.name;
    if (signs_fields() && (f.source[0].neg || f.source[1].neg))
      name += std::string("_s") + (f.source[0].neg ? "0" : "") +
              (f.source[1].neg ? "1" : "");
    if (f.clamp && op.saturates)
      name += "_sat";
    const auto &all = ops::tests::functions();
    const auto it = all.find(name);
    if (it == all.end())
      return nullptr;
    return c.info->relative ? nullptr : &it->second;
  }
  Outcome lane(unsigned l) const {
    Outcome out;
    u64 v[5] = {};
    const unsigned plain = op.sources - op.tied;
    std::optional<unsigned> from = l;
    if (f.is_dpp) {
      from = dpp_source(f, c.encoding == FormEncoding::dpp8, l);
      if (from && !(s.exec() >> *from & 1) && !f.fetches_inactive)
        from = std::nullopt;
      out.writes = (f.rows >> (l / 16) & 1) && (f.banks >> (l % 16 / 4) & 1) &&
                   (from || f.bound_control);
    }
    for (unsigned k = 0; k < plain; ++k)
      v[k] = source(k, k == 0 ? from : l);
    if (op.tied)
      v[plain] = old(l);
    if (op.condition)
      v[op.sources] = condition() >> l & 1;
    if (function()->operands > unsigned(op.sources + op.condition)) {
      std::copy_backward(v, v + 4, v + 5); // v_mbcnt
      v[0] = l;
    }
    const ops::tests::Result r = function()->call(mode, v);
    out.bit = r.bit;
    if (op.form == Form::vcmp)
      out.bit = r.value & 1;
    else {
      out.is_nan = has_nan(r.value);
      out.value = placed(result(r.value), old(l));
    }
    return out;
  }
  bool writes_two() const { return registers_of(op.result) == 2; }

  /// The lane mask that the operation writes.
  u64 mask(const State &state) const {
    if (c.info->cmpx)
      return state.exec();
    const unsigned at = c.encoding != FormEncoding::vop3 &&
                                c.encoding != FormEncoding::vop3_dpp16
                            ? unsigned(VCC)
                        : op.form == Form::vcmp ? RESULT
                                                : MASK;
    return *reinterpret_cast<const u64 *>(&state.s[at]);
  }

private:
  /// Is neg_lo of the first two sources the sign of their fields?
  bool signs_fields() const { return llvm::StringRef(op.name).contains("_iu"); }
  bool has_nan(u64 value) const {
    const auto half = [](u64 v) { return (v & 0x7fff) > 0x7c00; };
    const auto single = [](u64 v) { return (v & 0x7fffffff) > 0x7f800000; };
    if (op.form == Form::packed)
      return half(value) || half(value >> 16);
    if (op.form == Form::packed32 || op.float_pair)
      return single(value) || single(value >> 32);
    const Type type = op.form == Form::mix
                          ? op.half == Half::none ? Type::f32 : Type::f16
                          : op.result;
    return type == Type::f16   ? half(value)
           : type == Type::f32 ? single(value)
           : type == Type::f64 ? value << 1 > u64(0x7ff) << 53
                               : false;
  }
  u64 row(unsigned reg, unsigned lane, bool two) const {
    return s.v[reg][lane] | (two ? u64(s.v[reg + 1][lane]) << 32 : 0);
  }
  u64 old(unsigned lane) const { return row(RESULT, lane, writes_two()); }
  u64 condition() const {
    // v_div_fmas has three sources and reads VCC.
    return op.sources < 3 && (c.encoding == FormEncoding::vop3 ||
                              c.encoding == FormEncoding::vop3_dpp16)
               ? *reinterpret_cast<const u64 *>(&s.s[SOURCE[2]])
               : *reinterpret_cast<const u64 *>(&s.s[VCC]);
  }
  /// A source of the operation after all modifiers. `lane`: none is 0.
  u64 source(unsigned k, std::optional<unsigned> lane) const {
    const Fields::Source &m = f.source[k];
    const Type type = op.source[k];
    const bool two = registers_of(type) == 2;
    u64 value = lane ? row(SOURCE[k], *lane, two) : 0;
    if (c.encoding == FormEncoding::sdwa) {
      const unsigned width = m.select < 4   ? 8
                             : m.select < 6 ? 16
                                            : 32,
                     shift = m.select < 4   ? 8 * m.select
                             : m.select < 6 ? 16 * (m.select - 4)
                                            : 0;
      value = value >> shift & ((u64(1) << width) - 1);
      if (m.sext && !is_float(type) && width < 32)
        value = u32(int32_t(u32(value) << (32 - width)) >> (32 - width));
    }
    switch (op.form) {
    case Form::packed: {
      const u32 low = u32(value) >> (m.op_sel ? 16 : 0) & 0xffff,
                high = u32(value) >> (m.op_sel_hi ? 16 : 0) & 0xffff;
      return (low ^ (m.neg ? 0x8000 : 0)) | (high ^ (m.abs ? 0x8000u : 0))
                                                << 16;
    }
    case Form::packed32: {
      const u32 low = u32(value >> (m.op_sel ? 32 : 0)),
                high = u32(value >> (m.op_sel_hi ? 32 : 0));
      return (low ^ (m.neg ? 1u << 31 : 0)) | u64(high ^ (m.abs ? 1u << 31 : 0))
                                                  << 32;
    }
    case Form::mix: {
      float v = from<float>(value);
      if (m.op_sel_hi)
        v = float(from<_Float16>(value >> (m.op_sel ? 16 : 0)));
      u32 bits;
      std::memcpy(&bits, &v, 4);
      return with_signs(bits, Type::f32, m.neg, m.abs);
    }
    default:
      break;
    }
    if ((c.encoding == FormEncoding::vop3p ||
         c.encoding == FormEncoding::vop3p_dpp16) &&
        type == Type::p16) // dot products
      return (u32(value) >> (m.op_sel ? 16 : 0) & 0xffff) |
             (u32(value) >> (m.op_sel_hi ? 16 : 0) & 0xffff) << 16;
    if (type == Type::u8)
      value = value >> (8 * f.source_byte) & 0xff;
    else if (m.op_sel)
      value = u32(value) >> 16;
    if (is_half(type))
      value &= 0xffff;
    return with_signs(value, type, m.neg && !signs_fields(), m.abs);
  }
  u64 result(u64 value) const {
    const auto both = [&](unsigned width, Type type) {
      const u64 mask = (u64(1) << width) - 1;
      return finished(value & mask, type, f.omod, f.clamp, mode) |
             finished(value >> width & mask, type, f.omod, f.clamp, mode)
                 << width;
    };
    if (!f.clamp && !f.omod)
      return value;
    if (op.form == Form::packed)
      return op.float_parts ? both(16, Type::f16) : value;
    if (op.form == Form::packed32 || op.float_pair)
      return op.float_parts || op.float_pair ? both(32, Type::f32) : value;
    const Type type = op.form == Form::mix
                          ? op.half == Half::none ? Type::f32 : Type::f16
                          : op.result;
    return is_float(type) ? finished(value, type, f.omod, f.clamp, mode)
                          : value;
  }
  /// The result's registers.
  u64 placed(u64 value, u64 before) const {
    if (op.result == Type::u8) {
      const unsigned at = 8 * f.result_byte;
      return (before & ~(u64(0xff) << at)) | (value & 0xff) << at;
    }
    const bool half = op.form == Form::mix
                          ? op.half != Half::none
                          : op.form == Form::valu && is_half(op.result);
    if (c.encoding == FormEncoding::sdwa && f.select != 6) {
      const unsigned width = f.select < 4 ? 8 : 16,
                     at = f.select < 4 ? 8 * f.select : 16 * (f.select - 4);
      const u32 field = ((1u << width) - 1) << at;
      const u32 part = u32(value) << at & field;
      if (f.unused == 2)
        return (u32(before) & ~field) | part;
      if (f.unused == 1 && part >> (at + width - 1) & 1)
        return part | u32(~u64(0) << (at + width));
      return part;
    }
    if (!half)
      return value;
    const bool high = op.form == Form::mix ? op.half == Half::high : f.high;
    if (high)
      return (before & 0xffff) | (value & 0xffff) << 16;
    const bool keeps = op.keep_high || op.form == Form::mix || target.is_rdna();
    return (value & 0xffff) | (keeps ? before & 0xffff0000 : 0);
  }

  const Case &c;
  const Operation &op;
  const Target target;
  const State &s;
  const ops::FloatMode &mode;
  const Fields f;
};

} // namespace gpuexec::emulator::amdgpu::test

#endif // GPUEXEC_EMULATOR_AMDGPU_TESTS_FORM_ORACLE_H
