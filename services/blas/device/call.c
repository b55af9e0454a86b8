//===-- services/blas/device/call.c - Calls of BLAS, on the device --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/device/call.h"
#include "rpc/protocol/client.h"
#include "services/blas/device/waiting.h"
#include "services/common/mark.h"
#include "services/common/own_memory.h"
#include "services/common/packing.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GPUEXEC_MARK_SERVICE(blas);

uint32_t blas_waiting;

static _Noreturn void end_program(const char *message) {
  fprintf(stderr, "BLAS: %s\n", message);
  abort();
}

void blas_begin(blas_call *call, uint32_t function) {
  call->request.header = (blas_header){function, 0};
  call->bytes = 0;
  call->copies = 0;
}

void blas_put(blas_call *call, uint64_t word) {
  call->request.words[call->request.header.count++] = word;
}

void blas_put_numbers(blas_call *call, const void *numbers, uint32_t count,
                      uint32_t size) {
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t word = 0;
    memcpy(&word, (const char *)numbers + i * size, size);
    blas_put(call, word);
  }
}

void blas_put_array(blas_call *call, void *array, uint64_t size, int written) {
  call->bytes += size;
  if (size && is_own_memory(array)) {
    void *copy = copy_of_own(array, size, "BLAS");
    call->arrays[call->copies].original = array;
    call->arrays[call->copies].copy = copy;
    call->arrays[call->copies].size = size;
    call->arrays[call->copies++].written = written;
    array = copy;
  }
  blas_put(call, (uint64_t)array);
}

void blas_put_vector(blas_call *call, void *vector, int64_t count,
                     int64_t increment, uint32_t size, int written) {
  // The function reads the one element `count` times.
  if (!increment && count > 1)
    call->bytes += (uint64_t)(count - 1) * size;
  blas_put_array(call, vector, vector_elements(count, increment) * size,
                 written);
}

#if defined(__NVPTX__)
/// A packed request, padded to whole packets of a stream: rpc_send_n() copies
/// whole packets word by word, others byte by byte.
typedef struct {
  blas_header header;
  uint64_t words[PACKED_WORDS(BLAS_WORDS) + RPC_PACKET_WORDS];
} packed_request;

/// Packs the request; returns how many bytes to send.
static uint32_t pack(const blas_call *call, packed_request *packed) {
  const blas_header header = call->request.header;
  packed->header = (blas_header){header.function, BLAS_PACKED | header.count};
  uint32_t count = pack_words(call->request.words, header.count, packed->words);
  uint32_t bytes = RPC_FIRST_STREAM_BYTES;
  while (bytes < sizeof header + count * sizeof *packed->words)
    bytes += RPC_PACKET_BYTES;
  for (; sizeof header + count * sizeof *packed->words < bytes; ++count)
    packed->words[count] = 0;
  return bytes;
}
#endif

/// Sends the request and waits for the answer; returns the host's errno or 0.
static int exchange(blas_call *call, bool is_small) {
#if defined(__NVPTX__)
  packed_request packed;
  const void *sent = &packed;
  const uint32_t bytes = pack(call, &packed);
#else
  // Not packed: between an emulated device and the host there is no bus, and a
  // second packet takes less time than packing.
  const void *sent = &call->request;
  const uint32_t bytes =
      sizeof(blas_header) + call->request.header.count * sizeof(uint64_t);
#endif
  blas_begin_waiting();
  rpc_port port = rpc_open(is_small ? BLAS_SMALL_OPCODE : BLAS_OPCODE);
  rpc_send_n(&port, sent, bytes);
  const rpc_packet *answer = rpc_recv(&port);
  const int error = (int)answer->words[0];
  memcpy(call->result, &answer->words[1], sizeof call->result);
  rpc_close(&port);
  blas_end_waiting();
  return error;
}

static void end_call(blas_call *call, bool is_small) {
  const int error = exchange(call, is_small);
  for (uint32_t i = 0; i < call->copies; ++i) {
    if (call->arrays[i].written)
      memcpy(call->arrays[i].original, call->arrays[i].copy,
             call->arrays[i].size);
    free(call->arrays[i].copy);
  }
  if (error)
    end_program(strerror(error));
}

void blas_end(blas_call *call) { end_call(call, false); }
void blas_end_soon(blas_call *call) {
  end_call(call, call->bytes <= BLAS_SMALL);
}

int blas_ask_limit(uint64_t call_time, uint64_t work_time, uint32_t *limit,
                   int *is_wanted, uint32_t *most_crowd) {
  blas_call call;
  blas_begin(&call, BLAS_LIMIT);
  blas_put(&call, call_time);
  blas_put(&call, work_time);
  blas_put(&call, (uint64_t)&blas_waiting);
  if (exchange(&call, true))
    return 0;
  *limit = (uint32_t)call.result[0];
  *is_wanted = (int)call.result[1];
  *most_crowd = (uint32_t)call.result[2];
  return 1;
}

void blas_take(const blas_call *call, void *result, uint64_t size) {
  memcpy(result, call->result, size);
}

//===-- Wrong arguments ---------------------------------------------------===//

// Whether the wrong call is one by rows; the reference implementation's name.
int RowMajorStrg;

static int wrong_place;

void cblas_xerbla(int parameter, const char *function, const char *format, ...);

void blas_wrong(int order, int place, int place_by_rows, const char *function) {
  RowMajorStrg = order == BY_ROWS;
  wrong_place = place;
  cblas_xerbla(RowMajorStrg ? place_by_rows : place, function, "");
}

WEAK void cblas_xerbla(int parameter, const char *function, const char *format,
                       ...) {
  fprintf(stderr, "Parameter %d to routine %s was incorrect\n",
          wrong_place ? wrong_place : parameter, function);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  exit(-1);
}
