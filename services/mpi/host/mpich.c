//===-- services/mpi/host/mpich.c - Calls of MPICH ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/host/library.h"

#define MPI_NATIVE int
#define MPI_NATIVE_FILE void *
int mpi_call_mpich(void *const *f, unsigned number, const uint64_t *w) {
  switch (number) {
#include "mpi_native.inc"
  default:
    return -1;
  }
}
