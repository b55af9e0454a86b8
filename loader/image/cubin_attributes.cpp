//===-- loader/image/cubin_attributes.cpp - What functions need -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attribute lists of `.nv.info` and `.nv.info.NAME` (nv_info.def), and what
// the other sections named after a function say of it by size and flags.
//===----------------------------------------------------------------------===//
#include "loader/image/cubin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;

namespace gpuexec::parsing {

/// In ABI version 7 the section flags of `.text.NAME` hold the number of
/// barriers here.
constexpr unsigned BARRIERS_SHIFT = 20, BARRIERS_MASK = 0x7f;
/// `.nv.compat` attribute: 1 when the code needs this very architecture
/// (`sm_90a`).
constexpr uint8_t COMPAT_ARCH_SPECIFIC = 0x09;

Error Cubin::for_each_attribute(
    const ElfFile::Elf_Shdr &section, StringRef name,
    function_ref<Error(const CubinAttribute &)> visit) {
  // read_symbols() saw that the section lies in the file.
  StringRef left = image.bytes.substr(section.sh_offset, section.sh_size);
  while (!left.empty()) {
    if (left.size() < 4)
      return malformed(label, "section {0}: an attribute is cut off", name);
    uint8_t format = left[0];
    CubinAttribute attribute{static_cast<NvInfo>(static_cast<uint8_t>(left[1])),
                             read16le(left.data() + 2),
                             {}};
    left = left.drop_front(4);
    if (format < 1 || format > 4)
      return malformed(label,
                       "section {0}: attribute format {1}, expected 1 to 4",
                       name, unsigned(format));
    if (format == 4) { // the value is the payload's size
      if (attribute.value > left.size())
        return malformed(label,
                         "section {0}: an attribute of {1} bytes is cut off",
                         name, attribute.value);
      attribute.payload = left.take_front(attribute.value);
      left = left.drop_front(attribute.value);
    }
    if (Error error = visit(attribute))
      return error;
  }
  return Error::success();
}

Error Cubin::read_function_attribute(const CubinAttribute &attribute) {
  switch (attribute.kind) {
  case NvInfo::frame_size:
  case NvInfo::min_stack_size:
  case NvInfo::register_count:
    break;
  default:
    return Error::success();
  }
  if (attribute.payload.size() < 8)
    return malformed(
        label, "section .nv.info: attribute 0x{0:x-} has {1} bytes, expected 8",
        unsigned(attribute.kind), attribute.payload.size());
  auto found = by_symbol.find(read32le(attribute.payload.data()));
  if (found == by_symbol.end())
    return Error::success(); // a function of another file
  CubinFunction &function = functions[found->second];
  uint32_t value = read32le(attribute.payload.data() + 4);
  if (attribute.kind == NvInfo::register_count)
    function.kernel.resources.vgprs = value;
  else if (attribute.kind == NvInfo::frame_size)
    function.kernel.resources.private_size = value;
  else
    function.min_stack = value;
  return Error::success();
}

Error Cubin::read_kernel_attribute(CubinFunction &function,
                                   const CubinAttribute &attribute) {
  Kernel &kernel = function.kernel;
  const char *payload = attribute.payload.data();
  auto need = [&](size_t size) -> Error {
    if (attribute.payload.size() >= size)
      return Error::success();
    return malformed(
        label, "kernel '{0}': attribute 0x{1:x-} has {2} bytes, expected {3}",
        kernel.name, unsigned(attribute.kind), attribute.payload.size(), size);
  };
  switch (attribute.kind) {
  case NvInfo::parameter:
  case NvInfo::wide_parameter: {
    if (Error error = need(12))
      return error;
    uint32_t ordinal = read16le(payload + 4), flags = read32le(payload + 8);
    function.parameters.push_back(
        {ordinal,
         {"", read16le(payload + 6),
          attribute.kind == NvInfo::parameter ? flags >> 18 : flags}});
    return Error::success();
  }
  case NvInfo::parameters_size:
    kernel.kernarg_size = attribute.value;
    return Error::success();
  case NvInfo::barriers:
    kernel.resources.barriers = attribute.value;
    return Error::success();
  case NvInfo::max_threads:
  case NvInfo::required_threads: {
    if (Error error = need(12))
      return error;
    uint64_t threads = 1;
    for (unsigned i = 0; i < 3; ++i) {
      uint32_t size = read32le(payload + 4 * i);
      if (attribute.kind == NvInfo::required_threads)
        kernel.required_block[i] = size;
      threads = std::min<uint64_t>(threads * size, UINT32_MAX);
    }
    kernel.max_threads = threads;
    return Error::success();
  }
  default:
    return Error::success();
  }
}

Error Cubin::read_section(const ElfFile::Elf_Shdr &section, StringRef name) {
  StringRef function_name = name;
  if (name == ".nv.info")
    return for_each_attribute(section, name, [&](const CubinAttribute &a) {
      return read_function_attribute(a);
    });
  if (name == ".nv.compat")
    return for_each_attribute(
        section, name, [&](const CubinAttribute &attribute) {
          if (static_cast<uint8_t>(attribute.kind) == COMPAT_ARCH_SPECIFIC &&
              attribute.value == 1 && !StringRef(image.arch).ends_with("a"))
            image.arch += "a";
          return Error::success();
        });
  if (function_name.consume_front(".nv.info.")) {
    if (CubinFunction *function = find(function_name))
      return for_each_attribute(section, name, [&](const CubinAttribute &a) {
        return read_kernel_attribute(*function, a);
      });
  } else if (function_name.consume_front(".nv.constant0.")) {
    if (CubinFunction *function = find(function_name))
      function->kernel.constant_size = section.sh_size;
  } else if (function_name.consume_front(".nv.shared.")) {
    if (CubinFunction *function = find(function_name))
      function->kernel.shared_size = section.sh_size;
  } else if (function_name.consume_front(".text.")) {
    if (CubinFunction *function = find(function_name);
        function && image.abi_version == ELF::ELFABIVERSION_CUDA_V1) {
      Resources &resources = function->kernel.resources;
      if (!resources.vgprs)
        resources.vgprs = section.sh_info >> 24;
      if (!resources.barriers)
        resources.barriers = section.sh_flags >> BARRIERS_SHIFT & BARRIERS_MASK;
    }
  } else if (name == ".note.nv.tkinfo" && section.sh_type == ELF::SHT_NOTE) {
    // Who made it: strings behind six words, "ptxas" and "Cuda compilation
    // tools, release 13.0, V13.0.88" first.
    SmallVector<StringRef> strings;
    image.bytes.substr(section.sh_offset, section.sh_size)
        .drop_front(std::min<uint64_t>(48, section.sh_size))
        .split(strings, '\0', -1, /*KeepEmpty=*/false);
    if (strings.size() >= 2 && all_of(strings[0], isPrint) &&
        all_of(strings[1], isPrint))
      image.producer = (strings[0] + ", " + strings[1]).str();
  }
  return Error::success();
}

} // namespace gpuexec::parsing
