//===-- emulator/amdgpu/tools/opcodes.cpp - Which opcodes are known -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds all opcodes of a processor: tries each value of the opcode field of
// each encoding (AMD's ISA guides, chapter "Instruction encodings"). An opcode
// exists if the disassembler accepts it; the disassembler also names it.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/tools/opcodes.h"
#include "emulator/amdgpu/decode/disassembler.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <map>

namespace gpuexec::emulator::amdgpu {

namespace {
struct Format {
  const char *name;
  u32 prefix;     // fixed bits of the first dword
  unsigned shift; // where the opcode field is
  unsigned count; // number of values of the field
  bool sub;       // also exists as SDWA (src0 is 249) and DPP (src0 is 250)
};
// Encodings of all processors, those of Vega and CDNA, those of RDNA 1 and 2.
constexpr Format COMMON[] = {
    {"SOP2", 0x80000000, 23, 96, false},
    {"SOPK", 0xb0000000, 23, 29, false},
    {"SOP1", 0xbe800000, 8, 256, false},
    {"SOPC", 0xbf000000, 16, 128, false},
    {"SOPP", 0xbf800000, 16, 128, false},
    {"VOP2", 0x00000000, 25, 62, true},
    {"VOPC", 0x7c000000, 17, 256, true},
    {"VOP1", 0x7e000000, 9, 256, true},
    {"FLAT", 0xdc000000, 18, 128, false},
    {"SCRATCH", 0xdc004000, 18, 128, false},
    {"GLOBAL", 0xdc008000, 18, 128, false},
    {"MUBUF", 0xe0000000, 18, 128, false},
    {"MIMG", 0xf0000000, 18, 128, false},
};
constexpr Format GFX9[] = {
    {"SMEM", 0xc0000000, 18, 256, false},
    {"VOP3", 0xd0000000, 16, 1024, false},
    {"VOP3P", 0xd3800000, 16, 128, false},
    {"DS", 0xd8000000, 17, 256, false},
    {"MTBUF", 0xe8000000, 15, 16, false},
};
constexpr Format GFX10[] = {
    {"SMEM", 0xf4000000, 18, 256, false},
    {"VOP3", 0xd4000000, 16, 1024, false},
    {"VOP3P", 0xcc000000, 16, 128, false},
    {"DS", 0xd8000000, 18, 256, false},
    {"MTBUF", 0xe8000000, 16, 8, false},
};
} // namespace

llvm::Expected<std::vector<Opcode>> list_opcodes(llvm::StringRef cpu) {
  auto made = Disassembler::create(cpu, /*wave32=*/true);
  if (!made)
    return made.takeError();
  Disassembler &disassembler = **made;
  std::map<std::pair<std::string, std::string>, Opcode> found;
  auto look = [&](const Format &format, u64 low, u64 high, const char *kind) {
    uint8_t bytes[16] = {};
    u64 words = low | high << 32;
    std::memcpy(bytes, &words, 8);
    llvm::MCInst inst;
    if (!disassembler.decode(bytes, 0, inst))
      return;
    const OpcodeInfo &info = disassembler.info(inst.getOpcode());
    Opcode &opcode = found[{info.mnemonic, kind}];
    opcode.mnemonic = info.mnemonic;
    opcode.format = kind;
    opcode.known = opcode.known || info.operation;
  };
  const bool rdna = disassembler.target().is_rdna();
  for (const Format &format : llvm::concat<const Format>(
           COMMON, rdna ? llvm::ArrayRef(GFX10) : llvm::ArrayRef(GFX9)))
    for (unsigned op = 0; op < format.count; ++op) {
      u32 base = format.prefix | op << format.shift;
      // Try several operand fields: an opcode may need aligned registers, or
      // fields that are zero.
      for (u32 low : {0x00000000u, 0x00000100u, 0x00000080u, 0x00020000u,
                      0x00001000u, 0x00002000u, 0x00010000u})
        for (u32 high :
             {0x00000000u, 0x02020202u, 0x007f0202u, 0x007d0202u, 0x04040202u,
              0x00000202u, 0x00010102u, 0x02020280u, 0x04020300u, 0x1c020301u})
          if (!((base & low) && format.shift < 16 && (low >> format.shift)))
            look(format, base | (format.sub ? (low & 0x1ff) : low), high,
                 format.name);
      if (format.sub) {
        look(format, base | 249, 0x06060600u | 1, "SDWA");
        look(format, base | 249, 0x06060000u | 1, "SDWA");
        look(format, base | 250, 0xff00e400u | 1, "DPP");
        look(format, base | 250, 0xff015000u | 2, "DPP");
        look(format, base | 233, 1, "DPP");
      }
    }
  std::vector<Opcode> all;
  for (auto &[key, opcode] : found)
    all.push_back(opcode);
  return all;
}

} // namespace gpuexec::emulator::amdgpu
