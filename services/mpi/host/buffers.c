//===-- services/mpi/host/buffers.c - Buffers of the program --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library works on the program's memory where the host sees it, else on
// copies. What it has written to a copy is found by comparing: bytes between
// those of a datatype are not the request's, and the program may change them
// meanwhile.
//===----------------------------------------------------------------------===//
#include "services/mpi/host/engine.h"
#include <stdlib.h>
#include <string.h>

static bool has_member(const gpuexec_host *host, size_t offset) {
  return host->struct_size > offset;
}

static bool is_program_memory(mpi_engine *engine, gpuexec_call *call,
                              uint64_t address, uint64_t size, bool writes) {
  const gpuexec_host *host = engine->host;
  return !has_member(host, offsetof(gpuexec_host, check_device)) ||
         !host->check_device ||
         !host->check_device(call, address, size, writes);
}

/// Fills a copy from the program's memory.
static int copy_in(mpi_engine *engine, gpuexec_call *call, mpi_staged *staged) {
  if (engine->host->read_device(call, staged->copy, staged->address,
                                staged->size))
    return MPI_ERR_BUFFER;
  if (staged->before)
    memcpy(staged->before, staged->copy, staged->size);
  return MPI_SUCCESS;
}

static int make_copy(mpi_engine *engine, gpuexec_call *call, mpi_staged *staged,
                     bool writes) {
  if (!is_program_memory(engine, call, staged->address, staged->size, writes))
    return MPI_ERR_BUFFER;
  staged->copy = malloc(staged->size);
  staged->before = writes ? malloc(staged->size) : NULL;
  if (!staged->copy || (writes && !staged->before))
    return MPI_ERR_NO_MEM;
  return copy_in(engine, call, staged);
}

static bool uses_window(const mpi_function *function) {
  for (unsigned i = 0; i < function->count; ++i)
    if (function->arguments[i].kind == MPI_KIND_WIN)
      return true;
  return false;
}

int mpi_stage(mpi_engine *engine, mpi_op *op, uint64_t address, int64_t first,
              uint64_t size, bool writes, bool has_gaps, uint64_t *native) {
  static uint64_t nothing;
  if (!size) {
    *native = (uintptr_t)&nothing; // some libraries refuse a null pointer
    return MPI_SUCCESS;
  }
  mpi_flight *flight = op->flight;
  if (!flight || flight->staged_count == MPI_MOST_STAGED)
    return MPI_ERR_INTERN;
  mpi_staged *staged = &flight->staged[flight->staged_count++];
  *staged = (mpi_staged){
      .address = address + (uint64_t)first, .size = size, .has_gaps = has_gaps};
  gpuexec_call *call = op->group->call;
  void *memory = NULL;
  if ((!engine->copies || uses_window(op->function)) &&
      engine->host->view_device)
    memory = engine->host->view_device(call, staged->address, size, writes);
  // A window's memory, and what is put into one, is used behind the call.
  if (!memory && uses_window(op->function))
    return MPI_ERR_UNSUPPORTED_OPERATION;
  if (!memory) {
    const int error = make_copy(engine, call, staged, writes);
    if (error)
      return error;
    memory = staged->copy;
  }
  *native = (uint64_t)(uintptr_t)memory - (uint64_t)first;
  return MPI_SUCCESS;
}

/// Writes the range of changed bytes. All bytes between are the request's.
static int write_range(mpi_engine *engine, gpuexec_call *call,
                       const mpi_staged *staged) {
  uint64_t first = 0, end = staged->size;
  while (first < end && staged->copy[first] == staged->before[first])
    ++first;
  while (end > first && staged->copy[end - 1] == staged->before[end - 1])
    --end;
  return first < end &&
                 engine->host->write_device(call, staged->address + first,
                                            staged->copy + first, end - first)
             ? MPI_ERR_BUFFER
             : MPI_SUCCESS;
}

/// Puts the changed bytes into what the program has there now.
static int write_changes(mpi_engine *engine, gpuexec_call *call,
                         const mpi_staged *staged) {
  unsigned char *now = malloc(staged->size);
  if (!now)
    return MPI_ERR_NO_MEM;
  int error =
      engine->host->read_device(call, now, staged->address, staged->size)
          ? MPI_ERR_BUFFER
          : MPI_SUCCESS;
  for (uint64_t i = 0; !error && i < staged->size; ++i)
    if (staged->copy[i] != staged->before[i])
      now[i] = staged->copy[i];
  if (!error &&
      engine->host->write_device(call, staged->address, now, staged->size))
    error = MPI_ERR_BUFFER;
  free(now);
  return error;
}

int mpi_unstage(mpi_engine *engine, mpi_op *op, mpi_flight *flight) {
  int error = MPI_SUCCESS;
  for (unsigned i = 0; i < flight->staged_count && !error; ++i) {
    const mpi_staged *staged = &flight->staged[i];
    if (staged->before)
      error = staged->has_gaps ? write_changes(engine, op->group->call, staged)
                               : write_range(engine, op->group->call, staged);
  }
  return error;
}

int mpi_restage(mpi_engine *engine, mpi_op *op, mpi_flight *flight) {
  int error = MPI_SUCCESS;
  for (unsigned i = 0; i < flight->staged_count && !error; ++i)
    if (flight->staged[i].copy)
      error = copy_in(engine, op->group->call, &flight->staged[i]);
  return error;
}
