//===-- loader/image/cubin.cpp - NVIDIA's ELF files -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cubin is ELF with e_machine 190 in two versions: OS/ABI 51 with ABI version
// 7 (up to CUDA 12) and OS/ABI 41 with ABI version 8 (CUDA 13). NVIDIA
// documents neither; what is read here was observed in the output of ptxas,
// whose own report (`ptxas -v`) the tests compare with. Per function there is
// `.text.NAME`, per kernel also `.nv.info.NAME` (a list of attributes, see
// nv_info.def), `.nv.constant0.NAME` and `.nv.shared.NAME`.
//===----------------------------------------------------------------------===//
#include "loader/image/cubin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace gpuexec::parsing {

/// A symbol of this kind in st_other is a kernel.
constexpr uint8_t STO_CUDA_ENTRY = 0x10;
/// Bytes of every block's shared memory that CUDA reserves. From sm_90 on the
/// size of `.nv.shared.NAME` includes them.
constexpr uint64_t RESERVED_SHARED = 1024;
constexpr unsigned RESERVES_SHARED_FROM = 90;
/// min_stack_size of a kernel whose calls nvlink could not follow.
constexpr uint64_t UNKNOWN_STACK = UINT32_MAX;

Error Cubin::read_header() {
  const auto &header = elf.getHeader();
  unsigned abi = header.e_ident[ELF::EI_ABIVERSION];
  if (abi != ELF::ELFABIVERSION_CUDA_V1 && abi != ELF::ELFABIVERSION_CUDA_V2)
    return no_image(label,
                    "cubin with ELF ABI version {0}, expected {1} or {2}", abi,
                    unsigned(ELF::ELFABIVERSION_CUDA_V1),
                    unsigned(ELF::ELFABIVERSION_CUDA_V2));
  if (header.e_type != ELF::ET_EXEC && header.e_type != ELF::ET_REL)
    return malformed(label, "ELF type {0}: a cubin is an executable",
                     unsigned(header.e_type));
  image.abi_version = abi;
  image.relocatable = header.e_type == ELF::ET_REL;
  uint32_t flags = header.e_flags;
  bool old = abi == ELF::ELFABIVERSION_CUDA_V1;
  if (old && !(flags & ELF::EF_CUDA_64BIT_ADDRESS))
    return no_image(label, "cubin with 32-bit addresses: not supported");
  sm = old ? flags & ELF::EF_CUDA_SM
           : (flags & ELF::EF_CUDA_SM_MASK) >> ELF::EF_CUDA_SM_OFFSET;
  if (sm == 0)
    return malformed(label, "cubin for no architecture (e_flags 0x{0:x-})",
                     flags);
  bool specific =
      flags & (old ? ELF::EF_CUDA_ACCELERATORS_V1 : ELF::EF_CUDA_ACCELERATORS);
  image.arch = formatv("sm_{0}{1}", sm, specific ? "a" : "");
  return Error::success();
}

Error Cubin::read_symbols() {
  auto sections = elf.sections();
  if (!sections)
    return malformed(label, sections.takeError());
  for (const auto &section : *sections) {
    Expected<StringRef> name = elf.getSectionName(section);
    if (!name)
      return malformed(label, name.takeError());
    section_names.push_back(*name);
    if (section.sh_type != ELF::SHT_NOBITS &&
        !in_range(section.sh_offset, section.sh_size, image.bytes.size()))
      return malformed(label, "section {0}: beyond the end of the file", *name);
    if (section.sh_type != ELF::SHT_SYMTAB || !symbols.empty())
      continue;
    Expected<std::vector<ElfSymbol>> found =
        parsing::read_symbols(elf, section, label);
    if (!found)
      return found.takeError();
    symbols = std::move(*found);
  }
  for (const ElfSymbol &symbol : symbols) {
    if (symbol.type != ELF::STT_FUNC || symbol.section == ELF::SHN_UNDEF)
      continue;
    CubinFunction function;
    function.symbol = &symbol;
    function.is_kernel = symbol.other & STO_CUDA_ENTRY;
    function.kernel.name = function.kernel.symbol = symbol.name.str();
    function.kernel.resources.code_size = symbol.size;
    if (function.is_kernel && by_name.contains(symbol.name))
      return malformed(label, "kernel '{0}': defined twice", symbol.name);
    by_symbol[symbol.index] = functions.size();
    by_name.try_emplace(symbol.name, functions.size());
    functions.push_back(std::move(function));
  }
  return Error::success();
}

Error Cubin::finish_kernel(CubinFunction &function) {
  Kernel &kernel = function.kernel;
  // The list comes in any order, usually backwards.
  sort(function.parameters,
       [](const auto &a, const auto &b) { return a.first < b.first; });
  for (auto &[ordinal, argument] : function.parameters) {
    if (ordinal != kernel.arguments.size())
      return malformed(label,
                       "kernel '{0}': parameter {1} where {2} was expected",
                       kernel.name, ordinal, kernel.arguments.size());
    kernel.arguments_size = std::max<uint64_t>(
        kernel.arguments_size, uint64_t(argument.offset) + argument.size);
    kernel.arguments.push_back(std::move(argument));
  }
  if (!kernel.kernarg_size)
    kernel.kernarg_size = kernel.arguments_size;
  if (kernel.arguments_size > kernel.kernarg_size)
    return malformed(label, "kernel '{0}': a parameter ends at byte {1} of {2}",
                     kernel.name, kernel.arguments_size, kernel.kernarg_size);
  if (sm >= RESERVES_SHARED_FROM) {
    kernel.shared_reserved = std::min(kernel.shared_size, RESERVED_SHARED);
    kernel.shared_size -= kernel.shared_reserved;
  }
  if (!kernel.resources.barriers)
    kernel.resources.barriers = 0;
  return Error::success();
}

StringRef Cubin::code_of(const CubinFunction &function) const {
  Expected<const ElfFile::Elf_Shdr *> section =
      elf.getSection(function.symbol->section);
  if (!section) {
    consumeError(section.takeError());
    return "";
  }
  if ((*section)->sh_type == ELF::SHT_NOBITS ||
      !in_range(function.symbol->value, function.symbol->size,
                (*section)->sh_size))
    return "";
  // read_symbols() saw that the section lies in the file.
  return image.bytes.substr((*section)->sh_offset + function.symbol->value,
                            function.symbol->size);
}

Error Cubin::collect() {
  // The largest frame of any function in a kernel's own section: more than the
  // kernel's stack only under recursion or calls that ptxas could not follow.
  DenseMap<uint32_t, uint64_t> largest_frame;
  for (const CubinFunction &function : functions) {
    uint64_t &frame = largest_frame[function.symbol->section];
    frame = std::max(frame, function.kernel.resources.private_size.value_or(0));
  }
  for (CubinFunction &function : functions) {
    Resources &resources = function.kernel.resources;
    // Spilled registers are kept in the stack frame: no frame means no spills.
    // Of a kernel with a frame the spills stay unknown, because the cubin does
    // not say what the frame holds.
    if (resources.private_size == uint64_t(0))
      resources.vgpr_spills = 0;
    if (function.is_kernel) {
      uint64_t frames = largest_frame[function.symbol->section];
      resources.stack_size = function.min_stack;
      // ptxas counts only the callees that it knows, and nvlink writes all ones
      // where there are calls that it could not follow.
      if (function.min_stack == UNKNOWN_STACK ||
          (function.min_stack && *function.min_stack < frames)) {
        resources.stack_size.reset();
        resources.dynamic_stack = true;
      }
      if (Error error = finish_kernel(function))
        return error;
      function.kernel.code = code_of(function);
      image.kernels.push_back(std::move(function.kernel));
    } else {
      image.functions.push_back({function.kernel.name, function.symbol->value,
                                 std::move(resources), code_of(function)});
    }
  }
  for (const ElfSymbol &symbol : symbols) {
    if (symbol.type != ELF::STT_OBJECT)
      continue;
    StringRef section = symbol.section < section_names.size()
                            ? section_names[symbol.section]
                            : "";
    auto space = section.starts_with(".nv.constant") ? Global::Space::constant
                 : section.starts_with(".nv.shared") ? Global::Space::shared
                                                     : Global::Space::global;
    bool defined = symbol.section != ELF::SHN_UNDEF;
    image.globals.push_back({symbol.name.str(), symbol.value, symbol.size,
                             space, symbol.binding != ELF::STB_LOCAL, defined});
    if (defined)
      if (Error error = note_init_object(image, symbol.name, label))
        return error;
  }
  return Error::success();
}

Expected<ImageContents> Cubin::parse() {
  image.format = Image::Format::cubin;
  if (Error error = read_header())
    return std::move(error);
  auto segments = elf.program_headers();
  if (!segments)
    return malformed(label, segments.takeError());
  if (Error error = read_symbols())
    return std::move(error);
  auto sections = elf.sections();
  if (!sections)
    return malformed(label, sections.takeError());
  for (const auto &[section, name] : zip(*sections, section_names))
    if (Error error = read_section(section, name))
      return std::move(error);
  if (Error error = collect())
    return std::move(error);
  sort_init_objects(image);
  image.target_id = image.arch;
  return std::move(image);
}

Expected<ImageContents> parse_cubin(StringRef bytes, StringRef label) {
  return parse_elf<Cubin>(bytes, label);
}

} // namespace gpuexec::parsing
