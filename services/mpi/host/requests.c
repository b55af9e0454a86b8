//===-- services/mpi/host/requests.c - Requests of the program ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/host/engine.h"
#include <stdlib.h>
#include <string.h>

static mpi_object *find_request(mpi_engine *engine, uint64_t handle) {
  uint64_t native;
  return handle < ABI_HANDLE_END
             ? NULL
             : mpi_find(engine, MPI_KIND_REQUEST, handle, &native);
}

static void add_unwanted(mpi_engine *engine, mpi_flight *flight) {
  flight->is_wanted = false;
  flight->next = engine->unwanted;
  engine->unwanted = flight;
}

void mpi_test_unwanted(mpi_engine *engine, mpi_op *op) {
  for (mpi_flight **at = &engine->unwanted; *at;) {
    mpi_flight *flight = *at;
    if (mpi_test_flight(engine, op, flight)) {
      *at = flight->next;
      mpi_free_flight(flight);
    } else {
      at = &flight->next;
    }
  }
}

//===-- Completion --------------------------------------------------------===//

/// A call Complete (request.h).
typedef struct {
  uint32_t flags;
  uint64_t count;
  const uint64_t *handles;
} completion;

static int read_completion(const mpi_op *op, completion *asked) {
  if (op->word_count < 2)
    return MPI_ERR_ARG;
  asked->flags = (uint32_t)op->words[0];
  asked->count = op->words[1] == MPI_ABSENT ? 0 : op->words[1];
  asked->handles = op->words + 2;
  return asked->count > op->word_count - 2 ||
                 (asked->flags & MPI_COMPLETE_MODE) > MPI_COMPLETE_SOME
             ? MPI_ERR_ARG
             : MPI_SUCCESS;
}

static void answer_completed(mpi_engine *engine, mpi_op *op, uint32_t index,
                             uint64_t handle, uint32_t flags) {
  mpi_object *object = find_request(engine, handle);
  mpi_flight *flight = object->flight;
  mpi_completed completed = {.index = index,
                             .is_gone = !flight->is_persistent,
                             .comm = flight->comm,
                             .error = flight->error};
  memcpy(completed.status, flight->status, sizeof completed.status);
  mpi_answer_bytes(op, &completed, sizeof completed);
  if (flags & MPI_COMPLETE_LOOKS)
    return;
  if (flight->is_persistent) {
    flight->is_active = flight->is_done = false;
    flight->error = MPI_SUCCESS;
    return;
  }
  mpi_remove(engine, MPI_KIND_REQUEST, handle);
  mpi_free_flight(flight);
}

/// Answers with the requests that are complete, or that none is.
static void answer_completion(mpi_engine *engine, mpi_op *op,
                              const completion *asked, bool is_true,
                              uint64_t active, uint64_t done) {
  const bool is_any = (asked->flags & MPI_COMPLETE_MODE) == MPI_COMPLETE_ANY;
  uint64_t left = !is_true ? 0 : is_any && done ? 1 : done;
  mpi_answer_error(op, MPI_SUCCESS);
  mpi_answer_word(op, is_true);
  mpi_answer_word(op, active);
  mpi_answer_word(op, left);
  for (uint64_t i = 0; i < asked->count && left; ++i) {
    const mpi_object *object = find_request(engine, asked->handles[i]);
    if (object && object->flight->is_active && object->flight->is_done) {
      answer_completed(engine, op, (uint32_t)i, asked->handles[i],
                       asked->flags);
      --left;
    }
  }
  if (left) // the program has named a request twice
    mpi_answer_error(op, MPI_ERR_REQUEST);
}

static bool poll_complete(mpi_engine *engine, mpi_op *op) {
  completion asked;
  int error = read_completion(op, &asked);
  uint64_t active = 0, done = 0;
  for (uint64_t i = 0; i < asked.count && !error; ++i) {
    if (asked.handles[i] == ABI_MPI_REQUEST_NULL)
      continue;
    mpi_object *object = find_request(engine, asked.handles[i]);
    if (!object) // another thread may have completed it meanwhile
      return mpi_refuse(op, MPI_ERR_REQUEST);
    if (!object->flight->is_active)
      continue;
    ++active;
    done += mpi_test_flight(engine, op, object->flight);
  }
  if (error)
    return mpi_refuse(op, error);
  const bool is_true =
      !active ||
      ((asked.flags & MPI_COMPLETE_MODE) == MPI_COMPLETE_ALL ? done == active
                                                             : done > 0);
  if (!is_true && asked.flags & MPI_COMPLETE_WAITS)
    return false;
  answer_completion(engine, op, &asked, is_true, active, done);
  return true;
}

bool mpi_begin_complete(mpi_engine *engine, mpi_op *op) {
  op->poll = poll_complete;
  return poll_complete(engine, op);
}

//===-- Start, cancel, free -----------------------------------------------===//

static int start_buffered(mpi_engine *engine, mpi_op *op, mpi_flight *flight);

static int start(mpi_engine *engine, mpi_op *op, mpi_flight *flight) {
  if (!flight->is_persistent || flight->is_active)
    return MPI_ERR_REQUEST;
  if (flight->is_buffered)
    return start_buffered(engine, op, flight);
  int error = mpi_restage(engine, op, flight);
  if (error)
    return error;
  const uint64_t words[] = {(uintptr_t)&flight->native[0]};
  error = mpi_native(&engine->mpi, MPI_CALL_Start, words);
  if (error)
    return mpi_error_class(&engine->mpi, error);
  flight->is_active = true;
  flight->is_done = false;
  return MPI_SUCCESS;
}

static int cancel(mpi_engine *engine, mpi_flight *flight) {
  if (!flight->is_active || flight->is_done || !flight->natives)
    return MPI_SUCCESS;
  const uint64_t words[] = {(uintptr_t)&flight->native[0]};
  return mpi_error_class(&engine->mpi,
                         mpi_native(&engine->mpi, MPI_CALL_Cancel, words));
}

static int free_request(mpi_engine *engine, uint64_t handle,
                        mpi_flight *flight) {
  mpi_remove(engine, MPI_KIND_REQUEST, handle);
  int error = MPI_SUCCESS;
  if (flight->is_persistent && !flight->is_buffered) {
    const uint64_t words[] = {(uintptr_t)&flight->native[0]};
    if (!flight->is_active)
      error = mpi_native(&engine->mpi, MPI_CALL_Request_free, words);
    // An active one is tested until it is complete, and then forgotten.
  }
  if (flight->is_active && !flight->is_done)
    add_unwanted(engine, flight);
  else
    mpi_free_flight(flight);
  return mpi_error_class(&engine->mpi, error);
}

bool mpi_begin_request_call(mpi_engine *engine, mpi_op *op) {
  mpi_object *object =
      op->word_count ? find_request(engine, op->words[0]) : NULL;
  if (!object)
    return mpi_refuse(op, MPI_ERR_REQUEST);
  uint64_t handle = op->words[0];
  int error;
  if (op->number == MPI_CALL_Start) {
    error = start(engine, op, object->flight);
  } else if (op->number == MPI_CALL_Cancel) {
    error = cancel(engine, object->flight);
  } else {
    error = free_request(engine, handle, object->flight);
    handle = ABI_MPI_REQUEST_NULL;
  }
  mpi_answer_error(op, error);
  mpi_answer_word(op, handle);
  return true;
}

//===-- Buffered sends ----------------------------------------------------===//

// The program's attached buffer is only counted: the host copies messages into
// memory of its own.

/// Sends a copy of the call's message. The flight is left to itself.
static int send_copy(mpi_engine *engine, mpi_op *op) {
  const bool copies = engine->copies;
  engine->copies = true;
  int error = mpi_translate(engine, op);
  engine->copies = copies;
  if (error)
    return error;
  int size = 0;
  const uint64_t sizes[] = {op->native[1], op->native[2], op->native[5],
                            (uintptr_t)&size};
  error = mpi_native(&engine->mpi, MPI_CALL_Pack_size, sizes);
  if (error)
    return mpi_error_class(&engine->mpi, error);
  mpi_test_unwanted(engine, op);
  // Less than MPI_BSEND_OVERHEAD, by which programs compute the buffer's size.
  const uint64_t needed = (uint64_t)size + 32;
  if (engine->buffer_size - engine->buffer_used < needed)
    return MPI_ERR_BUFFER;
  mpi_flight *flight = op->flight;
  uint64_t words[7];
  memcpy(words, op->native, 6 * sizeof *words);
  words[6] = (uintptr_t)&flight->native[0];
  error = mpi_native(&engine->mpi, MPI_CALL_Isend, words);
  if (error)
    return mpi_error_class(&engine->mpi, error);
  flight->natives = 1;
  flight->buffered = needed;
  engine->buffer_used += needed;
  add_unwanted(engine, flight);
  op->flight = NULL;
  return MPI_SUCCESS;
}

static int start_buffered(mpi_engine *engine, mpi_op *op, mpi_flight *flight) {
  mpi_op send = {.group = op->group,
                 .function = &mpi_functions[MPI_CALL_Bsend],
                 .number = MPI_CALL_Bsend,
                 .words = flight->again,
                 .word_count = 6};
  if (!mpi_new_flight(&send))
    return MPI_ERR_NO_MEM;
  const int error = send_copy(engine, &send);
  if (send.flight)
    mpi_free_flight(send.flight);
  flight->is_active = flight->is_done = !error;
  return error;
}

bool mpi_begin_buffered(mpi_engine *engine, mpi_op *op) {
  const bool is_init = op->number == MPI_CALL_Bsend_init;
  if (op->word_count < op->function->count)
    return mpi_refuse(op, MPI_ERR_ARG);
  const int error = is_init ? mpi_translate(engine, op) : send_copy(engine, op);
  if (error)
    return mpi_refuse(op, error);
  mpi_answer_error(op, MPI_SUCCESS);
  if (op->number == MPI_CALL_Bsend)
    return true;
  // A request that is complete from the beginning.
  if (op->flight)
    mpi_free_flight(op->flight);
  mpi_flight *flight = mpi_new_flight(op);
  if (!flight)
    return mpi_refuse(op, MPI_ERR_NO_MEM);
  flight->is_persistent = flight->is_buffered = is_init;
  flight->is_done = !is_init;
  flight->status[MPI_STATUS_SOURCE] = MPI_ANY_SOURCE;
  flight->status[MPI_STATUS_TAG] = MPI_ANY_TAG;
  memcpy(flight->again, op->words, sizeof flight->again);
  mpi_answer_word(op, mpi_make_request(engine, op));
  return true;
}

bool mpi_poll_buffer_use(mpi_engine *engine, mpi_op *op) {
  mpi_test_unwanted(engine, op);
  if (engine->buffer_used)
    return false;
  mpi_answer_error(op, MPI_SUCCESS);
  mpi_answer_word(op, engine->buffer_address);
  mpi_answer_word(op, engine->buffer_size);
  engine->buffer_address = engine->buffer_size = 0;
  return true;
}
