//===-- loader/image/cubin.cpp - NVIDIA's ELF files -----------------------===//
// A cubin is ELF with e_machine 190 in two versions: OS/ABI 51 with ABI version
// 7 (up to CUDA 12) and OS/ABI 41 with ABI version 8 (CUDA 13). NVIDIA
// documents neither; what is read here was observed in the output of ptxas,
// whose own report (`ptxas -v`) the tests compare with. Per function there is
// `.text.NAME`, per kernel also `.nv.info.NAME` (a list of attributes, see
// nv_info.def), `.nv.constant0.NAME` and `.nv.shared.NAME`.

#include "loader/image/contents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <unordered_map>

using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;

namespace gpuexec::parsing {

namespace {

enum class NvInfo : uint8_t {
#define NV_INFO_ATTRIBUTE(NUMBER, NAME) NAME = NUMBER,
#include "loader/image/nv_info.def"
};

/// One attribute: `value` of the byte and half-word formats, `payload` of the
/// sized one.
struct Attribute {
  NvInfo kind;
  uint16_t value = 0;
  StringRef payload;
};

/// A symbol of this kind in st_other is a kernel.
constexpr uint8_t STO_CUDA_ENTRY = 0x10;
/// In ABI version 7 the section flags of `.text.NAME` hold the number of
/// barriers here.
constexpr unsigned BARRIERS_SHIFT = 20, BARRIERS_MASK = 0x7f;
/// `.nv.compat` attribute: 1 when the code needs this very architecture
/// (`sm_90a`).
constexpr uint8_t COMPAT_ARCH_SPECIFIC = 0x09;
/// What CUDA keeps of every block's shared memory from sm_90 on; part of
/// `.nv.shared.NAME` there.
constexpr uint64_t RESERVED_SHARED = 1024;
constexpr unsigned RESERVES_SHARED_FROM = 90;

/// min_stack_size of a kernel whose calls nvlink could not follow.
constexpr uint64_t UNKNOWN_STACK = UINT32_MAX;

struct Function {
  const ElfSymbol *symbol = nullptr;
  bool is_kernel = false;
  Kernel kernel; // resources of a device function too
  std::optional<uint64_t> min_stack;
  std::vector<std::pair<uint32_t, Argument>> parameters; // with the ordinal
};

class Cubin {
public:
  Cubin(const ElfFile &elf, StringRef bytes, StringRef label)
      : elf(elf), label(label) {
    image.bytes = bytes;
  }
  Expected<ImageContents> parse();

private:
  Error read_header();
  Error read_symbols();
  Error read_section(const ElfFile::Elf_Shdr &section, StringRef name);
  Error for_each_attribute(const ElfFile::Elf_Shdr &section, StringRef name,
                           function_ref<Error(const Attribute &)> visit);
  Error read_function_attribute(const Attribute &attribute);
  Error read_kernel_attribute(Function &function, const Attribute &attribute);
  Error finish_kernel(Function &function);
  StringRef code_of(const Function &function) const;
  Error collect();
  Function *find(StringRef name) {
    auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &functions[found->second];
  }

  const ElfFile &elf;
  StringRef label;
  ImageContents image;
  std::vector<ElfSymbol> symbols;
  std::vector<Function> functions; // in symbol order
  StringMap<size_t> by_name;
  // Not a DenseMap: the keys that are looked up come from the file, and two of
  // all numbers are no keys of that.
  std::unordered_map<uint32_t, size_t> by_symbol;
  SmallVector<StringRef> section_names;
  unsigned sm = 0; // 90 of sm_90
};

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
    Function function;
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

Error Cubin::for_each_attribute(const ElfFile::Elf_Shdr &section,
                                StringRef name,
                                function_ref<Error(const Attribute &)> visit) {
  // read_symbols() saw that the section lies in the file.
  StringRef left = image.bytes.substr(section.sh_offset, section.sh_size);
  while (!left.empty()) {
    if (left.size() < 4)
      return malformed(label, "section {0}: an attribute is cut off", name);
    uint8_t format = left[0];
    Attribute attribute{static_cast<NvInfo>(static_cast<uint8_t>(left[1])),
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

Error Cubin::read_function_attribute(const Attribute &attribute) {
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
    return Error::success(); // a function of another file: nothing to note it
                             // at
  Function &function = functions[found->second];
  uint32_t value = read32le(attribute.payload.data() + 4);
  if (attribute.kind == NvInfo::register_count)
    function.kernel.resources.vgprs = value;
  else if (attribute.kind == NvInfo::frame_size)
    function.kernel.resources.private_size = value;
  else
    function.min_stack = value;
  return Error::success();
}

Error Cubin::read_kernel_attribute(Function &function,
                                   const Attribute &attribute) {
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
    return for_each_attribute(section, name, [&](const Attribute &a) {
      return read_function_attribute(a);
    });
  if (name == ".nv.compat")
    return for_each_attribute(section, name, [&](const Attribute &attribute) {
      if (static_cast<uint8_t>(attribute.kind) == COMPAT_ARCH_SPECIFIC &&
          attribute.value == 1 && !StringRef(image.arch).ends_with("a"))
        image.arch += "a";
      return Error::success();
    });
  if (function_name.consume_front(".nv.info.")) {
    if (Function *function = find(function_name))
      return for_each_attribute(section, name, [&](const Attribute &a) {
        return read_kernel_attribute(*function, a);
      });
  } else if (function_name.consume_front(".nv.constant0.")) {
    if (Function *function = find(function_name))
      function->kernel.constant_size = section.sh_size;
  } else if (function_name.consume_front(".nv.shared.")) {
    if (Function *function = find(function_name))
      function->kernel.shared_size = section.sh_size;
  } else if (function_name.consume_front(".text.")) {
    if (Function *function = find(function_name);
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

Error Cubin::finish_kernel(Function &function) {
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

StringRef Cubin::code_of(const Function &function) const {
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
  for (const Function &function : functions) {
    uint64_t &frame = largest_frame[function.symbol->section];
    frame = std::max(frame, function.kernel.resources.private_size.value_or(0));
  }
  for (Function &function : functions) {
    Resources &resources = function.kernel.resources;
    // A spill lives in the stack frame; of a frame that is there the cubin does
    // not say what it is for.
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

} // namespace

Expected<ImageContents> parse_cubin(StringRef bytes, StringRef label) {
  Expected<ElfFile> elf = open_elf(bytes, label);
  if (!elf)
    return elf.takeError();
  return Cubin(*elf, bytes, label).parse();
}

} // namespace gpuexec::parsing
