//===-- toolchain/cuda/include/gpuexec/textures.h - Textures and surfaces in device code -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tex2D<T>(object, x, y) and so on, on top of clang's instructions for them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_TEXTURES_H
#define GPUEXEC_CUDA_TEXTURES_H

#include <surface_types.h>
#include <texture_types.h>

// clang's file asks which version of the toolkit includes it.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 12040
#include <__clang_cuda_texture_intrinsics.h>
#pragma pop_macro("CUDA_VERSION")

#define GPUEXEC_UNPACK(...) __VA_ARGS__
/// PARAMETERS and ARGUMENTS are lists in parentheses.
#define GPUEXEC_FETCH(NAME, OPERATION, PARAMETERS, ARGUMENTS)                  \
  template <class T>                                                           \
  static __inline__ __device__ void NAME(                                      \
      T *result, cudaTextureObject_t object, GPUEXEC_UNPACK PARAMETERS) {      \
    __nv_tex_surf_handler(OPERATION, result, object,                           \
                          GPUEXEC_UNPACK ARGUMENTS);                           \
  }                                                                            \
  template <class T>                                                           \
  static __inline__ __device__ T NAME(cudaTextureObject_t object,              \
                                      GPUEXEC_UNPACK PARAMETERS) {             \
    T result;                                                                  \
    __nv_tex_surf_handler(OPERATION, &result, object,                          \
                          GPUEXEC_UNPACK ARGUMENTS);                           \
    return result;                                                             \
  }
GPUEXEC_FETCH(tex1Dfetch, "__itex1Dfetch", (int x), (x))
GPUEXEC_FETCH(tex1D, "__itex1D", (float x), (x))
GPUEXEC_FETCH(tex2D, "__itex2D", (float x, float y), (x, y))
GPUEXEC_FETCH(tex3D, "__itex3D", (float x, float y, float z), (x, y, z))
GPUEXEC_FETCH(tex1DLayered, "__itex1DLayered", (float x, int layer), (x, layer))
GPUEXEC_FETCH(tex2DLayered, "__itex2DLayered", (float x, float y, int layer),
              (x, y, layer))
GPUEXEC_FETCH(texCubemap, "__itexCubemap", (float x, float y, float z),
              (x, y, z))
GPUEXEC_FETCH(texCubemapLayered, "__itexCubemapLayered",
              (float x, float y, float z, int layer), (x, y, z, layer))
GPUEXEC_FETCH(tex1DLod, "__itex1DLod", (float x, float level), (x, level))
GPUEXEC_FETCH(tex2DLod, "__itex2DLod", (float x, float y, float level),
              (x, y, level))
GPUEXEC_FETCH(tex3DLod, "__itex3DLod", (float x, float y, float z, float level),
              (x, y, z, level))
GPUEXEC_FETCH(tex1DLayeredLod, "__itex1DLayeredLod",
              (float x, int layer, float level), (x, layer, level))
GPUEXEC_FETCH(tex2DLayeredLod, "__itex2DLayeredLod",
              (float x, float y, int layer, float level), (x, y, layer, level))
GPUEXEC_FETCH(texCubemapLod, "__itexCubemapLod",
              (float x, float y, float z, float level), (x, y, z, level))
GPUEXEC_FETCH(texCubemapLayeredLod, "__itexCubemapLayeredLod",
              (float x, float y, float z, int layer, float level),
              (x, y, z, layer, level))
GPUEXEC_FETCH(tex1DGrad, "__itex1DGrad", (float x, float dx, float dy),
              (x, dx, dy))
GPUEXEC_FETCH(tex2DGrad, "__itex2DGrad_v2",
              (float x, float y, float2 dx, float2 dy), (x, y, &dx, &dy))
GPUEXEC_FETCH(tex3DGrad, "__itex3DGrad_v2",
              (float x, float y, float z, float4 dx, float4 dy),
              (x, y, z, &dx, &dy))
GPUEXEC_FETCH(tex2Dgather, "__itex2Dgather",
              (float x, float y, int component = 0), (x, y, component))
#undef GPUEXEC_FETCH

/// Positions in bytes along x.
#define GPUEXEC_SURFACE(NAME, PARAMETERS, ARGUMENTS)                           \
  template <class T>                                                           \
  static __inline__ __device__ void NAME##read(                                \
      T *result, cudaSurfaceObject_t object, GPUEXEC_UNPACK PARAMETERS,        \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __nv_tex_surf_handler("__i" #NAME "read", result, object,                  \
                          GPUEXEC_UNPACK ARGUMENTS, mode);                     \
  }                                                                            \
  template <class T>                                                           \
  static __inline__ __device__ T NAME##read(                                   \
      cudaSurfaceObject_t object, GPUEXEC_UNPACK PARAMETERS,                   \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    T result;                                                                  \
    __nv_tex_surf_handler("__i" #NAME "read", &result, object,                 \
                          GPUEXEC_UNPACK ARGUMENTS, mode);                     \
    return result;                                                             \
  }                                                                            \
  template <class T>                                                           \
  static __inline__ __device__ void NAME##write(                               \
      T value, cudaSurfaceObject_t object, GPUEXEC_UNPACK PARAMETERS,          \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __nv_tex_surf_handler("__i" #NAME "write_v2", &value, object,              \
                          GPUEXEC_UNPACK ARGUMENTS, mode);                     \
  }
GPUEXEC_SURFACE(surf1D, (int x), (x))
GPUEXEC_SURFACE(surf2D, (int x, int y), (x, y))
GPUEXEC_SURFACE(surf3D, (int x, int y, int z), (x, y, z))
GPUEXEC_SURFACE(surf1DLayered, (int x, int layer), (x, layer))
GPUEXEC_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer))
GPUEXEC_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face))
GPUEXEC_SURFACE(surfCubemapLayered, (int x, int y, int layer_face),
                (x, y, layer_face))
#undef GPUEXEC_SURFACE
#undef GPUEXEC_UNPACK

#endif
