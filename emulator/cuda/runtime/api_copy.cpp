//===-- emulator/cuda/runtime/api_copy.cpp - Copies and fills -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

enum class Waits { yes, no };

cudaError_t copy(CUDA_MEMCPY3D what, cudaMemcpyKind kind, cudaStream_t stream,
                 Waits waits) {
  GPUEXEC_CUDART_REQUIRE(kind <= cudaMemcpyDefault, InvalidMemcpyDirection);
  GPUEXEC_CUDART_CONTEXT();
  what.dstMemoryType = type_of(to_device(kind), kind == cudaMemcpyDefault);
  what.srcMemoryType = type_of(from_device(kind), kind == cudaMemcpyDefault);
  // A pointer is the same on both sides.
  what.dstHost = reinterpret_cast<void *>(what.dstDevice);
  what.srcHost = reinterpret_cast<void *>(what.srcDevice);
  return record(waits == Waits::yes ? cuMemcpy3D(&what)
                                    : cuMemcpy3DAsync(&what, stream));
}

cudaError_t copy(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                 cudaStream_t stream, Waits waits) {
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): 0 is refused
  CUDA_MEMCPY3D what = {};
  what.dstDevice = address_of(to);
  what.srcDevice = address_of(from);
  what.WidthInBytes = size;
  what.Height = what.Depth = 1;
  return copy(what, kind, stream, waits);
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
  GPUEXEC_CUDART_REQUIRE(!from->srcArray && !from->dstArray, NotSupported);
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): 0 is refused
  CUDA_MEMCPY3D what = {};
  what.dstDevice = address_of(from->dstPtr.ptr);
  what.dstPitch = from->dstPtr.pitch;
  what.dstHeight = from->dstPtr.ysize;
  what.dstXInBytes = from->dstPos.x;
  what.dstY = from->dstPos.y;
  what.dstZ = from->dstPos.z;
  what.srcDevice = address_of(from->srcPtr.ptr);
  what.srcPitch = from->srcPtr.pitch;
  what.srcHeight = from->srcPtr.ysize;
  what.srcXInBytes = from->srcPos.x;
  what.srcY = from->srcPos.y;
  what.srcZ = from->srcPos.z;
  what.WidthInBytes = from->extent.width;
  what.Height = from->extent.height;
  what.Depth = from->extent.depth;
  return copy(what, from->kind, stream, waits);
}

/// The address of `size` bytes of a symbol from `offset` on.
cudaError_t place_in(const void *symbol, size_t offset, size_t size,
                     void *&address) {
  Program::Variable variable;
  GPUEXEC_CUDART_TRY(Program::get().variable(symbol, variable));
  GPUEXEC_CUDART_REQUIRE(
      offset <= variable.size && size <= variable.size - offset, InvalidValue);
  address = reinterpret_cast<void *>(variable.address + offset);
  return cudaSuccess;
}

} // namespace

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
