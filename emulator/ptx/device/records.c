/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===-- emulator/ptx/device/records.c - See records.h ---------------------===*/
#include "emulator/ptx/device/records.h"

/* The host writes it when it loads the program. */
struct gpuexec_cuda_client *__gpuexec_cuda;

struct record begin_record(struct gpuexec_cuda_client *client, uint64_t bytes) {
  struct record record = {client, 0, 0};
  record.begin = __scoped_atomic_fetch_add(
      &client->reserved, bytes, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
  record.next = record.begin;
  while (record.begin + bytes -
             __scoped_atomic_load_n(&client->taken, __ATOMIC_ACQUIRE,
                                    __MEMORY_SCOPE_SYSTEM) >
         client->ring_bytes)
    __builtin_amdgcn_s_sleep(8);
  /* The first word is written last. */
  record.next += 8;
  return record;
}

static uint64_t *place(struct gpuexec_cuda_client *client, uint64_t at) {
  return (uint64_t *)(client->ring + (at & (client->ring_bytes - 1)));
}

void put_word(struct record *record, uint64_t word) {
  *place(record->client, record->next) = word;
  record->next += 8;
}

void put_bytes(struct record *record, const char *bytes, uint64_t count) {
  for (uint64_t at = 0; at < count; at += 8) {
    uint64_t word = 0;
    for (uint64_t i = 0; i < 8 && at + i < count; ++i)
      word |= (uint64_t)(uint8_t)bytes[at + i] << (8 * i);
    put_word(record, word);
  }
}

void put_text(struct record *record, const char *text, uint64_t length) {
  put_word(record, length);
  put_bytes(record, text, length);
}

void end_record(struct record *record, uint32_t kind) {
  __scoped_atomic_store_n(place(record->client, record->begin),
                          (uint64_t)kind << 32 | (record->next - record->begin),
                          __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
}

uint64_t text_length(const char *text) {
  uint64_t length = 0;
  while (text[length])
    ++length;
  return length;
}
