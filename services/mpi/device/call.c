//===-- services/mpi/device/call.c - Calls of MPI, on the device ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/device/call.h"
#include "rpc/protocol/client.h"
#include "services/common/mark.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GPUEXEC_MARK_SERVICE(mpi);

static _Noreturn void end_without_memory(void) {
  fprintf(stderr, "MPI: no memory for a request\n");
  abort();
}

static void reserve(mpi_call *call, uint64_t more) {
  if (call->count + more <= call->capacity)
    return;
  const uint64_t capacity = 2 * (call->count + more);
  uint64_t *words = malloc(capacity * sizeof *words);
  if (!words)
    end_without_memory();
  memcpy(words, call->words, call->count * sizeof *words);
  if (call->words != call->small)
    free(call->words);
  call->words = words;
  call->capacity = (uint32_t)capacity;
}

void mpi_begin(mpi_call *call, mpi_call_number function) {
  call->words = call->small;
  call->capacity = MPI_SMALL_WORDS;
  call->words[0] = MPI_TABLE_VERSION << 32 | function;
  call->count = call->arguments = 1;
  call->at = 1;
  call->bounces = 0;
}

void mpi_need(mpi_call *call, uint32_t arguments) {
  reserve(call, arguments);
  call->count += arguments;
}

void mpi_put(mpi_call *call, uint64_t word) {
  call->words[call->arguments++] = word;
}

static void put_bytes(mpi_call *call, const void *bytes, uint64_t size) {
  const uint64_t words = (size + 7) / 8;
  if (!words)
    return;
  reserve(call, words);
  call->words[call->count + words - 1] = 0;
  memcpy(call->words + call->count, bytes, size);
  call->count += (uint32_t)words;
}

void mpi_put_array(mpi_call *call, const void *array, int64_t count,
                   uint64_t size) {
  if (!array || count < 0) {
    mpi_put(call, MPI_ABSENT);
    return;
  }
  mpi_put(call, (uint64_t)count);
  put_bytes(call, array, (uint64_t)count * size);
}

void mpi_put_weights(mpi_call *call, const int *weights, int64_t count,
                     uint64_t size) {
  if (weights == MPI_UNWEIGHTED)
    mpi_put(call, MPI_ABSENT_UNWEIGHTED);
  else if (weights == MPI_WEIGHTS_EMPTY)
    mpi_put(call, MPI_ABSENT_WEIGHTS_EMPTY);
  else
    mpi_put_array(call, weights, count, size);
}

void mpi_put_text(mpi_call *call, const char *text) {
  mpi_put_array(call, text, text ? (int64_t)strlen(text) + 1 : -1, 1);
}

void mpi_put_buffer(mpi_call *call, const void *buffer, int directions,
                    mpi_span span) {
  if (!span.size) {
    mpi_put(call, (uint64_t)buffer);
    return;
  }
  mpi_bounce *bounce = &call->bounce[call->bounces++];
  bounce->own = (unsigned char *)(uintptr_t)buffer + span.first;
  bounce->size = span.size;
  bounce->directions = directions;
  bounce->copy = copy_of_own(bounce->own, span.size, "MPI");
  mpi_put(call, (uint64_t)bounce->copy - (uint64_t)span.first);
}

/// Sends the request and receives the answer into call->words.
static void exchange_once(mpi_call *call) {
  rpc_port port = rpc_open(MPI_OPCODE);
  rpc_send_n(&port, call->words, call->count * sizeof *call->words);
  const rpc_packet *packet = rpc_recv(&port);
  const uint64_t size = packet->words[0];
  if (size > call->capacity * sizeof *call->words) {
    uint64_t *words = malloc(size);
    if (!words)
      end_without_memory();
    if (call->words != call->small)
      free(call->words);
    call->words = words;
    call->capacity = (uint32_t)(size / sizeof *words);
  }
  rpc_recv_rest(&port, packet, call->words, size, size);
  rpc_close(&port);
  call->count = (uint32_t)(size / sizeof *call->words);
}

int mpi_exchange(mpi_call *call) {
  for (;;) {
    exchange_once(call);
    if (!call->count)
      return MPI_ERR_INTERN; // gpuexec ends the program
    const uint64_t kind = call->words[0] >> 32;
    call->at = 1;
    if (kind == MPI_DONE)
      return (int)(uint32_t)call->words[0];
    mpi_callback callback = {.token = call->words[1]};
    if (kind == MPI_CALLBACK) {
      memcpy(&callback, call->words + 1, sizeof callback);
      int count = (int)callback.count;
      MPI_Datatype type = (MPI_Datatype)callback.type;
      ((MPI_User_function *)callback.function)(
          (void *)callback.in, (void *)callback.inout, &count, &type);
    }
    call->words[0] = MPI_TABLE_VERSION << 32 | MPI_CALL_Continue;
    call->words[1] = callback.token;
    call->count = 2;
  }
}

uint64_t mpi_get(mpi_call *call) {
  return call->at < call->count ? call->words[call->at++] : 0;
}

void mpi_get_array(mpi_call *call, void *array, int64_t count, uint64_t size) {
  const uint64_t answered = mpi_get(call);
  const uint64_t words = (answered * size + 7) / 8;
  if (array && count > 0)
    memcpy(array, call->words + call->at,
           (answered < (uint64_t)count ? answered : (uint64_t)count) * size);
  call->at += (uint32_t)words;
}

void mpi_get_text(mpi_call *call, char *text) {
  mpi_get_array(call, text, INT64_MAX, 1);
}

void mpi_get_status(mpi_call *call, MPI_Status *status) {
  const int error = status ? status->MPI_ERROR : 0;
  if (status) {
    memcpy(status, call->words + call->at, sizeof *status);
    status->MPI_ERROR = error; // only functions for several requests set it
  }
  call->at += MPI_STATUS_WORDS;
}

void mpi_get_address(mpi_call *call, void *to) {
  const uint64_t address = mpi_get(call);
  if (to)
    memcpy(to, &address, sizeof address);
}

int mpi_end(mpi_call *call, int error, mpi_object_kind kind, uint64_t object,
            const char *function) {
  for (uint32_t i = 0; i < call->bounces; ++i) {
    const mpi_bounce *bounce = &call->bounce[i];
    if (bounce->directions & MPI_WRITES)
      memcpy(bounce->own, bounce->copy, bounce->size);
    free(bounce->copy);
  }
  if (call->words != call->small)
    free(call->words);
  return error ? mpi_raise(kind, object, error, function) : MPI_SUCCESS;
}

int mpi_ask_facts(mpi_call_number number, uint64_t handle, void *facts,
                  int64_t count, uint64_t size) {
  mpi_call call;
  mpi_begin(&call, number);
  mpi_need(&call, 2);
  mpi_put(&call, handle);
  mpi_put(&call, 1);
  const int error = mpi_exchange(&call);
  if (!error)
    mpi_get_array(&call, facts, count, size);
  mpi_end(&call, MPI_SUCCESS, MPI_ON_COMM, 0, "");
  return error;
}
