//===-- services/common/fuzz/program.c - See program.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/common/fuzz/program.h"
#include "services/common/fuzz/memory.h"
#include <errno.h>
#include <stdio.h>

static const uint8_t *input;
static size_t input_left;

void fuzz_begin(const uint8_t *bytes, size_t size) {
  input = bytes;
  input_left = size;
}

uint8_t fuzz_next_byte(void) {
  if (!input_left)
    return 1;
  --input_left;
  return *input++;
}

static void *view_device(gpuexec_call *call, uint64_t address, uint64_t size,
                         int writable) {
  (void)call, (void)writable;
  void *memory = address == FUZZ_VISIBLE ? fuzz_malloc(size) : NULL;
  if (memory)
    fuzz_fill(memory, size, address);
  return memory;
}

static int read_device(gpuexec_call *call, void *to, uint64_t address,
                       uint64_t size) {
  (void)call;
  if (address < FUZZ_VISIBLE || address > FUZZ_LAST)
    return EFAULT;
  fuzz_fill(to, size, address);
  return 0;
}

/// Reads what is written: the sanitizer sees when it is not the service's.
static int write_device(gpuexec_call *call, uint64_t address, const void *from,
                        uint64_t size) {
  (void)call, (void)address;
  static volatile char sum;
  for (uint64_t i = 0; i < size; ++i)
    sum ^= ((const char *)from)[i];
  return 0;
}

static int reply(gpuexec_call *call, uint32_t step, uint32_t lane,
                 const void *data, uint64_t size) {
  (void)call, (void)step, (void)lane, (void)data, (void)size;
  return 0;
}

static const gpuexec_host host = {.struct_size = sizeof host,
                                  .version = GPUEXEC_SERVICE_VERSION,
                                  .reply = reply,
                                  .read_device = read_device,
                                  .write_device = write_device,
                                  .view_device = view_device};
static void *state;
static int is_open;

void fuzz_send(uint32_t opcode, const void *request, size_t size) {
  const gpuexec_service_description *service = gpuexec_service();
  char error[200];
  setenv("XDG_CACHE_HOME", "/proc/nowhere", 1); // the user's is not to change
  if (!is_open && service->open(&host, "", &state, error, sizeof error)) {
    fprintf(stderr, "%s\n", error);
    abort();
  }
  is_open = 1;
  const gpuexec_bytes inputs[GPUEXEC_MAX_LANES] = {{request, size}};
  gpuexec_call call = {.struct_size = sizeof call,
                       .opcode = opcode,
                       .lane_mask = 1,
                       .input_count = 1,
                       .output_count = 1,
                       .inputs = inputs};
  for (uint32_t i = 0; i < service->operation_count; ++i)
    if (service->operations[i].opcode == opcode)
      service->operations[i].serve(state, &host, &call);
  fuzz_free_all();
}

void fuzz_close(void) {
  if (is_open)
    gpuexec_service()->close(state);
  is_open = 0;
}
