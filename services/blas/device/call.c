//===-- services/blas/device/call.c - Calls of BLAS, on the device --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/device/call.h"
#include "rpc/protocol/client.h"
#include "services/blas/device/waiting.h"
#include "services/common/mark.h"
#include "services/common/packing.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GPUEXEC_MARK_SERVICE(blas);

uint32_t blas_waiting;
#ifdef BLAS_TIMES
uint64_t blas_times[BLAS_POINTS];
#endif

static _Noreturn void end_program(const char *message) {
  fprintf(stderr, "BLAS: %s\n", message);
  abort();
}

void *blas_copy_array(blas_call *call, void *array, uint64_t size,
                      int written) {
  void *copy = copy_of_own(array, size, "BLAS");
  call->arrays[call->copies].original = array;
  call->arrays[call->copies].copy = copy;
  call->arrays[call->copies].size = size;
  call->arrays[call->copies++].written = written;
  return copy;
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

/// Sends the request through a port and waits for the answer; returns the
/// host's errno or 0.
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
  rpc_port port = rpc_open(is_small ? BLAS_SMALL_OPCODE : BLAS_OPCODE);
  rpc_send_n(&port, sent, bytes);
  BLAS_TIME(BLAS_SENT);
  const rpc_packet *answer = rpc_recv(&port);
  const int error = (int)answer->words[0];
  // Not memcpy(), which reads one part after the other over the bus.
  for (int i = 0; i < BLAS_RESULTS; ++i)
    call->result[i] = answer->words[1 + i];
  rpc_close(&port);
  return error;
}

/// As exchange(), for a result of at most two words: a lane that is alone sends
/// all words at once and gets the answer in one piece.
static int exchange_soon(blas_call *call, bool is_small, int has_result) {
  const uint32_t kind =
      RPC_CALL_READS | RPC_CALL_WRITES | (has_result ? 0 : RPC_CALL_ONE_OUT);
  rpc_taken_slot slot;
  if (!rpc_send_long(is_small ? BLAS_SMALL_OPCODE : BLAS_OPCODE,
                     call->request.all, 1 + call->request.header.count, &slot,
                     kind))
    return exchange(call, is_small);
  BLAS_TIME(BLAS_SENT);
  rpc_words answer;
  rpc_wait_for_fast_slot(&slot, &answer, kind);
  call->result[0] = answer.words[1];
  call->result[1] = answer.words[2];
  return (int)answer.words[0];
}

static void end_call(blas_call *call, int error) {
  BLAS_TIME(BLAS_ANSWERED);
  blas_end_waiting();
  for (uint32_t i = 0; i < call->copies; ++i) {
    if (call->arrays[i].written)
      memcpy(call->arrays[i].original, call->arrays[i].copy,
             call->arrays[i].size);
    free(call->arrays[i].copy);
  }
  if (error)
    end_program(strerror(error));
  BLAS_TIME(BLAS_ENDED);
}

void blas_end(blas_call *call) {
  BLAS_TIME(BLAS_BUILT);
  blas_begin_waiting();
  end_call(call, exchange(call, false));
}
void blas_end_soon(blas_call *call, int has_result) {
  BLAS_TIME(BLAS_BUILT);
  blas_begin_waiting();
  end_call(call, exchange_soon(call, call->bytes <= BLAS_SMALL, has_result));
}

int blas_ask_limit(uint64_t call_time, uint64_t work_time, uint32_t *limit,
                   int *is_wanted, uint32_t *most_crowd) {
  blas_call call;
  blas_begin(&call, BLAS_LIMIT);
  blas_put(&call, call_time);
  blas_put(&call, work_time);
  blas_put(&call, (uint64_t)&blas_waiting);
  blas_begin_waiting();
  const int error = exchange(&call, true);
  blas_end_waiting();
  if (error)
    return 0;
  *limit = (uint32_t)call.result[0];
  *is_wanted = (int)call.result[1];
  *most_crowd = (uint32_t)call.result[2];
  return 1;
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
