//===-- emulator/cuda/runtime/api_copy.cpp - Copies and fills -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/runtime/channels.h"
#include "emulator/cuda/runtime/copies.h"
#include "emulator/cuda/runtime/program.h"
#include "emulator/cuda/runtime/thread.h"

using namespace gpuexec::cudart;

namespace {

CUdeviceptr address_of(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

CUmemorytype type_of(bool is_device, bool is_default) {
  return is_default  ? CU_MEMORYTYPE_UNIFIED
         : is_device ? CU_MEMORYTYPE_DEVICE
                     : CU_MEMORYTYPE_HOST;
}

bool to_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}
bool from_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

} // namespace

cudaError_t gpuexec::cudart::set_kind(CUDA_MEMCPY3D &what,
                                      cudaMemcpyKind kind) {
  GPUEXEC_CUDART_REQUIRE(kind <= cudaMemcpyDefault, InvalidMemcpyDirection);
  if (what.dstMemoryType != CU_MEMORYTYPE_ARRAY)
    what.dstMemoryType = type_of(to_device(kind), kind == cudaMemcpyDefault);
  if (what.srcMemoryType != CU_MEMORYTYPE_ARRAY)
    what.srcMemoryType = type_of(from_device(kind), kind == cudaMemcpyDefault);
  // A pointer is the same on both sides.
  what.dstHost = reinterpret_cast<void *>(what.dstDevice);
  what.srcHost = reinterpret_cast<void *>(what.srcDevice);
  return cudaSuccess;
}

CUDA_MEMCPY3D gpuexec::cudart::plain_copy(void *to, const void *from,
                                          size_t size) {
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): 0 is refused
  CUDA_MEMCPY3D what = {};
  what.dstDevice = address_of(to);
  what.srcDevice = address_of(from);
  what.WidthInBytes = size;
  what.Height = what.Depth = 1;
  return what;
}

cudaError_t gpuexec::cudart::copy(CUDA_MEMCPY3D what, cudaMemcpyKind kind,
                                  cudaStream_t stream, Waits waits) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_TRY(set_kind(what, kind));
  return record(waits == Waits::yes ? cuMemcpy3D(&what)
                                    : cuMemcpy3DAsync(&what, stream));
}

namespace {

cudaError_t copy(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                 cudaStream_t stream, Waits waits) {
  return copy(plain_copy(to, from, size), kind, stream, waits);
}

cudaError_t copy(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                 size_t width, size_t height, cudaMemcpyKind kind,
                 cudaStream_t stream, Waits waits) {
  GPUEXEC_CUDART_REQUIRE(width <= to_pitch && width <= from_pitch,
                         InvalidPitchValue);
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): 0 is refused
  CUDA_MEMCPY3D what = {};
  what.dstDevice = address_of(to);
  what.dstPitch = to_pitch;
  what.srcDevice = address_of(from);
  what.srcPitch = from_pitch;
  what.WidthInBytes = width;
  what.Height = height;
  what.Depth = 1;
  return copy(what, kind, stream, waits);
}

cudaError_t copy(const cudaMemcpy3DParms *from, cudaStream_t stream,
                 Waits waits) {
  GPUEXEC_CUDART_REQUIRE(from, InvalidValue);
  CUDA_MEMCPY3D what = {};
  GPUEXEC_CUDART_TRY(to_driver(*from, what));
  return copy(what, from->kind, stream, waits);
}

} // namespace

cudaError_t gpuexec::cudart::element_bytes(cudaArray_t array, size_t &bytes) {
  cudaChannelFormatDesc description{};
  GPUEXEC_CUDART_TRY(cudaGetChannelDesc(&description, array));
  Channels channels;
  GPUEXEC_CUDART_REQUIRE(channels_of(description, channels), InvalidValue);
  bytes = channels.bytes();
  return cudaSuccess;
}

cudaError_t gpuexec::cudart::place_in(const void *symbol, size_t offset,
                                      size_t size, void *&place) {
  Program::Variable variable;
  GPUEXEC_CUDART_TRY(Program::get().variable(symbol, variable));
  GPUEXEC_CUDART_REQUIRE(
      offset <= variable.size && size <= variable.size - offset, InvalidValue);
  place = reinterpret_cast<void *>(variable.address + offset);
  return cudaSuccess;
}

cudaError_t gpuexec::cudart::to_driver(const cudaMemcpy3DParms &from,
                                       CUDA_MEMCPY3D &to) {
  // An array's elements are the unit of its own position and of the extent;
  // bytes are elsewhere.
  size_t to_element = 1, from_element = 1;
  if (from.dstArray) {
    GPUEXEC_CUDART_REQUIRE(!from.dstPtr.ptr, InvalidValue);
    GPUEXEC_CUDART_TRY(element_bytes(from.dstArray, to_element));
    to.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    to.dstArray = reinterpret_cast<CUarray>(from.dstArray);
  }
  if (from.srcArray) {
    GPUEXEC_CUDART_REQUIRE(!from.srcPtr.ptr, InvalidValue);
    GPUEXEC_CUDART_TRY(element_bytes(from.srcArray, from_element));
    to.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    to.srcArray = reinterpret_cast<CUarray>(from.srcArray);
  }
  to.dstDevice = address_of(from.dstPtr.ptr);
  to.dstPitch = from.dstPtr.pitch;
  to.dstHeight = from.dstPtr.ysize;
  to.dstXInBytes = from.dstPos.x * to_element;
  to.dstY = from.dstPos.y;
  to.dstZ = from.dstPos.z;
  to.srcDevice = address_of(from.srcPtr.ptr);
  to.srcPitch = from.srcPtr.pitch;
  to.srcHeight = from.srcPtr.ysize;
  to.srcXInBytes = from.srcPos.x * from_element;
  to.srcY = from.srcPos.y;
  to.srcZ = from.srcPos.z;
  to.WidthInBytes =
      from.extent.width * (from.srcArray ? from_element : to_element);
  to.Height = from.extent.height;
  to.Depth = from.extent.depth;
  return set_kind(to, from.kind);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size,
                       cudaMemcpyKind kind) {
  return copy(to, from, size, kind, nullptr, Waits::yes);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(to, from, size, kind, stream, Waits::no);
}

cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t size) {
  return copy(to, from, size, cudaMemcpyDeviceToDevice, nullptr, Waits::yes);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int,
                                size_t size, cudaStream_t stream) {
  return copy(to, from, size, cudaMemcpyDeviceToDevice, stream, Waits::no);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                         size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy(to, to_pitch, from, from_pitch, width, height, kind, nullptr,
              Waits::yes);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(to, to_pitch, from, from_pitch, width, height, kind, stream,
              Waits::no);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *what) {
  return copy(what, nullptr, Waits::yes);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *what,
                              cudaStream_t stream) {
  return copy(what, stream, Waits::no);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                               size_t size, size_t offset,
                               cudaMemcpyKind kind) {
  void *to = nullptr;
  GPUEXEC_CUDART_TRY(place_in(symbol, offset, size, to));
  return copy(to, from, size, kind, nullptr, Waits::yes);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size,
                                 size_t offset, cudaMemcpyKind kind) {
  void *from = nullptr;
  GPUEXEC_CUDART_TRY(place_in(symbol, offset, size, from));
  return copy(to, from, size, kind, nullptr, Waits::yes);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from,
                                    size_t size, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  void *to = nullptr;
  GPUEXEC_CUDART_TRY(place_in(symbol, offset, size, to));
  return copy(to, from, size, kind, stream, Waits::no);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size,
                                      size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  void *from = nullptr;
  GPUEXEC_CUDART_TRY(place_in(symbol, offset, size, from));
  return copy(to, from, size, kind, stream, Waits::no);
}

cudaError_t cudaMemset(void *to, int value, size_t size) {
  GPUEXEC_CUDART_CONTEXT();
  return record(
      cuMemsetD8(address_of(to), static_cast<unsigned char>(value), size));
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t size,
                            cudaStream_t stream) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemsetD8Async(
      address_of(to), static_cast<unsigned char>(value), size, stream));
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width,
                         size_t height) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemsetD2D8(address_of(to), pitch,
                             static_cast<unsigned char>(value), width, height));
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemsetD2D8Async(address_of(to), pitch,
                                  static_cast<unsigned char>(value), width,
                                  height, stream));
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return cudaMemset3DAsync(to, value, extent, nullptr) == cudaSuccess
             ? cudaStreamSynchronize(nullptr)
             : cudaPeekAtLastError();
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  for (size_t slice = 0; slice < extent.depth; ++slice)
    if (cudaError_t error = cudaMemset2DAsync(
            static_cast<char *>(to.ptr) + slice * to.pitch * to.ysize, to.pitch,
            value, extent.width, extent.height, stream))
      return error;
  return cudaSuccess;
}
