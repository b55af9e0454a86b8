//===-- emulator/cuda/runtime/api_texture_reference.cpp -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA 11's "Texture Reference Management". How a reference is read is taken
// from the program's variable when it is bound, as CUDA 11 does.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/runtime/channels.h"
#include "emulator/cuda/runtime/program.h"
#include "emulator/cuda/runtime/thread.h"

#pragma GCC visibility push(default)
#include "toolchain/cuda/include/gpuexec/texture_references.h"
#pragma GCC visibility pop

using namespace gpuexec::cudart;

namespace {

unsigned flags_of(const textureReference &reference, bool reads_normalized) {
  unsigned flags = reads_normalized ? 0 : CU_TRSF_READ_AS_INTEGER;
  if (reference.normalized)
    flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (reference.sRGB)
    flags |= CU_TRSF_SRGB;
  return flags;
}

/// Nothing is bound then, so what is set does not have to fit it.
CUresult unbind(CUtexref texture) {
  return cuTexRefSetAddress(nullptr, texture, 0, 0);
}

CUresult set_sampling(CUtexref texture, const textureReference &from,
                      bool reads_normalized) {
  CUresult error = unbind(texture);
  auto then = [&](CUresult next) { error = error ? error : next; };
  then(cuTexRefSetFlags(texture, flags_of(from, reads_normalized)));
  then(cuTexRefSetFilterMode(texture, CUfilter_mode(from.filterMode)));
  for (int n = 0; n < 3; ++n)
    then(cuTexRefSetAddressMode(texture, n,
                                CUaddress_mode(from.addressMode[n])));
  then(cuTexRefSetMaxAnisotropy(texture, from.maxAnisotropy));
  then(cuTexRefSetMipmapFilterMode(texture,
                                   CUfilter_mode(from.mipmapFilterMode)));
  then(cuTexRefSetMipmapLevelBias(texture, from.mipmapLevelBias));
  then(cuTexRefSetMipmapLevelClamp(texture, from.minMipmapLevelClamp,
                                   from.maxMipmapLevelClamp));
  return error;
}

/// Binds by `bind(CUtexref)`.
template <typename Bind>
cudaError_t bind_texture(const textureReference *reference, Bind bind) {
  CUtexref texture = nullptr;
  bool reads_normalized = false;
  GPUEXEC_CUDART_TRY(
      Program::get().texture(reference, texture, reads_normalized));
  GPUEXEC_CUDART_TRY(set_sampling(texture, *reference, reads_normalized));
  return record(bind(texture));
}

} // namespace

GPUEXEC_CUDART_EXPORT void
__cudaRegisterTexture(void **handle, const void *host, const void **,
                      const char *name, int, int reads_normalized, int) {
  Program::get().add_reference(reinterpret_cast<Program::Binary *>(handle),
                               host, name, reads_normalized != 0);
}

GPUEXEC_CUDART_EXPORT void __cudaRegisterSurface(void **handle,
                                                 const void *host,
                                                 const void **,
                                                 const char *name, int, int) {
  Program::get().add_reference(reinterpret_cast<Program::Binary *>(handle),
                               host, name, false);
}

cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference,
                            const void *memory,
                            const cudaChannelFormatDesc *description,
                            size_t size) {
  Channels channels;
  GPUEXEC_CUDART_REQUIRE(description && channels_of(*description, channels),
                         InvalidChannelDescriptor);
  return bind_texture(reference, [&](CUtexref texture) {
    const CUresult error =
        cuTexRefSetFormat(texture, channels.format, int(channels.count));
    return error ? error
                 : cuTexRefSetAddress(offset, texture,
                                      reinterpret_cast<CUdeviceptr>(memory),
                                      size);
  });
}

cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *reference,
                              const void *memory,
                              const cudaChannelFormatDesc *description,
                              size_t width, size_t height, size_t pitch) {
  Channels channels;
  GPUEXEC_CUDART_REQUIRE(description && channels_of(*description, channels),
                         InvalidChannelDescriptor);
  if (offset)
    *offset = 0;
  const CUDA_ARRAY_DESCRIPTOR plane = {width, height, channels.format,
                                       channels.count};
  return bind_texture(reference, [&](CUtexref texture) {
    return cuTexRefSetAddress2D(texture, &plane,
                                reinterpret_cast<CUdeviceptr>(memory), pitch);
  });
}

cudaError_t cudaBindTextureToArray(const textureReference *reference,
                                   cudaArray_const_t array,
                                   const cudaChannelFormatDesc *) {
  return bind_texture(reference, [&](CUtexref texture) {
    return cuTexRefSetArray(
        texture, reinterpret_cast<CUarray>(const_cast<cudaArray_t>(array)),
        CU_TRSA_OVERRIDE_FORMAT);
  });
}

cudaError_t cudaBindTextureToMipmappedArray(const textureReference *reference,
                                            cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc *) {
  return bind_texture(reference, [&](CUtexref texture) {
    return cuTexRefSetMipmappedArray(
        texture,
        reinterpret_cast<CUmipmappedArray>(
            const_cast<cudaMipmappedArray_t>(array)),
        CU_TRSA_OVERRIDE_FORMAT);
  });
}

cudaError_t cudaUnbindTexture(const textureReference *reference) {
  CUtexref texture = nullptr;
  bool reads_normalized = false;
  GPUEXEC_CUDART_TRY(
      Program::get().texture(reference, texture, reads_normalized));
  return record(unbind(texture));
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                          const textureReference *reference) {
  GPUEXEC_CUDART_REQUIRE(offset, InvalidValue);
  GPUEXEC_CUDART_REQUIRE(Program::get().is_reference(reference),
                         InvalidTexture);
  *offset = 0;
  return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const textureReference **reference,
                                    const void *symbol) {
  GPUEXEC_CUDART_REQUIRE(reference, InvalidValue);
  GPUEXEC_CUDART_REQUIRE(Program::get().is_reference(symbol), InvalidTexture);
  *reference = static_cast<const textureReference *>(symbol);
  return cudaSuccess;
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference *reference,
                                   cudaArray_const_t array,
                                   const cudaChannelFormatDesc *) {
  CUsurfref surface = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().surface(reference, surface));
  return record(cuSurfRefSetArray(
      surface, reinterpret_cast<CUarray>(const_cast<cudaArray_t>(array)), 0));
}

cudaError_t cudaGetSurfaceReference(const surfaceReference **reference,
                                    const void *symbol) {
  GPUEXEC_CUDART_REQUIRE(reference, InvalidValue);
  GPUEXEC_CUDART_REQUIRE(Program::get().is_reference(symbol), InvalidSurface);
  *reference = static_cast<const surfaceReference *>(symbol);
  return cudaSuccess;
}
