/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===-- emulator/ptx/device/client.h - What host and device share -*- C -*-===//
 * printf, assert and malloc of PTX programs. A program that uses one of them
 * has the variable __gpuexec_cuda: the address of a `struct
 * gpuexec_cuda_client`, which the host writes when it loads the program. The
 * structure is in memory that host and device see at once; all programs of a
 * context share one. C and C++, on the host and on the device.
 *
 * The device puts records into a ring, and the host takes them out in order,
 * while a kernel runs and when it has ended. A record consists of words of 8
 * bytes; word i of the one that begins at byte b of the stream is in the ring
 * at byte (b + 8 * i) % ring_bytes. Its first word is written last. The host
 * reads it, sets all of its words to 0, and adds its bytes to `taken`.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_EMULATOR_PTX_DEVICE_CLIENT_H
#define GPUEXEC_EMULATOR_PTX_DEVICE_CLIENT_H

#include <stdint.h>

#define GPUEXEC_CUDA_VARIABLE "__gpuexec_cuda"

/* A code object that uses a variable of another one has a word of this name and
 * the variable's behind it: the address, which the host writes likewise. */
#define GPUEXEC_CUDA_EXTERNAL "__gpuexec_cuda_at_"

/* Kinds of records: the upper half of the first word. The lower half has the
 * record's bytes, the first word among them. */
enum {
  /* [1] the format's address, [2] n: bytes of the arguments; the arguments as
   * vprintf takes them, padded to words; for each %s whose pointer is not null
   * the text's bytes, without a zero at the end, in a word, and the text,
   * padded. */
  GPUEXEC_CUDA_PRINTF = 1,
  /* [1] the line, [2] block x and y, [3] block z and thread x, [4] thread y and
   * z (the first one in the lower half); then message, file and function, each
   * like a text of %s. The thread traps afterwards. */
  GPUEXEC_CUDA_ASSERTION = 2
};

/* Sizes of blocks of the heap are powers of two from 32 bytes on. */
#define GPUEXEC_CUDA_HEAP_CLASSES 40

struct gpuexec_cuda_client {
  uint64_t ring;       /* address; 8-byte words, all 0 at first */
  uint64_t ring_bytes; /* a power of two, at least 16 KiB */
  uint64_t taken;      /* by the host: bytes of the stream, from 0 */
  uint64_t unused[5];
  uint64_t reserved; /* by the device: bytes of the stream, from 0 */
  uint64_t more_unused[7];
  uint64_t heap;       /* address of malloc's region, aligned to 16; or 0 */
  uint64_t heap_bytes; /* its size */
  uint64_t heap_top;   /* by the device: bytes that were ever handed out */
  /* By the device: the free blocks of 32 << n bytes, as (block's offset + 1) in
   * 40 bits and a count in 24. All 0 at first. */
  uint64_t heap_free[GPUEXEC_CUDA_HEAP_CLASSES];
};

#endif /* GPUEXEC_EMULATOR_PTX_DEVICE_CLIENT_H */
