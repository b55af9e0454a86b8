//===-- services/blas/request.h - A call of BLAS, from the device to the host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request is bytes: a header, and words of 64 bits, one for each argument
// in its order. Where the header says so they are packed (packing.h). A number
// is its bits; a complex one is two of them; an array is its address. How much
// of it the function uses follows from the other arguments. The answer is a
// packet: 0 or an errno value, and BLAS_RESULTS words: a result's bits.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_REQUEST_H
#define GPUEXEC_SERVICES_BLAS_REQUEST_H

#include <stdint.h>

enum {
  BLAS_OPCODE = 0x47001800,
  BLAS_SMALL_OPCODE = 0x47001802, ///< the server does it at once
  BLAS_WORDS = 24,                ///< of a request, at most
  BLAS_RESULTS = 5,               ///< words of an answer, behind its error
  BLAS_LAPACK = 0x10000,
  BLAS_LIMIT = 0x20000, ///< a function: see below
};

/// Of a header's count: the words are packed. Without it the count is not
/// looked at, for programs that send them as they are.
#define BLAS_PACKED UINT32_C(0x80000000)

/// Bytes of the arrays of a small call of BLAS: some ten microseconds of a
/// processor. Calls of LAPACK are never small, nor are those of xROTMG: their
/// loops may not end for numbers that are infinite or none.
enum { BLAS_SMALL = 1 << 16 };

typedef struct {
  uint32_t function; ///< its place in blas.txt, or BLAS_LAPACK and its
                     ///< place in lapack.txt
  uint32_t count;    ///< of words, with BLAS_PACKED or without
} blas_header;

/// The small call BLAS_LIMIT tells and asks how many multiplications take a
/// thread of this device as long as a call. Three words: what a program has
/// measured, nanoseconds of a call and of BLAS_LIMIT_WORK multiplications, or
/// zeros; the address of a byte that the program may read. Three results: the
/// limit and 1, or 0 where it is not known; true if it is to be measured
/// (again); how many calls that wait make a call as many times longer, at most:
/// 1 where the host works on the program's memory itself, and a call of a
/// second lane is short. Services that do not know it say EINVAL.
enum { BLAS_MOST_LIMIT = 1 << 14, BLAS_LIMIT_WORK = 512, BLAS_MOST_CROWD = 64 };

#endif
