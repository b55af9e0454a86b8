//===-- loader/image/image.cpp - Files into images ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the formats apart by their first bytes and hands each to its parser.
// Nothing after this decides again what a file is.

#include "loader/image/image.h"
#include "gpu/start_up.h"
#include "loader/image/contents.h"
#include "support/printable.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <algorithm>
#include <sys/mman.h>

using namespace llvm;

namespace gpuexec {

char ImageError::ID = 0;

std::error_code ImageError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

const HiddenArgument *Kernel::find_hidden(Hidden kind) const {
  for (const HiddenArgument &argument : hidden)
    if (argument.kind == kind)
      return &argument;
  return nullptr;
}

StringRef to_string(Hidden kind) {
  switch (kind) {
#define HIDDEN_ARGUMENT(NAME)                                                  \
  case Hidden::NAME:                                                           \
    return #NAME;
#include "gpu/amd_hidden_arguments.def"
  case Hidden::unknown:
    break;
  }
  return "unknown";
}

namespace parsing {

Error fail(ImageError::Reason kind, StringRef label, std::string reason) {
  // Names come from files: they must not break the one line or the terminal.
  return make_error<ImageError>(kind, printable((label + ": " + reason).str()));
}

Error malformed(StringRef label, Error error) {
  return fail(ImageError::Reason::malformed, label, toString(std::move(error)));
}

bool looks_like_ptx(StringRef bytes) {
  while (true) {
    bytes = bytes.ltrim(" \t\r\n\f\v");
    if (bytes.consume_front("//"))
      bytes = bytes.drop_until([](char c) { return c == '\n'; });
    else if (bytes.consume_front("/*")) {
      size_t end = bytes.find("*/");
      if (end == StringRef::npos)
        return false;
      bytes = bytes.drop_front(end + 2);
    } else
      return bytes.starts_with(".version");
  }
}

// What the user most likely took for an image.
static Error describe_stranger(StringRef bytes, StringRef label) {
  switch (identify_magic(bytes)) {
  case file_magic::bitcode:
    return no_image(label, "LLVM bitcode, not linked: not a GPU image");
  case file_magic::archive:
    return no_image(label, "an archive: not a GPU image");
  case file_magic::macho_executable:
  case file_magic::pecoff_executable:
    return no_image(label, "a program for another system: not a GPU image");
  default:
    break;
  }
  if (bytes.starts_with("#!"))
    return no_image(label, "a script: not a GPU image");
  StringRef head = bytes.take_front(4096);
  bool text = all_of(head, [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || isPrint(c) || isSpace(c);
  });
  if (text)
    for (StringRef source : {".c", ".cc", ".cpp", ".cxx", ".C"})
      if (label.ends_with(source))
        return no_image(label, "source text: not a GPU image (gpucc makes one "
                               "of it)");
  if (text)
    return no_image(label, "text, and not PTX: not a GPU image");
  return no_image(label, "unknown file format: not a GPU image");
}

static Expected<ImageContents> parse_one(StringRef bytes, StringRef label) {
  if (bytes.empty())
    return no_image(label, "the file is empty");
  if (looks_like_ptx(bytes))
    return parse_ptx(bytes, label);
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    return describe_stranger(bytes, label);
  Expected<ElfFile> elf = open_elf(bytes, label);
  if (!elf)
    return elf.takeError();
  return elf->getHeader().e_machine == ELF::EM_CUDA
             ? parse_cubin(bytes, label)
             : parse_amdgpu(bytes, label);
}

// Containers within containers (a fatbin in a bundle in a host program): deeper
// than this is an attack.
constexpr unsigned MAX_DEPTH = 4;

static Error parse_into(std::vector<ImageContents> &images,
                        const Member &member, unsigned depth,
                        ContainerBudget &budget) {
  if (depth > MAX_DEPTH)
    return malformed(member.label, "containers nested more than {0} deep",
                     MAX_DEPTH);
  Expected<std::optional<std::vector<Member>>> members =
      open_container(member.bytes, member.label, budget);
  if (!members)
    return members.takeError();
  if (!*members) {
    if (budget.images_left == 0)
      return malformed(member.label, "more than {0} images in one file",
                       MAX_IMAGES);
    --budget.images_left;
    Expected<ImageContents> image = parse_one(member.bytes, member.label);
    if (!image)
      return image.takeError();
    image->name = member.label;
    if (!image->owned)
      image->owned = member.owner;
    images.push_back(std::move(*image));
    return Error::success();
  }
  for (Member &inner : **members) {
    if (!inner.owner)
      inner.owner = member.owner;
    if (Error error = parse_into(images, inner, depth + 1, budget))
      return error;
  }
  return Error::success();
}

} // namespace parsing

namespace {

/// The largest image: a file, or a pipe, which has no size and may have no end.
constexpr uint64_t LARGEST_FILE = uint64_t(2) << 30,
                   LARGEST_STREAM = uint64_t(1) << 30;
/// Bytes of one read. The first CHUNK bytes of a file show whether it may be an
/// image.
constexpr size_t CHUNK = 64 << 10;

bool may_be_image(StringRef beginning) {
  return beginning.starts_with("\x7f"
                               "ELF") ||
         parsing::is_container(beginning) || parsing::looks_like_ptx(beginning);
}

/// Has the system give memory to all pages of a new buffer at once. Else the
/// read would fault at each page, which takes longer than to copy it.
void populate(MutableArrayRef<char> buffer) {
#ifdef MADV_POPULATE_WRITE
  constexpr uintptr_t PAGE = 4096;
  const uintptr_t begin =
      (reinterpret_cast<uintptr_t>(buffer.data()) + PAGE - 1) / PAGE * PAGE;
  const uintptr_t end =
      reinterpret_cast<uintptr_t>(buffer.data() + buffer.size()) / PAGE * PAGE;
  // Systems that cannot do it give the pages one by one.
  (void)::madvise(reinterpret_cast<void *>(begin), end - begin,
                  MADV_POPULATE_WRITE);
#endif
}

/// Reads a file to its end; or only its first CHUNK bytes when they show that
/// it is no image, so that the parser can say what it is. The file may change
/// later: only the returned bytes are parsed and used. `expected`: the file's
/// size, or 0 when it is not known.
Expected<std::unique_ptr<MemoryBuffer>> read_all(sys::fs::file_t file,
                                                 uint64_t expected,
                                                 uint64_t largest,
                                                 StringRef label) {
  SmallVector<char, 0> bytes;
  while (true) {
    const size_t size = bytes.size();
    // The first read takes CHUNK bytes; if they may be an image, the second
    // takes the rest.
    const size_t part =
        size && size < expected ? expected - size + 1 : size_t(CHUNK);
    bytes.resize_for_overwrite(size + part);
    if (part > CHUNK)
      populate(MutableArrayRef(bytes.data() + size, part));
    Expected<size_t> more = sys::fs::readNativeFile(
        file, MutableArrayRef(bytes.data() + size, part));
    if (!more)
      return parsing::fail(ImageError::Reason::unreadable, label,
                           toString(more.takeError()));
    bytes.truncate(size + *more);
    StringRef text(bytes.data(), bytes.size());
    if (*more == 0 ||
        (text.size() >= CHUNK && !may_be_image(text.take_front(CHUNK))))
      return std::make_unique<SmallVectorMemoryBuffer>(
          std::move(bytes), label, /*RequiresNullTerminator=*/true);
    if (text.size() > largest)
      return parsing::no_image(label, "no end within {0} bytes", largest);
  }
}

Expected<std::unique_ptr<MemoryBuffer>> read_named(StringRef path) {
  using Reason = ImageError::Reason;
  Expected<sys::fs::file_t> file = sys::fs::openNativeFileForRead(path);
  if (!file) {
    std::error_code code = errorToErrorCode(file.takeError());
    bool missing = code == std::errc::no_such_file_or_directory ||
                   code == std::errc::not_a_directory;
    return parsing::fail(missing ? Reason::not_found : Reason::unreadable,
                         path.empty() ? "''" : path, code.message());
  }
  scope_exit close([&] { sys::fs::closeFile(*file); });
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(*file, status))
    return parsing::fail(Reason::unreadable, path, code.message());
  if (sys::fs::is_directory(status))
    return parsing::fail(Reason::unreadable, path, "is a directory");
  if (!sys::fs::is_regular_file(status))
    return read_all(*file, 0, LARGEST_STREAM, path);
  // Files of the kernel's (/proc) say that they are empty, and are not.
  if (status.getSize() > LARGEST_FILE)
    return parsing::no_image(path, "{0} bytes, more than the limit of {1}",
                             status.getSize(), LARGEST_FILE);
  return read_all(*file, status.getSize(), LARGEST_FILE, path);
}

} // namespace

Expected<std::unique_ptr<MemoryBuffer>> Image::read_file(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> buffer =
      path == "-" ? read_all(sys::fs::getStdinHandle(), 0, LARGEST_STREAM,
                             "standard input")
                  : read_named(path);
  if (buffer && (*buffer)->getBufferSize() == 0)
    return parsing::no_image((*buffer)->getBufferIdentifier(),
                             "the file is empty");
  return buffer;
}

Expected<std::vector<Image>> Image::parse_all(MemoryBufferRef file) {
  StringRef label = file.getBufferIdentifier();
  std::vector<ImageContents> all;
  parsing::ContainerBudget budget;
  if (Error error = parsing::parse_into(
          all, {file.getBuffer(), label.str(), nullptr}, 0, budget))
    return std::move(error);
  if (all.empty())
    return parsing::no_image(label, "the container holds no GPU image");
  std::vector<Image> images;
  for (ImageContents &contents : all)
    images.push_back(
        Image(std::make_unique<ImageContents>(std::move(contents))));
  return images;
}

Expected<Image> Image::parse(MemoryBufferRef file) {
  Expected<std::vector<Image>> images = parse_all(file);
  if (!images)
    return images.takeError();
  if (images->size() == 1)
    return std::move(images->front());
  std::string targets;
  for (const Image &image : *images)
    targets += (targets.empty() ? "" : ", ") + image.target_id().str();
  return parsing::no_image(file.getBufferIdentifier(),
                           "holds {0} images ({1}), expected one",
                           images->size(), targets);
}

Image::Image(std::unique_ptr<ImageContents> parsed)
    : contents(std::move(parsed)) {}
Image::Image(Image &&) = default;
Image &Image::operator=(Image &&) = default;
Image::~Image() = default;

Image::Format Image::format() const { return contents->format; }
StringRef Image::format_name() const {
  switch (format()) {
  case Format::amdgpu:
    return "AMDGPU code object";
  case Format::cubin:
    return "CUDA cubin";
  case Format::ptx:
    break;
  }
  return "PTX";
}
StringRef Image::arch() const { return contents->arch; }
StringRef Image::target_id() const { return contents->target_id; }
StringRef Image::triple() const {
  return format() == Format::amdgpu ? "amdgcn-amd-amdhsa"
                                    : "nvptx64-nvidia-cuda";
}
unsigned Image::abi_version() const { return contents->abi_version; }
StringRef Image::producer() const { return contents->producer; }
bool Image::relocatable() const { return contents->relocatable; }
StringRef Image::bytes() const { return contents->bytes; }
StringRef Image::name() const { return contents->name; }
ArrayRef<Kernel> Image::kernels() const { return contents->kernels; }
ArrayRef<DeviceFunction> Image::functions() const {
  return contents->functions;
}
ArrayRef<Global> Image::globals() const { return contents->globals; }
ArrayRef<InitObject> Image::constructors() const {
  return contents->constructors;
}
ArrayRef<InitObject> Image::destructors() const {
  return contents->destructors;
}

template <typename Range>
static auto *find_named(const Range &range, StringRef name) {
  auto found =
      find_if(range, [&](const auto &element) { return element.name == name; });
  return found == range.end() ? nullptr : &*found;
}
const Kernel *Image::find_kernel(StringRef name) const {
  return find_named(contents->kernels, name);
}
const Global *Image::find_global(StringRef name) const {
  return find_named(contents->globals, name);
}
bool Image::has_unknown_stack() const {
  return any_of(contents->kernels, [](const Kernel &kernel) {
    return !kernel.resources.stack_size &&
           kernel.name != GPUEXEC_BEGIN_KERNEL &&
           kernel.name != GPUEXEC_END_KERNEL;
  });
}

/// Calls `see` with the name and the bytes of each stack frame.
template <typename F> void Image::each_frame(F see) const {
  const auto all = [&](const auto &functions) {
    for (const auto &function : functions)
      see(StringRef(function.name),
          function.resources.private_size.value_or(0));
  };
  all(contents->kernels);
  all(contents->functions);
}

uint64_t Image::largest_frames() const {
  uint64_t main = 0, largest = 0;
  each_frame([&](StringRef name, uint64_t frame) {
    if (name == "main")
      main = frame;
    else
      largest = std::max(largest, frame);
  });
  return main + largest;
}

uint64_t Image::large_frames() const {
  constexpr uint64_t LARGE = 1024;
  uint64_t sum = 0;
  each_frame([&](StringRef, uint64_t frame) {
    if (frame >= LARGE)
      sum += frame;
  });
  return sum;
}

unsigned Image::module_count() const {
  return format() == Format::ptx ? unsigned(bytes().count('\0')) + 1 : 1;
}

std::optional<RpcClient> Image::rpc_client() const {
  for (StringRef symbol : {GPUEXEC_RPC_CLIENT, GPUEXEC_RPC_CLIENT_19})
    if (const Global *global = find_global(symbol); global && global->defined)
      return RpcClient{symbol.str(), global->size};
  return std::nullopt;
}

uint32_t Image::max_wave_size() const {
  uint32_t largest = 32;
  for (const Kernel &kernel : contents->kernels)
    largest = std::max(largest, kernel.wave_size);
  return largest;
}

} // namespace gpuexec
