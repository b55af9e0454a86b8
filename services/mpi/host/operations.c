//===-- services/mpi/host/operations.c - Reductions by the program --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of the program reduces on the device: the library calls one of the
// functions here, which copies the operands to the device and has the current
// caller run the program's function.
//===----------------------------------------------------------------------===//
#include "services/mpi/host/engine.h"
#include <string.h>

enum { MOST_OPERATIONS = 64 };
/// The library's functions for operations are given no more than operands.
static struct {
  mpi_engine *engine;
  uint64_t function; ///< the program's
  bool is_used;      ///< the program has not freed it
} slots[MOST_OPERATIONS];
static int next_slot;

/// Runs the program's function on copies of the operands.
static int run(mpi_engine *engine, uint64_t function, const char *in,
               char *inout, int count, uint64_t type) {
  mpi_type_facts facts;
  uint64_t handle = mpi_find_made(engine, MPI_KIND_TYPE, type);
  if (!handle)
    handle = mpi_handle_of(engine, MPI_KIND_TYPE, type);
  mpi_object *object = mpi_find(engine, MPI_KIND_TYPE, handle, &type);
  if (!object || mpi_facts_of_type(engine, object, type, &facts))
    return 0;
  const int64_t span = (count - 1) * facts.extent + facts.true_extent;
  if (count <= 0 || span <= 0)
    return count <= 0;
  const gpuexec_host *host = engine->host;
  gpuexec_call *call = engine->current ? engine->current->group->call : NULL;
  if (!call || host->struct_size <= offsetof(gpuexec_host, free_device))
    return 0;
  const uint64_t size = ((uint64_t)span + 255) & ~(uint64_t)255;
  const uint64_t memory = host->allocate_device(call, 2 * size);
  if (!memory)
    return 0;
  int is_done =
      !host->write_device(call, memory, in + facts.true_lb, (uint64_t)span) &&
      !host->write_device(call, memory + size, inout + facts.true_lb,
                          (uint64_t)span);
  const uint64_t lb = (uint64_t)facts.true_lb;
  const mpi_callback callback = {
      0, function, memory - lb, memory + size - lb, (uint64_t)count, handle};
  is_done = is_done && mpi_call_device(engine, &callback);
  call = engine->current->group ? engine->current->group->call : NULL;
  if (call) {
    is_done = is_done && !host->read_device(call, inout + facts.true_lb,
                                            memory + size, (uint64_t)span);
    host->free_device(call, memory);
  }
  return is_done;
}

static void reduce(unsigned slot, void *in, void *inout, const int *count,
                   const void *type) {
  mpi_engine *engine = slots[slot].engine;
  uint64_t native = 0;
  memcpy(&native, type, engine->mpi.handle_size);
  // If the program has ended, the result is not needed.
  run(engine, slots[slot].function, in, inout, *count, native);
}

#define FUNCTION(N)                                                            \
  static void reduce_##N(void *in, void *inout, int *count, void *type) {      \
    reduce(N, in, inout, count, type);                                         \
  }
#define EIGHT(MACRO, N)                                                        \
  MACRO(N##0)                                                                  \
  MACRO(N##1)                                                                  \
  MACRO(N##2) MACRO(N##3) MACRO(N##4) MACRO(N##5) MACRO(N##6) MACRO(N##7)
#define ALL(MACRO)                                                             \
  EIGHT(MACRO, 0)                                                              \
  EIGHT(MACRO, 01)                                                             \
  EIGHT(MACRO, 02)                                                             \
  EIGHT(MACRO, 03)                                                             \
  EIGHT(MACRO, 04) EIGHT(MACRO, 05) EIGHT(MACRO, 06) EIGHT(MACRO, 07)
ALL(FUNCTION) // octal numbers: 00 to 077

typedef void reduce_function(void *, void *, int *, void *);
#define ADDRESS(N) [N] = reduce_##N,
static reduce_function *const functions[MOST_OPERATIONS] = {ALL(ADDRESS)};

int mpi_make_operation(mpi_engine *engine, uint64_t function, int commutes,
                       uint64_t *handle) {
  // The one that was freed last is used again last: a reduction that is not
  // complete may still need it.
  int slot = next_slot, tried = 0;
  for (; tried < MOST_OPERATIONS && slots[slot].is_used; ++tried)
    slot = (slot + 1) % MOST_OPERATIONS;
  void *create = engine->mpi.functions[MPI_CALL_Op_create];
  if (tried == MOST_OPERATIONS || !create || !function)
    return function ? MPI_ERR_NO_MEM : MPI_ERR_ARG;
  uint64_t native = 0;
  const int error = ((int (*)(reduce_function *, int, void *))create)(
      functions[slot], commutes, &native);
  if (error)
    return mpi_error_class(&engine->mpi, error);
  mpi_object *object;
  *handle = mpi_add(engine, MPI_KIND_OP, native, &object);
  if (!*handle)
    return MPI_ERR_NO_MEM;
  object->slot = slot;
  slots[slot].engine = engine;
  slots[slot].function = function;
  slots[slot].is_used = true;
  next_slot = (slot + 1) % MOST_OPERATIONS;
  return MPI_SUCCESS;
}

void mpi_free_operation(int slot) {
  if (slot >= 0 && slot < MOST_OPERATIONS)
    slots[slot].is_used = false;
}
