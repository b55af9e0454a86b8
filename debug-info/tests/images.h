//===-- debug-info/tests/images.h - Images made from YAML -------*- C++ -*-===//
#ifndef GPUEXEC_DEBUG_INFO_TESTS_IMAGES_H
#define GPUEXEC_DEBUG_INFO_TESTS_IMAGES_H

#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <string>

/// walk() at 0x1000, main() at 0x2000; lines 7 and 8 of list.c begin at 0x1000
/// and 0x1040. No compile unit, as ptxas leaves it.
inline std::string image_with_lines() {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::yaml::Input input(R"(
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_EXEC, Machine: EM_CUDA }
Sections:
  - { Name: .text.walk, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Address: 0x1000, Size: 0x100 }
  - { Name: .text.main, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Address: 0x2000, Size: 0x100 }
Symbols:
  - { Name: walk, Type: STT_FUNC, Section: .text.walk, Value: 0x1000, Size: 0x100 }
  - { Name: main, Type: STT_FUNC, Section: .text.main, Value: 0x2000, Size: 0x100, Binding: STB_GLOBAL }
DWARF:
  debug_line:
    - Version: 2
      MinInstLength: 1
      DefaultIsStmt: 1
      LineBase: 251
      LineRange: 14
      OpcodeBase: 10
      StandardOpcodeLengths: [ 0, 1, 1, 1, 1, 0, 0, 0, 1 ]
      IncludeDirs: [ /home/user ]
      Files: [ { Name: list.c, DirIdx: 1, ModTime: 0, Length: 0 } ]
      Opcodes:
        - { Opcode: DW_LNS_extended_op, ExtLen: 9, SubOpcode: DW_LNE_set_address, Data: 0x1000 }
        - { Opcode: DW_LNS_advance_line, SData: 6, Data: 0 }
        - { Opcode: DW_LNS_copy, Data: 0 }
        - { Opcode: DW_LNS_advance_pc, Data: 0x40 }
        - { Opcode: DW_LNS_advance_line, SData: 1, Data: 0 }
        - { Opcode: DW_LNS_copy, Data: 0 }
        - { Opcode: DW_LNS_advance_pc, Data: 0xc0 }
        - { Opcode: DW_LNS_extended_op, ExtLen: 1, SubOpcode: DW_LNE_end_sequence, Data: 0 }
)");
  EXPECT_TRUE(llvm::yaml::convertYAML(input, out, [](const llvm::Twine &text) {
    ADD_FAILURE() << text.str();
  }));
  return bytes;
}

#endif
