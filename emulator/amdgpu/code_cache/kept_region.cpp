//===-- emulator/amdgpu/code_cache/kept_region.cpp - A file's records -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/code_cache/kept_region.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstring>

namespace gpuexec::emulator::amdgpu::code_cache {

static constexpr char MAGIC[16] = "gpuexec code 1\n";
static constexpr size_t HEADER = sizeof(MAGIC) + sizeof(Key);
/// Before each record: its size and its hash.
static constexpr size_t RECORD_HEADER = 4 + 8;
static constexpr size_t LONGEST_NAME = 64;

namespace {

class Writer {
public:
  explicit Writer(std::vector<u8> &bytes) : bytes(bytes) {}
  template <typename T> void number(T value) {
    const auto *raw = reinterpret_cast<const u8 *>(&value);
    bytes.insert(bytes.end(), raw, raw + sizeof(T));
  }
  template <typename C> void run(const C &text) {
    number(u32(text.size()));
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  void reference(const InstReference &inst) {
    number(inst.block);
    number(inst.pc);
    number(inst.index);
    number(inst.check);
  }

private:
  std::vector<u8> &bytes;
};

/// Reads until something does not fit; what it returns then is zero.
class Reader {
public:
  explicit Reader(llvm::ArrayRef<u8> bytes) : rest(bytes) {}
  bool failed() const { return bad; }
  bool at_end() const { return !bad && rest.empty(); }
  template <typename T> T number() {
    T value{};
    if (const u8 *raw = take(sizeof(T)))
      std::memcpy(&value, raw, sizeof(T));
    return value;
  }
  template <typename C> C run(size_t longest) {
    const u32 size = number<u32>();
    const u8 *raw = size <= longest ? take(size) : nullptr;
    if (!raw && size)
      bad = true;
    return raw ? C(raw, raw + size) : C();
  }
  /// How many elements of at least `size` bytes follow.
  u32 count(size_t size) {
    const u32 elements = number<u32>();
    if (elements <= rest.size() / size)
      return elements;
    bad = true;
    return 0;
  }
  InstReference reference() {
    InstReference inst;
    inst.block = number<u32>();
    inst.pc = number<u32>();
    inst.index = number<u32>();
    inst.check = number<u64>();
    return inst;
  }

private:
  const u8 *take(size_t size) {
    if (bad || size > rest.size()) {
      bad = true;
      return nullptr;
    }
    const u8 *raw = rest.data();
    rest = rest.drop_front(size);
    return raw;
  }
  llvm::ArrayRef<u8> rest;
  bool bad = false;
};

} // namespace

std::vector<u8> encode_header(const Key &key) {
  std::vector<u8> bytes(std::begin(MAGIC), std::end(MAGIC));
  bytes.insert(bytes.end(), key.begin(), key.end());
  return bytes;
}

static std::vector<u8> encode_region(const KeptRegion &region) {
  std::vector<u8> bytes;
  Writer out(bytes);
  out.number(u8(region.tier));
  out.number(u32(region.covered.size()));
  for (u32 block : region.covered)
    out.number(block);
  out.number(u32(region.entries.size()));
  for (const KeptEntry &entry : region.entries) {
    out.reference(entry.inst);
    out.number(u8(entry.shape));
    out.number(entry.handler);
  }
  out.number(u32(region.pointers.size()));
  for (const KeptPointer &pointer : region.pointers) {
    out.number(u8(pointer.kind));
    out.number(pointer.offset);
    out.reference(pointer.inst);
    out.run(pointer.function);
  }
  out.run(region.code);
  return bytes;
}

void encode(std::vector<u8> &bytes, const KeptRegion &region) {
  const std::vector<u8> body = encode_region(region);
  Writer out(bytes);
  out.number(u32(body.size()));
  out.number(u64(llvm::xxh3_64bits(body)));
  bytes.insert(bytes.end(), body.begin(), body.end());
}

/// True if all offsets lie in the code and all numbers mean something.
static bool is_sound(const KeptRegion &region) {
  const size_t size = region.code.size();
  return region.tier <= jit::Tier::optimised &&
         std::all_of(region.entries.begin(), region.entries.end(),
                     [&](const KeptEntry &entry) {
                       return (entry.shape == ONE || entry.shape == NONE) &&
                              entry.handler < size;
                     }) &&
         std::all_of(region.pointers.begin(), region.pointers.end(),
                     [&](const KeptPointer &pointer) {
                       return pointer.kind <=
                                  jit::HostPointer::Kind::function &&
                              size >= sizeof(u64) &&
                              pointer.offset <= size - sizeof(u64);
                     });
}

static std::optional<KeptRegion> decode_region(llvm::ArrayRef<u8> bytes) {
  Reader in(bytes);
  KeptRegion region;
  region.tier = jit::Tier(in.number<u8>());
  for (u32 left = in.count(sizeof(u32)); left; --left)
    region.covered.push_back(in.number<u32>());
  constexpr size_t REFERENCE = 3 * sizeof(u32) + sizeof(u64);
  for (u32 left = in.count(REFERENCE + 5); left && !in.failed(); --left) {
    KeptEntry &entry = region.entries.emplace_back();
    entry.inst = in.reference();
    entry.shape = Shape(in.number<u8>());
    entry.handler = in.number<u32>();
  }
  for (u32 left = in.count(REFERENCE + 9); left && !in.failed(); --left) {
    KeptPointer &pointer = region.pointers.emplace_back();
    pointer.kind = jit::HostPointer::Kind(in.number<u8>());
    pointer.offset = in.number<u32>();
    pointer.inst = in.reference();
    pointer.function = in.run<std::string>(LONGEST_NAME);
  }
  region.code = in.run<std::vector<u8>>(LARGEST_FILE);
  if (!in.at_end() || !is_sound(region))
    return std::nullopt;
  return region;
}

KeptFile decode_file(llvm::ArrayRef<u8> bytes, const Key &key) {
  KeptFile file;
  if (bytes.size() < HEADER ||
      std::memcmp(bytes.data(), MAGIC, sizeof(MAGIC)) != 0 ||
      std::memcmp(bytes.data() + sizeof(MAGIC), key.data(), key.size()) != 0)
    return file;
  file.size = HEADER;
  for (;;) {
    Reader in(bytes.drop_front(file.size));
    const u32 size = in.number<u32>();
    const u64 hash = in.number<u64>();
    const size_t left = bytes.size() - file.size;
    if (in.failed() || size > left - RECORD_HEADER)
      return file;
    const llvm::ArrayRef<u8> body =
        bytes.slice(file.size + RECORD_HEADER, size);
    if (llvm::xxh3_64bits(body) != hash)
      return file;
    std::optional<KeptRegion> region = decode_region(body);
    if (!region)
      return file;
    file.regions.push_back(std::move(*region));
    file.size += RECORD_HEADER + size;
  }
}

} // namespace gpuexec::emulator::amdgpu::code_cache
