//===-- loader/image/amdgpu_metadata.cpp - AMDGPU's kernel metadata -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the MessagePack note that the compiler leaves for the runtime
// (AMDGPUUsage, "Code Object V3 Metadata" and the V4 to V6 changes). The reader
// pulls one object after the other and holds no tree, so neither the depth nor
// the declared lengths of an untrusted note cost anything.

#include "loader/image/contents.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/MsgPackReader.h"

using namespace llvm;

namespace gpuexec::parsing {

namespace {

/// The most bytes that a kernel's arguments may have. No compiler emits more
/// than some KiB.
constexpr uint64_t MAX_KERNARG = 1 << 20;

class MetadataReader {
public:
  MetadataReader(StringRef note, StringRef label)
      : reader(note), label(label) {}

  /// Calls `entry` for each key of the map that comes next; it must read or
  /// skip exactly one value.
  Error map(function_ref<Error(StringRef key)> entry) {
    msgpack::Object object;
    if (Error error = next(object))
      return error;
    if (object.Kind != msgpack::Type::Map)
      return malformed(label, "kernel metadata: expected a map");
    for (size_t left = object.Length; left; --left) {
      std::string key;
      if (Error error = string(key))
        return error;
      if (Error error = entry(key))
        return error;
    }
    return Error::success();
  }

  /// Calls `element` for each element of the array that comes next.
  Error array(function_ref<Error()> element) {
    msgpack::Object object;
    if (Error error = next(object))
      return error;
    if (object.Kind != msgpack::Type::Array)
      return malformed(label, "kernel metadata: expected an array");
    for (size_t left = object.Length; left; --left)
      if (Error error = element())
        return error;
    return Error::success();
  }

  Error string(std::string &value) {
    msgpack::Object object;
    if (Error error = next(object))
      return error;
    if (object.Kind != msgpack::Type::String)
      return malformed(label, "kernel metadata: expected a string");
    value = object.Raw.str();
    return Error::success();
  }

  template <typename Number> Error number(Number &value) {
    msgpack::Object object;
    if (Error error = next(object))
      return error;
    uint64_t wide = 0;
    if (object.Kind == msgpack::Type::UInt)
      wide = object.UInt;
    else if (object.Kind == msgpack::Type::Int && object.Int >= 0)
      wide = object.Int;
    else
      return malformed(label, "kernel metadata: expected an unsigned number");
    if (wide > std::numeric_limits<Number>::max())
      return malformed(label, "kernel metadata: number {0} is too large", wide);
    value = static_cast<Number>(wide);
    return Error::success();
  }
  template <typename Number> Error number(std::optional<Number> &value) {
    return number(value.emplace());
  }

  Error boolean(bool &value) {
    msgpack::Object object;
    if (Error error = next(object))
      return error;
    if (object.Kind != msgpack::Type::Boolean)
      return malformed(label, "kernel metadata: expected a boolean");
    value = object.Bool;
    return Error::success();
  }

  Error skip() {
    // Each pending object costs at least one byte, so the note's end bounds the
    // loop whatever the lengths claim.
    for (uint64_t pending = 1; pending; --pending) {
      msgpack::Object object;
      if (Error error = next(object))
        return error;
      if (object.Kind == msgpack::Type::Array)
        pending += object.Length;
      else if (object.Kind == msgpack::Type::Map)
        pending += 2 * static_cast<uint64_t>(object.Length);
    }
    return Error::success();
  }

private:
  Error next(msgpack::Object &object) {
    Expected<bool> found = reader.read(object);
    if (!found)
      return malformed(label, "kernel metadata: {0}",
                       toString(found.takeError()));
    if (!*found)
      return malformed(label, "kernel metadata: truncated");
    return Error::success();
  }

  msgpack::Reader reader;
  StringRef label;
};

} // namespace

static Hidden hidden_kind(StringRef kind) {
  return StringSwitch<Hidden>(kind)
#define HIDDEN_ARGUMENT(NAME) .Case("hidden_" #NAME, Hidden::NAME)
#include "gpu/amd_hidden_arguments.def"
      .Default(Hidden::unknown);
}

static Error read_argument(MetadataReader &reader, Kernel &kernel) {
  Argument argument;
  std::string kind;
  if (Error error = reader.map([&](StringRef key) {
        if (key == ".name")
          return reader.string(argument.name);
        if (key == ".offset")
          return reader.number(argument.offset);
        if (key == ".size")
          return reader.number(argument.size);
        if (key == ".value_kind")
          return reader.string(kind);
        return reader.skip();
      }))
    return error;
  if (StringRef(kind).starts_with("hidden_"))
    kernel.hidden.push_back(
        {hidden_kind(kind), argument.offset, argument.size});
  else
    kernel.arguments.push_back(std::move(argument));
  return Error::success();
}

/// Sizes that the kernel's descriptor holds in 32 bits.
static Error check_sizes(const Kernel &kernel, StringRef label) {
  struct {
    const char *key;
    uint64_t value, most;
  } sizes[] = {{".kernarg_segment_size", kernel.kernarg_size, MAX_KERNARG},
               {".group_segment_fixed_size", kernel.shared_size, UINT32_MAX},
               {".private_segment_fixed_size",
                kernel.resources.private_size.value_or(0), UINT32_MAX}};
  for (const auto &size : sizes)
    if (size.value > size.most)
      return malformed(label, "kernel '{0}': {1} is {2}, at most {3}",
                       kernel.name, size.key, size.value, size.most);
  return Error::success();
}

static Error read_block(MetadataReader &reader,
                        std::array<uint32_t, 3> &block) {
  unsigned dimension = 0;
  return reader.array([&]() -> Error {
    uint32_t size = 0;
    if (Error error = reader.number(size))
      return error;
    if (dimension < block.size())
      block[dimension++] = size;
    return Error::success();
  });
}

/// Checks what read_kernel() has read, and computes the sizes that follow.
static Error check_kernel(Kernel &kernel, StringRef label) {
  if (kernel.name.empty())
    return malformed(label, "kernel metadata: a kernel without a name");
  if (kernel.symbol.empty())
    return malformed(label, "kernel '{0}': no symbol", kernel.name);
  if (kernel.wave_size != 32 && kernel.wave_size != 64)
    return malformed(label,
                     "kernel '{0}': wavefront size {1}, expected 32 or 64",
                     kernel.name, kernel.wave_size);
  if (Error error = check_sizes(kernel, label))
    return error;
  // The loader fills the argument block by these offsets and sizes.
  for (const Argument &argument : kernel.arguments) {
    uint64_t end = static_cast<uint64_t>(argument.offset) + argument.size;
    if (end > kernel.kernarg_size)
      return malformed(label,
                       "kernel '{0}': an argument ends at byte {1} of {2}",
                       kernel.name, end, kernel.kernarg_size);
    kernel.arguments_size = std::max(kernel.arguments_size, end);
  }
  for (const HiddenArgument &argument : kernel.hidden)
    if (!in_range(argument.offset, argument.size, kernel.kernarg_size))
      return malformed(
          label, "kernel '{0}': a hidden argument ends at byte {1} of {2}",
          kernel.name, static_cast<uint64_t>(argument.offset) + argument.size,
          kernel.kernarg_size);
  if (!kernel.resources.dynamic_stack)
    kernel.resources.stack_size = kernel.resources.private_size;
  return Error::success();
}

static Error read_kernel(MetadataReader &reader, Kernel &kernel,
                         StringRef label) {
  Resources &resources = kernel.resources;
  kernel.wave_size = 0;
  if (Error error = reader.map([&](StringRef key) -> Error {
        if (key == ".name")
          return reader.string(kernel.name);
        if (key == ".symbol")
          return reader.string(kernel.symbol);
        if (key == ".kind")
          return reader.string(kernel.kind);
        if (key == ".args")
          return reader.array([&] { return read_argument(reader, kernel); });
        if (key == ".kernarg_segment_size")
          return reader.number(kernel.kernarg_size);
        if (key == ".kernarg_segment_align")
          return reader.number(kernel.kernarg_alignment);
        if (key == ".group_segment_fixed_size")
          return reader.number(kernel.shared_size);
        if (key == ".private_segment_fixed_size")
          return reader.number(resources.private_size);
        if (key == ".wavefront_size")
          return reader.number(kernel.wave_size);
        if (key == ".max_flat_workgroup_size")
          return reader.number(kernel.max_threads);
        if (key == ".reqd_workgroup_size")
          return read_block(reader, kernel.required_block);
        if (key == ".vgpr_count")
          return reader.number(resources.vgprs);
        if (key == ".agpr_count")
          return reader.number(resources.agprs);
        if (key == ".sgpr_count")
          return reader.number(resources.sgprs);
        if (key == ".vgpr_spill_count")
          return reader.number(resources.vgpr_spills);
        if (key == ".sgpr_spill_count")
          return reader.number(resources.sgpr_spills);
        if (key == ".uses_dynamic_stack")
          return reader.boolean(resources.dynamic_stack);
        return reader.skip();
      }))
    return error;
  return check_kernel(kernel, label);
}

Expected<AmdgpuMetadata> read_amdgpu_metadata(StringRef note, StringRef label) {
  AmdgpuMetadata metadata;
  StringSet<> seen;
  MetadataReader reader(note, label);
  if (Error error = reader.map([&](StringRef key) -> Error {
        if (key == "amdhsa.target")
          return reader.string(metadata.target);
        if (key != "amdhsa.kernels")
          return reader.skip();
        return reader.array([&]() -> Error {
          Kernel kernel;
          if (Error error = read_kernel(reader, kernel, label))
            return error;
          if (!seen.insert(kernel.name).second)
            return malformed(label, "kernel '{0}': described twice",
                             kernel.name);
          metadata.kernels.push_back(std::move(kernel));
          return Error::success();
        });
      }))
    return std::move(error);
  return metadata;
}

} // namespace gpuexec::parsing
