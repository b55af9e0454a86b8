//===-- loader/image/contents.h - What the parsers fill in ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Internal to gpuexec-image. One parser per format turns bytes into
// ImageContents; none of them knows Image, files or devices. Every function
// here takes untrusted bytes and answers with a value or an ImageError that
// names `label`.

#ifndef GPUEXEC_LOADER_IMAGE_CONTENTS_H
#define GPUEXEC_LOADER_IMAGE_CONTENTS_H

#include "loader/image/image.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec {

/// What Image's accessors of the same names promise.
struct ImageContents {
  Image::Format format = Image::Format::amdgpu;
  std::string arch, target_id, producer, name;
  unsigned abi_version = 0;
  bool relocatable = false;
  llvm::StringRef bytes;
  // Holds `bytes` where the file does not: unpacked or zero-terminated copies.
  std::shared_ptr<llvm::MemoryBuffer> owned;
  std::vector<Kernel> kernels;
  std::vector<DeviceFunction> functions;
  std::vector<Global> globals;
  std::vector<InitObject> constructors, destructors;
};

namespace parsing {

using ElfFile = llvm::object::ELF64LEFile;

/// True if [offset, offset + length) lies within [0, size).
constexpr bool in_range(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

/// An ImageError `LABEL: REASON`; control characters and line ends in the
/// reason become '?'.
llvm::Error fail(ImageError::Reason kind, llvm::StringRef label,
                 std::string reason);

template <typename... Arguments>
llvm::Error malformed(llvm::StringRef label, const char *format,
                      Arguments &&...arguments) {
  return fail(
      ImageError::Reason::malformed, label,
      llvm::formatv(format, std::forward<Arguments>(arguments)...).str());
}
template <typename... Arguments>
llvm::Error no_image(llvm::StringRef label, const char *format,
                     Arguments &&...arguments) {
  return fail(
      ImageError::Reason::no_image, label,
      llvm::formatv(format, std::forward<Arguments>(arguments)...).str());
}
/// Whatever LLVM found wrong, as a malformed image.
llvm::Error malformed(llvm::StringRef label, llvm::Error error);

/// elf.cpp: opens a 64-bit little-endian ELF file for a GPU, or says in words
/// what else it is.
llvm::Expected<ElfFile> open_elf(llvm::StringRef bytes, llvm::StringRef label);
/// Opens it and has a `Parser` read it.
template <typename Parser>
llvm::Expected<ImageContents> parse_elf(llvm::StringRef bytes,
                                        llvm::StringRef label) {
  llvm::Expected<ElfFile> elf = open_elf(bytes, label);
  if (!elf)
    return elf.takeError();
  return Parser(*elf, bytes, label).parse();
}

/// A symbol with its name and section looked up.
struct ElfSymbol {
  llvm::StringRef name;
  uint64_t value = 0, size = 0;
  uint32_t index = 0; ///< in its table
  uint16_t section = 0;
  uint8_t type = 0, binding = 0, visibility = 0, other = 0;
};
/// All symbols of the section, each name checked. Indices count from the
/// table's null symbol, which is left out.
llvm::Expected<std::vector<ElfSymbol>>
read_symbols(const ElfFile &elf, const ElfFile::Elf_Shdr &table,
             llvm::StringRef label);

/// init_objects.cpp: adds a `__init_array_object_*` or `__fini_array_object_*`
/// symbol to the image's constructors or destructors; ignores other symbols.
llvm::Error note_init_object(ImageContents &image, llvm::StringRef symbol,
                             llvm::StringRef label);
void sort_init_objects(ImageContents &image);

llvm::Expected<ImageContents> parse_amdgpu(llvm::StringRef bytes,
                                           llvm::StringRef label);
llvm::Expected<ImageContents> parse_cubin(llvm::StringRef bytes,
                                          llvm::StringRef label);
llvm::Expected<ImageContents> parse_ptx(llvm::StringRef bytes,
                                        llvm::StringRef label);
/// True if the text opens with a `.version` directive, comments and blanks
/// aside.
bool looks_like_ptx(llvm::StringRef bytes);

/// One member of a container: bytes with a label of their own; `owner` holds
/// them where the file does not.
struct Member {
  llvm::StringRef bytes;
  std::string label;
  std::shared_ptr<llvm::MemoryBuffer> owner;
};
/// Bytes that the compressed members of one file may have unpacked, together.
inline constexpr uint64_t MAX_UNPACKED = uint64_t(1) << 28;
/// Images of one file, the members of containers within containers included.
inline constexpr size_t MAX_IMAGES = 4096;
/// What is left of these limits for one file.
struct ContainerBudget {
  uint64_t unpacked_left = MAX_UNPACKED;
  size_t images_left = MAX_IMAGES;
};
/// container.cpp: the members for GPUs of a container, no two of which overlap,
/// or nothing when `bytes` is none.
llvm::Expected<std::optional<std::vector<Member>>>
open_container(llvm::StringRef bytes, llvm::StringRef label,
               ContainerBudget &budget);
/// True if the first bytes are those of a container (not of a host program).
bool is_container(llvm::StringRef bytes);

/// amdgpu_metadata.cpp: the kernels and the target of AMDGPU's metadata note
/// (MessagePack).
struct AmdgpuMetadata {
  std::string target; ///< "amdgcn-amd-amdhsa--gfx942:xnack-", empty before V4
  std::vector<Kernel> kernels;
};
llvm::Expected<AmdgpuMetadata> read_amdgpu_metadata(llvm::StringRef note,
                                                    llvm::StringRef label);

} // namespace parsing
} // namespace gpuexec

#endif
