//===-- emulator/amdgpu/code_cache/identity.cpp - What code depends on ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/code_cache/identity.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <link.h>

namespace gpuexec::emulator::amdgpu::code_cache {

namespace {
struct Wanted {
  u64 address;
  std::string id;
};
} // namespace

/// The build id among the notes of a segment; "" if there is none.
static std::string id_in_notes(llvm::ArrayRef<u8> notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof(note));
    notes = notes.drop_front(sizeof(note));
    const size_t name = (size_t(note.n_namesz) + 3) & ~size_t(3),
                 size = (size_t(note.n_descsz) + 3) & ~size_t(3);
    if (name > notes.size() || size > notes.size() - name)
      return "";
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes.data(), "GNU", 4) == 0)
      return llvm::toHex(notes.slice(name, note.n_descsz), /*LowerCase=*/true);
    notes = notes.drop_front(name + size);
  }
  return "";
}

std::string build_id_around(const void *address) {
  Wanted wanted = {reinterpret_cast<u64>(address), ""};
  auto look = [](dl_phdr_info *info, size_t, void *context) {
    auto &wanted = *static_cast<Wanted *>(context);
    const llvm::ArrayRef<ElfW(Phdr)> headers(info->dlpi_phdr, info->dlpi_phnum);
    const bool here = std::any_of(
        headers.begin(), headers.end(), [&](const ElfW(Phdr) & header) {
          return header.p_type == PT_LOAD &&
                 wanted.address - (info->dlpi_addr + header.p_vaddr) <
                     header.p_memsz;
        });
    for (const ElfW(Phdr) & header : headers)
      if (here && wanted.id.empty() && header.p_type == PT_NOTE)
        wanted.id = id_in_notes(
            {reinterpret_cast<const u8 *>(info->dlpi_addr + header.p_vaddr),
             size_t(header.p_memsz)});
    return int(here);
  };
  dl_iterate_phdr(look, &wanted);
  return wanted.id;
}

std::string build_id_of_file(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return "";
  auto object =
      llvm::object::ObjectFile::createObjectFile((*file)->getMemBufferRef());
  if (!object) {
    llvm::consumeError(object.takeError());
    return "";
  }
  return llvm::toHex(llvm::object::getBuildID(object->get()),
                     /*LowerCase=*/true);
}

/// The processor and features that the JIT's compiler generates code for.
static std::string host_processor() {
  std::string text = llvm::sys::getHostCPUName().str();
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      features.push_back(feature.first().str());
  std::sort(features.begin(), features.end());
  for (const std::string &feature : features)
    text += "," + feature;
  return text;
}

Key key_of(const Code &code, const std::string &cpu,
           const std::string &builds) {
  llvm::BLAKE3 hash;
  for (const std::string &text : {builds, cpu, host_processor()}) {
    hash.update(text);
    hash.update(llvm::StringRef("\0", 1));
  }
  const u64 range[] = {code.begin(), code.end(), code.wave32()};
  hash.update(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(range), sizeof(range)));
  hash.update(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(code.begin()),
                             size_t(code.end() - code.begin())));
  Key key;
  const auto result = hash.final<sizeof(Key)>();
  std::copy(result.begin(), result.end(), key.begin());
  return key;
}

} // namespace gpuexec::emulator::amdgpu::code_cache
