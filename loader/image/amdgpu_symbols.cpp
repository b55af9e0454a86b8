//===-- loader/image/amdgpu_symbols.cpp - What the symbols say ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Globals, functions and what they cost, and who compiled them.
//===----------------------------------------------------------------------===//
#include "loader/image/amdgpu.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuexec::parsing {

Error CodeObject::read_symbol_table() {
  auto sections = elf.sections();
  if (!sections)
    return malformed(label, sections.takeError());
  // The dynamic symbols are what a runtime finds; the static table adds what is
  // hidden, if it was not stripped.
  for (uint32_t type : {ELF::SHT_SYMTAB, ELF::SHT_DYNSYM})
    for (const auto &section : *sections) {
      if (section.sh_type != type || !symbols.empty())
        continue;
      Expected<std::vector<ElfSymbol>> found =
          read_symbols(elf, section, label);
      if (!found)
        return found.takeError();
      symbols = std::move(*found);
    }
  for (const ElfSymbol &symbol : symbols)
    if (symbol.section != ELF::SHN_UNDEF)
      by_name.try_emplace(symbol.name, &symbol);
  return Error::success();
}

bool is_visible(const ElfSymbol &symbol) {
  return symbol.binding != ELF::STB_LOCAL &&
         (symbol.visibility == ELF::STV_DEFAULT ||
          symbol.visibility == ELF::STV_PROTECTED);
}

const uint8_t *CodeObject::memory_of(const ElfSymbol &symbol,
                                     uint64_t size) const {
  if (image.relocatable) {
    auto section = elf.getSection(symbol.section);
    if (!section) {
      consumeError(section.takeError());
      return nullptr;
    }
    if ((*section)->sh_type == ELF::SHT_NOBITS ||
        !in_range(symbol.value, size, (*section)->sh_size) ||
        !in_range((*section)->sh_offset, (*section)->sh_size,
                  image.bytes.size()))
      return nullptr;
    return image.bytes.bytes_begin() + (*section)->sh_offset + symbol.value;
  }
  for (const Segment &segment : segments)
    if (symbol.value >= segment.address &&
        in_range(symbol.value - segment.address, size, segment.file_size))
      return image.bytes.bytes_begin() + segment.offset +
             (symbol.value - segment.address);
  return nullptr;
}

StringRef CodeObject::code_of(const ElfSymbol &function) const {
  const uint8_t *code = memory_of(function, function.size);
  return code ? StringRef(reinterpret_cast<const char *>(code), function.size)
              : StringRef();
}

void CodeObject::collect_symbols() {
  StringSet<> kernel_names;
  for (const Kernel &kernel : image.kernels) {
    kernel_names.insert(kernel.name);
    kernel_names.insert(kernel.symbol);
  }
  // LLVM leaves what a function costs in absolute symbols beside it:
  // `f.num_vgpr`.
  auto cost = [&](StringRef function,
                  StringRef what) -> std::optional<uint64_t> {
    auto found = by_name.find((function + "." + what).str());
    if (found == by_name.end() || found->second->section != ELF::SHN_ABS)
      return std::nullopt;
    return found->second->value;
  };
  for (const ElfSymbol &symbol : symbols) {
    const bool visible = is_visible(symbol);
    bool defined = symbol.section != ELF::SHN_UNDEF;
    if (kernel_names.contains(symbol.name))
      continue;
    if (symbol.type == ELF::STT_OBJECT) {
      image.globals.push_back({symbol.name.str(), symbol.value, symbol.size,
                               Global::Space::global, visible, defined});
    } else if (symbol.type == ELF::STT_FUNC && defined) {
      DeviceFunction function;
      function.name = symbol.name.str();
      function.address = symbol.value;
      Resources &resources = function.resources;
      resources.code_size = symbol.size;
      function.code = code_of(symbol);
      if (auto vgprs = cost(symbol.name, "num_vgpr")) {
        uint64_t agprs = cost(symbol.name, "num_agpr").value_or(0);
        resources.agprs = agprs;
        resources.vgprs = !agprs ? *vgprs
                          : has_unified_registers(image.arch)
                              ? alignTo(*vgprs, 4) + agprs
                              : std::max(*vgprs, agprs);
      }
      if (auto sgprs = cost(symbol.name, "numbered_sgpr"))
        resources.sgprs =
            *sgprs + 2 * cost(symbol.name, "uses_vcc").value_or(0);
      if (auto size = cost(symbol.name, "private_seg_size")) {
        resources.private_size = *size;
        resources.dynamic_stack =
            cost(symbol.name, "has_dyn_sized_stack").value_or(0) ||
            cost(symbol.name, "has_recursion").value_or(0) ||
            cost(symbol.name, "has_indirect_call").value_or(0);
        if (!resources.dynamic_stack)
          resources.stack_size = *size;
      }
      image.functions.push_back(std::move(function));
    }
  }
}

void CodeObject::read_producer() {
  auto sections = elf.sections();
  if (!sections)
    return consumeError(sections.takeError());
  for (const auto &section : *sections) {
    Expected<StringRef> name = elf.getSectionName(section);
    if (!name || *name != ".comment") {
      consumeError(name.takeError());
      continue;
    }
    auto contents = elf.getSectionContents(section);
    if (!contents)
      return consumeError(contents.takeError());
    // Several strings, each ended by a zero byte: the linker's, then the
    // compiler's.
    SmallVector<StringRef> parts;
    toStringRef(*contents).split(parts, '\0', -1, /*KeepEmpty=*/false);
    if (!parts.empty())
      image.producer = parts.back().str();
  }
}

// GCC's metadata leaves most of what its kernels read out: all are given the
// block that libgomp and GCC's own runner give them.
void CodeObject::describe_gcc_kernels() {
  constexpr uint64_t BLOCK = 56, ALIGNMENT = 16;
  if (!StringRef(image.producer).starts_with("GCC:"))
    return;
  for (Kernel &kernel : image.kernels) {
    if (!kernel.arguments.empty() || !kernel.hidden.empty())
      continue;
    kernel.arguments_size = std::max(kernel.arguments_size, BLOCK);
    kernel.kernarg_size = std::max(kernel.kernarg_size, BLOCK);
    kernel.kernarg_alignment = std::max(kernel.kernarg_alignment, ALIGNMENT);
  }
}

} // namespace gpuexec::parsing
