//===-- services/mpi/host/open_mpi.c - Calls of Open MPI ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/host/library.h"

#define MPI_NATIVE void *
#define MPI_NATIVE_FILE void *
// A handle comes as a word.
int mpi_call_open_mpi(void *const *f, unsigned number, const uint64_t *w) {
  switch (number) {
#include "mpi_native.inc"
  default:
    return -1;
  }
}
