//===-- emulator/cuda/runtime/channels.cpp - See channels.h ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/runtime/channels.h"

namespace gpuexec::cudart {

namespace {

struct Row {
  cudaChannelFormatKind kind;
  int bits;
  CUarray_format format;
};
constexpr Row ROWS[] = {
    {cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8},
    {cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16},
    {cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32},
    {cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8},
    {cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16},
    {cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32},
    {cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF},
    {cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT},
};

} // namespace

unsigned Channels::bytes() const {
  for (const Row &row : ROWS)
    if (row.format == format)
      return count * unsigned(row.bits) / 8;
  return 0;
}

bool channels_of(const cudaChannelFormatDesc &description, Channels &channels) {
  const int bits[] = {description.x, description.y, description.z,
                      description.w};
  unsigned count = 0;
  while (count < 4 && bits[count])
    ++count;
  for (unsigned n = 0; n < 4; ++n)
    if (bits[n] != (n < count ? bits[0] : 0))
      return false;
  for (const Row &row : ROWS)
    if (count && row.kind == description.f && row.bits == bits[0]) {
      channels = {row.format, count};
      return true;
    }
  return false;
}

cudaChannelFormatDesc description_of(const Channels &channels) {
  for (const Row &row : ROWS)
    if (row.format == channels.format) {
      auto bits = [&](unsigned n) { return n < channels.count ? row.bits : 0; };
      return {bits(0), bits(1), bits(2), bits(3), row.kind};
    }
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}

} // namespace gpuexec::cudart
