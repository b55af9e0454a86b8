//===-- fft/fuzz/fft_fuzzer.c - A hostile program against the service ------===//
// Each input is one request, mostly with small sizes. FFTW gets memory that ends
// where a page begins that nobody may write.
//===----------------------------------------------------------------------===//
#include "blas/fuzz/memory.h"
#include "fft/request.h"
#include "rpc/include/gpuexec_service.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const uint8_t *input;
static size_t input_left;

static uint8_t next_byte(void) {
  if (!input_left)
    return 1;
  --input_left;
  return *input++;
}

/// A number below `limit`, or now and then any.
static uint64_t next_number(unsigned limit) {
  const uint8_t byte = next_byte();
  const uint64_t odd[] = {0, UINT64_MAX, INT32_MAX, UINT64_C(1) << 32, 1u << 30};
  return byte > 250 ? odd[byte - 251] : byte % limit;
}

enum { VISIBLE = 0x1000, COPIED = 0x2000 };

static void *view(gpuexec_call *call, uint64_t address, uint64_t size,
                  int writable) {
  (void)call, (void)writable;
  void *memory = address == VISIBLE ? fuzz_malloc(size) : NULL;
  if (memory)
    memset(memory, 0x3f, size);
  return memory;
}
static int read_device(gpuexec_call *call, void *to, uint64_t address,
                       uint64_t size) {
  (void)call;
  if (address != COPIED)
    return EFAULT;
  memset(to, 0x3f, size);
  return 0;
}
static int write_device(gpuexec_call *call, uint64_t address, const void *from,
                        uint64_t size) {
  (void)call, (void)address, (void)from, (void)size;
  return 0;
}
static int reply(gpuexec_call *call, uint32_t step, uint32_t lane,
                 const void *data, uint64_t size) {
  (void)call, (void)step, (void)lane, (void)data, (void)size;
  return 0;
}

static uint64_t next_address(void) {
  const uint8_t byte = next_byte();
  return byte % 16 == 0 ? 0 : byte % 2 ? VISIBLE : COPIED;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const gpuexec_host host = {.struct_size = sizeof host,
                                    .version = GPUEXEC_SERVICE_VERSION,
                                    .reply = reply,
                                    .read_device = read_device,
                                    .write_device = write_device,
                                    .view_device = view};
  static void *opened;
  static unsigned requests;
  char error[200];
  const gpuexec_service_description *service = gpuexec_service();
  if (opened && ++requests % 500 == 0) { // FFTW's plans take memory
    service->close(opened);
    opened = NULL;
  }
  if (!opened && service->open(&host, "", &opened, error, sizeof error)) {
    fprintf(stderr, "%s\n", error);
    abort();
  }
  input = data, input_left = size;
  fft_request sent;
  memset(&sent, 0, sizeof sent);
  sent.header = (fft_header){.kind = next_number(3),
                             .is_single = next_number(2),
                             .only_plan = next_byte() % 8 == 0,
                             .rank = 1 + next_number(3),
                             .count = next_byte() % 5u, // many in one place take long
                             .sign = next_byte() % 8 ? 1 : -1,
                             .flags = next_number(128) | (next_byte() % 8 ? 64 : 0),
                             .input = next_address(),
                             .output = next_address(),
                             .input_stride = next_number(4),
                             .input_distance = next_number(100),
                             .output_stride = next_number(4),
                             .output_distance = next_number(100)};
  for (unsigned i = 0; i < FFT_DIMENSIONS; ++i)
    sent.dimensions[i] =
        (fft_dimension){next_number(20), next_number(20), next_number(20)};
  const uint64_t rank = sent.header.rank <= FFT_DIMENSIONS ? sent.header.rank : 1;
  const gpuexec_bytes inputs[GPUEXEC_MAX_LANES] = {
      {&sent, sizeof sent.header + rank * sizeof *sent.dimensions}};
  gpuexec_call call = {.struct_size = sizeof call,
                       .opcode = FFT_OPCODE,
                       .lane_mask = 1,
                       .input_count = 1,
                       .output_count = 1,
                       .inputs = inputs};
  service->operations[0].serve(opened, &host, &call);
  fuzz_free_all();
  return 0;
}
