//===-- test/support/images_from_yaml.h - Images for unit tests -*- C++ -*-===//
#ifndef GPUEXEC_TEST_SUPPORT_IMAGES_FROM_YAML_H
#define GPUEXEC_TEST_SUPPORT_IMAGES_FROM_YAML_H

#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <string>

/// The bytes of the object that yaml2obj makes of `yaml`. A failure of the
/// running test where the text is wrong.
inline std::string made_from_yaml(const std::string &yaml) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::yaml::Input input(yaml);
  EXPECT_TRUE(llvm::yaml::convertYAML(input, out, [](const llvm::Twine &text) {
    ADD_FAILURE() << text.str();
  }));
  return bytes;
}

/// A relocated image: walk() at 0x1000, main() at 0x2000; lines 7 and 8 of
/// list.c begin at 0x1000 and 0x1040. It has no compile unit: ptxas leaves
/// none.
inline std::string image_with_lines() {
  return made_from_yaml(R"(
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
}

#endif // GPUEXEC_TEST_SUPPORT_IMAGES_FROM_YAML_H
