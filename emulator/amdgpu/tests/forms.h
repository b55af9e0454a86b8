//===-- emulator/amdgpu/tests/forms.h - Forms and modifiers -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All vector instructions of a processor in all encodings, each without a
// modifier and with each of its modifiers: LLVM's decoder says which forms
// there are, and its printer which bits of an encoding are a modifier of a
// form. What a modifier does is said here by the encoding's bits (AMD's ISA
// guides, "Instruction encodings"), apart from the emulator's decoder.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_TESTS_FORMS_H
#define GPUEXEC_EMULATOR_AMDGPU_TESTS_FORMS_H

#include "emulator/amdgpu/decode/disassembler.h"

#include <array>
#include <string>
#include <vector>

namespace gpuexec::emulator::amdgpu::test {

enum class FormEncoding {
  e32,
  vop3,
  vop3p,
  sdwa,
  dpp16,
  dpp8,
  vop3_dpp16,
  vop3p_dpp16
};

using Words = std::array<u32, 3>;

/// One form, with one set of modifiers.
struct Case {
  FormEncoding encoding;
  Words words;
  unsigned size;        // bytes
  std::string modifier; // what was added, by its name; "": nothing
  std::string text;     // LLVM's
  const OpcodeInfo *info;
};

// The registers that all cases name. All are even: gfx90a and gfx942 want pairs
// aligned.
constexpr unsigned SOURCE[3] = {4, 8, 12}, RESULT = 16, MASK = 20;

/// The cases of all forms that the emulator's table has a row for.
std::vector<Case> cases_of(Disassembler &disassembler);

/// What a case's bits say.
struct Fields {
  struct Source {
    bool neg = false, abs = false; // VOP3P: neg_lo, neg_hi
    bool op_sel = false, op_sel_hi = true;
    unsigned select = 6; // SDWA: bytes 0 to 3, words 4 and 5, or all
    bool sext = false;

  } source[3];
  bool clamp = false;
  unsigned omod = 0;
  bool high = false;               // op_sel of the result
  unsigned result_byte = 0;        // of results of 8 bits
  unsigned source_byte = 0;        // byte_sel of a source of 8 bits
  unsigned select = 6, unused = 0; // SDWA, of the result
  bool is_dpp = false;
  unsigned control = 0, rows = 15, banks = 15, lanes = 0; // DPP; DPP8's lanes
  bool bound_control = false, fetches_inactive = false;
};
Fields fields_of(const Case &c, const Target &target);

} // namespace gpuexec::emulator::amdgpu::test

#endif // GPUEXEC_EMULATOR_AMDGPU_TESTS_FORMS_H
