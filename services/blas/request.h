//===-- services/blas/request.h - A call of BLAS, from the device to the host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request is bytes: a header, then words of 64 bits, one for each argument,
// in the order of the arguments. The header says whether the words are packed
// (packing.h). A number is sent as its bits, a complex number as two words, an
// array as its address; the other arguments determine the array's size. The
// answer is a packet: 0 or an errno value, then BLAS_RESULTS words with the
// bits of the result.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_REQUEST_H
#define GPUEXEC_SERVICES_BLAS_REQUEST_H

#include <stdint.h>

enum {
  BLAS_OPCODE = 0x47001800,
  BLAS_SMALL_OPCODE = 0x47001802, ///< small calls: a polling thread does them
  BLAS_WORDS = 24,                ///< the most words of a request
  BLAS_RESULTS = 5,               ///< words of an answer, behind its error
  BLAS_LAPACK = 0x10000,          ///< flag of a function: see blas_header
  BLAS_LIMIT = 0x20000,           ///< a function: see BLAS_MOST_LIMIT
};

/// Flag of a header's count: the words are packed. Without the flag the service
/// ignores the count and takes all bytes behind the header as words.
#define BLAS_PACKED UINT32_C(0x80000000)

/// The most bytes of the arrays of a small call of BLAS, which takes a
/// processor some ten microseconds. Calls of LAPACK and of xROTMG are never
/// small, because their loops may not end for infinite numbers or NaNs.
enum { BLAS_SMALL = 1 << 16 };

typedef struct {
  uint32_t function; ///< place in blas.txt, or BLAS_LAPACK | place in
                     ///< lapack.txt, or BLAS_LIMIT
  uint32_t count;    ///< number of words, with BLAS_PACKED or without
} blas_header;

/// The small call BLAS_LIMIT exchanges the limit: the number of multiplications
/// that a thread of this device does in the time of a call of the host.
/// Request, three words: the nanoseconds that a program has measured for a call
/// and for BLAS_LIMIT_WORK multiplications, or zeros; the address of a byte
/// that the program may read. Answer, three words: the limit plus 1, or 0 if it
/// is not known; 1 if the program should measure; the most calls of other
/// threads that a program takes into account: while that many wait, a call
/// takes so many times longer. It is 1 if the host works directly on the
/// program's memory. Services that do not know BLAS_LIMIT answer EINVAL.
enum { BLAS_MOST_LIMIT = 1 << 14, BLAS_LIMIT_WORK = 512, BLAS_MOST_CROWD = 64 };

#endif
