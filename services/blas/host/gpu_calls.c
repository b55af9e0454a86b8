//===-- services/blas/host/gpu_calls.c - Calls of many lanes together -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of a wave make their calls at once, and most of a call's time is
// waiting: all their calls are started, and then waited for together. Calls of
// other waves are gathered while all streams are busy; the first free stream
// does them together. Small products that differ only in their arrays become
// one call of the library.
//===----------------------------------------------------------------------===//
#include "services/blas/host/gpu_queues.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/// Calls of one thread. Lives on its stack.
typedef struct gpu_group {
  gpu_call *const *calls;
  unsigned count;
  int is_taken, is_done;
  struct gpu_group *next;
} gpu_group;

/// The most rows and columns of products that are done as a batch. On an H200 a
/// product of 128 rows takes 0.6 us in a batch. A product of 256 rows, eight
/// times the work, takes 4.3 us when it is called alone, so a batch would gain
/// nothing.
static const int MOST_BATCHED = 128;

/// Nanoseconds for which a polling thread waits for a call. Those that take
/// longer are waited for by another thread, which wakes up meanwhile.
static const int64_t CALL_TIMEOUT = 30000;

int call_on_gpu(request *r, unsigned function, const blas_argument *arguments,
                void *result) {
  gpu_call *call = r->on_device;
  *call = (gpu_call){.gpu = call->gpu, .function = function, .result = result};
  cublas_copy_arguments(function, arguments, call->arguments, call->numbers);
  return EINPROGRESS;
}

//===-- Batches ------------------------------------------------------------===//

/// Whether the calls differ only in their arrays.
static int are_alike(const gpu_call *a, const gpu_call *b) {
  const char *kinds = cublas_argument_kinds(a->function);
  if (a->function != b->function)
    return 0;
  for (unsigned i = 0; kinds[i]; ++i)
    if (kinds[i] == 'i' && a->arguments[i].integer != b->arguments[i].integer)
      return 0;
  return memcmp(a->numbers, b->numbers, sizeof a->numbers) == 0;
}

static int is_small(const gpu_call *call) {
  const char *name = cublas_argument_names(call->function);
  for (unsigned i = 0; *name; ++i) {
    const size_t length = strcspn(name, " ");
    if (length == 1 && strchr("mnk", *name) &&
        call->arguments[i].integer > MOST_BATCHED)
      return 0;
    name += length + (name[length] == ' ');
  }
  return 1;
}

/// Starts calls that are alike as a batch. False if the library cannot: then
/// nothing is started.
static int begin_batch(gpu_blas *gpu, gpu_queue *queue, gpu_call **calls,
                       unsigned count) {
  const char *kinds = cublas_argument_kinds(calls[0]->function);
  blas_argument arguments[CUBLAS_ARGUMENTS];
  uint64_t addresses[3 * MOST_GATHERED];
  unsigned arrays = 0;
  memcpy(arguments, calls[0]->arguments, sizeof arguments);
  for (unsigned i = 0; kinds[i]; ++i)
    if (kinds[i] == 'a') {
      for (unsigned c = 0; c < count; ++c)
        addresses[arrays * count + c] = calls[c]->arguments[i].array;
      arguments[i].array =
          queue->pointers + (uint64_t)arrays++ * count * sizeof *addresses;
    }
  // The copy overwrites the addresses of an earlier batch only after that has
  // ended, because both are in the same stream.
  if (gpu->driver.cuda.cuMemcpyHtoDAsync_v2(
          queue->pointers, addresses,
          (size_t)arrays * count * sizeof *addresses, queue->stream))
    return 0;
  const int status = cublas_call_batched(
      &gpu->blas, queue->blas, calls[0]->function, arguments, (int)count);
  if (status == CUBLAS_CANNOT || status == CUBLAS_NOT_SUPPORTED)
    return 0;
  for (unsigned c = 0; c < count; ++c)
    calls[c]->status = status;
  return 1;
}

void begin_calls(gpu_blas *gpu, gpu_queue *queue, gpu_call **calls,
                 unsigned count) {
  for (unsigned done = 0; done < count;) {
    // Move the calls that are like the first behind it.
    unsigned alike = 1;
    if (gpu->blas.batched[calls[done]->function] && is_small(calls[done]))
      for (unsigned i = done + 1; i < count; ++i)
        if (are_alike(calls[done], calls[i])) {
          gpu_call *other = calls[done + alike];
          calls[done + alike++] = calls[i];
          calls[i] = other;
        }
    if (alike == 1 || !begin_batch(gpu, queue, calls + done, alike))
      for (unsigned i = done; i < done + alike; ++i)
        calls[i]->status =
            cublas_call(&gpu->blas, queue->blas, calls[i]->function,
                        calls[i]->arguments, calls[i]->result);
    done += alike;
  }
}

//===-- Gathering ----------------------------------------------------------===//

static void put_group(gpu_blas *gpu, gpu_group *group) {
  *gpu->last = group;
  gpu->last = &group->next;
}

/// The calls of some groups, which one queue does together.
typedef struct {
  gpu_group *groups;
  gpu_call *calls[MOST_GATHERED];
  unsigned count;
} gpu_batch;

/// Gives the queue waiting groups, from the first one on, with at most
/// MOST_GATHERED calls. The caller holds the mutex.
static void take_groups(gpu_blas *gpu, gpu_queue *queue, gpu_batch *batch) {
  gpu_group *last = NULL;
  batch->groups = gpu->first;
  batch->count = 0;
  for (gpu_group *group = gpu->first;
       group && batch->count + group->count <= MOST_GATHERED;
       group = group->next) {
    memcpy(batch->calls + batch->count, group->calls,
           group->count * sizeof *batch->calls);
    batch->count += group->count;
    group->is_taken = 1;
    last = group;
  }
  gpu->first = last->next;
  if (!gpu->first)
    gpu->last = &gpu->first;
  last->next = NULL;
  queue->busy = 1;
}

/// Does the calls and waits for their end. The caller does not hold the mutex.
static void do_batch(gpu_blas *gpu, gpu_queue *queue, gpu_batch *batch) {
  gpu->driver.cuda.cuCtxSetCurrent(gpu->context);
  begin_calls(gpu, queue, batch->calls, batch->count);
  const int ended = wait_for_stream(&gpu->driver, queue->stream);
  for (unsigned i = 0; i < batch->count; ++i)
    batch->calls[i]->ended =
        batch->calls[i]->status == CUBLAS_CANNOT ? 0 : ended;
}

/// Wakes the threads of the groups. The caller holds the mutex.
static void end_batch(gpu_blas *gpu, gpu_queue *queue, gpu_batch *batch) {
  queue->busy = 0;
  for (gpu_group *next, *group = batch->groups; group; group = next) {
    next = group->next; // once is_done is set its thread may free the group
    group->is_done = 1;
  }
  pthread_cond_broadcast(&gpu->freed);
}

void do_on_gpu(gpu_blas *gpu, gpu_call *const *calls, unsigned count) {
  gpu_group group = {.calls = calls, .count = count};
  gpu_batch batch;
  pthread_mutex_lock(&gpu->mutex);
  put_group(gpu, &group);
  while (!group.is_done) {
    gpu_queue *queue = group.is_taken ? NULL : find_free_queue(gpu);
    if (!queue) {
      pthread_cond_wait(&gpu->freed, &gpu->mutex);
      continue;
    }
    take_groups(gpu, queue, &batch);
    pthread_mutex_unlock(&gpu->mutex);
    do_batch(gpu, queue, &batch);
    pthread_mutex_lock(&gpu->mutex);
    end_batch(gpu, queue, &batch);
  }
  pthread_mutex_unlock(&gpu->mutex);
}

//===-- A call that is alone -----------------------------------------------===//

/// Takes a queue if no call is on the GPU.
static gpu_queue *take_first_queue(gpu_blas *gpu) {
  int busy = 0;
  pthread_mutex_lock(&gpu->mutex);
  for (unsigned i = 0; i < GPU_QUEUES; ++i)
    busy |= gpu->queues[i].busy;
  if (!busy)
    gpu->queues[0].busy = 1;
  pthread_mutex_unlock(&gpu->mutex);
  return busy ? NULL : &gpu->queues[0];
}

gpu_state begin_alone(gpu_blas *gpu, gpu_call *call, const void *caller) {
  gpu_queue *queue = take_first_queue(gpu);
  if (!queue)
    return GPU_IS_BUSY;
  gpu->driver.cuda.cuCtxSetCurrent(gpu->context);
  call->status = cublas_call(&gpu->blas, queue->blas, call->function,
                             call->arguments, call->result);
  note_time(gpu->times, TIME_STARTED);
  call->ended =
      call->status == CUBLAS_CANNOT
          ? 0
          : (int)look_at_stream(&gpu->driver, queue->stream, CALL_TIMEOUT);
  if (call->ended == CUDA_ERROR_NOT_READY) {
    pthread_mutex_lock(&gpu->mutex);
    queue->alone = *call;
    queue->caller = caller;
    pthread_mutex_unlock(&gpu->mutex);
    return GPU_WORKS;
  }
  note_time(gpu->times, TIME_ENDED);
  give_queue(gpu, queue);
  return GPU_ENDED;
}

int wait_for_alone(gpu_blas *gpu, gpu_call *call, const void *caller) {
  gpu_queue *queue = &gpu->queues[0]; // of take_first_queue()
  pthread_mutex_lock(&gpu->mutex);
  const int is_ours = queue->caller == caller;
  if (is_ours) {
    *call = queue->alone;
    queue->caller = NULL;
  }
  pthread_mutex_unlock(&gpu->mutex);
  if (!is_ours)
    return 0;
  gpu->driver.cuda.cuCtxSetCurrent(gpu->context);
  call->ended = (int)wait_for_stream(&gpu->driver, queue->stream);
  note_time(gpu->times, TIME_ENDED);
  give_queue(gpu, queue);
  return 1;
}

int look_at_gpu_call(request *r, const gpu_call *call) {
  if (call->status == CUBLAS_CANNOT)
    return ENOTSUP;
  if (!call->status && !call->ended)
    return 0;
  char message[128];
  snprintf(message, sizeof message,
           "cuBLAS: %s failed: cublasStatus_t %d, "
           "CUresult %d",
           cublas_function_name(call->function), call->status, call->ended);
  r->host->fail(r->call, message);
  return EIO;
}
