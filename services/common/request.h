//===-- services/common/request.h - A request of a lane, on the host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request comes from the device. These functions give a service access to
// the arrays that it names in the program's memory, and check every address and
// size.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_COMMON_REQUEST_H
#define GPUEXEC_SERVICES_COMMON_REQUEST_H

#include "rpc/include/gpuexec_service.h"
#include "services/common/element_counts.h"

enum { MOST_ARRAYS = 8, MOST_BLOCKS = 24, MOST_RESULTS = 5 };

/// An array of the program that the host works on in a copy.
typedef struct {
  void *copy;
  uint64_t address, size;
  int written;
} copied_array;

/// A matrix that the program has stored by rows, in `rows`. The library works
/// on `columns`, a copy by columns.
typedef struct {
  void *rows, *columns;
  uint64_t row_count, column_count, row_step, column_step;
  uint32_t element;
  int written;
} turned_matrix;

/// A vector whose elements are `step` elements apart, in `spread`, and a copy
/// of them without gaps, in `packed`.
typedef struct {
  void *spread, *packed;
  uint64_t count, step;
  uint32_t element;
  int written;
} packed_vector;

typedef struct {
  const gpuexec_host *host;
  gpuexec_call *call;
  /// Not NULL: a library of the GPU's vendor will do the call, and the
  /// functions here give it addresses on the device; points to the service's
  /// record of the call. NULL: the host's library does it.
  void *on_device;
  const uint64_t *words;
  uint32_t count;      ///< of words
  uint64_t bytes_left; ///< the most bytes of further arrays
  int error;           ///< 0, or the errno value of the first step that failed
  uint64_t result[MOST_RESULTS]; ///< words of the answer, behind its error
  unsigned copies, turns, packs, blocks;
  copied_array copied[MOST_ARRAYS];
  turned_matrix turned[MOST_ARRAYS];
  packed_vector packed[MOST_ARRAYS];
  void *block[MOST_BLOCKS]; ///< freed when the request ends
} request;

/// Whether this gpuexec has view_device(), which shows memory of the device to
/// the host without a copy.
static inline int has_views(const request *r) {
  return r->host->struct_size > offsetof(gpuexec_host, view_device);
}

/// Returns a pointer by which the library can use `count` elements of `size`
/// bytes of the program's memory: to the memory itself, or to a copy, which
/// end_request() writes back if `written`. NULL if `count` is 0, or after an
/// error, with r->error set.
void *get_array(request *r, uint64_t address, uint64_t count, uint64_t size,
                int written);

/// Returns a vector of `count` elements as the library takes it; sets
/// `*increment` to its increment there. If `packs`, a vector with another
/// increment than 0, 1 and -1 is packed, for libraries that take no increment.
/// With increment 0 r->bytes_left is reduced as if `count` elements were read.
void *get_vector(request *r, uint64_t address, int64_t count, int *increment,
                 uint64_t size, int written, int packs);

/// As get_array(), but returns always a copy, which the program cannot change.
/// If `count` is 0 returns memory for one element.
void *copy_array(request *r, uint64_t address, uint64_t count, uint64_t size,
                 int written);

/// Returns a matrix as the library takes it: by columns; sets `*step` to its
/// leading dimension. If `order` is BY_ROWS it is a transposed copy, which
/// end_request() transposes back if `written`. For an empty matrix by rows
/// returns zeroed memory of the host.
void *get_matrix(request *r, uint64_t address, int order, uint64_t rows,
                 uint64_t columns, int *step, uint64_t size, int written);

/// Returns a copy of pivots, the indices of rows that a factorisation has
/// interchanged. Each must be between 1 and `limit`; with `pairs` two adjacent
/// pivots may be negative. Other pivots would make the library write outside
/// its arrays: r->error becomes EINVAL.
int *get_pivots(request *r, uint64_t address, uint64_t count, int limit,
                int pairs);

/// Returns memory of the host for at least one element, which end_request()
/// frees. NULL with r->error set.
void *get_workspace(request *r, uint64_t count, uint64_t size);

/// Writes written copies back to the program's memory if r->error is 0, and
/// frees all memory of the request.
void end_request(request *r);

#endif
