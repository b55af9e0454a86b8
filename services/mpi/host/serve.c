//===-- services/mpi/host/serve.c - A call, by its row --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/host/engine.h"
#include <stdlib.h>
#include <string.h>

//===-- Flights -----------------------------------------------------------===//

mpi_flight *mpi_new_flight(mpi_op *op) {
  mpi_flight *flight = calloc(1, sizeof *flight);
  if (flight)
    flight->is_wanted = true;
  op->flight = flight;
  return flight;
}

void mpi_free_flight(mpi_flight *flight) {
  for (unsigned i = 0; i < flight->staged_count; ++i) {
    free(flight->staged[i].copy);
    free(flight->staged[i].before);
  }
  for (unsigned i = 0; i < flight->memory_count; ++i)
    free(flight->memory[i]);
  free(flight);
}

/// Tests one native request; true if it is complete.
static bool test_one(mpi_engine *engine, mpi_flight *flight, unsigned i) {
  const mpi_library *mpi = &engine->mpi;
  uint64_t request = flight->native[i];
  int done = 0;
  mpi_native_status status;
  memset(&status, 0, sizeof status);
  const uint64_t words[] = {(uintptr_t)&request, (uintptr_t)&done,
                            (uintptr_t)&status};
  const int error = mpi_native(mpi, MPI_CALL_Test, words);
  if (error) { // the request is gone, or will never be complete
    const int class = mpi_error_class(mpi, error);
    flight->error = flight->error ? flight->error : class;
    done = 1;
  }
  if (!done)
    return false;
  flight->native[i] = request;
  if (i != flight->status_of)
    return true;
  mpi_read_status(mpi, &status, flight->status);
  if (flight->is_null) { // MPICH leaves the status of such a request empty
    flight->status[MPI_STATUS_SOURCE] = MPI_PROC_NULL;
    flight->status[MPI_STATUS_TAG] = MPI_ANY_TAG;
  }
  return true;
}

bool mpi_test_flight(mpi_engine *engine, mpi_op *op, mpi_flight *flight) {
  if (flight->is_done)
    return true;
  // Each native request is tested until it is complete.
  const uint64_t null = engine->mpi.handles[ABI_MPI_REQUEST_NULL];
  for (unsigned i = 0; i < flight->natives; ++i) {
    if (!flight->is_persistent && flight->native[i] == null)
      continue;
    if (!test_one(engine, flight, i))
      return false;
    if (!flight->is_persistent)
      flight->native[i] = null;
  }
  flight->is_done = true;
  const int error = mpi_unstage(engine, op, flight);
  flight->error = flight->error ? flight->error : error;
  if (flight->buffered)
    engine->buffer_used -= flight->buffered;
  flight->buffered = 0;
  return true;
}

uint64_t mpi_make_request(mpi_engine *engine, mpi_op *op) {
  mpi_object *object;
  mpi_flight *flight = op->flight;
  const uint64_t handle = mpi_add(engine, MPI_KIND_REQUEST, 0, &object);
  if (!handle)
    return mpi_null_handle(MPI_KIND_REQUEST);
  // The library may read the call's arrays until the request is complete.
  memcpy(flight->memory, op->memory, sizeof op->memory);
  flight->memory_count = op->memory_count;
  op->memory_count = 0;
  flight->is_active = !flight->is_persistent;
  object->flight = flight;
  op->flight = NULL;
  return handle;
}

//===-- Calls -------------------------------------------------------------===//

bool mpi_poll_flight(mpi_engine *engine, mpi_op *op) {
  if (!mpi_test_flight(engine, op, op->flight))
    return false;
  op->has_flight_status = true;
  if (op->flight->error)
    mpi_answer_error(op, op->flight->error);
  else
    mpi_translate_back(engine, op);
  return true;
}

/// Whether the function makes a request of the program.
static bool makes_request(const mpi_function *function) {
  return function->count &&
         function->arguments[function->count - 1].kind == MPI_KIND_REQUEST &&
         function->arguments[function->count - 1].way == MPI_OUT;
}

/// The library writes a communicator's handle when the request is complete:
/// into the object.
static int make_object_before(mpi_engine *engine, mpi_op *op) {
  for (unsigned i = 0; i < op->function->count; ++i) {
    const mpi_argument *argument = &op->function->arguments[i];
    if (argument->kind != MPI_KIND_COMM || argument->way != MPI_OUT)
      continue;
    mpi_object *object;
    op->made = mpi_add(engine, MPI_KIND_COMM, 0, &object);
    if (!op->made)
      return MPI_ERR_NO_MEM;
    op->native[i] = (uintptr_t)&object->native;
  }
  return MPI_SUCCESS;
}

/// Arguments of the native function: those of the row, without a status, and
/// the request.
static void native_words(const mpi_op *op, uint64_t *words, uint64_t *request) {
  unsigned count = 0;
  for (unsigned i = 0; i < op->function->count; ++i)
    if (!op->function->waits ||
        op->function->arguments[i].kind != MPI_KIND_STATUS)
      words[count++] = op->native[i];
  if (op->function->waits)
    words[count] = (uintptr_t)request;
}

/// Whether the call receives from MPI_PROC_NULL.
static bool receives_nothing(const mpi_op *op) {
  const bool receives = op->number == MPI_CALL_Recv ||
                        op->number == MPI_CALL_Irecv ||
                        op->number == MPI_CALL_Recv_init;
  return receives && (int32_t)op->words[3] == MPI_PROC_NULL;
}

static bool call_library(mpi_engine *engine, mpi_op *op) {
  const mpi_function *function = op->function;
  const mpi_call_number number = function->native;
  const bool is_request = makes_request(function);
  uint64_t words[MPI_MOST_ARGUMENTS + 1];
  uint64_t request = 0;
  int error = is_request ? make_object_before(engine, op) : MPI_SUCCESS;
  if (error)
    return mpi_refuse(op, error);
  native_words(op, words, &request);
  if (is_request)
    words[function->count - 1] = (uintptr_t)&request;
  // Functions without a request may wait for other ranks.
  const int code = function->waits || is_request
                       ? mpi_native(&engine->mpi, number, words)
                       : mpi_native_blocking(engine, number, words);
  if (code) {
    if (op->made)
      mpi_remove(engine, MPI_KIND_COMM, op->made);
    return mpi_refuse(op, mpi_error_class(&engine->mpi, code));
  }
  if (engine->has_ended)
    return true;
  op->flight->native[0] = request;
  op->flight->natives = function->waits || is_request;
  op->flight->is_null = receives_nothing(op);
  op->flight->is_persistent = strstr(function->name, "_init") != NULL;
  if (function->waits) {
    op->poll = mpi_poll_flight;
    return mpi_poll_flight(engine, op);
  }
  if (!is_request) {
    error = mpi_unstage(engine, op, op->flight);
    if (error)
      return mpi_refuse(op, error);
  }
  mpi_translate_back(engine, op);
  return true;
}

/// The other ranks have come: the library does not block long.
static bool poll_barrier(mpi_engine *engine, mpi_op *op) {
  if (!mpi_test_flight(engine, op, op->flight))
    return false;
  op->flight->is_done = false;
  return call_library(engine, op);
}

static bool begin_barrier(mpi_engine *engine, mpi_op *op) {
  const uint64_t words[] = {op->native[op->function->object],
                            (uintptr_t)&op->flight->native[0]};
  const int error = mpi_native(&engine->mpi, MPI_CALL_Ibarrier, words);
  if (error)
    return mpi_refuse(op, mpi_error_class(&engine->mpi, error));
  op->flight->natives = 1;
  op->poll = poll_barrier;
  return poll_barrier(engine, op);
}

bool mpi_begin_call(mpi_engine *engine, mpi_op *op) {
  const mpi_function *function = op->function;
  const bool is_start = op->number == MPI_CALL_Start_host;
  if (!op->group->call)
    return true;
  if (!is_start && (!engine->is_initialized || engine->is_finalized) &&
      op->number != MPI_CALL_Error_string &&
      op->number != MPI_CALL_Abort_host &&
      op->number != MPI_CALL_Get_library_version)
    return mpi_refuse(op, MPI_ERR_OTHER);
  if (!is_start && !engine->mpi.library)
    return mpi_refuse(op, MPI_ERR_OTHER);
  if (!mpi_new_flight(op))
    return mpi_refuse(op, MPI_ERR_NO_MEM);
  if (function->is_custom)
    return mpi_begin_custom(engine, op);
  if (function->is_internal)
    return mpi_refuse(op, MPI_ERR_ARG);
  if (!engine->mpi.functions[function->native])
    return mpi_refuse(op, MPI_ERR_UNSUPPORTED_OPERATION);
  const int error = mpi_translate(engine, op);
  if (error)
    return mpi_refuse(op, error);
  return function->with_all && engine->is_multiple ? begin_barrier(engine, op)
                                                   : call_library(engine, op);
}
