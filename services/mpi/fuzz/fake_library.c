//===-- services/mpi/fuzz/fake_library.c - See fake_library.h -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/fuzz/fake_library.h"
#include <string.h>

enum { MADE = 0x0f000000 }; ///< handles that the library has made

static volatile char sum;
static void read_bytes(uint64_t address, int64_t size) {
  for (int64_t i = 0; i < size; ++i)
    sum ^= ((const char *)(uintptr_t)address)[i];
}

/// The size in a predefined datatype's number, as MPICH has it.
static int64_t size_of(uint64_t type) {
  return (type & 0xff000000) == 0x4c000000 ? (int64_t)(type >> 8 & 0xff) : 4;
}

/// The number of elements of a buffer with one count.
static int64_t elements_of(const mpi_argument *buffer, const uint64_t *words) {
  return buffer->count == MPI_ONE_ELEMENT ? 1 : (int32_t)words[buffer->count];
}

/// Touches the elements of plain buffers, and what the function writes.
static void touch(const mpi_function *function, const uint64_t *words) {
  for (unsigned i = 0; i < function->count; ++i) {
    const mpi_argument *argument = &function->arguments[i];
    if (argument->way == MPI_BUFFER && argument->form == MPI_FORM_PLAIN &&
        words[i] && words[i] != UINT64_MAX) {
      const int64_t size =
          elements_of(argument, words) * size_of(words[argument->type]);
      read_bytes(words[i], size);
      if (argument->writes && size > 0)
        memset((void *)(uintptr_t)words[i], 0x22, (size_t)size);
    }
    if ((argument->way == MPI_OUT || argument->way == MPI_FREE) && words[i] &&
        argument->kind < MPI_HANDLE_KINDS)
      *(int *)(uintptr_t)words[i] = argument->way == MPI_FREE ? 0 : MADE + 1;
  }
}

static int call(void *const *functions, unsigned number,
                const uint64_t *words) {
  (void)functions;
  const mpi_function *function = &mpi_functions[number];
  switch (number) {
  case MPI_CALL_Test:
    *(int *)(uintptr_t)words[0] = 0x2c000000; // MPI_REQUEST_NULL
    *(int *)(uintptr_t)words[1] = 1;
    return 0;
  case MPI_CALL_Type_get_true_extent_x:
  case MPI_CALL_Type_get_extent_x:
    *(int64_t *)(uintptr_t)words[1] = 0;
    *(int64_t *)(uintptr_t)words[2] = size_of(words[0]);
    return 0;
  case MPI_CALL_Type_size_x:
    *(int64_t *)(uintptr_t)words[1] = size_of(words[0]);
    return 0;
  case MPI_CALL_Comm_size:
    *(int *)(uintptr_t)words[1] = 1;
    return 0;
  case MPI_CALL_Topo_test:
    *(int *)(uintptr_t)words[1] = MPI_UNDEFINED;
    return 0;
  case MPI_CALL_Iprobe:
    *(int *)(uintptr_t)words[3] = 1;
    return 0;
  case MPI_CALL_Improbe:
    *(int *)(uintptr_t)words[3] = 1;
    *(int *)(uintptr_t)words[4] = MADE;
    return 0;
  case MPI_CALL_Comm_get_attr:
    *(int *)(uintptr_t)words[3] = 0;
    return 0;
  default:
    if (!function->is_internal)
      touch(function, words);
    return 0;
  }
}

static void nothing(void) {}

void fake_open(mpi_library *mpi) {
  memset(mpi, 0, sizeof *mpi);
  mpi->kind = MPI_MPICH;
  mpi->title = mpi->file = "fake";
  mpi->library = mpi;
  for (unsigned i = 0; i < MPI_CALLS; ++i)
    mpi->functions[i] = (void *)nothing;
  mpi->functions[MPI_CALL_Op_create] = NULL;
  mpi->call = call;
  mpi->handle_size = sizeof(int);
  mpi->in_place = UINT64_MAX;
  for (unsigned i = 0; i < ABI_HANDLE_END; ++i)
    mpi->handles[i] = MPI_NO_HANDLE;
#define MPI_HANDLE(KIND, NAME, VALUE, SYMBOL, NUMBER, SIZE, EXTENT)            \
  mpi->handles[VALUE] = NUMBER;                                                \
  mpi->kinds[VALUE] = MPI_KIND_##KIND;
#include "mpi_handles.inc"
}
