/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===-- emulator/ptx/device/assert.c - __assertfail -----------------------===*/
#include "emulator/ptx/device/records.h"

#define MOST_TEXT 1024

static uint64_t pair(uint32_t low, uint32_t high) {
  return (uint64_t)high << 32 | low;
}

static uint64_t length_of(uint64_t text) {
  const uint64_t length = text ? text_length((const char *)text) : 0;
  return length < MOST_TEXT ? length : MOST_TEXT;
}

static void report(struct gpuexec_cuda_client *client, uint64_t message,
                   uint64_t file, uint32_t line, uint64_t function) {
  const uint64_t texts[3] = {message, file, function};
  uint64_t bytes = 5 * 8;
  for (int i = 0; i < 3; ++i)
    bytes += text_bytes(length_of(texts[i]));
  struct record record = begin_record(client, bytes);
  put_word(&record, line);
  put_word(&record, pair(__builtin_amdgcn_workgroup_id_x(),
                         __builtin_amdgcn_workgroup_id_y()));
  put_word(&record, pair(__builtin_amdgcn_workgroup_id_z(),
                         __builtin_amdgcn_workitem_id_x()));
  put_word(&record, pair(__builtin_amdgcn_workitem_id_y(),
                         __builtin_amdgcn_workitem_id_z()));
  for (int i = 0; i < 3; ++i)
    put_text(&record, (const char *)texts[i], length_of(texts[i]));
  end_record(&record, GPUEXEC_CUDA_ASSERTION);
}

void __assertfail(uint64_t message, uint64_t file, uint32_t line,
                  uint64_t function, uint64_t character_size) {
  struct gpuexec_cuda_client *client = __gpuexec_cuda;
  (void)character_size;
  if (client && client->ring) {
    EACH_LANE(report(client, message, file, line, function))
  }
  __builtin_trap();
}

void __assert_fail(uint64_t message, uint64_t file, uint32_t line,
                   uint64_t function) {
  __assertfail(message, file, line, function, 1);
}
