//===-- services/fft/request.h - A transform, from the device to the host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request consists of words of 64 bits: an fft_header, then for each
// dimension an fft_dimension: its size, and the sizes of the arrays in which
// input and output lie (FFTW's n, inembed and onembed). The answer is a packet:
// 0 or an errno value.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_FFT_REQUEST_H
#define GPUEXEC_SERVICES_FFT_REQUEST_H

#include <stdint.h>

enum { FFT_OPCODE = 0x47001801, FFT_DIMENSIONS = 8 };

typedef enum { FFT_COMPLEX, FFT_REAL_TO_COMPLEX, FFT_COMPLEX_TO_REAL } fft_kind;

typedef struct {
  uint64_t kind;      ///< fft_kind
  uint64_t is_single; ///< 1: single precision
  uint64_t only_plan; ///< 1: only plan, do not transform
  uint64_t rank, count;
  int64_t sign;
  uint64_t flags; ///< FFTW's
  uint64_t input, output;
  uint64_t input_stride, input_distance, output_stride, output_distance;
} fft_header;

typedef struct {
  uint64_t size, input_size, output_size;
} fft_dimension;

typedef struct {
  fft_header header;
  fft_dimension dimensions[FFT_DIMENSIONS];
} fft_request;

/// In a transform between real and complex numbers: the number of complex
/// elements in the last dimension of `size`; the others are their conjugates.
static inline uint64_t fft_half(uint64_t size) { return size / 2 + 1; }

static inline uint64_t fft_number_size(const fft_header *header) {
  return header->is_single ? sizeof(float) : sizeof(double);
}

/// How many real numbers the input or the output spans in memory; a complex
/// number counts as two. 0 if that is more than 2^60.
static inline uint64_t fft_numbers(const fft_request *request, int of_input) {
  const fft_header *header = &request->header;
  const fft_kind half_side =
      of_input ? FFT_COMPLEX_TO_REAL : FFT_REAL_TO_COMPLEX;
  const fft_kind real_side =
      of_input ? FFT_REAL_TO_COMPLEX : FFT_COMPLEX_TO_REAL;
  const uint64_t stride =
      of_input ? header->input_stride : header->output_stride;
  const uint64_t distance =
      of_input ? header->input_distance : header->output_distance;
  uint64_t last = 0, others = 0;
  for (uint64_t i = 0; i < header->rank; ++i) {
    const fft_dimension *dimension = &request->dimensions[i];
    const int is_half = i + 1 == header->rank && header->kind == half_side;
    const uint64_t size = is_half ? fft_half(dimension->size) : dimension->size;
    const uint64_t stored =
        of_input ? dimension->input_size : dimension->output_size;
    if (__builtin_mul_overflow(last, stored, &last) ||
        __builtin_add_overflow(last, size - 1, &last))
      return 0;
  }
  if (__builtin_mul_overflow(last, stride, &last) ||
      __builtin_mul_overflow(header->count - 1, distance, &others) ||
      __builtin_add_overflow(last, others, &last) || last >> 59)
    return 0;
  return (last + 1) * (header->kind == real_side ? 1 : 2);
}

#endif
