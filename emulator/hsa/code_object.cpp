//===-- emulator/hsa/code_object.cpp - AMDGPU ELF into memory -------------===//
#include "emulator/hsa/code_object.h"
#include "emulator/hsa/runtime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace gpuexec::emulator {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
namespace ELF = llvm::ELF;

static constexpr uint64_t MAX_IMAGE = uint64_t(1) << 32;

static bool in_range(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

// LLVM's own function knows no answer for a number that is no processor's.
static std::string processor_name(const llvm::object::ELF64LEObjectFile &file,
                                  uint32_t flags) {
  uint32_t number = flags & ELF::EF_AMDGPU_MACH;
  bool reserved = number < ELF::EF_AMDGPU_MACH_AMDGCN_FIRST ||
                  number > ELF::EF_AMDGPU_MACH_AMDGCN_LAST;
  for (uint32_t hole :
       {0x27, 0x40, 0x4b, 0x4d, 0x50, 0x56, 0x57, 0x5b, 0x5c, 0x5d, 0x5e})
    reserved |= number == hole;
  if (!reserved)
    if (auto name = file.tryGetCPUName())
      return name->str();
  return "unknown processor 0x" + llvm::utohexstr(number, true);
}

// Is the code object made for this agent? Features that it leaves open ("any")
// fit every agent.
static Error check_target(const Elf::Elf_Ehdr &header,
                          llvm::StringRef processor, const Agent &agent) {
  if (header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA)
    return createStringError(
        "code object: OS/ABI is %u, expected %u (AMDGPU HSA)",
        header.e_ident[ELF::EI_OSABI], ELF::ELFOSABI_AMDGPU_HSA);
  bool fits = processor == agent.model->processor ||
              (agent.model->generic &&
               processor == llvm::StringRef(agent.model->generic));
  if (!fits)
    return createStringError("code object: made for %s, the agent is %s",
                             processor.str().c_str(), agent.name.c_str());
  unsigned xnack = header.e_flags & ELF::EF_AMDGPU_FEATURE_XNACK_V4;
  unsigned sramecc = header.e_flags & ELF::EF_AMDGPU_FEATURE_SRAMECC_V4;
  if (xnack == ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4)
    return createStringError(
        "code object: made for %s:xnack+, the agent has xnack off",
        processor.str().c_str());
  if (sramecc == ELF::EF_AMDGPU_FEATURE_SRAMECC_OFF_V4)
    return createStringError(
        "code object: made for %s:sramecc-, the agent has sramecc on",
        processor.str().c_str());
  return Error::success();
}

LoadedCodeObject::~LoadedCodeObject() {
  auto set = runtime.instruction_set(agent);
  if (set)
    (*set)->forget(base, base + size);
  else
    llvm::consumeError(set.takeError());
  if (!mapped)
    return;
  for (uint64_t region : regions)
    runtime.memory.remove(region);
  // The pages go when no wave can be in any of the regions: that is when one
  // more region, retired last, goes.
  Region last;
  last.begin = base;
  last.end = base + mapped;
  last.kind = MemoryKind::code;
  if (runtime.memory.add(std::move(last)))
    runtime.memory.remove(
        base,
        [](void *context, uint64_t begin, uint64_t end) {
          static_cast<PageAllocator *>(context)->free(begin, end - begin);
        },
        &runtime.pages);
}

std::string LoadedCodeObject::uri() const {
  if (!bytes->uri.empty())
    return bytes->uri;
  char text[96];
  snprintf(text, sizeof(text), "memory://%d#offset=0x%" PRIx64 "&size=%zu",
           int(getpid()), uint64_t(reinterpret_cast<uintptr_t>(bytes->data)),
           bytes->size);
  return text;
}

namespace {
/// The steps of loading, each on checked ranges.
class Loader {
public:
  Loader(const Elf &elf, LoadedCodeObject &object,
         const LoadedCodeObject::Resolver &resolve)
      : elf(elf), object(object), resolve(resolve) {}

  Expected<uint64_t> span(uint64_t &lowest);
  Error copy_segments();
  Error relocate();
  Error read_symbols();
  uint64_t image_begin = 0;

private:
  bool loaded(uint64_t address, uint64_t length) const {
    return std::any_of(object.segments.begin(), object.segments.end(),
                       [&](const auto &segment) {
                         return address >= segment.begin &&
                                in_range(address - segment.begin, length,
                                         segment.size);
                       });
  }
  Expected<uint64_t> symbol_address(uint32_t index);
  Error apply(uint32_t type, uint64_t offset, uint32_t symbol, int64_t addend);

  const Elf &elf;
  LoadedCodeObject &object;
  const LoadedCodeObject::Resolver &resolve;
  llvm::ArrayRef<Elf::Elf_Phdr> headers; // from span() on
  llvm::ArrayRef<Elf::Elf_Sym> symbols;  // dynamic ones
  llvm::StringRef strings;
};
} // namespace

Expected<uint64_t> Loader::span(uint64_t &lowest) {
  auto table = elf.program_headers();
  if (!table)
    return table.takeError();
  headers = *table;
  uint64_t low = ~uint64_t(0), high = 0;
  unsigned index = 0;
  for (const Elf::Elf_Phdr &header : headers) {
    unsigned number = index++;
    if (header.p_type != ELF::PT_LOAD || !header.p_memsz)
      continue;
    if (header.p_filesz > header.p_memsz)
      return createStringError("code object: segment %u: file size 0x%" PRIx64
                               " exceeds memory size 0x%" PRIx64,
                               number, uint64_t(header.p_filesz),
                               uint64_t(header.p_memsz));
    if (!in_range(header.p_offset, header.p_filesz, elf.getBufSize()))
      return createStringError("code object: segment %u: file range 0x%" PRIx64
                               "+0x%" PRIx64 " exceeds the file's 0x%zx bytes",
                               number, uint64_t(header.p_offset),
                               uint64_t(header.p_filesz), elf.getBufSize());
    if (!in_range(header.p_vaddr, header.p_memsz, MAX_IMAGE))
      return createStringError(
          "code object: segment %u: address range 0x%" PRIx64 "+0x%" PRIx64
          " exceeds the limit of 4 GiB",
          number, uint64_t(header.p_vaddr), uint64_t(header.p_memsz));
    low = std::min<uint64_t>(low, header.p_vaddr);
    high = std::max<uint64_t>(high, header.p_vaddr + header.p_memsz);
  }
  if (low >= high)
    return createStringError("code object: nothing to load");
  lowest = low & ~uint64_t(0xfff);
  return high - lowest;
}

Error Loader::copy_segments() {
  for (const Elf::Elf_Phdr &header : headers) {
    if (header.p_type != ELF::PT_LOAD || !header.p_memsz)
      continue;
    LoadedCodeObject::Segment segment;
    segment.begin = object.delta + header.p_vaddr;
    segment.size = header.p_memsz;
    segment.file_offset = header.p_offset;
    segment.file_size = header.p_filesz;
    segment.writable = header.p_flags & ELF::PF_W;
    for (const auto &other : object.segments)
      if (segment.begin < other.begin + other.size &&
          other.begin < segment.begin + segment.size)
        return createStringError(
            "code object: two segments overlap at 0x%" PRIx64,
            uint64_t(header.p_vaddr));
    memcpy(reinterpret_cast<void *>(segment.begin),
           elf.base() + header.p_offset, header.p_filesz);
    object.segments.push_back(segment);
  }
  return Error::success();
}

Expected<uint64_t> Loader::symbol_address(uint32_t index) {
  if (index == 0)
    return 0;
  if (index >= symbols.size())
    return createStringError("code object: relocation names symbol %u of %zu",
                             index, symbols.size());
  const Elf::Elf_Sym &symbol = symbols[index];
  if (symbol.st_shndx == ELF::SHN_ABS)
    return symbol.st_value;
  if (symbol.st_shndx != ELF::SHN_UNDEF)
    return object.delta + symbol.st_value;
  auto name = symbol.getName(strings);
  if (!name)
    return name.takeError();
  if (uint64_t address = resolve(*name))
    return address;
  if (symbol.getBinding() == ELF::STB_WEAK)
    return 0;
  return createStringError("code object: undefined symbol '%s'",
                           name->str().c_str());
}

Error Loader::apply(uint32_t type, uint64_t offset, uint32_t index,
                    int64_t addend) {
  uint64_t place = object.delta + offset;
  auto symbol = symbol_address(index);
  if (!symbol)
    return symbol.takeError();
  uint64_t value = *symbol + uint64_t(addend);
  unsigned size = 4;
  switch (type) {
  case ELF::R_AMDGPU_NONE:
    return Error::success();
  case ELF::R_AMDGPU_ABS32_LO:
    break;
  case ELF::R_AMDGPU_ABS32_HI:
    value >>= 32;
    break;
  case ELF::R_AMDGPU_ABS64:
    size = 8;
    break;
  case ELF::R_AMDGPU_RELATIVE64:
    value = object.delta + uint64_t(addend);
    size = 8;
    break;
  case ELF::R_AMDGPU_REL32:
  case ELF::R_AMDGPU_REL32_LO:
    value -= place;
    break;
  case ELF::R_AMDGPU_REL32_HI:
    value = (value - place) >> 32;
    break;
  case ELF::R_AMDGPU_REL64:
    value -= place;
    size = 8;
    break;
  case ELF::R_AMDGPU_ABS32:
    if (!llvm::isUInt<32>(value))
      return createStringError("code object: relocation at 0x%" PRIx64
                               ": 0x%" PRIx64 " does not fit 32 bits",
                               offset, value);
    break;
  default:
    return createStringError("code object: relocation at 0x%" PRIx64
                             ": unknown type %u",
                             offset, type);
  }
  if (!loaded(place, size))
    return createStringError("code object: relocation at 0x%" PRIx64
                             " lies outside of the segments",
                             offset);
  memcpy(reinterpret_cast<void *>(place), &value, size);
  return Error::success();
}

Error Loader::relocate() {
  auto sections = elf.sections();
  if (!sections)
    return sections.takeError();
  for (const Elf::Elf_Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_DYNSYM)
      continue;
    auto table = elf.symbols(&section);
    if (!table)
      return table.takeError();
    auto names = elf.getStringTableForSymtab(section);
    if (!names)
      return names.takeError();
    symbols = *table;
    strings = *names;
  }
  // From the copy in memory: LLVM's reader trusts the table's offset.
  llvm::ArrayRef<Elf::Elf_Dyn> dynamic;
  for (const Elf::Elf_Phdr &header : headers) {
    if (header.p_type != ELF::PT_DYNAMIC)
      continue;
    if (!loaded(object.delta + header.p_vaddr, header.p_memsz))
      return createStringError(
          "code object: the dynamic table lies outside of the segments");
    dynamic = {
        reinterpret_cast<const Elf::Elf_Dyn *>(object.delta + header.p_vaddr),
        size_t(header.p_memsz / sizeof(Elf::Elf_Dyn))};
  }
  uint64_t rela = 0, rela_size = 0, relr = 0, relr_size = 0;
  for (const Elf::Elf_Dyn &entry : dynamic) {
    if (entry.getTag() == ELF::DT_NULL)
      break;
    switch (entry.getTag()) {
    case ELF::DT_RELA:
      rela = entry.getPtr();
      break;
    case ELF::DT_RELASZ:
      rela_size = entry.getVal();
      break;
    case ELF::DT_RELR:
      relr = entry.getPtr();
      break;
    case ELF::DT_RELRSZ:
      relr_size = entry.getVal();
      break;
    }
  }
  if ((rela_size && !loaded(object.delta + rela, rela_size)) ||
      (relr_size && !loaded(object.delta + relr, relr_size)))
    return createStringError(
        "code object: the relocation table lies outside of the segments");
  // From the copy in memory, which is checked; relocations do not change their
  // own table.
  const auto *relocations =
      reinterpret_cast<const Elf::Elf_Rela *>(object.delta + rela);
  for (uint64_t i = 0; i < rela_size / sizeof(Elf::Elf_Rela); ++i) {
    Elf::Elf_Rela relocation = relocations[i];
    if (Error error = apply(relocation.getType(false), relocation.r_offset,
                            relocation.getSymbol(false), relocation.r_addend))
      return error;
  }
  const auto *packed =
      reinterpret_cast<const Elf::Elf_Relr *>(object.delta + relr);
  std::vector<Elf::Elf_Relr> entries(
      packed, packed + relr_size / sizeof(Elf::Elf_Relr));
  for (const Elf::Elf_Rel &relative : elf.decode_relrs(entries)) {
    uint64_t place = object.delta + relative.r_offset;
    if (!loaded(place, 8))
      return createStringError("code object: relocation at 0x%" PRIx64
                               " lies outside of the segments",
                               uint64_t(relative.r_offset));
    uint64_t value;
    memcpy(&value, reinterpret_cast<void *>(place), 8);
    value += object.delta;
    memcpy(reinterpret_cast<void *>(place), &value, 8);
  }
  return Error::success();
}

Error Loader::read_symbols() {
  for (const Elf::Elf_Sym &symbol : symbols) {
    if (symbol.st_shndx == ELF::SHN_UNDEF || symbol.st_shndx == ELF::SHN_ABS)
      continue;
    auto name = symbol.getName(strings);
    if (!name)
      return name.takeError();
    ExecutableSymbol entry;
    entry.name = name->str();
    entry.agent = &object.agent;
    entry.address = object.delta + symbol.st_value;
    entry.size = symbol.st_size;
    entry.is_global = symbol.getBinding() != ELF::STB_LOCAL;
    if (symbol.getType() != ELF::STT_OBJECT &&
        symbol.getType() != ELF::STT_NOTYPE)
      continue; // functions are no symbols of HSA's
    if (!loaded(entry.address, std::max<uint64_t>(entry.size, 1)))
      continue;
    for (const auto &segment : object.segments)
      if (entry.address - segment.begin < segment.size)
        entry.is_const = !segment.writable;
    if (name->ends_with(".kd")) {
      if (!loaded(entry.address, sizeof(llvm::amdhsa::kernel_descriptor_t)))
        return createStringError("code object: the descriptor of kernel '%s' "
                                 "lies outside of the segments",
                                 entry.name.c_str());
      llvm::amdhsa::kernel_descriptor_t descriptor;
      memcpy(&descriptor, reinterpret_cast<void *>(entry.address),
             sizeof(descriptor));
      entry.kind = HSA_SYMBOL_KIND_KERNEL;
      entry.kernarg_size = descriptor.kernarg_size;
      entry.group_size = descriptor.group_segment_fixed_size;
      entry.private_size = descriptor.private_segment_fixed_size;
      entry.dynamic_stack =
          descriptor.kernel_code_properties &
          llvm::amdhsa::KERNEL_CODE_PROPERTY_USES_DYNAMIC_STACK;
    }
    object.symbols.push_back(std::move(entry));
  }
  return Error::success();
}

Expected<std::unique_ptr<LoadedCodeObject>>
LoadedCodeObject::load(Runtime &runtime, const Agent &agent,
                       std::shared_ptr<const CodeObjectBytes> bytes,
                       const Resolver &resolve, bool &incompatible) {
  llvm::StringRef text(bytes->data, bytes->size);
  // What ELFObjectFile does not check before it reads.
  if (text.size() < sizeof(Elf::Elf_Ehdr) ||
      !text.starts_with(llvm::StringRef(ELF::ElfMagic, 4)))
    return createStringError("code object: not an ELF file");
  if (text[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      text[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return createStringError(
        "code object: not a 64-bit little-endian ELF file");
  auto file = llvm::object::ELF64LEObjectFile::create(
      llvm::MemoryBufferRef(text, "code object"));
  if (!file)
    return file.takeError();
  const Elf &elf = file->getELFFile();
  const Elf::Elf_Ehdr &header = elf.getHeader();
  if (header.e_machine != ELF::EM_AMDGPU)
    return createStringError("code object: machine %u, expected %u (AMDGPU)",
                             unsigned(header.e_machine), ELF::EM_AMDGPU);
  if (header.e_type != ELF::ET_DYN)
    return createStringError(
        "code object: ELF type %u, expected %u (a linked, loadable one)",
        unsigned(header.e_type), ELF::ET_DYN);
  unsigned abi = header.e_ident[ELF::EI_ABIVERSION];
  if (abi < ELF::ELFABIVERSION_AMDGPU_HSA_V4 ||
      abi > ELF::ELFABIVERSION_AMDGPU_HSA_V6)
    return createStringError("code object: ABI version %u, expected %u to %u "
                             "(code object version 4 to 6)",
                             abi, ELF::ELFABIVERSION_AMDGPU_HSA_V4,
                             ELF::ELFABIVERSION_AMDGPU_HSA_V6);
  std::string processor = processor_name(*file, header.e_flags);
  if (Error error = check_target(header, processor, agent)) {
    incompatible = true;
    return error;
  }
  std::unique_ptr<LoadedCodeObject> object(
      new LoadedCodeObject(runtime, agent, bytes));
  Loader loader(elf, *object, resolve);
  uint64_t lowest = 0;
  auto span = loader.span(lowest);
  if (!span)
    return span.takeError();
  object->size = *span;
  object->base = runtime.pages.allocate(*span);
  if (!object->base)
    return createStringError("code object: no memory for 0x%" PRIx64 " bytes",
                             *span);
  object->mapped = llvm::alignTo(*span, PageAllocator::PAGE_SIZE);
  object->delta = object->base - lowest;
  if (Error error = loader.copy_segments())
    return error;
  if (Error error = loader.relocate())
    return error;
  if (Error error = loader.read_symbols())
    return error;
  unsigned number = 0;
  for (const Segment &segment : object->segments) {
    Region region;
    region.begin = segment.begin;
    region.end = segment.begin + segment.size;
    // Up to the end of its last page, or the next segment, as in hardware:
    // strings are read in whole words, and instruction fetch runs ahead.
    region.asked_end = region.end;
    region.end = llvm::alignTo(region.end, PageAllocator::PAGE_SIZE);
    for (const Segment &other : object->segments)
      if (other.begin >= region.asked_end)
        region.end = std::min(region.end, other.begin);
    region.writable = segment.writable;
    region.kind = MemoryKind::code;
    region.name = "segment " + std::to_string(number++) + " of the code object";
    if (runtime.memory.add(std::move(region)))
      object->regions.push_back(segment.begin);
  }
  object->names = make_symbol_source(bytes, object->delta);
  return object;
}

} // namespace gpuexec::emulator
