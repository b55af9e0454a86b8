//===-- emulator/amdgpu/image/image.cpp - A loaded code object ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/image/image.h"
#include "emulator/amdgpu/image/segments.h"
#include "emulator/machine/elf_symbols.h"
#include "gpu/start_up.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace gpuexec::emulator::amdgpu {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
namespace ELF = llvm::ELF;

/// --check=uninit does not follow which bytes of a larger segment are defined.
static constexpr uint64_t MOST_FOLLOWED = 256 << 20;

namespace {
/// What is released once no wave can be using the segments.
struct Freed {
  PageAllocator *pages;
  std::vector<std::unique_ptr<uint8_t[]>> shadows;
};
} // namespace

// Fails unless the code object is made for this processor, with XNACK off and
// SRAMECC on. Features that it leaves open ("any") fit.
static Error check_target(const Elf::Elf_Ehdr &header,
                          const gpu::AmdProcessor &agent) {
  if (header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA)
    return createStringError(
        "code object: OS/ABI is %u, expected %u (AMDGPU HSA)",
        header.e_ident[ELF::EI_OSABI], ELF::ELFOSABI_AMDGPU_HSA);
  const gpu::AmdProcessor *processor = gpu::find_amd_processor(header.e_flags);
  std::string name =
      processor ? std::string(processor->name)
                : "unknown processor 0x" +
                      llvm::utohexstr(gpu::amd_machine(header.e_flags), true);
  if (name != agent.name && name != agent.generic)
    return createStringError("code object: made for %s, the agent is %s",
                             name.c_str(), std::string(agent.name).c_str());
  if (gpu::amd_xnack(header.e_flags) == gpu::AmdFeature::on)
    return createStringError(
        "code object: made for %s:xnack+, the agent has xnack off",
        name.c_str());
  if (gpu::amd_sramecc(header.e_flags) == gpu::AmdFeature::off)
    return createStringError(
        "code object: made for %s:sramecc-, the agent has sramecc on",
        name.c_str());
  return Error::success();
}

static KnownFunctions find_known_functions(SymbolSource &names) {
  KnownFunctions known;
  known.allocate = names.find(GPUEXEC_ALLOCATE_FUNCTION);
  size_t k = 0;
  for (const char *name : {GPUEXEC_SEND_FUNCTIONS})
    known.send[k++] = names.find(name);
  return known;
}

LoadedImage::~LoadedImage() {
  if (!mapped)
    return;
  for (uint64_t region : regions)
    machine.memory.remove(region);
  // The pages may be released when no wave can be using any of the regions.
  // Regions are released in the order of their removal, so one more region is
  // added and removed last.
  Region last;
  last.begin = base;
  last.end = base + mapped;
  last.kind = MemoryKind::code;
  auto *freed = new Freed{pages, std::move(shadows)};
  auto release = [](void *context, uint64_t begin, uint64_t end) {
    std::unique_ptr<Freed> freed(static_cast<Freed *>(context));
    freed->pages->free(begin, end - begin);
  };
  if (!machine.memory.add(std::move(last)) ||
      !machine.memory.remove(base, release, freed))
    delete freed;
}

Expected<std::unique_ptr<LoadedImage>>
LoadedImage::load(Machine &machine, const gpu::AmdProcessor &processor,
                  llvm::StringRef text, const Resolver &resolve,
                  bool &incompatible) {
  // ELFObjectFile reads these fields without a check.
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
  if (Error error = check_target(header, processor)) {
    incompatible = true;
    return error;
  }
  std::unique_ptr<LoadedImage> image(new LoadedImage(machine));
  SegmentLoader loader(elf, *image, resolve);
  uint64_t lowest = 0;
  auto span = loader.span(lowest);
  if (!span)
    return span.takeError();
  image->size = *span;
  image->pages = &machine.pages_for_image(*span);
  image->base = image->pages->allocate(*span);
  if (!image->base)
    return createStringError("code object: no memory for 0x%" PRIx64 " bytes",
                             *span);
  image->mapped = llvm::alignTo(*span, PageAllocator::PAGE_SIZE);
  image->delta = image->base - lowest;
  if (Error error = loader.copy_segments())
    return error;
  if (Error error = loader.relocate())
    return error;
  if (Error error = loader.read_symbols())
    return error;
  image->add_regions();
  image->names =
      make_elf_symbols(text, image->delta, machine.options.prepare_lines);
  if (machine.options.check_uninitialized)
    image->known = find_known_functions(*image->names);
  return image;
}

void LoadedImage::add_regions() {
  unsigned number = 0;
  for (const Segment &segment : segments) {
    Region region;
    region.begin = segment.begin;
    region.end = segment.begin + segment.size;
    // The device may touch the rest of the segment's last page, up to the next
    // segment, as on hardware: strings are read in whole words, and instruction
    // fetch runs ahead.
    region.asked_end = region.end;
    region.end = llvm::alignTo(region.end, PageAllocator::PAGE_SIZE);
    for (const Segment &other : segments)
      if (other.begin >= region.asked_end)
        region.end = std::min(region.end, other.begin);
    region.writable = segment.writable;
    if (segment.executable) // bytes that the file lacks are no code
      region.code_end = segment.begin + (segment.file_size & ~uint64_t(3));
    region.kind = MemoryKind::code;
    region.name = "segment " + std::to_string(number++) + " of the code object";
    // Bytes that the file lacks are zero: all of the segment is defined.
    if (machine.options.check_uninitialized && segment.writable &&
        region.size() <= MOST_FOLLOWED) {
      auto &shadow =
          shadows.emplace_back(new (std::nothrow) uint8_t[region.size()]);
      if (shadow)
        memset(shadow.get(), 0xff, region.size());
      region.shadow = shadow.get();
    }
    if (machine.memory.add(std::move(region)))
      regions.push_back(segment.begin);
  }
}

} // namespace gpuexec::emulator::amdgpu
