/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===-- emulator/ptx/device/records.h - Records for the host -----*- C -*-===*/
#ifndef GPUEXEC_EMULATOR_PTX_DEVICE_RECORDS_H
#define GPUEXEC_EMULATOR_PTX_DEVICE_RECORDS_H

#include "emulator/ptx/device/client.h"

extern struct gpuexec_cuda_client *__gpuexec_cuda
    __attribute__((visibility("protected")));

/* A record that is being written. */
struct record {
  struct gpuexec_cuda_client *client;
  uint64_t begin; /* its first byte in the stream */
  uint64_t next;  /* the next word to write */
};

/* Takes room for a record, and waits until the host has made it. One lane of a
 * wave at a time calls it, see EACH_LANE. */
struct record begin_record(struct gpuexec_cuda_client *client, uint64_t bytes);
void put_word(struct record *record, uint64_t word);
void put_bytes(struct record *record, const char *bytes, uint64_t count);
/* A word with the length, and the text. */
void put_text(struct record *record, const char *text, uint64_t length);
/* Shows the record to the host. */
void end_record(struct record *record, uint32_t kind);

uint64_t text_length(const char *text);
/* Bytes of put_text(). */
static inline uint64_t text_bytes(uint64_t length) {
  return 8 + ((length + 7) & ~(uint64_t)7);
}

/* Runs a statement for each active lane alone, in order. All lanes go round the
 * loop as often, so that no lane that waits keeps another one's record. */
#define EACH_LANE(statement)                                                   \
  for (uint32_t lanes = __builtin_amdgcn_ballot_w32(1); lanes;                 \
       lanes &= lanes - 1) {                                                   \
    if (__builtin_amdgcn_mbcnt_lo(~0u, 0) == (uint32_t)__builtin_ctz(lanes)) { \
      statement;                                                               \
    }                                                                          \
    __builtin_amdgcn_wave_barrier();                                           \
  }

#endif /* GPUEXEC_EMULATOR_PTX_DEVICE_RECORDS_H */
