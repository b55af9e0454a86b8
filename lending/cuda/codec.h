//===-- lending/cuda/codec.h - Calls as bytes -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the parameters of CUDA's functions are written down, and the calls of
// calls.def by number. Both sides are of one build.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_CODEC_H
#define GPUEXEC_LENDING_CUDA_CODEC_H

#include "lending/cuda/layout.h"
#include "toolchain/cuda/include/cuda.h"

#include <cstring>
#include <string_view>
#include <type_traits>

namespace gpuexec::lent_cuda {

enum class Call : uint16_t {
  none,
#define FORWARD(NAME, MODE, PARAMETERS, ARGUMENTS) NAME,
#define OWN(NAME) NAME,
#include "lending/cuda/calls.def"
};

enum class Mode { REPLY, LATER }; // NOLINT(readability-identifier-naming)

/// The kind of a handle's type.
template <typename T> inline constexpr Kind KIND_OF = Kind::none;
template <> inline constexpr Kind KIND_OF<CUcontext> = Kind::context;
template <> inline constexpr Kind KIND_OF<CUmodule> = Kind::module;
template <> inline constexpr Kind KIND_OF<CUfunction> = Kind::function;
template <> inline constexpr Kind KIND_OF<CUstream> = Kind::stream;
template <> inline constexpr Kind KIND_OF<CUevent> = Kind::event;
template <> inline constexpr Kind KIND_OF<CUarray> = Kind::array;
template <> inline constexpr Kind KIND_OF<CUmipmappedArray> = Kind::mipmap;
template <> inline constexpr Kind KIND_OF<CUmemoryPool> = Kind::pool;

template <typename T>
inline constexpr bool IS_HANDLE = KIND_OF<T> != Kind::none;

/// Writes one call. `bytes` is not initialised.
struct Writer {
  uint32_t size = sizeof(CallHeader);
  bool fits = true;
  alignas(16) std::byte bytes[LARGEST_CALL];

  template <typename T> void put(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(&value, sizeof(value));
  }
  void put_bytes(const void *from, size_t count) {
    if (count > LARGEST_CALL - CALL_STEP - size) {
      fits = false;
      return;
    }
    std::memcpy(bytes + size, from, count);
    size += uint32_t(count);
  }
  void put_text(std::string_view text) {
    put(uint32_t(text.size()));
    put_bytes(text.data(), text.size());
  }
};

/// Reads the body of a call or reply. After a field that is missing all others
/// are zero, and ok is false.
struct Reader {
  const std::byte *at, *end;
  bool ok = true;

  template <typename T> T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (size_t(end - at) < sizeof(T)) {
      ok = false;
      at = end;
    } else {
      std::memcpy(&value, at, sizeof(T));
      at += sizeof(T);
    }
    return value;
  }
  std::string_view take_bytes(size_t size) {
    if (size_t(end - at) < size) {
      ok = false;
      at = end;
      return {};
    }
    const char *begin = reinterpret_cast<const char *>(at);
    at += size;
    return {begin, size};
  }
  std::string_view take_text() { return take_bytes(take<uint32_t>()); }
};

/// What a call waits for.
enum class WaitFor : uint32_t { stream, context, event, copy };

/// A copy: its sides as CUDA has them, of which host memory is either pinned,
/// in both processes at the same address, or a stage.
struct CopyCall {
  CUDA_MEMCPY3D what; ///< arrays: handles
  uint64_t stream;
  uint32_t stage;    ///< of the side that is not device memory, or NO_STAGE
  uint16_t to_stage; ///< 1: the stage is written
  uint16_t waits;    ///< 1: the reply comes when all is copied
};
inline constexpr uint32_t NO_STAGE = UINT32_MAX;

struct LaunchCall {
  uint64_t function, stream;
  uint32_t blocks[3], threads[3];
  uint32_t shared;
  uint32_t cooperative;
  uint32_t parameters; ///< bytes that follow
};

/// What the client knows of a function: the reply to GetFunction, followed by
/// the parameters' offsets and sizes.
inline constexpr uint32_t FUNCTION_ATTRIBUTES = 16;
inline constexpr uint32_t MOST_PARAMETERS = 512;
struct FunctionFacts {
  int32_t attributes[FUNCTION_ATTRIBUTES];
  uint16_t has_attribute; ///< bits
  uint16_t parameters;
};
struct ParameterFacts {
  uint16_t offset, size;
};
inline constexpr uint32_t LARGEST_PARAMETERS = 8u << 10;

} // namespace gpuexec::lent_cuda

#endif
