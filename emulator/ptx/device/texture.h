/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===-- emulator/ptx/device/texture.h - Textures and surfaces ----*- C -*-===*/
/* What a texture or surface object is: its handle is the address of one of
 * these structures in memory that host and device share. libcuda fills it in,
 * device code only reads it. A .texref or .surfref of a PTX module is a
 * variable of this size, which libcuda writes when a texture is bound. */
#ifndef GPUEXEC_EMULATOR_PTX_DEVICE_TEXTURE_H
#define GPUEXEC_EMULATOR_PTX_DEVICE_TEXTURE_H

#include <stdint.h>

/* What a channel of an element is in memory. */
enum gpuexec_cuda_channel {
  GPUEXEC_CUDA_U8,
  GPUEXEC_CUDA_U16,
  GPUEXEC_CUDA_U32,
  GPUEXEC_CUDA_S8,
  GPUEXEC_CUDA_S16,
  GPUEXEC_CUDA_S32,
  GPUEXEC_CUDA_F16,
  GPUEXEC_CUDA_F32,
};

/* CUDA's numbers (cudaTextureAddressMode). */
enum gpuexec_cuda_address_mode {
  GPUEXEC_CUDA_WRAP,
  GPUEXEC_CUDA_CLAMP,
  GPUEXEC_CUDA_MIRROR,
  GPUEXEC_CUDA_BORDER,
};

enum gpuexec_cuda_texture_flags {
  GPUEXEC_CUDA_LINEAR_FILTER = 1,
  GPUEXEC_CUDA_LINEAR_BETWEEN_LEVELS = 2,
  GPUEXEC_CUDA_NORMALIZED_COORDINATES = 4,
  /* Integers of 8 and 16 bits are read as floats in [-1, 1]. */
  GPUEXEC_CUDA_NORMALIZED_VALUES = 8,
  /* A range of memory without rows: outside of it there are zeros. */
  GPUEXEC_CUDA_RANGE = 16,
};

/* One level of a mipmap; all others have but one. */
struct gpuexec_cuda_level {
  uint64_t data;         /* the address of the first element */
  uint64_t pitch, slice; /* bytes from row to row, from slice to slice */
  /* Elements, at least 1 each. depth counts slices, layers or faces. */
  uint32_t width, height, depth, reserved;
};

struct gpuexec_cuda_texture {
  struct gpuexec_cuda_level base; /* level 0 */
  uint64_t levels;                /* the address of all levels; 0: only base */
  uint32_t level_count;
  uint32_t channel; /* gpuexec_cuda_channel */
  uint32_t channels;
  uint32_t element; /* bytes */
  uint32_t flags;
  uint32_t address_mode[3];
  float border[4];
  float level_bias, least_level, greatest_level;
  uint32_t reserved;
  uint64_t zero[2]; /* what reading outside of a surface reads */
  uint64_t sink[2]; /* where writing outside of a surface writes */
};

/* Bytes of the structure; the compiler of PTX cannot see it. */
#define GPUEXEC_CUDA_TEXTURE_BYTES 144

/* What a query (txq, suq) asks for. */
enum gpuexec_cuda_query {
  GPUEXEC_CUDA_WIDTH,
  GPUEXEC_CUDA_HEIGHT,
  GPUEXEC_CUDA_DEPTH,
  GPUEXEC_CUDA_LEVELS,
  GPUEXEC_CUDA_NORMALIZED,
};

/* What an access outside of a surface does: CUDA's numbers
 * (cudaSurfaceBoundaryMode). */
enum gpuexec_cuda_boundary {
  GPUEXEC_CUDA_ZERO_OUTSIDE,
  GPUEXEC_CUDA_CLAMP_OUTSIDE,
  GPUEXEC_CUDA_TRAP_OUTSIDE,
};

#endif /* GPUEXEC_EMULATOR_PTX_DEVICE_TEXTURE_H */
