//===-- services/mpi/host/library.h - The MPI library of this machine -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Open MPI or MPICH, opened at run time. Handles are kept in 64 bits: Open
// MPI's are addresses, MPICH's are numbers.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_MPI_HOST_LIBRARY_H
#define GPUEXEC_SERVICES_MPI_HOST_LIBRARY_H

#include "services/mpi/host/table.h"
#include <stddef.h>

#define MPI_NO_HANDLE UINT64_MAX

typedef enum { MPI_OPEN_MPI, MPI_MPICH, MPI_LIBRARIES } mpi_library_kind;

/// Room for the status of either library.
typedef struct {
  int64_t words[4];
} mpi_native_status;

typedef struct {
  mpi_library_kind kind;
  const char *title, *file;
  void *library;
  void *functions[MPI_CALLS];
  /// Calls the function with its arguments: numbers, handles, addresses.
  int (*call)(void *const *functions, unsigned number, const uint64_t *words);
  uint64_t handles[ABI_HANDLE_END]; ///< by the ABI's value; MPI_NO_HANDLE
  uint8_t kinds[ABI_HANDLE_END];    ///< mpi_kind, of those that have a handle
  uint8_t handle_size;              ///< in an array; not of files
  uint64_t in_place, unweighted, weights_empty;
} mpi_library;

/// Opens the library that the launcher has started this process for; without a
/// launcher the one that GPUEXEC_MPI names (openmpi, mpich, or a file); else
/// the first that is there. 0, or a message in `error`.
int mpi_open(mpi_library *, const char *argument, char *error, size_t size);

/// Calls a function of the library; returns its error code.
static inline int mpi_native(const mpi_library *mpi, mpi_call_number number,
                             const uint64_t *words) {
  return mpi->call(mpi->functions, number, words);
}

/// The library's value of a constant of the ABI, or the reverse. False if it
/// has none of that value.
int mpi_to_native(const mpi_library *, mpi_class, int64_t value, int *native);
int mpi_from_native(const mpi_library *, mpi_class, int native, int *value);

/// The ABI's class of an error code of the library.
int mpi_error_class(const mpi_library *, int code);

/// A status of the library as an MPI_Status of mpi.h, and the reverse.
void mpi_read_status(const mpi_library *, const mpi_native_status *,
                     int32_t status[2 * MPI_STATUS_WORDS]);
void mpi_write_status(const mpi_library *,
                      const int32_t status[2 * MPI_STATUS_WORDS],
                      mpi_native_status *);

int mpi_call_open_mpi(void *const *f, unsigned number, const uint64_t *w);
int mpi_call_mpich(void *const *f, unsigned number, const uint64_t *w);

#endif
