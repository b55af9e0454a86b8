//===-- lending/cuda/client/api_copy.cpp - Copies -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/client/api.h"

using namespace gpuexec::lent_cuda;

namespace {

/// A side of a copy.
struct Place {
  CUmemorytype type;
  CUdeviceptr address;
  CUarray array;
  size_t x;
};
Place host(const void *memory) {
  return {CU_MEMORYTYPE_HOST, number_of(memory), nullptr, 0};
}
Place device(CUdeviceptr address) {
  return {CU_MEMORYTYPE_DEVICE, address, nullptr, 0};
}
Place any(CUdeviceptr address) {
  return {CU_MEMORYTYPE_UNIFIED, address, nullptr, 0};
}
Place in(CUarray array, size_t x) { return {CU_MEMORYTYPE_ARRAY, 0, array, x}; }

CUresult copy(const Place &to, const Place &from, size_t size, CUstream stream,
              bool waits) {
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): set below
  CUDA_MEMCPY3D what = {};
  what.dstMemoryType = to.type;
  what.dstDevice = to.address;
  what.dstHost = reinterpret_cast<void *>(to.address);
  what.dstArray = to.array;
  what.dstXInBytes = to.x;
  what.srcMemoryType = from.type;
  what.srcDevice = from.address;
  what.srcHost = reinterpret_cast<void *>(from.address);
  what.srcArray = from.array;
  what.srcXInBytes = from.x;
  what.WidthInBytes = size;
  what.Height = what.Depth = 1;
  return Session::get().copy(what, stream, waits);
}

CUresult copy_2d(const CUDA_MEMCPY2D *from, CUstream stream, bool waits) {
  GPUEXEC_REQUIRE(from, INVALID_VALUE);
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): set below
  CUDA_MEMCPY3D what = {};
  what.dstMemoryType = from->dstMemoryType;
  what.dstDevice = from->dstDevice;
  what.dstHost = from->dstHost;
  what.dstArray = from->dstArray;
  what.dstXInBytes = from->dstXInBytes;
  what.dstY = from->dstY;
  what.dstPitch = from->dstPitch;
  what.srcMemoryType = from->srcMemoryType;
  what.srcDevice = from->srcDevice;
  what.srcHost = from->srcHost;
  what.srcArray = from->srcArray;
  what.srcXInBytes = from->srcXInBytes;
  what.srcY = from->srcY;
  what.srcPitch = from->srcPitch;
  what.WidthInBytes = from->WidthInBytes;
  what.Height = from->Height;
  what.Depth = 1;
  auto too_narrow = [&](size_t pitch) {
    return pitch && pitch < from->WidthInBytes && from->Height > 1;
  };
  GPUEXEC_REQUIRE(!too_narrow(what.dstPitch) && !too_narrow(what.srcPitch),
                  INVALID_VALUE);
  if (!what.dstPitch)
    what.dstPitch = what.WidthInBytes;
  if (!what.srcPitch)
    what.srcPitch = what.WidthInBytes;
  return Session::get().copy(what, stream, waits);
}

} // namespace

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy(any(to), any(from), size, nullptr, true);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size,
                       CUstream stream) {
  return copy(any(to), any(from), size, stream, false);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size) {
  return copy(device(to), host(from), size, nullptr, true);
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size) {
  return copy(host(to), device(from), size, nullptr, true);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy(device(to), device(from), size, nullptr, true);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size,
                           CUstream stream) {
  return copy(device(to), host(from), size, stream, false);
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size,
                           CUstream stream) {
  return copy(host(to), device(from), size, stream, false);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size,
                           CUstream stream) {
  return copy(device(to), device(from), size, stream, false);
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from,
                      size_t size) {
  return copy(in(to, offset), device(from), size, nullptr, true);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset,
                      size_t size) {
  return copy(device(to), in(from, offset), size, nullptr, true);
}
CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from,
                      size_t size) {
  return copy(in(to, offset), host(from), size, nullptr, true);
}
CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t size) {
  return copy(host(to), in(from, offset), size, nullptr, true);
}
CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from,
                      size_t from_offset, size_t size) {
  return copy(in(to, to_offset), in(from, from_offset), size, nullptr, true);
}
CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void *from,
                           size_t size, CUstream stream) {
  return copy(in(to, offset), host(from), size, stream, false);
}
CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t offset, size_t size,
                           CUstream stream) {
  return copy(host(to), in(from, offset), size, stream, false);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                      size_t size) {
  return cuMemcpyDtoD(to, from, size);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from,
                           CUcontext, size_t size, CUstream stream) {
  return cuMemcpyDtoDAsync(to, from, size, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *what) {
  return copy_2d(what, nullptr, true);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *what) {
  return copy_2d(what, nullptr, true);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *what, CUstream stream) {
  return copy_2d(what, stream, false);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *what) {
  GPUEXEC_REQUIRE(what, INVALID_VALUE);
  return Session::get().copy(*what, nullptr, true);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *what, CUstream stream) {
  GPUEXEC_REQUIRE(what, INVALID_VALUE);
  return Session::get().copy(*what, stream, false);
}
