//===-- loader/image/amdgpu.cpp - AMDGPU code objects ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code objects V4 to V6 (AMDGPUUsage, "Code Object"): ELF header flags name the
// processor, the metadata note describes the kernels, `NAME.kd` holds each
// one's descriptor. What a runtime would follow blindly (segments, descriptors,
// entry points) is checked here to lie where it claims.
//===----------------------------------------------------------------------===//
#include "loader/image/amdgpu.h"
#include "gpu/amd_processor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace gpuexec::parsing {

/// A loaded image larger than this is taken for a broken one: no allocation is
/// made by an untrusted number.
constexpr uint64_t MAX_SPAN = uint64_t(64) << 30;
/// The most loadable segments: every lookup of an address walks over all of
/// them. Linkers write a handful.
constexpr size_t MAX_SEGMENTS = 64;

/// ":xnack+" or ":xnack-"; empty when the image leaves the feature open.
static std::string feature_of(const char *name, gpu::AmdFeature feature) {
  if (feature == gpu::AmdFeature::on)
    return std::string(":") + name + "+";
  return feature == gpu::AmdFeature::off ? std::string(":") + name + "-" : "";
}

Error CodeObject::read_header() {
  const auto &header = elf.getHeader();
  if (header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA)
    return no_image(label, "an AMDGPU ELF file of OS/ABI {0}, not of HSA ({1})",
                    unsigned(header.e_ident[ELF::EI_OSABI]),
                    unsigned(ELF::ELFOSABI_AMDGPU_HSA));
  unsigned version = header.e_ident[ELF::EI_ABIVERSION];
  if (version < ELF::ELFABIVERSION_AMDGPU_HSA_V4 ||
      version > ELF::ELFABIVERSION_AMDGPU_HSA_V6)
    return no_image(label,
                    "AMDGPU code object with ABI version {0}, expected {1} to "
                    "{2} (V4 to V6)",
                    version, unsigned(ELF::ELFABIVERSION_AMDGPU_HSA_V4),
                    unsigned(ELF::ELFABIVERSION_AMDGPU_HSA_V6));
  image.abi_version = version + 2; // 2 is V4
  if (header.e_type != ELF::ET_DYN && header.e_type != ELF::ET_REL)
    return malformed(label,
                     "ELF type {0}: an AMDGPU code object is a shared object",
                     unsigned(header.e_type));
  image.relocatable = header.e_type == ELF::ET_REL;

  uint32_t flags = header.e_flags;
  const gpu::AmdProcessor *processor = gpu::find_amd_processor(flags);
  if (!processor)
    return no_image(label, "unknown AMDGPU processor 0x{0:x-}",
                    gpu::amd_machine(flags));
  image.arch = processor->name;
  image.target_id = image.arch +
                    feature_of("sramecc", gpu::amd_sramecc(flags)) +
                    feature_of("xnack", gpu::amd_xnack(flags));
  return Error::success();
}

Error CodeObject::read_segments() {
  auto headers = elf.program_headers();
  if (!headers)
    return malformed(label, headers.takeError());
  unsigned index = 0;
  for (const auto &header : *headers) {
    unsigned current = index++;
    if (header.p_type != ELF::PT_LOAD)
      continue;
    if (segments.size() >= MAX_SEGMENTS)
      return malformed(label, "more than {0} loadable segments", MAX_SEGMENTS);
    if (header.p_filesz > header.p_memsz)
      return malformed(
          label, "segment {0}: file size 0x{1:x-} exceeds memory size 0x{2:x-}",
          current, uint64_t(header.p_filesz), uint64_t(header.p_memsz));
    if (!in_range(header.p_offset, header.p_filesz, image.bytes.size()))
      return malformed(label,
                       "segment {0}: file range 0x{1:x-} + 0x{2:x-} exceeds "
                       "the file of 0x{3:x-} bytes",
                       current, uint64_t(header.p_offset),
                       uint64_t(header.p_filesz), image.bytes.size());
    if (!in_range(header.p_vaddr, header.p_memsz, MAX_SPAN))
      return malformed(
          label,
          "segment {0}: memory range 0x{1:x-} + 0x{2:x-} is out of bounds",
          current, uint64_t(header.p_vaddr), uint64_t(header.p_memsz));
    segments.push_back({header.p_vaddr, header.p_offset, header.p_filesz,
                        header.p_memsz, (header.p_flags & ELF::PF_X) != 0});
  }
  if (segments.empty() && !image.relocatable)
    return malformed(label, "no loadable segment");
  return Error::success();
}

namespace {

/// Reads the notes with metadata. A linker keeps the note of each object of
/// machine code: one image can have several.
class NotesReader {
public:
  NotesReader(const ElfFile &elf, uint64_t file_size, StringRef label)
      : elf(elf), file_size(file_size), label(label) {}

  /// Reads the notes of program headers or sections. `size_of` returns the
  /// bytes of a header's notes; nothing for a header without notes. Headers
  /// that overlap are refused before any note is read: a small file could
  /// otherwise have the same notes read many times.
  template <typename Headers, typename SizeOf>
  Error read(const Headers &headers, SizeOf size_of) {
    uint64_t left = file_size;
    for (const auto &header : headers) {
      const uint64_t size = size_of(header).value_or(0);
      if (size > left)
        return malformed(
            label, "its notes have more bytes than the file: they overlap");
      left -= size;
    }
    for (const auto &header : headers)
      if (size_of(header))
        if (Error error = read_notes(header))
          return error;
    return Error::success();
  }

  std::optional<AmdgpuMetadata> metadata; ///< of all notes so far

private:
  template <typename Header> Error read_notes(const Header &header) {
    Error error = Error::success();
    for (const auto &note : elf.notes(header, error)) {
      if (note.getName() != "AMDGPU" ||
          note.getType() != ELF::NT_AMDGPU_METADATA)
        continue;
      // Descriptions of these notes are aligned to 4 bytes.
      if (Error problem = add(note.getDescAsStringRef(4))) {
        consumeError(std::move(error));
        return problem;
      }
    }
    return error ? malformed(label, std::move(error)) : Error::success();
  }

  Error add(StringRef note) {
    Expected<AmdgpuMetadata> found = read_amdgpu_metadata(note, label);
    if (!found)
      return found.takeError();
    if (!metadata) {
      metadata = std::move(*found);
      return Error::success();
    }
    if (names.empty())
      for (const Kernel &kernel : metadata->kernels)
        names.insert(kernel.name);
    for (Kernel &kernel : found->kernels) {
      if (!names.insert(kernel.name).second)
        return malformed(label, "kernel '{0}': described twice", kernel.name);
      metadata->kernels.push_back(std::move(kernel));
    }
    return Error::success();
  }

  const ElfFile &elf;
  const uint64_t file_size;
  const StringRef label;
  StringSet<> names; ///< of the kernels, once there is a second note
};

} // namespace

Error CodeObject::read_metadata() {
  NotesReader notes(elf, image.bytes.size(), label);
  std::optional<AmdgpuMetadata> &metadata = notes.metadata;
  auto headers = elf.program_headers();
  if (!headers)
    return malformed(label, headers.takeError());
  if (Error error = notes.read(*headers, [](const auto &header) {
        return header.p_type == ELF::PT_NOTE
                   ? std::optional<uint64_t>(header.p_filesz)
                   : std::nullopt;
      }))
    return error;
  if (!metadata) {
    auto sections = elf.sections();
    if (!sections)
      return malformed(label, sections.takeError());
    if (Error error = notes.read(*sections, [](const auto &section) {
          return section.sh_type == ELF::SHT_NOTE
                     ? std::optional<uint64_t>(section.sh_size)
                     : std::nullopt;
        }))
      return error;
  }
  if (!metadata) {
    if (image.relocatable)
      return Error::success(); // an object file of device functions alone
    return malformed(label,
                     "no kernel metadata: not an AMDGPU code object for HSA");
  }
  StringRef target = metadata->target;
  if (!target.empty()) {
    StringRef processor = target.rsplit("--").second.split(':').first;
    // "amdgcn-amd-amdhsa-unknown-gfx942" is the other spelling.
    if (processor.empty())
      processor = target.split(':').first.rsplit("-unknown-").second;
    if (!processor.empty() && processor != image.arch)
      return malformed(label, "metadata is for {0}, the ELF header for {1}",
                       processor, image.arch);
  }
  image.kernels = std::move(metadata->kernels);
  return Error::success();
}

Error CodeObject::read_descriptor(Kernel &kernel, const ElfSymbol &symbol) {
  KernelDescriptor descriptor;
  gpu::AmdKernelDescriptor &fields = descriptor;
  const uint8_t *bytes = memory_of(symbol, sizeof(fields));
  if (!bytes)
    return malformed(
        label, "kernel '{0}': the descriptor at 0x{1:x-} is not in the image",
        kernel.name, symbol.value);
  std::memcpy(&fields, bytes, sizeof(fields));
  descriptor.address = symbol.value;
  descriptor.entry = symbol.value + uint64_t(fields.entry_offset);
  if (!image.relocatable) { // else the offset is still to be relocated
    bool runs = any_of(segments, [&](const Segment &segment) {
      return segment.executable && descriptor.entry >= segment.address &&
             in_range(descriptor.entry - segment.address, 4, segment.file_size);
    });
    if (!runs || descriptor.entry % 4)
      return malformed(
          label, "kernel '{0}': the entry 0x{1:x-} is not in executable code",
          kernel.name, descriptor.entry);
    if (descriptor.wave32() != (kernel.wave_size == 32))
      return malformed(
          label,
          "kernel '{0}': metadata says wave size {1}, the descriptor {2}",
          kernel.name, kernel.wave_size, descriptor.wave32() ? 32 : 64);
  }
  kernel.descriptor = descriptor;
  return Error::success();
}

Error CodeObject::read_descriptors() {
  for (Kernel &kernel : image.kernels) {
    auto found = by_name.find(kernel.symbol);
    if (found == by_name.end())
      return malformed(label, "kernel '{0}': no symbol '{1}'", kernel.name,
                       kernel.symbol);
    if (Error error = read_descriptor(kernel, *found->second))
      return error;
    kernel.visible = image.relocatable || is_visible(*found->second);
    auto function = by_name.find(kernel.name);
    if (function != by_name.end() && function->second->type == ELF::STT_FUNC) {
      kernel.resources.code_size = function->second->size;
      kernel.code = code_of(*function->second);
    }
  }
  return Error::success();
}

Expected<ImageContents> CodeObject::parse() {
  image.format = Image::Format::amdgpu;
  if (Error error = read_header())
    return std::move(error);
  if (Error error = read_segments())
    return std::move(error);
  if (Error error = read_metadata())
    return std::move(error);
  if (Error error = read_symbol_table())
    return std::move(error);
  if (Error error = read_descriptors())
    return std::move(error);
  collect_symbols();
  read_producer();
  describe_gcc_kernels();
  return std::move(image);
}

Expected<ImageContents> parse_amdgpu(StringRef bytes, StringRef label) {
  return parse_elf<CodeObject>(bytes, label);
}

} // namespace gpuexec::parsing
