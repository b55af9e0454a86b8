//===-- services/mpi/device/call.h - Calls of MPI, on the device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the generated functions of MPI consist of: they put their arguments into
// a request, exchange it with the host, and take what the host answers.
//
//   mpi_call call;
//   mpi_begin(&call, MPI_CALL_Comm_rank);
//   mpi_need(&call, 2);
//   mpi_put(&call, (uint64_t)comm);
//   mpi_put(&call, rank != NULL);
//   const int error = mpi_exchange(&call);
//   if (!error)
//     mpi_get_to(&call, rank, (int));
//   return mpi_end(&call, error, MPI_ON_COMM, (uint64_t)comm, "MPI_Comm_rank");
//
// The host cannot reach a thread's stack or the block's own memory: a buffer
// there is copied to the heap and back.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_MPI_DEVICE_CALL_H
#define GPUEXEC_SERVICES_MPI_DEVICE_CALL_H

#include "mpi.h"
#include "services/common/own_memory.h"
#include "services/mpi/request.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi_raw.inc"

enum { MPI_SMALL_WORDS = 40, MPI_MOST_BUFFERS = 3 };
enum { MPI_READS = 1, MPI_WRITES = 2 };
typedef enum {
  MPI_ON_COMM,
  MPI_ON_TYPE,
  MPI_ON_WIN,
  MPI_ON_FILE
} mpi_object_kind;

/// The bytes of a buffer: `size` from `first` behind its address on. `first`
/// may be negative.
typedef struct {
  int64_t first;
  uint64_t size;
} mpi_span;
#define MPI_NO_SPAN ((mpi_span){0, 0})

/// A buffer on the stack and its copy on the heap.
typedef struct {
  unsigned char *own, *copy;
  uint64_t size;
  int directions;
} mpi_bounce;

typedef struct {
  uint64_t small[MPI_SMALL_WORDS];
  uint64_t
      *words; ///< of the request, then of the answer: `small` or on the heap
  uint32_t count, capacity;
  uint32_t arguments; ///< the next argument's word
  uint32_t at;        ///< the next word of the answer
  uint32_t bounces;
  mpi_bounce bounce[MPI_MOST_BUFFERS];
} mpi_call;

void mpi_begin(mpi_call *call, mpi_call_number function);
/// Reserves words for `arguments` arguments.
void mpi_need(mpi_call *call, uint32_t arguments);
void mpi_put(mpi_call *call, uint64_t word);
/// Puts `count` elements; MPI_ABSENT if `count` is negative or `array` null.
void mpi_put_array(mpi_call *call, const void *array, int64_t count,
                   uint64_t size);
void mpi_put_weights(mpi_call *call, const int *weights, int64_t count,
                     uint64_t size);
/// Whether it points to weights, and is not one of MPI's special values.
static inline bool mpi_is_weights(const int *weights) {
  return weights && weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
}
void mpi_put_text(mpi_call *call, const char *text);
void mpi_put_buffer(mpi_call *call, const void *buffer, int directions,
                    mpi_span span);

/// Sends the request and waits; returns an error class.
int mpi_exchange(mpi_call *call);

uint64_t mpi_get(mpi_call *call);
#define mpi_get_to(call, to, TYPE)                                             \
  do {                                                                         \
    const uint64_t mpi_word = mpi_get(call);                                   \
    if (to)                                                                    \
      *(to) = TYPE mpi_word;                                                   \
  } while (0)
/// Takes an array of which the host answers up to `count` elements.
void mpi_get_array(mpi_call *call, void *array, int64_t count, uint64_t size);
void mpi_get_text(mpi_call *call, char *text);
void mpi_get_status(mpi_call *call, MPI_Status *status);
void mpi_get_address(mpi_call *call, void *to);
/// Asks the host for the facts of a handle: `count` elements of `size` bytes.
/// An error calls no handler: the function that asks sends the handle, too.
int mpi_ask_facts(mpi_call_number number, uint64_t handle, void *facts,
                  int64_t count, uint64_t size);

/// Frees what the call has; copies written buffers back. Calls the error
/// handler of the object for an error, and returns the error.
int mpi_end(mpi_call *call, int error, mpi_object_kind kind, uint64_t object,
            const char *function);
/// Calls the error handler of the object.
int mpi_raise(mpi_object_kind kind, uint64_t object, int error,
              const char *function);
/// A new communicator has the error handler of the one it was made of.
void mpi_inherit(MPI_Comm from, MPI_Comm to);

//===-- Buffers -----------------------------------------------------------===//

static inline bool mpi_is_own(const void *buffer) {
  return is_own_memory(buffer);
}
mpi_span mpi_bytes(int64_t size);
mpi_span mpi_span_of(int64_t count, MPI_Datatype type);
mpi_span mpi_span_spread(const int *counts, const int *displs, int blocks,
                         MPI_Datatype type);
mpi_span mpi_span_typed(const int *counts, const int *displs, int blocks,
                        const MPI_Datatype *types);
mpi_span mpi_span_typed_far(const int *counts, const MPI_Aint *displs,
                            int blocks, const MPI_Datatype *types);
/// Bytes of an element; of predefined types without asking the host.
int64_t mpi_type_size(MPI_Datatype type);

/// The call's copied buffers now belong to the request, which is not complete.
void mpi_keep(mpi_call *call, MPI_Request request);
/// The request is started again: its copied buffers are read again.
void mpi_refresh(MPI_Request request);
/// The request is complete: copies its written buffers back. If it is gone,
/// frees the copies.
void mpi_release(MPI_Request request, bool is_gone);

//===-- Communicators -----------------------------------------------------===//

/// A fact of a communicator (request.h); 0 of what is no communicator.
int mpi_fact(MPI_Comm comm, int fact);
void mpi_forget_facts(MPI_Comm comm);
static inline int mpi_peers(MPI_Comm comm) {
  return mpi_fact(comm, MPI_FACT_PEERS);
}
static inline int mpi_members(MPI_Comm comm) {
  return mpi_fact(comm, MPI_FACT_MEMBERS);
}
static inline int mpi_sources(MPI_Comm comm) {
  return mpi_fact(comm, MPI_FACT_SOURCES);
}
static inline int mpi_targets(MPI_Comm comm) {
  return mpi_fact(comm, MPI_FACT_TARGETS);
}
static inline int mpi_dims(MPI_Comm comm) {
  return mpi_fact(comm, MPI_FACT_DIMS);
}
/// Whether this rank is the root, or one of the others, of a collective. The
/// root is also one of the others, except in an intercommunicator.
static inline bool mpi_is_root(MPI_Comm comm, int root) {
  return mpi_fact(comm, MPI_FACT_IS_INTER)
             ? root == MPI_ROOT
             : mpi_fact(comm, MPI_FACT_RANK) == root;
}
static inline bool mpi_is_leaf(MPI_Comm comm, int root) {
  return !mpi_fact(comm, MPI_FACT_IS_INTER) || root >= 0;
}
static inline bool mpi_is_any(MPI_Comm comm, int root) {
  return root != MPI_PROC_NULL;
}
int64_t mpi_sum(const int *numbers, int count);
int64_t mpi_last(const int *numbers, int count);

//===-- Locks -------------------------------------------------------------===//

/// Takes the lock if it is free.
static inline bool mpi_try_lock(uint32_t *lock) {
  return !__scoped_atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE,
                                     __MEMORY_SCOPE_DEVICE);
}
static inline void mpi_unlock(uint32_t *lock) {
  __scoped_atomic_store_n(lock, 0, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}

/// Runs its body under the lock; do not leave the body by a jump. A lane that
/// has the lock releases it before it meets other lanes of its wave, which may
/// wait for it.
#define MPI_LOCKED(lock)                                                       \
  for (bool mpi_is_done = false; !mpi_is_done;)                                \
    if (mpi_try_lock(lock))                                                    \
      for (; !mpi_is_done; mpi_unlock(lock), mpi_is_done = true)

#endif
