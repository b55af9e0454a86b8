//===-- services/mpi/host/table.h - What the functions of MPI take -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of tables/functions.txt as the host reads them: it checks and
// translates every argument by its row.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_MPI_HOST_TABLE_H
#define GPUEXEC_SERVICES_MPI_HOST_TABLE_H

#include "services/mpi/request.h"
#include <stdint.h>

typedef enum {
  // Handles, whose values MPI_OBJECT_KIND_BITS of a handle hold.
  MPI_KIND_COMM,
  MPI_KIND_TYPE,
  MPI_KIND_OP,
  MPI_KIND_GROUP,
  MPI_KIND_INFO,
  MPI_KIND_WIN,
  MPI_KIND_FILE,
  MPI_KIND_ERRHANDLER,
  MPI_KIND_MESSAGE,
  MPI_KIND_REQUEST,
  MPI_HANDLE_KINDS,
  // Numbers.
  MPI_KIND_INT = MPI_HANDLE_KINDS,
  MPI_KIND_COUNT,
  MPI_KIND_RANK,
  MPI_KIND_TAG,
  MPI_KIND_AINT,
  MPI_KIND_OFFSET,
  MPI_KIND_ENUM,
  // Arrays.
  MPI_KIND_INTS,
  MPI_KIND_AINTS,
  MPI_KIND_TYPES,
  MPI_KIND_TEXT,
  MPI_KIND_WEIGHTS,
  MPI_KIND_TRIPLETS,
  // Others.
  MPI_KIND_STATUS,
  MPI_KIND_BUFFER,
  MPI_KIND_FUNCTION,
  MPI_KIND_ADDRESS,
} mpi_kind;

typedef enum { MPI_IN, MPI_OUT, MPI_BOTH, MPI_FREE, MPI_BUFFER } mpi_way;
typedef enum {
  MPI_ROLE_ALWAYS,
  MPI_ROLE_ROOT,
  MPI_ROLE_LEAF,
  MPI_ROLE_ANY
} mpi_role;
/// How a buffer's bytes lie: a row of elements, a block for each peer in a row,
/// blocks at displacements, a row of the sum of counts, bytes.
typedef enum {
  MPI_FORM_PLAIN,
  MPI_FORM_BLOCKS,
  MPI_FORM_SPREAD,
  MPI_FORM_SUM,
  MPI_FORM_BYTES
} mpi_form;

/// A number of elements: of what the row says, or of the argument `value`.
typedef enum {
  MPI_ONE,
  MPI_GIVEN,  ///< the argument's value
  MPI_NUMBER, ///< `value` itself
  MPI_PEERS,
  MPI_MEMBERS,
  MPI_SOURCES,
  MPI_TARGETS,
  MPI_DIMS,
  MPI_LAST, ///< the last element of the argument, an array
  MPI_SUM   ///< the sum of its elements
} mpi_many_kind;
typedef struct {
  uint8_t kind;
  uint16_t value;
} mpi_many;

/// Classes of tables/constants.txt.
typedef enum {
  MPI_CLASS_NONE,
  MPI_CLASS_RANK,
  MPI_CLASS_TAG,
  MPI_CLASS_THREAD,
  MPI_CLASS_ORDER,
  MPI_CLASS_DISTRIBUTE,
  MPI_CLASS_DARG,
  MPI_CLASS_COMBINER,
  MPI_CLASS_TYPECLASS,
  MPI_CLASS_COMPARE,
  MPI_CLASS_TOPOLOGY,
  MPI_CLASS_SPLIT,
  MPI_CLASS_LOCK,
  MPI_CLASS_FLAVOR,
  MPI_CLASS_MODEL,
  MPI_CLASS_WHENCE,
  MPI_CLASS_MODE,
  MPI_CLASS_ASSERT,
  MPI_CLASS_KEY,
  MPI_CLASS_ERROR,
} mpi_class;

enum { MPI_ONE_ELEMENT = 255 };
typedef struct {
  uint8_t kind, way, role, values;
  mpi_many many;
  int8_t owner; ///< the buffer that the argument describes; -1
  // Of a buffer; arguments by their place. `count`: MPI_ONE_ELEMENT or a place.
  uint8_t reads, writes, form, count, displs, type;
  mpi_many blocks;
} mpi_argument;

typedef struct {
  const char *name;
  const mpi_argument *arguments;
  uint8_t count;
  uint16_t native; ///< the number of the library's function
  int8_t object, root;
  uint8_t waits;     ///< the native function makes a request
  uint8_t is_custom; ///< custom.c
  uint8_t is_internal;
  uint8_t with_all;
} mpi_function;

extern const mpi_function mpi_functions[MPI_CALLS];

/// Error classes of the ABI that the host gives itself.
enum {
#define MPI_CONSTANT(CLASS, NAME, VALUE, OPENMPI, MPICH)                       \
  MPI_ABI_##CLASS(NAME, VALUE)
#define MPI_ABI_VALUE(NAME, VALUE) NAME = VALUE,
#define MPI_ABI_RANK MPI_ABI_VALUE
#define MPI_ABI_TAG MPI_ABI_VALUE
#define MPI_ABI_THREAD MPI_ABI_VALUE
#define MPI_ABI_ORDER MPI_ABI_VALUE
#define MPI_ABI_DISTRIBUTE MPI_ABI_VALUE
#define MPI_ABI_DARG MPI_ABI_VALUE
#define MPI_ABI_COMBINER MPI_ABI_VALUE
#define MPI_ABI_TYPECLASS MPI_ABI_VALUE
#define MPI_ABI_COMPARE MPI_ABI_VALUE
#define MPI_ABI_TOPOLOGY MPI_ABI_VALUE
#define MPI_ABI_SPLIT MPI_ABI_VALUE
#define MPI_ABI_LOCK MPI_ABI_VALUE
#define MPI_ABI_FLAVOR MPI_ABI_VALUE
#define MPI_ABI_MODEL MPI_ABI_VALUE
#define MPI_ABI_WHENCE MPI_ABI_VALUE
#define MPI_ABI_MODE MPI_ABI_VALUE
#define MPI_ABI_ASSERT MPI_ABI_VALUE
#define MPI_ABI_KEY MPI_ABI_VALUE
#define MPI_ABI_ERROR MPI_ABI_VALUE
#include "mpi_constants.inc"
#undef MPI_CONSTANT
  MPI_SUCCESS = 0,
  MPI_UNDEFINED = -32766,
};

/// The ABI's predefined handles.
enum {
#define MPI_HANDLE(KIND, NAME, VALUE, SYMBOL, NUMBER, SIZE, EXTENT)            \
  ABI_##NAME = VALUE,
#include "mpi_handles.inc"
#undef MPI_HANDLE
  ABI_HANDLE_END = 0x300
};
enum { ABI_BOTTOM = 0, ABI_IN_PLACE = 1 };

#endif
