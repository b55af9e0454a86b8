//===-- toolchain/cuda/include/gpuexec/texture_references.h - Texture and surface references -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA 11 and before: a variable `texture<float, 2> name;` that the host binds
// to memory and kernels read by. CUDA 12 has no such types; gpucc defines
// GPUEXEC_CUDA_REFERENCES for a source that uses them. Numbers and layouts are
// those of CUDA 11.8.
//===----------------------------------------------------------------------===//
// NOLINTBEGIN: the names are those of CUDA's interface.
#ifndef GPUEXEC_CUDA_TEXTURE_REFERENCES_H
#define GPUEXEC_CUDA_TEXTURE_REFERENCES_H

#include "../cuda_runtime_api.h"
#include "../surface_types.h"
#include "../texture_types.h"

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

/// How a texture is read. A program changes it before it binds the texture.
struct textureReference {
  int normalized; ///< coordinates
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int __cudaReserved[14];
};
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};

#ifdef __cplusplus
extern "C" {
#endif
/// Binds memory of a device. `*offset` is 0: an address needs no alignment.
cudaError_t cudaBindTexture(size_t *offset,
                            const struct textureReference *texref,
                            const void *devPtr,
                            const struct cudaChannelFormatDesc *desc,
                            size_t size);
/// `width`, `height`: in elements; `pitch`: bytes from a row to the next.
cudaError_t cudaBindTexture2D(size_t *offset,
                              const struct textureReference *texref,
                              const void *devPtr,
                              const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *texref,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t
cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                cudaMipmappedArray_const_t mipmappedArray,
                                const struct cudaChannelFormatDesc *desc);
cudaError_t cudaUnbindTexture(const struct textureReference *texref);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                          const struct textureReference *texref);
/// The reference that stands for the variable `symbol`: its own address.
cudaError_t cudaGetTextureReference(const struct textureReference **texref,
                                    const void *symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref,
                                    const void *symbol);
#ifdef __cplusplus
}
#endif

#ifdef __CUDA__
template <class T, int type = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture
    : public textureReference {
  texture(int normalized_coordinates = 0,
          enum cudaTextureFilterMode filter = cudaFilterModePoint,
          enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(normalized_coordinates, filter, address,
                cudaCreateChannelDesc<T>()) {}
  texture(int normalized_coordinates, enum cudaTextureFilterMode filter,
          enum cudaTextureAddressMode address,
          struct cudaChannelFormatDesc description)
      : textureReference() {
    normalized = normalized_coordinates;
    filterMode = filter;
    for (int i = 0; i < 3; i++)
      addressMode[i] = address;
    channelDesc = description;
  }
};
template <class T, int type = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface
    : public surfaceReference {
  surface() : surfaceReference() { channelDesc = cudaCreateChannelDesc<T>(); }
};
template <int type>
struct __attribute__((device_builtin_surface_type)) surface<void, type>
    : public surfaceReference {
  surface() : surfaceReference() {}
};

//===-- On the host -------------------------------------------------------===//

#define GPUEXEC_REFERENCE template <class T, int type, cudaTextureReadMode mode>
#define GPUEXEC_TEXTURE const texture<T, type, mode> &

GPUEXEC_REFERENCE cudaError_t cudaBindTexture(
    size_t *offset, GPUEXEC_TEXTURE reference, const void *memory,
    const cudaChannelFormatDesc &description, size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, (const textureReference *)&reference, memory,
                           &description, size);
}
GPUEXEC_REFERENCE cudaError_t cudaBindTexture(size_t *offset,
                                              GPUEXEC_TEXTURE reference,
                                              const void *memory,
                                              size_t size = 0xffffffffu) {
  return cudaBindTexture(offset, reference, memory, reference.channelDesc,
                         size);
}
GPUEXEC_REFERENCE cudaError_t cudaBindTexture2D(
    size_t *offset, GPUEXEC_TEXTURE reference, const void *memory,
    const cudaChannelFormatDesc &description, size_t width, size_t height,
    size_t pitch) {
  return ::cudaBindTexture2D(offset, (const textureReference *)&reference,
                             memory, &description, width, height, pitch);
}
GPUEXEC_REFERENCE cudaError_t
cudaBindTexture2D(size_t *offset, GPUEXEC_TEXTURE reference, const void *memory,
                  size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, memory, reference.channelDesc,
                           width, height, pitch);
}
GPUEXEC_REFERENCE cudaError_t cudaBindTextureToArray(
    GPUEXEC_TEXTURE reference, cudaArray_const_t array,
    const cudaChannelFormatDesc &description) {
  return ::cudaBindTextureToArray((const textureReference *)&reference, array,
                                  &description);
}
GPUEXEC_REFERENCE cudaError_t cudaBindTextureToArray(GPUEXEC_TEXTURE reference,
                                                     cudaArray_const_t array) {
  cudaChannelFormatDesc description;
  const cudaError_t error = cudaGetChannelDesc(&description, array);
  return error ? error : cudaBindTextureToArray(reference, array, description);
}
GPUEXEC_REFERENCE cudaError_t cudaBindTextureToMipmappedArray(
    GPUEXEC_TEXTURE reference, cudaMipmappedArray_const_t array,
    const cudaChannelFormatDesc &description) {
  return ::cudaBindTextureToMipmappedArray(
      (const textureReference *)&reference, array, &description);
}
GPUEXEC_REFERENCE cudaError_t cudaBindTextureToMipmappedArray(
    GPUEXEC_TEXTURE reference, cudaMipmappedArray_const_t array) {
  return cudaBindTextureToMipmappedArray(reference, array,
                                         reference.channelDesc);
}
GPUEXEC_REFERENCE cudaError_t cudaUnbindTexture(GPUEXEC_TEXTURE reference) {
  return ::cudaUnbindTexture((const textureReference *)&reference);
}
GPUEXEC_REFERENCE cudaError_t
cudaGetTextureAlignmentOffset(size_t *offset, GPUEXEC_TEXTURE reference) {
  return ::cudaGetTextureAlignmentOffset(
      offset, (const textureReference *)&reference);
}
template <class T, int type>
cudaError_t cudaBindSurfaceToArray(const surface<T, type> &reference,
                                   cudaArray_const_t array,
                                   const cudaChannelFormatDesc &description) {
  return ::cudaBindSurfaceToArray((const surfaceReference *)&reference, array,
                                  &description);
}
template <class T, int type>
cudaError_t cudaBindSurfaceToArray(const surface<T, type> &reference,
                                   cudaArray_const_t array) {
  cudaChannelFormatDesc description;
  const cudaError_t error = cudaGetChannelDesc(&description, array);
  return error ? error : cudaBindSurfaceToArray(reference, array, description);
}
#undef GPUEXEC_REFERENCE
#undef GPUEXEC_TEXTURE

//===-- On the device -----------------------------------------------------===//

namespace gpuexec_cuda {
/// What a read gives: the element, or floats between -1 and 1.
template <class T, cudaTextureReadMode mode> struct Read {
  typedef T type;
};
#define GPUEXEC_NORMALIZED(TYPE, RESULT)                                       \
  template <> struct Read<TYPE, cudaReadModeNormalizedFloat> {                 \
    typedef RESULT type;                                                       \
  };
#define GPUEXEC_VECTORS(TYPE)                                                  \
  GPUEXEC_NORMALIZED(TYPE##1, float1)                                          \
  GPUEXEC_NORMALIZED(TYPE##2, float2)                                          \
  GPUEXEC_NORMALIZED(TYPE##4, float4)
GPUEXEC_NORMALIZED(char, float)
GPUEXEC_NORMALIZED(signed char, float)
GPUEXEC_NORMALIZED(unsigned char, float)
GPUEXEC_NORMALIZED(short, float)
GPUEXEC_NORMALIZED(unsigned short, float)
GPUEXEC_VECTORS(char)
GPUEXEC_VECTORS(uchar)
GPUEXEC_VECTORS(short)
GPUEXEC_VECTORS(ushort)
#undef GPUEXEC_VECTORS
#undef GPUEXEC_NORMALIZED

/// Device code has a handle in the place of a reference.
template <class Reference>
static __inline__ __device__ unsigned long long handle(Reference reference) {
  return reinterpret_cast<unsigned long long &>(reference);
}
} // namespace gpuexec_cuda

#define GPUEXEC_UNPACK(...) __VA_ARGS__
/// PARAMETERS and ARGUMENTS are lists in parentheses.
#define GPUEXEC_FETCH(NAME, TYPE, PARAMETERS, ARGUMENTS)                       \
  template <class T, cudaTextureReadMode mode>                                 \
  static __inline__ __device__ typename gpuexec_cuda::Read<T, mode>::type      \
  NAME(texture<T, TYPE, mode> reference, GPUEXEC_UNPACK PARAMETERS) {          \
    return NAME<typename gpuexec_cuda::Read<T, mode>::type>(                   \
        (cudaTextureObject_t)gpuexec_cuda::handle(reference),                  \
        GPUEXEC_UNPACK ARGUMENTS);                                             \
  }
GPUEXEC_FETCH(tex1Dfetch, cudaTextureType1D, (int x), (x))
GPUEXEC_FETCH(tex1D, cudaTextureType1D, (float x), (x))
GPUEXEC_FETCH(tex2D, cudaTextureType2D, (float x, float y), (x, y))
GPUEXEC_FETCH(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
GPUEXEC_FETCH(tex1DLayered, cudaTextureType1DLayered, (float x, int layer),
              (x, layer))
GPUEXEC_FETCH(tex2DLayered, cudaTextureType2DLayered,
              (float x, float y, int layer), (x, y, layer))
GPUEXEC_FETCH(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z),
              (x, y, z))
GPUEXEC_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered,
              (float x, float y, float z, int layer), (x, y, z, layer))
GPUEXEC_FETCH(tex1DLod, cudaTextureType1D, (float x, float level), (x, level))
GPUEXEC_FETCH(tex2DLod, cudaTextureType2D, (float x, float y, float level),
              (x, y, level))
GPUEXEC_FETCH(tex3DLod, cudaTextureType3D,
              (float x, float y, float z, float level), (x, y, z, level))
GPUEXEC_FETCH(tex1DGrad, cudaTextureType1D, (float x, float dx, float dy),
              (x, dx, dy))
GPUEXEC_FETCH(tex2DGrad, cudaTextureType2D,
              (float x, float y, float2 dx, float2 dy), (x, y, dx, dy))
GPUEXEC_FETCH(tex2Dgather, cudaTextureType2D,
              (float x, float y, int component = 0), (x, y, component))
#undef GPUEXEC_FETCH

/// Positions in bytes along x.
#define GPUEXEC_SURFACE(NAME, TYPE, PARAMETERS, ARGUMENTS)                     \
  template <class T, class S>                                                  \
  static __inline__ __device__ void NAME##read(                                \
      T *result, surface<S, TYPE> reference, GPUEXEC_UNPACK PARAMETERS,        \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    NAME##read(result, (cudaSurfaceObject_t)gpuexec_cuda::handle(reference),   \
               GPUEXEC_UNPACK ARGUMENTS, mode);                                \
  }                                                                            \
  template <class T, class S>                                                  \
  static __inline__ __device__ T NAME##read(                                   \
      surface<S, TYPE> reference, GPUEXEC_UNPACK PARAMETERS,                   \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    return NAME##read<T>((cudaSurfaceObject_t)gpuexec_cuda::handle(reference), \
                         GPUEXEC_UNPACK ARGUMENTS, mode);                      \
  }                                                                            \
  template <class T, class S>                                                  \
  static __inline__ __device__ void NAME##write(                               \
      T value, surface<S, TYPE> reference, GPUEXEC_UNPACK PARAMETERS,          \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    NAME##write(value, (cudaSurfaceObject_t)gpuexec_cuda::handle(reference),   \
                GPUEXEC_UNPACK ARGUMENTS, mode);                               \
  }
GPUEXEC_SURFACE(surf1D, cudaSurfaceType1D, (int x), (x))
GPUEXEC_SURFACE(surf2D, cudaSurfaceType2D, (int x, int y), (x, y))
GPUEXEC_SURFACE(surf3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
GPUEXEC_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, (int x, int layer),
                (x, layer))
GPUEXEC_SURFACE(surf2DLayered, cudaSurfaceType2DLayered,
                (int x, int y, int layer), (x, y, layer))
#undef GPUEXEC_SURFACE
#undef GPUEXEC_UNPACK
#endif // __CUDA__

#endif
// NOLINTEND
