// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpuexec_service.h - Opcodes of your own for gpuexec ---------------===*\
 * A service is a shared library that answers RPC opcodes which a device program
 * sends: gpuexec --service ./myservice.so[,ARGUMENT] program ...
 *
 * The library exports one function, gpuexec_service(), that describes it. This
 * header is its whole interface, plain C, and stays compatible: later versions
 * only add at the ends of the structures, whose sizes tell what is there.
 *
 * On the device, with <gpuexec/client.h>:
 *     rpc_port port = rpc_open(MY_OPCODE);
 *     rpc_send_n(&port, text, size);               // "b"
 *     size = rpc_recv_n(&port, answer, capacity);  // "B"
 *     rpc_close(&port);
\*===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SERVICE_H
#define GPUEXEC_SERVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPUEXEC_SERVICE_VERSION 2

/** Opcodes reserved for users' services: 0x55000000 to 0x55FFFFFF. Other
 *  opcodes that gpuexec does not serve itself are allowed, too. */
#define GPUEXEC_USER_OPCODE(n) (0x55000000u | (n))

/** Bytes of one lane's packet. */
#define GPUEXEC_PACKET_BYTES 64
#define GPUEXEC_MAX_LANES 64

typedef struct gpuexec_bytes {
  const void *data;
  uint64_t size;
} gpuexec_bytes;

/** One request of a wave, with all its lanes. Valid until serve() returns; if
 *  serve() returns GPUEXEC_PENDING, until complete() is called. */
typedef struct gpuexec_call {
  uint32_t struct_size;
  uint32_t opcode;
  uint64_t
      lane_mask; /**< bit i: lane i takes part; the others' data is empty */
  uint32_t input_count;
  uint32_t output_count;
  /** The bytes that the lanes sent: inputs[step * GPUEXEC_MAX_LANES + lane].
   *  They come from the device: check them. */
  const gpuexec_bytes *inputs;
  /** Not 0: serve() runs in a background thread and may block. */
  uint32_t may_wait;
} gpuexec_call;

/** Functions of gpuexec for a service. Those that return int return 0 or an
 *  errno value. All may be called from any thread while the call is valid. */
typedef struct gpuexec_host {
  uint32_t struct_size;
  uint32_t version;
  /** The image's path as the user gave it. */
  const char *program;
  /** Sets output `step` of `lane`; the bytes are copied. A packet takes at most
   *  GPUEXEC_PACKET_BYTES. Outputs that are not set are empty or zero. */
  int (*reply)(gpuexec_call *call, uint32_t step, uint32_t lane,
               const void *data, uint64_t size);
  /** Copies from and to memory of the device. EFAULT if the program has no such
   *  memory. */
  int (*read_device)(gpuexec_call *call, void *to, uint64_t address,
                     uint64_t size);
  int (*write_device)(gpuexec_call *call, uint64_t address, const void *from,
                      uint64_t size);
  /** Ends the program with this message and status 125. */
  void (*fail)(gpuexec_call *call, const char *message);
  /** Returns a pointer by which the host can read, and if `writable` write,
   *  memory of the device without a copy, until serve() returns; NULL if that
   *  is not possible. The device may change the memory at any time. Newer than
   *  the members above: test struct_size first. */
  void *(*view_device)(gpuexec_call *call, uint64_t address, uint64_t size,
                       int writable);
  /* Newer still, for services that have a library of the device's vendor work
     on the program's memory. */
  /** The CUcontext in which the program's kernel runs. NULL: not on an NVIDIA
   *  GPU, not in this process, or the kernel leaves no room on the GPU. Kernels
   *  of such a library must be loaded in open(): later, loading one may wait
   *  until the program's kernel ends, which waits for the service. */
  void *cuda_context;
  /** 0 if the program may read the range, and if `writable` write it; else
   *  EFAULT. */
  int (*check_device)(gpuexec_call *call, uint64_t address, uint64_t size,
                      int writable);
  /** Allocates memory of the device for a service's own use, aligned to 256
   *  bytes; 0 if there is none. gpuexec frees what the service has not freed
   *  when the program has ended. */
  uint64_t (*allocate_device)(gpuexec_call *call, uint64_t size);
  void (*free_device)(gpuexec_call *call, uint64_t address);
  /** The device's name, as gpuexec --list-devices shows it; newer still. */
  const char *device;
  /** Version 2: ends a pending call, one whose serve() returns GPUEXEC_PENDING.
   *  Call it once, from any thread, also before serve() has returned; `call` is
   *  not valid afterwards. `result`: 0, or another value to end the program. */
  void (*complete)(gpuexec_call *call, int result);
} gpuexec_host;

/** serve() takes only microseconds and never waits: gpuexec calls it in the
 *  thread that polls for requests. Without this flag it runs in a background
 *  thread, beside other requests. */
#define GPUEXEC_QUICK 1u
/** The answer, and what serve() writes to the program's memory, depend only on
 *  the request, on that memory and on this machine: not on files, clocks, other
 *  programs or earlier calls. A program that calls the operation can be
 *  recorded; its replay calls serve() again. */
#define GPUEXEC_REPEATABLE 2u
/** serve() of a quick operation returns this if the request at hand takes
 *  longer: gpuexec then calls it again in a background thread
 *  (gpuexec_call::may_wait). */
#define GPUEXEC_NOT_QUICK (-1)
/** Version 2. serve() returns this if the service answers later, by complete():
 *  no thread of gpuexec waits meanwhile. (Calls that block in serve() share 64
 *  background threads.) */
#define GPUEXEC_PENDING (-2)

typedef struct gpuexec_operation {
  uint32_t opcode;
  uint32_t flags;
  const char *name; /**< for --rpc-stats and --trace */
  /** The exchange, a letter per step: first what the device sends, 'p' a packet
   *  or 'b' bytes of any size; then what it gets, 'P' or 'B'. "bpBP", "p". */
  const char *sequence;
  /** Serves a request; called from several threads at a time. `state` is what
   *  open() set. A result other than 0 and the two values above ends the
   *  program as fail() does. */
  int (*serve)(void *state, const struct gpuexec_host *host,
               gpuexec_call *call);
} gpuexec_operation;

typedef struct gpuexec_service_description {
  uint32_t struct_size;
  uint32_t version; /**< GPUEXEC_SERVICE_VERSION; 1 is served as before */
  const char *name;
  uint32_t operation_count;
  const gpuexec_operation *operations;
  /** Called before the program starts; may be NULL. `argument`: the text behind
   *  the comma of --service, or "". If it returns another value than 0, gpuexec
   *  fails with the message that it has written to `error`. */
  int (*open)(const gpuexec_host *host, const char *argument, void **state,
              char *error, size_t error_size);
  /** Called after the program's end; may be NULL. */
  void (*close)(void *state);
  /** Version 2; may be NULL. The program has ended, and the answer of this
   *  pending call is not needed. The service must complete the call soon, if it
   *  has not yet; gpuexec waits for that. */
  void (*cancel)(void *state, gpuexec_call *call);
} gpuexec_service_description;

/** The function that the library exports. */
__attribute__((visibility("default"))) const gpuexec_service_description *
gpuexec_service(void);

#ifdef __cplusplus
}
#endif

#endif /* GPUEXEC_SERVICE_H */
