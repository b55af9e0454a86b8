//===-- emulator/amdgpu/tests/forms.cpp - Forms and modifiers -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/tests/forms.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

namespace gpuexec::emulator::amdgpu::test {
namespace {

struct Bits {
  const char *name;
  unsigned word, shift;
  u32 field; // the bits that the modifier has, unshifted
  u32 value;
};

// VOP3's first words: opcode, result; src0, src1, src2.
constexpr Bits VOP3[] = {
    {"abs0", 0, 8, 1, 1},    {"abs1", 0, 9, 1, 1},     {"abs2", 0, 10, 1, 1},
    {"opsel0", 0, 11, 1, 1}, {"opsel1", 0, 12, 1, 1},  {"opsel2", 0, 13, 1, 1},
    {"opsel3", 0, 14, 1, 1}, {"opsel23", 0, 13, 3, 3}, {"opsel01", 0, 11, 3, 3},
    {"clamp", 0, 15, 1, 1},  {"mul2", 1, 27, 3, 1},    {"mul4", 1, 27, 3, 2},
    {"div2", 1, 27, 3, 3},   {"neg0", 1, 29, 1, 1},    {"neg1", 1, 30, 1, 1},
    {"neg2", 1, 31, 1, 1},
};
constexpr Bits VOP3P[] = {
    {"neg_hi0", 0, 8, 1, 1},     {"neg_hi1", 0, 9, 1, 1},
    {"neg_hi2", 0, 10, 1, 1},    {"op_sel0", 0, 11, 1, 1},
    {"op_sel1", 0, 12, 1, 1},    {"op_sel2", 0, 13, 1, 1},
    {"clamp", 0, 15, 1, 1},      {"op_sel_hi0", 1, 27, 1, 0},
    {"op_sel_hi1", 1, 28, 1, 0}, {"op_sel_hi2", 0, 14, 1, 0},
    {"neg_lo0", 1, 29, 1, 1},    {"neg_lo1", 1, 30, 1, 1},
    {"neg_lo2", 1, 31, 1, 1},
};
constexpr Bits SDWA[] = {
    {"dst_sel:byte0", 1, 8, 7, 0},
    {"dst_sel:byte1", 1, 8, 7, 1},
    {"dst_sel:byte2", 1, 8, 7, 2},
    {"dst_sel:byte3", 1, 8, 7, 3},
    {"dst_sel:word0", 1, 8, 7, 4},
    {"dst_sel:word1", 1, 8, 7, 5},
    {"dst_sel:byte1 sext", 1, 8, 31, 1 | 1 << 3},
    {"dst_sel:word1 sext", 1, 8, 31, 5 | 1 << 3},
    {"dst_sel:byte2 keep", 1, 8, 31, 2 | 2 << 3},
    {"dst_sel:word0 keep", 1, 8, 31, 4 | 2 << 3},
    {"clamp", 1, 13, 1, 1},
    {"mul2", 1, 14, 3, 1},
    {"div2", 1, 14, 3, 3},
    {"src0_sel:byte0", 1, 16, 7, 0},
    {"src0_sel:byte3", 1, 16, 7, 3},
    {"src0_sel:word0", 1, 16, 7, 4},
    {"src0_sel:word1", 1, 16, 7, 5},
    {"src0_sel:byte1 sext", 1, 16, 15, 1 | 8},
    {"src0_sel:word1 sext", 1, 16, 15, 5 | 8},
    {"neg0", 1, 20, 1, 1},
    {"abs0", 1, 21, 1, 1},
    {"src0_sel:word1 neg", 1, 16, 31, 5 | 16},
    {"src1_sel:byte2", 1, 24, 7, 2},
    {"src1_sel:word1", 1, 24, 7, 5},
    {"src1_sel:word0 sext", 1, 24, 15, 4 | 8},
    {"neg1", 1, 28, 1, 1},
    {"abs1", 1, 29, 1, 1},
};
// The control, the flags and the masks of DPP16 are in the last word.
constexpr Bits DPP16[] = {
    {"quad_perm", 0, 8, 0x1ff, 0x1b},
    {"row_shl", 0, 8, 0x1ff, 0x103},
    {"row_shr", 0, 8, 0x1ff, 0x111},
    {"row_ror", 0, 8, 0x1ff, 0x125},
    {"wave_shl", 0, 8, 0x1ff, 0x130},
    {"wave_rol", 0, 8, 0x1ff, 0x134},
    {"wave_shr", 0, 8, 0x1ff, 0x138},
    {"wave_ror", 0, 8, 0x1ff, 0x13c},
    {"row_mirror", 0, 8, 0x1ff, 0x140},
    {"row_half_mirror", 0, 8, 0x1ff, 0x141},
    {"row_bcast15", 0, 8, 0x1ff, 0x142},
    {"row_bcast31", 0, 8, 0x1ff, 0x143},
    {"row_share", 0, 8, 0x1ff, 0x155},
    {"row_xmask", 0, 8, 0x1ff, 0x166},
    {"fi", 0, 18, 1, 1},
    {"fi row_shl", 0, 8, 0x5ff, 0x504},
    {"bound_ctrl row_shr", 0, 8, 0x9ff, 0x912},
    {"neg0", 0, 20, 1, 1},
    {"abs0", 0, 21, 1, 1},
    {"neg1", 0, 22, 1, 1},
    {"abs1", 0, 23, 1, 1},
    {"bank_mask", 0, 24, 15, 6},
    {"row_mask", 0, 28, 15, 5},
};
constexpr Bits DPP8[] = {{"dpp8", 0, 8, 0xffffff, 0x39a1d4}};

/// An encoding's opcodes: fixed bits, where the opcode is and how many there
/// are.
struct Encoding32 {
  u32 prefix;
  unsigned shift, count;
};
constexpr Encoding32 VOP1 = {0x7e000000, 9, 256}, VOP2 = {0, 25, 62},
                     VOPC = {0x7c000000, 17, 256};

/// True if the encoding has the register of a mask besides the result's.
bool has_mask_field(const Operation &operation) {
  return operation.writes_mask && operation.form != Form::vcmp;
}

class Finder {
public:
  explicit Finder(Disassembler &disassembler)
      : d(disassembler), generation(d.target().generation) {}

  std::vector<Case> all() {
    const u32 vop3 = generation == 9 ? 0xd0000000 : 0xd4000000,
              vop3p = generation == 9 ? 0xd3800000 : 0xcc000000;
    const u32 sources =
        (256 + SOURCE[0]) | (256 + SOURCE[1]) << 9 | (256 + SOURCE[2]) << 18;
    for (u32 op = 0; op < (generation == 9 ? 0x380 : 1024); ++op)
      vop3_of(vop3 | op << 16 | RESULT, sources);
    std::vector<Bits> both(std::begin(VOP3P), std::end(VOP3P));
    for (Bits dpp : DPP16) {
      dpp.word = 2;
      both.push_back(dpp);
    }
    for (u32 op = 0; op < 128; ++op) {
      const u32 word = vop3p | op << 16 | RESULT | 1 << 14,
                operands = sources | 3 << 27;
      form(FormEncoding::vop3p, word, operands, 0, VOP3P, 0);
      if (generation >= 11)
        form(FormEncoding::vop3p_dpp16, word, (operands & ~0x1ffu) | 250,
             SOURCE[0] | 0xff08e400, both, 0);
    }
    for (const Encoding32 &e : {VOP1, VOP2, VOPC})
      for (u32 op = 0; op < e.count; ++op) {
        u32 word = e.prefix | op << e.shift;
        if (e.shift != VOPC.shift)
          word |= RESULT << 17;
        if (e.shift != VOP1.shift)
          word |= SOURCE[1] << 9;
        form(FormEncoding::e32, word | (256 + SOURCE[0]), 0, 0, {}, 0);
        form(FormEncoding::sdwa, word | 249, SOURCE[0] | 0x06060600, 0, SDWA,
             0);
        form(FormEncoding::dpp16, word | 250, SOURCE[0] | 0xff08e400, 0, DPP16,
             1);
        // Where the control must be row_newbcast.
        if (generation == 9)
          form(FormEncoding::dpp16, word | 250, SOURCE[0] | 0xff015000, 0,
               DPP16, 1);
        form(FormEncoding::dpp8, word | 233, SOURCE[0] | 0xfac68800, 0, DPP8,
             1);
      }
    return std::move(cases);
  }

private:
  void vop3_of(u32 word, u32 sources) {
    std::vector<Bits> both(std::begin(VOP3), std::end(VOP3));
    for (Bits dpp : DPP16) {
      dpp.word = 2;
      both.push_back(dpp);
    }
    // Sources that must be scalars: v_cndmask's mask, lane numbers.
    for (u32 third : {256 + SOURCE[2], SOURCE[2]}) {
      const u32 operands = (sources & ~(0x1ffu << 18)) | third << 18;
      const OpcodeInfo *info = info_of({word, operands, 0});
      if (!info || !info->operation)
        continue;
      if (info->operation->condition && info->operation->sources < 3 &&
          third > 255)
        continue;
      if (has_mask_field(*info->operation)) { // in the place of abs and op_sel
        word |= MASK << 8;
        llvm::erase_if(
            both, [](const Bits &b) { return b.word == 0 && b.shift < 15; });
      }
      form(FormEncoding::vop3, word, operands, 0,
           llvm::ArrayRef(both).take_front(both.size() - std::size(DPP16)), 0);
      if (generation >= 11)
        form(FormEncoding::vop3_dpp16, word, (operands & ~0x1ffu) | 250,
             SOURCE[0] | 0xff08e400, both, 0);
      return;
    }
  }
  const OpcodeInfo *info_of(const Words &words) {
    llvm::MCInst inst;
    unsigned size = 0;
    return decode(words, inst, size) ? &d.info(inst.getOpcode()) : nullptr;
  }
  bool decode(const Words &words, llvm::MCInst &inst, unsigned &size) {
    inst = llvm::MCInst();
    size = d.decode({reinterpret_cast<const uint8_t *>(words.data()), 12}, 0,
                    inst);
    return size;
  }
  /// Adds the form's cases. `at`: the word that the table's word 0 is, if the
  /// table is DPP's. False if there is no such form.
  bool form(FormEncoding encoding, u32 a, u32 b, u32 c,
            llvm::ArrayRef<Bits> modifiers, unsigned at) {
    const Words plain = {a, b, c};
    llvm::MCInst inst;
    unsigned size = 0;
    if (!decode(plain, inst, size))
      return false;
    const OpcodeInfo *info = &d.info(inst.getOpcode());
    if (!info->operation || info->second ||
        llvm::StringRef(info->operation->name).starts_with("v_accvgpr") ||
        (encoding == FormEncoding::e32 && size != 4))
      return false;
    const std::string text = d.print(inst, 0);
    if (!seen.insert(text).second)
      return true;
    cases.push_back({encoding, plain, size, "", text, info});
    std::set<std::string> texts = {text};
    const bool has_mask =
        encoding == FormEncoding::sdwa && info->operation->form == Form::vcmp;
    for (const Bits &m : modifiers) {
      if (has_mask && m.shift < 16) // the mask's register
        continue;
      Words words = plain;
      u32 &word = words[m.word + at];
      word = (word & ~(m.field << m.shift)) | m.value << m.shift;
      unsigned length = 0;
      if (!decode(words, inst, length) || length != size)
        continue;
      const OpcodeInfo *changed = &d.info(inst.getOpcode());
      const std::string shown = d.print(inst, 0);
      if (changed->operation == info->operation && texts.insert(shown).second)
        cases.push_back({encoding, words, size, m.name, shown, changed});
    }
    return true;
  }

  Disassembler &d;
  const unsigned generation;
  std::vector<Case> cases;
  std::set<std::string> seen;
};

void read_dpp16(u32 word, Fields &f, bool own_signs, const Target &target) {
  f.is_dpp = true;
  f.control = word >> 8 & 0x1ff;
  f.fetches_inactive = target.is_rdna() && word >> 18 & 1;
  f.bound_control = word >> 19 & 1;
  f.banks = word >> 24 & 15;
  f.rows = word >> 28;
  if (own_signs)
    for (unsigned k = 0; k < 2; ++k) {
      f.source[k].neg = word >> (20 + 2 * k) & 1;
      f.source[k].abs = word >> (21 + 2 * k) & 1;
    }
}

void read_vop3(const Words &w, Fields &f, const Case &c, const Target &target) {
  const bool is_packed = c.encoding == FormEncoding::vop3p ||
                         c.encoding == FormEncoding::vop3p_dpp16;
  const bool has_mask = has_mask_field(*c.info->operation);
  for (unsigned k = 0; k < 3; ++k) {
    auto &s = f.source[k];
    s.abs = !has_mask && w[0] >> (8 + k) & 1;
    s.neg = w[1] >> (29 + k) & 1;
    s.op_sel = !has_mask && w[0] >> (11 + k) & 1;
  }
  f.clamp = w[0] >> 15 & 1;
  if (is_packed) {
    f.source[0].op_sel_hi = w[1] >> 27 & 1;
    f.source[1].op_sel_hi = w[1] >> 28 & 1;
    f.source[2].op_sel_hi = w[0] >> 14 & 1;
    return;
  }
  f.omod = w[1] >> 27 & 3;
  f.high = !has_mask && w[0] >> 14 & 1;
  // op_sel's bits in the order that the guides give for bytes.
  f.result_byte = w[0] >> 13 & 3;
  if (target.generation >= 12)
    f.source_byte = (w[0] >> 11 & 1) << 1 | (w[0] >> 12 & 1);
}

} // namespace

std::vector<Case> cases_of(Disassembler &disassembler) {
  return Finder(disassembler).all();
}

Fields fields_of(const Case &c, const Target &target) {
  Fields f;
  const Words &w = c.words;
  switch (c.encoding) {
  case FormEncoding::e32:
    break;
  case FormEncoding::vop3:
  case FormEncoding::vop3p:
    read_vop3(w, f, c, target);
    break;
  case FormEncoding::vop3_dpp16:
  case FormEncoding::vop3p_dpp16:
    read_vop3(w, f, c, target);
    read_dpp16(w[2], f, false, target);
    break;
  case FormEncoding::dpp16:
    read_dpp16(w[1], f, true, target);
    break;
  case FormEncoding::dpp8:
    f.is_dpp = true;
    f.bound_control = true;
    f.lanes = w[1] >> 8;
    break;
  case FormEncoding::sdwa: {
    const u32 b = w[1];
    if (c.info->operation->form != Form::vcmp) {
      f.select = b >> 8 & 7;
      f.unused = b >> 11 & 3;
      f.clamp = b >> 13 & 1;
      f.omod = b >> 14 & 3;
    }
    for (unsigned k = 0; k < 2; ++k) {
      auto &s = f.source[k];
      s.select = b >> (16 + 8 * k) & 7;
      s.sext = b >> (19 + 8 * k) & 1;
      s.neg = b >> (20 + 8 * k) & 1;
      s.abs = b >> (21 + 8 * k) & 1;
    }
    break;
  }
  }
  return f;
}

} // namespace gpuexec::emulator::amdgpu::test
