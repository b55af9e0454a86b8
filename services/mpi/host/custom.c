//===-- services/mpi/host/custom.c - Calls that no row describes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/host/engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse_native(mpi_engine *engine, mpi_op *op, int error) {
  return mpi_refuse(op, mpi_error_class(&engine->mpi, error));
}

//===-- Begin and end -----------------------------------------------------===//

static void return_errors(mpi_engine *engine, uint64_t comm) {
  const uint64_t words[] = {engine->mpi.handles[comm],
                            engine->mpi.handles[ABI_MPI_ERRORS_RETURN]};
  mpi_native(&engine->mpi, MPI_CALL_Comm_set_errhandler, words);
}

static bool begin_start(mpi_engine *engine, mpi_op *op) {
  const int64_t required = op->word_count ? (int32_t)op->words[0] : 0;
  int native, provided = 0;
  if (engine->is_initialized || !op->word_count)
    return mpi_refuse(op, MPI_ERR_OTHER);
  char error[300] = "";
  if (!engine->mpi.library &&
      mpi_open(&engine->mpi, engine->argument, error, sizeof error)) {
    engine->host->fail(op->group->call, error);
    return mpi_refuse(op, MPI_ERR_OTHER);
  }
  if (!mpi_to_native(&engine->mpi, MPI_CLASS_THREAD, required, &native))
    return mpi_refuse(op, MPI_ERR_ARG);
  // All calls come from this thread.
  mpi_to_native(&engine->mpi, MPI_CLASS_THREAD, MPI_THREAD_FUNNELED, &native);
  const uint64_t words[] = {0, (uint64_t)native, (uintptr_t)&provided};
  const int code = ((int (*)(
      int *, char ***, int, int *))engine->mpi.functions[MPI_CALL_Init_thread])(
      NULL, NULL, (int)words[1], &provided);
  if (code)
    return refuse_native(engine, op, code);
  engine->is_initialized = true;
  engine->is_multiple = required == MPI_THREAD_MULTIPLE;
  return_errors(engine, ABI_MPI_COMM_WORLD);
  return_errors(engine, ABI_MPI_COMM_SELF);
  mpi_answer_error(op, MPI_SUCCESS);
  mpi_answer_word(op, (uint64_t)required);
  return true;
}

static bool poll_finalize(mpi_engine *engine, mpi_op *op) {
  mpi_test_unwanted(engine, op);
  if (engine->unwanted)
    return false;
  engine->is_finalized = true;
  const int error = mpi_native_blocking(engine, MPI_CALL_Finalize, NULL);
  return refuse_native(engine, op, error);
}

static bool begin_abort(mpi_engine *engine, mpi_op *op) {
  if (!engine->is_initialized || engine->is_finalized || op->word_count < 2)
    return mpi_refuse(op, MPI_SUCCESS); // the device ends the program
  const uint64_t words[] = {engine->mpi.handles[ABI_MPI_COMM_WORLD],
                            (uint64_t)(int32_t)op->words[1]};
  fflush(NULL);
  mpi_native_blocking(engine, MPI_CALL_Abort, words); // ends this process
  return mpi_refuse(op, MPI_SUCCESS);
}

//===-- Facts -------------------------------------------------------------===//

static bool begin_facts(mpi_engine *engine, mpi_op *op) {
  const bool is_type = op->number == MPI_CALL_Type_facts;
  uint64_t native;
  mpi_object *object =
      op->word_count ? mpi_find(engine, is_type ? MPI_KIND_TYPE : MPI_KIND_COMM,
                                op->words[0], &native)
                     : NULL;
  if (!object)
    return mpi_refuse(op, is_type ? MPI_ERR_TYPE : MPI_ERR_COMM);
  mpi_type_facts type;
  const int32_t *comm = NULL;
  const int error = is_type ? mpi_facts_of_type(engine, object, native, &type)
                            : mpi_facts_of_comm(engine, object, native, &comm);
  mpi_answer_error(op, error);
  if (error)
    return true;
  mpi_answer_word(op, is_type ? 4 : MPI_FACTS);
  if (is_type) {
    mpi_answer_word(op, (uint64_t)type.true_lb);
    mpi_answer_word(op, (uint64_t)type.true_extent);
    mpi_answer_word(op, (uint64_t)type.extent);
    mpi_answer_word(op, (uint64_t)type.size);
  } else {
    mpi_answer_bytes(op, comm, sizeof object->comm);
  }
  return true;
}

static bool begin_attribute(mpi_engine *engine, mpi_op *op) {
  int key, flag = 0, *value = NULL;
  if (!op->word_count ||
      !mpi_to_native(&engine->mpi, MPI_CLASS_KEY, (int32_t)op->words[0], &key))
    return mpi_refuse(op, MPI_ERR_KEYVAL);
  const uint64_t words[] = {engine->mpi.handles[ABI_MPI_COMM_WORLD],
                            (uint64_t)(int64_t)key, (uintptr_t)&value,
                            (uintptr_t)&flag};
  const int error = mpi_native(&engine->mpi, MPI_CALL_Comm_get_attr, words);
  if (error)
    return refuse_native(engine, op, error);
  int number = flag && value ? *value : 0;
  if (op->words[0] == MPI_WTIME_IS_GLOBAL)
    number = 0; // MPI_Wtime() is the device's clock
  if (op->words[0] == MPI_IO || op->words[0] == MPI_HOST)
    mpi_from_native(&engine->mpi, MPI_CLASS_RANK, number, &number);
  mpi_answer_error(op, MPI_SUCCESS);
  mpi_answer_word(op, (uint64_t)(int64_t)number);
  mpi_answer_word(op, (uint64_t)flag);
  return true;
}

//===-- Sending and receiving ---------------------------------------------===//

/// Starts a receive and a send, which are words of Irecv and Isend.
static bool exchange(mpi_engine *engine, mpi_op *op, uint64_t *receive,
                     uint64_t *send) {
  mpi_flight *flight = op->flight;
  receive[6] = (uintptr_t)&flight->native[0];
  send[6] = (uintptr_t)&flight->native[1];
  int error = mpi_native(&engine->mpi, MPI_CALL_Irecv, receive);
  if (error)
    return refuse_native(engine, op, error);
  flight->natives = 1;
  error = mpi_native(&engine->mpi, MPI_CALL_Isend, send);
  if (error) { // the receive is cancelled and waited for
    const uint64_t words[] = {(uintptr_t)&flight->native[0]};
    mpi_native(&engine->mpi, MPI_CALL_Cancel, words);
    flight->error = mpi_error_class(&engine->mpi, error);
  } else {
    flight->natives = 2;
  }
  if (op->number == MPI_CALL_Isendrecv ||
      op->number == MPI_CALL_Isendrecv_replace) {
    mpi_translate_back(engine, op);
    return true;
  }
  op->poll = mpi_poll_flight;
  return mpi_poll_flight(engine, op);
}

static bool begin_sendrecv(mpi_engine *engine, mpi_op *op) {
  const int error = mpi_translate(engine, op);
  if (error)
    return mpi_refuse(op, error);
  const uint64_t *n = op->native;
  op->flight->is_null = (int32_t)op->words[8] == MPI_PROC_NULL;
  uint64_t receive[7] = {n[5], n[6], n[7], n[8], n[9], n[10], 0};
  uint64_t send[7] = {n[0], n[1], n[2], n[3], n[4], n[10], 0};
  return exchange(engine, op, receive, send);
}

static bool begin_sendrecv_replace(mpi_engine *engine, mpi_op *op) {
  const int error = mpi_translate(engine, op);
  if (error)
    return mpi_refuse(op, error);
  const uint64_t *n = op->native;
  op->flight->is_null = (int32_t)op->words[5] == MPI_PROC_NULL;
  uint64_t receive[7] = {n[0], n[1], n[2], n[5], n[6], n[7], 0};
  uint64_t send[7] = {n[0], n[1], n[2], n[3], n[4], n[7], 0};
  if (op->flight->staged_count) {
    // What is sent is a copy.
    const mpi_staged *staged = &op->flight->staged[0];
    const uint64_t first = staged->address - op->words[0];
    void *copy = mpi_op_memory(op, staged->size);
    if (!copy)
      return mpi_refuse(op, MPI_ERR_NO_MEM);
    memcpy(copy, (const void *)(uintptr_t)(n[0] + first), staged->size);
    send[0] = (uint64_t)(uintptr_t)copy - first;
  }
  return exchange(engine, op, receive, send);
}

/// Words of Probe and Mprobe: source, tag, communicator, what is written.
static bool poll_probe(mpi_engine *engine, mpi_op *op) {
  const bool is_matched = op->number == MPI_CALL_Mprobe;
  int flag = 0;
  uint64_t words[6] = {op->native[0], op->native[1], op->native[2],
                       (uintptr_t)&flag};
  words[4] = op->native[3];
  words[5] = op->native[4];
  const int error = mpi_native(
      &engine->mpi, is_matched ? MPI_CALL_Improbe : MPI_CALL_Iprobe, words);
  if (error)
    return refuse_native(engine, op, error);
  if (flag)
    mpi_translate_back(engine, op);
  return flag;
}

static bool begin_probe(mpi_engine *engine, mpi_op *op) {
  const int error = mpi_translate(engine, op);
  if (error)
    return mpi_refuse(op, error);
  op->poll = poll_probe;
  return poll_probe(engine, op);
}

//===-- Datatypes ---------------------------------------------------------===//

/// Packing and unpacking: the position is checked, which not every library
/// does. `at`: the arguments' places.
static bool begin_pack(mpi_engine *engine, mpi_op *op) {
  const bool packs = op->number == MPI_CALL_Pack;
  int error = mpi_translate(engine, op);
  if (error)
    return mpi_refuse(op, error);
  const unsigned type = packs ? 2 : 5, count = packs ? 1 : 4,
                 room = packs ? 4 : 1, position = packs ? 5 : 2;
  uint64_t native;
  mpi_type_facts facts;
  mpi_object *object =
      mpi_find(engine, MPI_KIND_TYPE, op->words[type], &native);
  error =
      object ? mpi_facts_of_type(engine, object, native, &facts) : MPI_ERR_TYPE;
  if (error)
    return mpi_refuse(op, error);
  const int64_t at = (int32_t)op->words[position],
                size = (int32_t)op->words[room];
  const __int128 bytes = (__int128)(int32_t)op->words[count] * facts.size;
  if (at < 0 || at > size)
    return mpi_refuse(op, MPI_ERR_ARG);
  if (bytes > size - at)
    return mpi_refuse(op, MPI_ERR_TRUNCATE);
  error = mpi_native(&engine->mpi, op->number, op->native);
  if (error)
    return refuse_native(engine, op, error);
  error = mpi_unstage(engine, op, op->flight);
  if (error)
    return mpi_refuse(op, error);
  mpi_translate_back(engine, op);
  return true;
}

/// In the integers of MPI_Type_get_contents() are constants.
static void translate_contents(mpi_engine *engine, int combiner, int *integers,
                               int count) {
  int kind;
  if (!integers ||
      !mpi_from_native(&engine->mpi, MPI_CLASS_COMBINER, combiner, &kind))
    return;
  if ((kind == MPI_COMBINER_SUBARRAY || kind == MPI_COMBINER_DARRAY) && count)
    mpi_from_native(&engine->mpi, MPI_CLASS_ORDER, integers[count - 1],
                    &integers[count - 1]);
  if (kind != MPI_COMBINER_DARRAY)
    return;
  const int dimensions = integers[2];
  for (int i = 0; i < dimensions && 3 + 3 * dimensions <= count; ++i) {
    int *distribution = &integers[3 + dimensions + i];
    int *argument = &integers[3 + 2 * dimensions + i];
    mpi_from_native(&engine->mpi, MPI_CLASS_DISTRIBUTE, *distribution,
                    distribution);
    mpi_from_native(&engine->mpi, MPI_CLASS_DARG, *argument, argument);
  }
}

static bool begin_contents(mpi_engine *engine, mpi_op *op) {
  int counts[4] = {0, 0, 0, 0}; // integers, addresses, types, combiner
  int error = mpi_translate(engine, op);
  if (error)
    return mpi_refuse(op, error);
  const uint64_t envelope[] = {op->native[0], (uintptr_t)&counts[0],
                               (uintptr_t)&counts[1], (uintptr_t)&counts[2],
                               (uintptr_t)&counts[3]};
  error = mpi_native(&engine->mpi, MPI_CALL_Type_get_envelope, envelope);
  if (error)
    return refuse_native(engine, op, error);
  for (unsigned i = 0; i < 3; ++i) {
    if ((int32_t)op->words[1 + i] < counts[i])
      return mpi_refuse(op, MPI_ERR_ARG);
    op->counts[4 + i] = (uint64_t)counts[i];
    // Open MPI 4.1 reads as many elements as there is room for.
    op->native[1 + i] = (uint64_t)counts[i];
  }
  error = mpi_native(&engine->mpi, op->number, op->native);
  if (error)
    return refuse_native(engine, op, error);
  translate_contents(engine, counts[3], (int *)(uintptr_t)op->native[4],
                     counts[0]);
  mpi_translate_back(engine, op);
  return true;
}

//===-- Operations, attached buffers --------------------------------------===//

static bool begin_op_create(mpi_engine *engine, mpi_op *op) {
  uint64_t handle = 0;
  const int error = op->word_count < 3
                        ? MPI_ERR_ARG
                        : mpi_make_operation(engine, op->words[0],
                                             (int)op->words[1] != 0, &handle);
  mpi_answer_error(op, error);
  mpi_answer_word(op, handle);
  return true;
}

static bool begin_op_free(mpi_engine *engine, mpi_op *op) {
  const int error = mpi_translate(engine, op);
  if (error)
    return mpi_refuse(op, error);
  uint64_t native;
  const mpi_object *object =
      mpi_find(engine, MPI_KIND_OP, op->words[0], &native);
  const int code = mpi_native(&engine->mpi, MPI_CALL_Op_free, op->native);
  if (code)
    return refuse_native(engine, op, code);
  if (op->words[0] >= ABI_HANDLE_END)
    mpi_free_operation(object->slot);
  mpi_translate_back(engine, op);
  return true;
}

static bool begin_attach(mpi_engine *engine, mpi_op *op) {
  if (op->word_count < 2 || (int32_t)op->words[1] < 0)
    return mpi_refuse(op, MPI_ERR_ARG);
  if (engine->buffer_size)
    return mpi_refuse(op, MPI_ERR_BUFFER);
  engine->buffer_address = op->words[0];
  engine->buffer_size = (uint32_t)op->words[1];
  return mpi_refuse(op, MPI_SUCCESS);
}

bool mpi_begin_custom(mpi_engine *engine, mpi_op *op) {
  switch (op->number) {
  case MPI_CALL_Start_host:
    return begin_start(engine, op);
  case MPI_CALL_Finalize_host:
    op->poll = poll_finalize;
    return poll_finalize(engine, op);
  case MPI_CALL_Abort_host:
    return begin_abort(engine, op);
  case MPI_CALL_Comm_facts:
  case MPI_CALL_Type_facts:
    return begin_facts(engine, op);
  case MPI_CALL_Attribute:
    return begin_attribute(engine, op);
  case MPI_CALL_Complete:
    return mpi_begin_complete(engine, op);
  case MPI_CALL_Start:
  case MPI_CALL_Cancel:
  case MPI_CALL_Request_free:
    return mpi_begin_request_call(engine, op);
  case MPI_CALL_Bsend:
  case MPI_CALL_Ibsend:
  case MPI_CALL_Bsend_init:
    return mpi_begin_buffered(engine, op);
  case MPI_CALL_Buffer_attach:
    return begin_attach(engine, op);
  case MPI_CALL_Buffer_detach:
    op->poll = mpi_poll_buffer_use;
    return mpi_poll_buffer_use(engine, op);
  case MPI_CALL_Sendrecv:
  case MPI_CALL_Isendrecv:
    return begin_sendrecv(engine, op);
  case MPI_CALL_Sendrecv_replace:
  case MPI_CALL_Isendrecv_replace:
    return begin_sendrecv_replace(engine, op);
  case MPI_CALL_Probe:
  case MPI_CALL_Mprobe:
    return begin_probe(engine, op);
  case MPI_CALL_Pack:
  case MPI_CALL_Unpack:
    return begin_pack(engine, op);
  case MPI_CALL_Type_get_contents:
    return begin_contents(engine, op);
  case MPI_CALL_Op_create:
    return begin_op_create(engine, op);
  case MPI_CALL_Op_free:
    return begin_op_free(engine, op);
  default:
    return mpi_refuse(op, MPI_ERR_UNSUPPORTED_OPERATION);
  }
}
