// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- zstd_service.c - The host's zstd for device programs --------------===*\
 * An example of a service: gpuexec --service libgpuexec-zstd.so program
 *
 * COMPRESS    C {P[0] = level}, C bytes(data),
 *             S bytes(frame), S {P[0] = errno}
 * DECOMPRESS  C {P[0] = most bytes of data}, C bytes(frame),
 *             S bytes(data), S {P[0] = errno}
 * Lanes are independent: each lane of a wave sends its own data.
\*===----------------------------------------------------------------------===*/
#include "rpc/include/gpuexec_service.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { COMPRESS = GPUEXEC_USER_OPCODE(0x2d00), DECOMPRESS };

/* The most bytes of a frame's content, whatever limit the device sends. */
static const uint64_t MAX_CONTENT = (uint64_t)1 << 30;

static uint64_t first_word(const gpuexec_bytes *packet) {
  uint64_t word = 0;
  if (packet->size >= sizeof word)
    memcpy(&word, packet->data, sizeof word);
  return word;
}

static int compress(gpuexec_bytes data, int level, void **out, size_t *size) {
  size_t room = ZSTD_compressBound(data.size);
  if (ZSTD_isError(room) || !(*out = malloc(room)))
    return ENOMEM;
  *size = ZSTD_compress(*out, room, data.data, data.size, level);
  return ZSTD_isError(*size) ? EINVAL : 0;
}

static int decompress(gpuexec_bytes frame, uint64_t limit, void **out,
                      size_t *size) {
  unsigned long long content = ZSTD_getFrameContentSize(frame.data, frame.size);
  if (content == ZSTD_CONTENTSIZE_ERROR)
    return EILSEQ;
  if (limit > MAX_CONTENT)
    limit = MAX_CONTENT;
  /* A frame need not name its size; then there is room for `limit` bytes. */
  uint64_t room = content == ZSTD_CONTENTSIZE_UNKNOWN ? limit : content;
  if (room > limit)
    return ENOSPC;
  if (!(*out = malloc(room ? room : 1)))
    return ENOMEM;
  *size = ZSTD_decompress(*out, room, frame.data, frame.size);
  return ZSTD_isError(*size) ? EILSEQ : 0;
}

static int serve(void *state, const gpuexec_host *host, gpuexec_call *call) {
  (void)state;
  for (uint32_t lane = 0; lane < GPUEXEC_MAX_LANES; ++lane) {
    if (!(call->lane_mask >> lane & 1))
      continue;
    uint64_t argument = first_word(&call->inputs[lane]);
    gpuexec_bytes data = call->inputs[GPUEXEC_MAX_LANES + lane];
    void *out = NULL;
    size_t size = 0;
    uint64_t error = (uint64_t)(call->opcode == COMPRESS
                                    ? compress(data, (int)argument, &out, &size)
                                    : decompress(data, argument, &out, &size));
    if (!error)
      error = (uint64_t)host->reply(call, 0, lane, out, size);
    free(out);
    host->reply(call, 1, lane, &error, sizeof error);
  }
  return 0;
}

static const gpuexec_operation operations[] = {
    {COMPRESS, 0, "ZSTD_COMPRESS", "pbBP", serve},
    {DECOMPRESS, 0, "ZSTD_DECOMPRESS", "pbBP", serve},
};

const gpuexec_service_description *gpuexec_service(void) {
  static const gpuexec_service_description description = {
      sizeof description,
      GPUEXEC_SERVICE_VERSION,
      "zstd",
      2,
      operations,
      NULL,
      NULL,
      NULL};
  return &description;
}
