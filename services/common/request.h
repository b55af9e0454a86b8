//===-- services/common/request.h - A request of a lane, on the host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request comes from the device. The functions here reach the program's
// memory for it; every address and size is checked.
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

/// A matrix that is stored by rows. The library works on `columns`, the same
/// matrix by columns.
typedef struct {
  void *rows, *columns;
  uint64_t row_count, column_count, row_step, column_step;
  uint32_t element;
  int written;
} turned_matrix;

/// A vector of which each `step`-th element is used, and those elements.
typedef struct {
  void *spread, *packed;
  uint64_t count, step;
  uint32_t element;
  int written;
} packed_vector;

typedef struct {
  const gpuexec_host *host;
  gpuexec_call *call;
  /// The service's record of a call that a library of the GPU's vendor is to
  /// do; the functions here give it addresses on the device then. NULL: the
  /// host's library does it.
  void *on_device;
  const uint64_t *words;
  uint32_t count;      ///< of words
  uint64_t bytes_left; ///< that the library may read of arrays
  int error;           ///< 0, or the errno value of the first step that failed
  uint64_t result[MOST_RESULTS]; ///< words of the answer, behind its error
  unsigned copies, turns, packs, blocks;
  copied_array copied[MOST_ARRAYS];
  turned_matrix turned[MOST_ARRAYS];
  packed_vector packed[MOST_ARRAYS];
  void *block[MOST_BLOCKS]; ///< freed when the request ends
} request;

/// Can gpuexec show memory of the device to the host without a copy?
static inline int has_views(const request *r) {
  return r->host->struct_size > offsetof(gpuexec_host, view_device);
}

/// Where the library can use `count` elements of `size` bytes of the program's
/// memory: the memory itself, or a copy, which end_request() writes back where
/// it is `written`. NULL for no elements, and with r->error set.
void *get_array(request *r, uint64_t address, uint64_t count, uint64_t size,
                int written);

/// A vector of `count` elements as the library takes it, with its increment in
/// `*increment`. `packs`: where that is neither 0 nor 1 nor -1, the elements
/// are packed, for libraries that take no increment. With increment 0 the one
/// element counts as often as it is read.
void *get_vector(request *r, uint64_t address, int64_t count, int *increment,
                 uint64_t size, int written, int packs);

/// As get_array(), but always a copy, which the program cannot change. One
/// element that belongs to nobody for no elements.
void *copy_array(request *r, uint64_t address, uint64_t count, uint64_t size,
                 int written);

/// A matrix as the library takes it: by columns, with its leading dimension in
/// `*step`. Where `order` is BY_ROWS it is turned, and turned back by
/// end_request() where it is `written`. An empty one is memory of the host's.
void *get_matrix(request *r, uint64_t address, int order, uint64_t rows,
                 uint64_t columns, int *step, uint64_t size, int written);

/// The indices of rows that a factorisation has interchanged, as the library
/// takes them: a copy. Each is between 1 and `limit`. With `pairs` two that are
/// next to each other may be negative. Other indices would have the library
/// write where it must not: r->error becomes EINVAL.
int *get_pivots(request *r, uint64_t address, uint64_t count, int limit,
                int pairs);

/// Memory of the host for the time of the request: one element at least. NULL
/// with r->error set.
void *get_workspace(request *r, uint64_t count, uint64_t size);

/// Writes back what was written, if r->error is 0, and frees copies.
void end_request(request *r);

#endif
