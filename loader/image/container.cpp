//===-- loader/image/container.cpp - Files that hold several images -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens LLVM offload binaries (llvm-offload-binary; LLVM's OffloadBinary.h),
// images behind a first line that starts gpuexec (gpucc --self-run), clang
// offload bundles (plain and compressed; ClangOffloadBundler
// documentation), CUDA fatbins (observed from `fatbinary` of CUDA 13) and host
// ELF files with sections of those. Offsets and sizes come from the file: each
// is checked before it is used, and all that is unpacked of one file together
// has no more than MAX_UNPACKED bytes.

#include "loader/image/contents.h"
#include "loader/image/lz4.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;
using support::endian::read64le;

namespace gpuexec::parsing {

namespace {

using Members = std::vector<Member>;

constexpr StringLiteral OFFLOAD_MAGIC = "\x10\xff\x10\xad";
constexpr StringLiteral BUNDLE_MAGIC = "__CLANG_OFFLOAD_BUNDLE__";
constexpr StringLiteral COMPRESSED_BUNDLE_MAGIC = "CCOB";
constexpr StringLiteral FATBIN_MAGIC = "\x50\xed\x55\xba";
constexpr StringLiteral ELF_MAGIC = "\x7f"
                                    "ELF";
/// Characters of an entry's name that go into labels, which are nested as the
/// containers are.
constexpr size_t MAX_ENTRY_NAME = 128;

Member member(StringRef bytes, StringRef file, StringRef entry) {
  return {bytes, (file + "(" + entry.take_front(MAX_ENTRY_NAME) + ")").str(),
          nullptr};
}

Error add(Members &members, Member one) {
  if (members.size() >= MAX_IMAGES)
    return malformed(one.label, "more than {0} images in one file", MAX_IMAGES);
  members.push_back(std::move(one));
  return Error::success();
}

/// Takes `size` bytes from what may still be unpacked.
Error take(ContainerBudget &budget, uint64_t size, StringRef label) {
  if (size > budget.unpacked_left)
    return malformed(label,
                     "claims {0} bytes unpacked: with what was unpacked before "
                     "more than the limit of {1}",
                     size, MAX_UNPACKED);
  budget.unpacked_left -= size;
  return Error::success();
}

bool for_gpu(StringRef triple) {
  return triple.starts_with("amdgcn") || triple.starts_with("nvptx");
}

// One or several offload binaries back to back, each aligned to 8 bytes.
Error open_offload_binary(Members &members, StringRef bytes, StringRef label,
                          ContainerBudget &) {
  using object::OffloadBinary;
  while (bytes.starts_with(OFFLOAD_MAGIC)) {
    OffloadBinary::Header header;
    OffloadBinary::Entry entry;
    if (bytes.size() < sizeof(header))
      return malformed(label, "offload binary: truncated header");
    memcpy(static_cast<void *>(&header), bytes.data(), sizeof(header));
    if (header.Version != 1)
      return malformed(label, "offload binary: version {0}, expected 1",
                       header.Version);
    if (header.Size < sizeof(header) || header.Size > bytes.size())
      return malformed(label, "offload binary: {0} bytes of {1}", bytes.size(),
                       header.Size);
    StringRef whole = bytes.take_front(header.Size);
    if (header.EntrySize < sizeof(entry) ||
        !in_range(header.EntryOffset, sizeof(entry), whole.size()))
      return malformed(label, "offload binary: the entry is out of bounds");
    memcpy(static_cast<void *>(&entry), whole.data() + header.EntryOffset,
           sizeof(entry));
    if (!in_range(entry.ImageOffset, entry.ImageSize, whole.size()))
      return malformed(label, "offload binary: the image is out of bounds");
    if (entry.NumStrings > whole.size() ||
        !in_range(entry.StringOffset,
                  entry.NumStrings * sizeof(OffloadBinary::StringEntry),
                  whole.size()))
      return malformed(label,
                       "offload binary: the string table is out of bounds");
    StringRef triple, arch;
    for (uint64_t i = 0; i < entry.NumStrings; ++i) {
      const char *pair = whole.data() + entry.StringOffset +
                         i * sizeof(OffloadBinary::StringEntry);
      auto text = [&](uint64_t offset) {
        return whole.substr(offset).split('\0').first;
      };
      StringRef key = text(read64le(pair)), value = text(read64le(pair + 8));
      if (key == "triple")
        triple = value;
      else if (key == "arch")
        arch = value;
    }
    if (triple.empty() || for_gpu(triple)) {
      StringRef image = whole.substr(entry.ImageOffset, entry.ImageSize);
      if (Error error = add(members, member(image, label, arch)))
        return error;
    }
    bytes = bytes.drop_front(header.Size).ltrim('\0');
  }
  if (!bytes.empty())
    return malformed(label, "offload binary: {0} bytes behind its end",
                     bytes.size());
  return Error::success();
}

Error open_bundle(Members &members, StringRef bytes, StringRef label,
                  ContainerBudget &) {
  uint64_t position = BUNDLE_MAGIC.size();
  if (!in_range(position, 8, bytes.size()))
    return malformed(label, "offload bundle: truncated");
  uint64_t count = read64le(bytes.data() + position);
  position += 8;
  for (; count; --count) {
    if (!in_range(position, 24, bytes.size()))
      return malformed(label, "offload bundle: truncated");
    uint64_t offset = read64le(bytes.data() + position),
             size = read64le(bytes.data() + position + 8);
    uint64_t id_size = read64le(bytes.data() + position + 16);
    position += 24;
    if (!in_range(position, id_size, bytes.size()))
      return malformed(label,
                       "offload bundle: an entry's name is out of bounds");
    StringRef id = bytes.substr(position, id_size);
    position += id_size;
    // "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-": the kind, the triple, the
    // target.
    StringRef triple = id.split('-').second;
    if (size == 0 || !for_gpu(triple))
      continue;
    if (!in_range(offset, size, bytes.size()))
      return malformed(label, "offload bundle: entry '{0}' is out of bounds",
                       id);
    if (Error error =
            add(members, member(bytes.substr(offset, size), label, id)))
      return error;
  }
  return Error::success();
}

Error open_compressed_bundle(Members &members, StringRef bytes, StringRef label,
                             ContainerBudget &budget) {
  auto header =
      object::CompressedOffloadBundle::CompressedBundleHeader::tryParse(bytes);
  if (!header)
    return malformed(label, header.takeError());
  if (Error error = take(budget, header->UncompressedFileSize, label))
    return error;
  if (header->FileSize && *header->FileSize > bytes.size())
    return malformed(label, "offload bundle: {0} bytes of {1}", bytes.size(),
                     *header->FileSize);
  auto plain = object::CompressedOffloadBundle::decompress(
      *MemoryBuffer::getMemBuffer(bytes, label, false));
  if (!plain)
    return malformed(label, plain.takeError());
  std::shared_ptr<MemoryBuffer> owner = std::move(*plain);
  if (!owner->getBuffer().starts_with(BUNDLE_MAGIC))
    return malformed(label, "offload bundle: unpacks to something else");
  size_t first = members.size();
  if (Error error = open_bundle(members, owner->getBuffer(), label, budget))
    return error;
  for (size_t i = first; i < members.size(); ++i)
    members[i].owner = owner;
  return Error::success();
}

// Header: magic:32, version:16, header size:16, size of all entries:64. Fields
// of an entry, by their offsets: 0 kind:16, 4 size of the entry:32, 8 size of
// the payload:64, 16 packed size:32, 28 architecture:32, 40 flags:64, 56
// unpacked size:64.
constexpr uint64_t FATBIN_HEADER = 16, FATBIN_ENTRY = 64;
enum FatbinKind : uint16_t { fatbin_ptx = 1, fatbin_elf = 2 };
constexpr uint64_t FATBIN_LZ4 = 0x2000, FATBIN_ZSTD = 0x8000;

Expected<Member> open_fatbin_entry(StringRef entry, StringRef payload,
                                   StringRef label, ContainerBudget &budget) {
  uint32_t compressed_size = read32le(entry.data() + 16),
           arch = read32le(entry.data() + 28);
  uint64_t flags = read64le(entry.data() + 40),
           unpacked_size = read64le(entry.data() + 56);
  bool ptx = read16le(entry.data()) == fatbin_ptx;
  Member result =
      member(payload, label, ((ptx ? "compute_" : "sm_") + Twine(arch)).str());
  if (!(flags & (FATBIN_LZ4 | FATBIN_ZSTD)))
    return result;
  if (compressed_size > payload.size())
    return malformed(result.label, "fatbin: {0} packed bytes of {1}",
                     payload.size(), compressed_size);
  payload = payload.take_front(compressed_size);
  if (Error error = take(budget, unpacked_size, result.label))
    return std::move(error);
  // LZ4 makes at most 255 bytes of one byte: a larger claim is refused before
  // memory is allocated for it.
  if ((flags & FATBIN_LZ4) && unpacked_size / 256 > payload.size())
    return malformed(result.label, "fatbin: {0} packed bytes claim {1}",
                     payload.size(), unpacked_size);
  auto plain =
      WritableMemoryBuffer::getNewUninitMemBuffer(unpacked_size, result.label);
  if (!plain)
    return malformed(result.label, "fatbin: no memory for {0} bytes",
                     unpacked_size);
  auto *out = reinterpret_cast<uint8_t *>(plain->getBufferStart());
  if (flags & FATBIN_LZ4) {
    if (!unpack_lz4(arrayRefFromStringRef(payload), {out, unpacked_size}))
      return malformed(result.label, "fatbin: the LZ4 data is broken");
  } else if (!compression::zstd::isAvailable()) {
    return malformed(
        result.label,
        "fatbin: compressed with zstd, which this build cannot unpack");
  } else {
    size_t size = unpacked_size;
    if (Error error = compression::zstd::decompress(
            arrayRefFromStringRef(payload), out, size))
      return malformed(result.label, std::move(error));
    if (size != unpacked_size)
      return malformed(result.label, "fatbin: {0} bytes unpacked, expected {1}",
                       size, unpacked_size);
  }
  result.owner = std::move(plain);
  result.bytes = result.owner->getBuffer();
  return result;
}

Error open_fatbin(Members &members, StringRef bytes, StringRef label,
                  ContainerBudget &budget) {
  while (bytes.starts_with(FATBIN_MAGIC)) {
    if (bytes.size() < FATBIN_HEADER)
      return malformed(label, "fatbin: truncated header");
    uint64_t header_size = read16le(bytes.data() + 6),
             size = read64le(bytes.data() + 8);
    if (header_size < FATBIN_HEADER ||
        !in_range(header_size, size, bytes.size()))
      return malformed(label, "fatbin: {0} bytes of {1}", bytes.size(),
                       SaturatingAdd(header_size, size));
    StringRef left = bytes.substr(header_size, size);
    bytes = bytes.drop_front(header_size + size).ltrim('\0');
    while (!left.empty()) {
      if (left.size() < FATBIN_ENTRY)
        return malformed(label, "fatbin: truncated entry");
      uint16_t kind = read16le(left.data());
      uint64_t entry_size = read32le(left.data() + 4),
               payload_size = read64le(left.data() + 8);
      if (entry_size < FATBIN_ENTRY ||
          !in_range(entry_size, payload_size, left.size()))
        return malformed(label, "fatbin: an entry is out of bounds");
      if (kind == fatbin_ptx ||
          kind == fatbin_elf) { // else intermediate code for the linker
        Expected<Member> found = open_fatbin_entry(
            left, left.substr(entry_size, payload_size), label, budget);
        if (!found)
          return found.takeError();
        if (Error error = add(members, std::move(*found)))
          return error;
      }
      left = left.drop_front(entry_size + payload_size);
    }
  }
  if (!bytes.empty())
    return malformed(label, "fatbin: {0} bytes behind its end", bytes.size());
  return Error::success();
}

// Where the image begins behind gpucc --self-run's script.
constexpr size_t SCRIPT_SIZE = 4096;

bool looks_like_image(StringRef bytes) {
  return bytes.starts_with(ELF_MAGIC) || looks_like_ptx(bytes);
}

// The image behind a script that starts gpuexec (toolchain/gpucc/self_run.cpp),
// or behind a first line that does; empty when there is none.
StringRef behind_script(StringRef bytes) {
  if (!bytes.starts_with("#!"))
    return "";
  if (StringRef rest = bytes.substr(SCRIPT_SIZE); looks_like_image(rest))
    return rest;
  size_t end = bytes.take_front(SCRIPT_SIZE).find('\n');
  if (end == StringRef::npos)
    return "";
  StringRef rest = bytes.drop_front(end).ltrim('\n');
  return looks_like_image(rest) ? rest : "";
}

Error open_self_run(Members &members, StringRef bytes, StringRef label,
                    ContainerBudget &) {
  members.push_back({behind_script(bytes), label.str(), nullptr});
  return Error::success();
}

// The function that opens a container with these first bytes; null when they
// begin none.
using Opener = Error (*)(Members &, StringRef, StringRef, ContainerBudget &);
Opener find_opener(StringRef bytes) {
  if (bytes.starts_with(OFFLOAD_MAGIC))
    return open_offload_binary;
  if (bytes.starts_with(BUNDLE_MAGIC))
    return open_bundle;
  if (bytes.starts_with(COMPRESSED_BUNDLE_MAGIC))
    return open_compressed_bundle;
  if (bytes.starts_with(FATBIN_MAGIC))
    return open_fatbin;
  if (!behind_script(bytes).empty())
    return open_self_run;
  return nullptr;
}

// A program for the CPU with images inside; false when it has none, or is no
// such program.
Expected<bool> open_host_program(Members &members, StringRef bytes,
                                 StringRef label, ContainerBudget &budget) {
  if (bytes.size() < sizeof(ElfFile::Elf_Ehdr) ||
      bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return false;
  Expected<ElfFile> elf = ElfFile::create(bytes);
  if (!elf)
    return malformed(label, elf.takeError());
  uint16_t machine = elf->getHeader().e_machine;
  if (machine == ELF::EM_AMDGPU || machine == ELF::EM_CUDA)
    return false;
  auto sections = elf->sections();
  if (!sections) {
    consumeError(sections.takeError());
    return false; // the message then says what the file is
  }
  bool found = false;
  for (const auto &section : *sections) {
    Expected<StringRef> name = elf->getSectionName(section);
    if (!name) {
      consumeError(name.takeError());
      continue;
    }
    if (*name != ".llvm.offloading" && *name != ".llvm.rodata.offloading" &&
        *name != ".hip_fatbin" && *name != ".nv_fatbin")
      continue;
    if (section.sh_type == ELF::SHT_NOBITS)
      continue;
    if (!in_range(section.sh_offset, section.sh_size, bytes.size()))
      return malformed(label, "section {0}: beyond the end of the file", *name);
    StringRef contents =
        bytes.substr(section.sh_offset, section.sh_size).ltrim('\0');
    Opener open = find_opener(contents);
    if (!open)
      continue;
    found = true;
    if (Error error =
            open(members, contents, (label + "(" + *name + ")").str(), budget))
      return std::move(error);
  }
  return found;
}

} // namespace

bool is_container(StringRef bytes) { return find_opener(bytes) != nullptr; }

/// Fails when members overlap. Each member is parsed, so a file of a few
/// kilobytes could otherwise cost the work of gigabytes.
static Error check_apart(const Members &members) {
  std::vector<const Member *> sorted;
  for (const Member &member : members)
    sorted.push_back(&member);
  llvm::sort(sorted, [](const Member *a, const Member *b) {
    return a->bytes.begin() < b->bytes.begin();
  });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i]->bytes.begin() < sorted[i - 1]->bytes.end())
      return malformed(sorted[i]->label, "overlaps another image of the file");
  return Error::success();
}

static Expected<std::optional<Members>>
open_any(StringRef bytes, StringRef label, ContainerBudget &budget) {
  Members members;
  if (Opener open = find_opener(bytes)) {
    if (Error error = open(members, bytes, label, budget))
      return std::move(error);
    return members;
  }
  if (!bytes.starts_with(ELF_MAGIC))
    return std::nullopt;
  Expected<bool> found = open_host_program(members, bytes, label, budget);
  if (!found)
    return found.takeError();
  if (!*found)
    return std::nullopt;
  return members;
}

Expected<std::optional<std::vector<Member>>>
open_container(StringRef bytes, StringRef label, ContainerBudget &budget) {
  Expected<std::optional<Members>> members = open_any(bytes, label, budget);
  if (members && *members)
    if (Error error = check_apart(**members))
      return std::move(error);
  return members;
}

} // namespace gpuexec::parsing
