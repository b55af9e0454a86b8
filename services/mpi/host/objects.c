//===-- services/mpi/host/objects.c - Handles of the device ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device has numbers, which are looked up here. A number that was freed, or
// that the program has made up, is found to be none.
//===----------------------------------------------------------------------===//
#include "services/mpi/host/engine.h"
#include <stdlib.h>
#include <string.h>

enum { GENERATIONS = 1 << 10 };

static uint64_t compose(mpi_kind kind, uint32_t index, uint16_t generation) {
  return (uint64_t)MPI_OBJECT_BIT | (uint64_t)generation << 20 |
         (uint64_t)index << 4 | kind;
}

uint64_t mpi_null_handle(mpi_kind kind) {
  static const uint16_t nulls[MPI_HANDLE_KINDS] = {
      [MPI_KIND_COMM] = ABI_MPI_COMM_NULL,
      [MPI_KIND_TYPE] = ABI_MPI_DATATYPE_NULL,
      [MPI_KIND_OP] = ABI_MPI_OP_NULL,
      [MPI_KIND_GROUP] = ABI_MPI_GROUP_NULL,
      [MPI_KIND_INFO] = ABI_MPI_INFO_NULL,
      [MPI_KIND_WIN] = ABI_MPI_WIN_NULL,
      [MPI_KIND_FILE] = ABI_MPI_FILE_NULL,
      [MPI_KIND_ERRHANDLER] = ABI_MPI_ERRHANDLER_NULL,
      [MPI_KIND_MESSAGE] = ABI_MPI_MESSAGE_NULL,
      [MPI_KIND_REQUEST] = ABI_MPI_REQUEST_NULL};
  return nulls[kind];
}

mpi_object *mpi_find(mpi_engine *engine, mpi_kind kind, uint64_t handle,
                     uint64_t *native) {
  if (handle < ABI_HANDLE_END) {
    const mpi_library *mpi = &engine->mpi;
    if (mpi->kinds[handle] != kind || mpi->handles[handle] == MPI_NO_HANDLE)
      return NULL;
    *native = mpi->handles[handle];
    engine->predefined[handle].native = *native;
    return &engine->predefined[handle];
  }
  const mpi_objects *all = &engine->objects[kind];
  const uint32_t index = (uint32_t)(handle >> 4) % MPI_MOST_OBJECTS;
  mpi_object *object = index < all->count ? all->objects[index] : NULL;
  if (!object || !object->is_used ||
      handle != compose(kind, index, object->generation) ||
      (kind == MPI_KIND_COMM && !object->native)) // MPI_Comm_idup is under way
    return NULL;
  *native = object->native;
  return object;
}

uint64_t mpi_add(mpi_engine *engine, mpi_kind kind, uint64_t native,
                 mpi_object **result) {
  mpi_objects *all = &engine->objects[kind];
  if (!all->objects)
    all->objects = calloc(MPI_MOST_OBJECTS, sizeof *all->objects);
  if (!all->objects)
    return 0;
  uint32_t index = all->next_free;
  while (index < all->count && all->objects[index]->is_used)
    ++index;
  if (index == MPI_MOST_OBJECTS)
    return 0;
  if (index == all->count) {
    mpi_object *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
      return 0;
    all->objects[all->count++] = fresh;
  }
  all->next_free = index + 1;
  mpi_object *object = all->objects[index];
  const uint16_t generation = object->generation;
  memset(object, 0, sizeof *object);
  object->generation = generation;
  object->is_used = true;
  object->native = native;
  if (kind == MPI_KIND_OP)
    object->slot = -1;
  if (result)
    *result = object;
  return compose(kind, index, generation);
}

void mpi_remove(mpi_engine *engine, mpi_kind kind, uint64_t handle) {
  uint64_t native;
  mpi_object *object = mpi_find(engine, kind, handle, &native);
  if (!object || handle < ABI_HANDLE_END)
    return;
  object->is_used = false;
  object->generation = (uint16_t)((object->generation + 1) % GENERATIONS);
  const uint32_t index = (uint32_t)(handle >> 4) % MPI_MOST_OBJECTS;
  if (index < engine->objects[kind].next_free)
    engine->objects[kind].next_free = index;
}

uint64_t mpi_handle_of(mpi_engine *engine, mpi_kind kind, uint64_t native) {
  const uint64_t null = mpi_null_handle(kind);
  if (engine->mpi.handles[null] == native)
    return null;
  for (uint64_t i = 0; i < ABI_HANDLE_END; ++i)
    if (engine->mpi.kinds[i] == kind && engine->mpi.handles[i] == native)
      return i;
  return mpi_add(engine, kind, native, NULL);
}

uint64_t mpi_find_made(mpi_engine *engine, mpi_kind kind, uint64_t native) {
  const mpi_objects *all = &engine->objects[kind];
  for (uint32_t i = 0; i < all->count; ++i)
    if (all->objects[i]->is_used && all->objects[i]->native == native)
      return compose(kind, i, all->objects[i]->generation);
  return 0;
}

void mpi_free_objects(mpi_engine *engine) {
  for (unsigned kind = 0; kind < MPI_HANDLE_KINDS; ++kind) {
    mpi_objects *all = &engine->objects[kind];
    for (uint32_t i = 0; i < all->count; ++i) {
      mpi_object *object = all->objects[i];
      if (kind == MPI_KIND_REQUEST && object->is_used)
        mpi_free_flight(object->flight);
      free(object);
    }
    free(all->objects);
  }
}

//===-- Facts -------------------------------------------------------------===//

int mpi_facts_of_type(mpi_engine *engine, mpi_object *object, uint64_t native,
                      mpi_type_facts *facts) {
  const mpi_library *mpi = &engine->mpi;
  if (native == mpi->handles[ABI_MPI_DATATYPE_NULL])
    return MPI_ERR_TYPE;
  if (!object->has_facts) {
    long long true_lb = 0, true_extent = 0, lb = 0, extent = 0, size = 0;
    const uint64_t true_words[] = {native, (uintptr_t)&true_lb,
                                   (uintptr_t)&true_extent};
    const uint64_t words[] = {native, (uintptr_t)&lb, (uintptr_t)&extent};
    const uint64_t size_words[] = {native, (uintptr_t)&size};
    int error = mpi_native(mpi, MPI_CALL_Type_get_true_extent_x, true_words);
    if (!error)
      error = mpi_native(mpi, MPI_CALL_Type_get_extent_x, words);
    if (!error)
      error = mpi_native(mpi, MPI_CALL_Type_size_x, size_words);
    if (error)
      return mpi_error_class(mpi, error);
    object->type = (mpi_type_facts){true_lb, true_extent, extent, size};
    object->has_facts = true;
  }
  *facts = object->type;
  return MPI_SUCCESS;
}

/// Calls a function that takes a handle and writes an int.
static int ask_int(const mpi_library *mpi, mpi_call_number number,
                   uint64_t handle, int *value) {
  const uint64_t words[] = {handle, (uintptr_t)value};
  return mpi_native(mpi, number, words);
}

/// The neighbours that the communicator's topology gives this rank.
static int ask_neighbours(const mpi_library *mpi, uint64_t native,
                          int32_t *facts) {
  int topology = 0, kind = MPI_UNDEFINED, error;
  error = ask_int(mpi, MPI_CALL_Topo_test, native, &topology);
  mpi_from_native(mpi, MPI_CLASS_TOPOLOGY, topology, &kind);
  if (error || topology == MPI_UNDEFINED)
    return error;
  if (kind == MPI_CART) {
    error = ask_int(mpi, MPI_CALL_Cartdim_get, native, &facts[MPI_FACT_DIMS]);
    facts[MPI_FACT_SOURCES] = facts[MPI_FACT_TARGETS] =
        2 * facts[MPI_FACT_DIMS];
  } else if (kind == MPI_GRAPH) {
    int count = 0;
    const uint64_t words[] = {native, (uint64_t)facts[MPI_FACT_RANK],
                              (uintptr_t)&count};
    error = mpi_native(mpi, MPI_CALL_Graph_neighbors_count, words);
    facts[MPI_FACT_SOURCES] = facts[MPI_FACT_TARGETS] = count;
  } else {
    int weighted = 0;
    const uint64_t words[] = {native, (uintptr_t)&facts[MPI_FACT_SOURCES],
                              (uintptr_t)&facts[MPI_FACT_TARGETS],
                              (uintptr_t)&weighted};
    error = mpi_native(mpi, MPI_CALL_Dist_graph_neighbors_count, words);
  }
  return error;
}

int mpi_facts_of_comm(mpi_engine *engine, mpi_object *object, uint64_t native,
                      const int32_t **facts) {
  const mpi_library *mpi = &engine->mpi;
  if (native == mpi->handles[ABI_MPI_COMM_NULL])
    return MPI_ERR_COMM;
  if (!object->has_facts) {
    int32_t *its = object->comm;
    memset(its, 0, sizeof object->comm);
    int error =
        ask_int(mpi, MPI_CALL_Comm_size, native, &its[MPI_FACT_MEMBERS]);
    if (!error)
      error = ask_int(mpi, MPI_CALL_Comm_rank, native, &its[MPI_FACT_RANK]);
    if (!error)
      error = ask_int(mpi, MPI_CALL_Comm_test_inter, native,
                      &its[MPI_FACT_IS_INTER]);
    its[MPI_FACT_PEERS] = its[MPI_FACT_MEMBERS];
    if (!error)
      error = its[MPI_FACT_IS_INTER] ? ask_int(mpi, MPI_CALL_Comm_remote_size,
                                               native, &its[MPI_FACT_PEERS])
                                     : ask_neighbours(mpi, native, its);
    if (error)
      return mpi_error_class(mpi, error);
    object->has_facts = true;
  }
  *facts = object->comm;
  return MPI_SUCCESS;
}
