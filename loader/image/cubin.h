//===-- loader/image/cubin.h - Reading a cubin ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Internal to cubin.cpp, which reads the file's structure, and
// cubin_attributes.cpp, which reads what the sections say of a function.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_IMAGE_CUBIN_H
#define GPUEXEC_LOADER_IMAGE_CUBIN_H

#include "loader/image/contents.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <unordered_map>

namespace gpuexec::parsing {

enum class NvInfo : uint8_t {
#define NV_INFO_ATTRIBUTE(NUMBER, NAME) NAME = NUMBER,
#include "loader/image/nv_info.def"
};

/// One attribute: `value` of the byte and half-word formats, `payload` of the
/// sized one.
struct CubinAttribute {
  NvInfo kind;
  uint16_t value = 0;
  llvm::StringRef payload;
};

struct CubinFunction {
  const ElfSymbol *symbol = nullptr;
  bool is_kernel = false;
  Kernel kernel; // resources of a device function too
  std::optional<uint64_t> min_stack;
  std::vector<std::pair<uint32_t, Argument>> parameters; // with the ordinal
};

class Cubin {
public:
  Cubin(const ElfFile &elf, llvm::StringRef bytes, llvm::StringRef label)
      : elf(elf), label(label) {
    image.bytes = bytes;
  }
  llvm::Expected<ImageContents> parse();

private:
  llvm::Error read_header();
  llvm::Error read_symbols();
  llvm::Error read_section(const ElfFile::Elf_Shdr &section,
                           llvm::StringRef name);
  llvm::Error for_each_attribute(
      const ElfFile::Elf_Shdr &section, llvm::StringRef name,
      llvm::function_ref<llvm::Error(const CubinAttribute &)> visit);
  llvm::Error read_function_attribute(const CubinAttribute &attribute);
  llvm::Error read_kernel_attribute(CubinFunction &function,
                                    const CubinAttribute &attribute);
  llvm::Error finish_kernel(CubinFunction &function);
  llvm::StringRef code_of(const CubinFunction &function) const;
  llvm::Error collect();
  CubinFunction *find(llvm::StringRef name) {
    auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &functions[found->second];
  }

  const ElfFile &elf;
  llvm::StringRef label;
  ImageContents image;
  std::vector<ElfSymbol> symbols;
  std::vector<CubinFunction> functions; // in symbol order
  llvm::StringMap<size_t> by_name;
  // Not a DenseMap, which reserves two values of the key: keys that are looked
  // up come from the file and may have any value.
  std::unordered_map<uint32_t, size_t> by_symbol;
  llvm::SmallVector<llvm::StringRef> section_names;
  unsigned sm = 0; // 90 of sm_90
};

} // namespace gpuexec::parsing

#endif
