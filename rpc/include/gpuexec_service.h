// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpuexec_service.h - Opcodes of your own for gpuexec
----------------===*\
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

/** Opcodes free for everyone: 0x55000000 to 0x55FFFFFF. Any other that gpuexec
 *  does not serve itself may be used, too. */
#define GPUEXEC_USER_OPCODE(n) (0x55000000u | (n))

/** Bytes of one lane's packet. */
#define GPUEXEC_PACKET_BYTES 64
#define GPUEXEC_MAX_LANES 64

typedef struct gpuexec_bytes {
  const void *data;
  uint64_t size;
} gpuexec_bytes;

/** One request of a wave: all its lanes at once. Valid until serve() returns, or
 *  where that is GPUEXEC_PENDING until complete() is called. */
typedef struct gpuexec_call {
  uint32_t struct_size;
  uint32_t opcode;
  uint64_t
      lane_mask; /**< bit i: lane i takes part; the others' data is empty */
  uint32_t input_count;
  uint32_t output_count;
  /** What the lanes sent: inputs[step * GPUEXEC_MAX_LANES + lane]. It comes
   * from the device: check it. */
  const gpuexec_bytes *inputs;
  /** serve() runs in a thread of its own: it may take its time. */
  uint32_t may_wait;
} gpuexec_call;

/** What gpuexec does for a service. Functions that return int give 0 or an
 * errno value. All may be called from any thread while the call is valid. */
typedef struct gpuexec_host {
  uint32_t struct_size;
  uint32_t version;
  /** The image's path as the user gave it. */
  const char *program;
  /** Sets output `step` of `lane`; the bytes are copied. A packet takes at most
   *  GPUEXEC_PACKET_BYTES. Outputs that are not set are empty or zero. */
  int (*reply)(gpuexec_call *call, uint32_t step, uint32_t lane,
               const void *data, uint64_t size);
  /** Copies from and to memory of the device. Addresses are checked. */
  int (*read_device)(gpuexec_call *call, void *to, uint64_t address,
                     uint64_t size);
  int (*write_device)(gpuexec_call *call, uint64_t address, const void *from,
                      uint64_t size);
  /** Ends the program with this message and status 125. */
  void (*fail)(gpuexec_call *call, const char *message);
  /** Where the host can read, and if `writable` write, memory of the device
   *  without a copy, until serve() returns; NULL when it cannot. The device may
   *  change what is there at any time. Newer than the others: test struct_size
   *  first. */
  void *(*view_device)(gpuexec_call *call, uint64_t address, uint64_t size,
                       int writable);
  /* Newer still, for services that have a library of the device's vendor work
     on the program's memory. */
  /** The CUcontext in which the program's kernel runs. NULL: not on an NVIDIA
   *  GPU, not in this process, or the kernel leaves no room on the GPU. Kernels
   *  of such a library must be loaded in open(): later, loading one may wait
   *  until the program's kernel ends, which waits for the service. */
  void *cuda_context;
  /** 0 where the program has the range, and may write it if `writable`. */
  int (*check_device)(gpuexec_call *call, uint64_t address, uint64_t size,
                      int writable);
  /** Memory of the device for a service's own use, aligned to 256 bytes; 0:
   *  there is none. What is not freed is freed when the program has ended. */
  uint64_t (*allocate_device)(gpuexec_call *call, uint64_t size);
  void (*free_device)(gpuexec_call *call, uint64_t address);
  /** The device's name, as gpuexec --list-devices shows it; newer still. */
  const char *device;
  /** Version 2: ends a call of which serve() returns GPUEXEC_PENDING, or has
   *  returned it. From any thread, once; the call is not valid any more then.
   *  `result`: as serve() returns it. */
  void (*complete)(gpuexec_call *call, int result);
} gpuexec_host;

/** serve() only takes microseconds and never waits: call it at once. Without
 * this it runs in a thread of its own, beside other requests. */
#define GPUEXEC_QUICK 1u
/** What serve() of such an operation returns where it takes longer this time:
 *  it is called again in a thread of its own (gpuexec_call::may_wait). */
#define GPUEXEC_NOT_QUICK (-1)
/** Version 2. What serve() returns where the service answers later, by
 *  complete(): no thread of gpuexec waits meanwhile. (Without it calls that take
 *  long have 64 threads together.) */
#define GPUEXEC_PENDING (-2)

typedef struct gpuexec_operation {
  uint32_t opcode;
  uint32_t flags;
  const char *name; /**< for --rpc-stats and --trace */
  /** What is exchanged, in order: first from the device, 'p' a packet or 'b'
   * bytes of any size, then to it, 'P' or 'B'. "bpBP", "p", "b" ... */
  const char *sequence;
  /** Called once per request, from several threads at a time. `state` is
   * open()'s. Not 0: ends the program as fail() does. */
  int (*serve)(void *state, const struct gpuexec_host *host,
               gpuexec_call *call);
} gpuexec_operation;

typedef struct gpuexec_service_description {
  uint32_t struct_size;
  uint32_t version; /**< GPUEXEC_SERVICE_VERSION; 1 is served as before */
  const char *name;
  uint32_t operation_count;
  const gpuexec_operation *operations;
  /** Before the program starts, or NULL. `argument`: what follows the comma, or
   *  "". Not 0: gpuexec fails and shows `error`. */
  int (*open)(const gpuexec_host *host, const char *argument, void **state,
              char *error, size_t error_size);
  /** After its end, or NULL. */
  void (*close)(void *state);
  /** Version 2, or NULL: the program has ended, and nobody wants the answer of
   *  this pending call. The service completes it soon, if it has not; gpuexec
   *  waits for that. */
  void (*cancel)(void *state, gpuexec_call *call);
} gpuexec_service_description;

/** What the library exports. */
__attribute__((visibility("default"))) const gpuexec_service_description *
gpuexec_service(void);

#ifdef __cplusplus
}
#endif

#endif /* GPUEXEC_SERVICE_H */
