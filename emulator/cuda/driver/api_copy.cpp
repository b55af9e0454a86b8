//===-- emulator/cuda/driver/api_copy.cpp - Copies and fills --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/copies.h"

using namespace gpuexec::cuda;

namespace {

char *pointer(CUdeviceptr address) { return reinterpret_cast<char *>(address); }
char *pointer(const void *address) {
  return const_cast<char *>(static_cast<const char *>(address));
}

CUresult start(const Copy &what, CUstream handle, Waits waits) {
  GPUEXEC_CURRENT(context);
  auto stream = find_stream(*context, handle);
  GPUEXEC_REQUIRE(stream, INVALID_HANDLE);
  return copy(*context, *stream, what, waits);
}

template <typename To, typename From>
CUresult plain(To to, Side to_side, From from, Side from_side, size_t size,
               CUstream stream, Waits waits) {
  Copy what;
  what.to.base = pointer(to);
  what.to_side = to_side;
  what.from.base = pointer(from);
  what.from_side = from_side;
  what.width = size;
  return start(what, stream, waits);
}

CUresult start(CUdeviceptr to, size_t pitch, unsigned value, unsigned size,
               size_t width, size_t height, CUstream handle, Waits waits) {
  GPUEXEC_CURRENT(context);
  auto stream = find_stream(*context, handle);
  GPUEXEC_REQUIRE(stream, INVALID_HANDLE);
  return fill(*context, *stream,
              {{pointer(to), pitch, 0}, value, size, width, height}, waits);
}

/// One side of a copy of rows: memory of the host, the device or either, or an
/// array.
struct Place {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
};

/// A side that is an array. INVALID_VALUE when the copy leaves it.
CUresult set_array(Plane &plane, Side &side, const Place &place,
                   const Copy &copy) {
  auto array = Driver::get().arrays.find(place.array);
  GPUEXEC_REQUIRE(array, INVALID_HANDLE);
  const gpuexec_cuda_level &whole = array->place;
  auto is_inside = [](size_t begin, size_t size, size_t limit) {
    return begin <= limit && size <= limit - begin;
  };
  GPUEXEC_REQUIRE(is_inside(place.x, copy.width, array->row_bytes()) &&
                      is_inside(place.y, copy.height, whole.height) &&
                      is_inside(place.z, copy.depth, whole.depth),
                  INVALID_VALUE);
  const CUdeviceptr first =
      whole.data + place.x + place.y * whole.pitch + place.z * whole.slice;
  plane = {pointer(first), whole.pitch, whole.height};
  side = Side::device;
  return CUDA_SUCCESS;
}

CUresult set_side(Plane &plane, Side &side, const Place &place,
                  const Copy &copy) {
  switch (place.type) {
  case CU_MEMORYTYPE_ARRAY:
    return set_array(plane, side, place, copy);
  case CU_MEMORYTYPE_HOST:
    plane.base = pointer(place.host);
    side = Side::host;
    break;
  case CU_MEMORYTYPE_DEVICE:
    plane.base = pointer(place.device);
    side = Side::device;
    break;
  case CU_MEMORYTYPE_UNIFIED:
    plane.base = pointer(place.device);
    side = Side::any;
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  plane.pitch = place.pitch;
  plane.slice_rows = place.height;
  plane.base += place.x + place.pitch * (place.y + place.height * place.z);
  return CUDA_SUCCESS;
}

CUresult copy_2d(const CUDA_MEMCPY2D *from, CUstream stream, Waits waits) {
  GPUEXEC_REQUIRE(from, INVALID_VALUE);
  Copy what;
  what.width = from->WidthInBytes;
  what.height = from->Height;
  GPUEXEC_TRY(set_side(what.to, what.to_side,
                       {from->dstMemoryType, from->dstHost, from->dstDevice,
                        from->dstArray, from->dstXInBytes, from->dstY, 0,
                        from->dstPitch, 0},
                       what));
  GPUEXEC_TRY(set_side(what.from, what.from_side,
                       {from->srcMemoryType, from->srcHost, from->srcDevice,
                        from->srcArray, from->srcXInBytes, from->srcY, 0,
                        from->srcPitch, 0},
                       what));
  auto too_narrow = [&](size_t pitch) {
    return pitch && pitch < from->WidthInBytes && from->Height > 1;
  };
  GPUEXEC_REQUIRE(!too_narrow(what.to.pitch) && !too_narrow(what.from.pitch),
                  INVALID_VALUE);
  if (!what.to.pitch)
    what.to.pitch = what.width;
  if (!what.from.pitch)
    what.from.pitch = what.width;
  return start(what, stream, waits);
}

CUresult copy_3d(const CUDA_MEMCPY3D *from, CUstream stream, Waits waits) {
  GPUEXEC_REQUIRE(from, INVALID_VALUE);
  Copy what;
  GPUEXEC_TRY(set_copy(what, *from));
  return start(what, stream, waits);
}

/// A range of a one-dimensional array from byte `x` on.
Place place_in(CUarray array, size_t x) {
  return {CU_MEMORYTYPE_ARRAY, nullptr, 0, array, x, 0, 0, 0, 0};
}
Place place_at(const void *host) {
  return {CU_MEMORYTYPE_HOST, host, 0, nullptr, 0, 0, 0, 0, 0};
}
Place place_at(CUdeviceptr device) {
  return {CU_MEMORYTYPE_DEVICE, nullptr, device, nullptr, 0, 0, 0, 0, 0};
}

CUresult copy_range(const Place &to, const Place &from, size_t size,
                    CUstream stream, Waits waits) {
  Copy what;
  what.width = size;
  GPUEXEC_TRY(set_side(what.to, what.to_side, to, what));
  GPUEXEC_TRY(set_side(what.from, what.from_side, from, what));
  return start(what, stream, waits);
}

} // namespace

CUresult gpuexec::cuda::set_copy(Copy &to, const CUDA_MEMCPY3D &from) {
  to.width = from.WidthInBytes;
  to.height = from.Height;
  to.depth = from.Depth;
  GPUEXEC_TRY(set_side(to.to, to.to_side,
                       {from.dstMemoryType, from.dstHost, from.dstDevice,
                        from.dstArray, from.dstXInBytes, from.dstY, from.dstZ,
                        from.dstPitch, from.dstHeight},
                       to));
  return set_side(to.from, to.from_side,
                  {from.srcMemoryType, from.srcHost, from.srcDevice,
                   from.srcArray, from.srcXInBytes, from.srcY, from.srcZ,
                   from.srcPitch, from.srcHeight},
                  to);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return plain(to, Side::any, from, Side::any, size, nullptr, Waits::yes);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size,
                       CUstream stream) {
  return plain(to, Side::any, from, Side::any, size, stream, Waits::no);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size) {
  return plain(to, Side::device, from, Side::host, size, nullptr, Waits::yes);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size) {
  return plain(to, Side::host, from, Side::device, size, nullptr, Waits::yes);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return plain(to, Side::device, from, Side::device, size, nullptr, Waits::yes);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size,
                           CUstream stream) {
  return plain(to, Side::device, from, Side::host, size, stream, Waits::no);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size,
                           CUstream stream) {
  return plain(to, Side::host, from, Side::device, size, stream, Waits::no);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size,
                           CUstream stream) {
  return plain(to, Side::device, from, Side::device, size, stream, Waits::no);
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from,
                      size_t size) {
  return copy_range(place_in(to, offset), place_at(from), size, nullptr,
                    Waits::yes);
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset,
                      size_t size) {
  return copy_range(place_at(to), place_in(from, offset), size, nullptr,
                    Waits::yes);
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from,
                      size_t size) {
  return copy_range(place_in(to, offset), place_at(from), size, nullptr,
                    Waits::yes);
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t size) {
  return copy_range(place_at(to), place_in(from, offset), size, nullptr,
                    Waits::yes);
}

CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from,
                      size_t from_offset, size_t size) {
  return copy_range(place_in(to, to_offset), place_in(from, from_offset), size,
                    nullptr, Waits::yes);
}

CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void *from,
                           size_t size, CUstream stream) {
  return copy_range(place_in(to, offset), place_at(from), size, stream,
                    Waits::no);
}

CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t offset, size_t size,
                           CUstream stream) {
  return copy_range(place_at(to), place_in(from, offset), size, stream,
                    Waits::no);
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
  return copy_2d(what, nullptr, Waits::yes);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *what) {
  return copy_2d(what, nullptr, Waits::yes);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *what, CUstream stream) {
  return copy_2d(what, stream, Waits::no);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *what) {
  return copy_3d(what, nullptr, Waits::yes);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *what, CUstream stream) {
  return copy_3d(what, stream, Waits::no);
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return start(to, 0, value, 1, count, 1, nullptr, Waits::yes);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return start(to, 0, value, 2, count, 1, nullptr, Waits::yes);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  return start(to, 0, value, 4, count, 1, nullptr, Waits::yes);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                         CUstream stream) {
  return start(to, 0, value, 1, count, 1, stream, Waits::no);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                          CUstream stream) {
  return start(to, 0, value, 2, count, 1, stream, Waits::no);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                          CUstream stream) {
  return start(to, 0, value, 4, count, 1, stream, Waits::no);
}
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value,
                      size_t width, size_t height) {
  return start(to, pitch, value, 1, width, height, nullptr, Waits::yes);
}
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value,
                       size_t width, size_t height) {
  return start(to, pitch, value, 2, width, height, nullptr, Waits::yes);
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value,
                       size_t width, size_t height) {
  return start(to, pitch, value, 4, width, height, nullptr, Waits::yes);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
                           size_t width, size_t height, CUstream stream) {
  return start(to, pitch, value, 1, width, height, stream, Waits::no);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value,
                            size_t width, size_t height, CUstream stream) {
  return start(to, pitch, value, 2, width, height, stream, Waits::no);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value,
                            size_t width, size_t height, CUstream stream) {
  return start(to, pitch, value, 4, width, height, stream, Waits::no);
}
