//===-- services/mpi/fuzz/mpi_fuzzer.c - A hostile program against the service ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each input is a few requests of one rank. The library is fake_library.c,
// whose functions read and write what their arguments say: the sanitizers see a
// buffer or an array that is shorter.
//===----------------------------------------------------------------------===//
#include "services/common/fuzz/program.h"
#include "services/mpi/fuzz/fake_library.h"
#include "services/mpi/host/engine.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static int read_device(gpuexec_call *call, void *to, uint64_t address,
                       uint64_t size) {
  (void)call;
  if (address < FUZZ_VISIBLE || size > FUZZ_LAST ||
      address > FUZZ_VISIBLE + FUZZ_LAST - size)
    return 14; // EFAULT
  memset(to, 0x11, size);
  return 0;
}

static int check_device(gpuexec_call *call, uint64_t address, uint64_t size,
                        int writable) {
  (void)call, (void)writable;
  return address < FUZZ_VISIBLE || size > FUZZ_LAST ||
                 address > FUZZ_VISIBLE + FUZZ_LAST - size
             ? 14
             : 0;
}

static int write_device(gpuexec_call *call, uint64_t address, const void *from,
                        uint64_t size) {
  static volatile char sum;
  for (uint64_t i = 0; i < size; ++i)
    sum ^= ((const char *)from)[i];
  return check_device(call, address, size, 1);
}

static int reply(gpuexec_call *call, uint32_t step, uint32_t lane,
                 const void *data, uint64_t size) {
  (void)call, (void)step, (void)lane;
  static volatile char sum;
  for (uint64_t i = 0; i < size; ++i)
    sum ^= ((const char *)data)[i];
  return 0;
}

static int is_complete;
static void complete(gpuexec_call *call, int result) {
  (void)call, (void)result;
  __atomic_store_n(&is_complete, 1, __ATOMIC_RELEASE);
}
static void fail(gpuexec_call *call, const char *message) {
  (void)call, (void)message;
}

static const gpuexec_host host = {.struct_size = sizeof host,
                                  .version = GPUEXEC_SERVICE_VERSION,
                                  .reply = reply,
                                  .read_device = read_device,
                                  .write_device = write_device,
                                  .fail = fail,
                                  .check_device = check_device,
                                  .complete = complete};

/// A word of a request: mostly what a row may expect.
static uint64_t next_word(void) {
  static const uint64_t odd[] = {0,
                                 1,
                                 UINT64_MAX,
                                 UINT64_MAX - 1,
                                 UINT64_MAX - 2,
                                 INT32_MAX,
                                 UINT64_C(0x80000000),
                                 UINT64_C(1) << 32,
                                 UINT64_C(1) << 61,
                                 INT64_MAX};
  const uint8_t byte = fuzz_next_byte();
  switch (byte % 8) {
  case 0:
    return odd[byte / 8 % (sizeof odd / sizeof *odd)];
  case 1:
    return ABI_MPI_COMM_WORLD + byte / 8 % 2;
  case 2:
    return FUZZ_VISIBLE + fuzz_next_byte();
  case 3:
    return ABI_MPI_DATATYPE_NULL + fuzz_next_byte() % 0x60;
  case 4:
    return (uint64_t)MPI_OBJECT_BIT | (uint64_t)(byte / 8 % 4) << 4 |
           fuzz_next_byte() % 10; // a handle that may have been made
  case 5:
    return ABI_MPI_OP_NULL + byte / 8;
  default:
    return byte / 8 % 8;
  }
}

static void send_one(mpi_engine *engine) {
  static uint64_t words[64];
  const unsigned count = 1 + fuzz_next_byte() % 40;
  words[0] = fuzz_next_byte() % (MPI_CALLS + 2);
  if (words[0] == MPI_CALL_Finalize_host || words[0] == MPI_CALL_Abort_host)
    words[0] = MPI_CALL_Isend;
  words[0] |= MPI_TABLE_VERSION << 32;
  for (unsigned i = 1; i < count; ++i)
    words[i] = next_word();
  // On the heap, of this size: reading behind it is seen.
  void *request = malloc(count * sizeof *words);
  memcpy(request, words, count * sizeof *words);
  const gpuexec_bytes inputs[GPUEXEC_MAX_LANES] = {{request, 8 * count}};
  gpuexec_call call = {.struct_size = sizeof call,
                       .opcode = MPI_OPCODE,
                       .lane_mask = 1,
                       .input_count = 1,
                       .output_count = 1,
                       .inputs = inputs};
  is_complete = 0;
  if (mpi_enqueue(engine, &call) == GPUEXEC_PENDING)
    while (!__atomic_load_n(&is_complete, __ATOMIC_ACQUIRE))
      sched_yield();
  free(request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_begin(data, size);
  mpi_engine *engine = calloc(1, sizeof *engine);
  if (!engine)
    return 0;
  engine->host = &host;
  engine->arrived_end = &engine->arrived;
  pthread_mutex_init(&engine->state, NULL);
  pthread_cond_init(&engine->changed, NULL);
  fake_open(&engine->mpi);
  engine->is_initialized = true;
  const unsigned requests = 1 + fuzz_next_byte() % 6;
  for (unsigned i = 0; i < requests; ++i)
    send_one(engine);
  engine->is_finalized = true; // or close() says that the program has not
  gpuexec_service()->close(engine);
  return 0;
}
