//===-- services/blas/host/gpu_lapack.c - LAPACK by a GPU's library -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/host/gpu_queues.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/// A call allocates one piece of device memory: INFO, in this many bytes, then
/// real numbers, then the workspace.
enum { INFO_BYTES = 256 };

typedef struct {
  request *r;
  gpu_blas *gpu;
  gpu_queue *queue;
  char letter;
  int info;
} lapack_call;

static uint64_t element_size(char letter) {
  return letter == 's' ? 4 : letter == 'z' ? 16 : 8;
}

/// Runs a function of cuSOLVER: allocates its memory, calls it, waits, and
/// reads INFO. `reals`: how many real numbers it needs besides its workspace.
/// Returns 0, CUBLAS_CANNOT, or a number of cuSOLVER's or the driver's.
static int solve(lapack_call *call, const char *name, uint64_t reals,
                 const blas_argument *arguments) {
  request *r = call->r;
  const cusolver *solver = &call->gpu->solver;
  cusolver_memory memory = {0};
  int status = cusolver_workspace(solver, call->queue->solver, name,
                                  call->letter, arguments, &memory.elements);
  if (status || memory.elements < 0)
    return status ? status : CUBLAS_CANNOT;
  const uint64_t rwork_bytes = (reals * sizeof(double) + 255) / 256 * 256;
  const uint64_t bytes = INFO_BYTES + rwork_bytes +
                         (uint64_t)memory.elements * element_size(call->letter);
  memory.info = r->host->allocate_device(r->call, bytes);
  if (!memory.info)
    return CUBLAS_CANNOT; // the host's library needs no device memory
  memory.rwork = memory.info + INFO_BYTES;
  memory.work = memory.rwork + rwork_bytes;
  status = cusolver_call(solver, call->queue->solver, name, call->letter,
                         arguments, &memory);
  const int ended = wait_for_stream(&call->gpu->driver, call->queue->stream);
  if (!status && !ended)
    status = r->host->read_device(r->call, &call->info, memory.info,
                                  sizeof call->info);
  r->host->free_device(r->call, memory.info);
  return status ? status : ended;
}

/// Runs two functions of cuSOLVER, a factorisation and its use.
static int solve_in_two(lapack_call *call, const char *first,
                        const blas_argument *first_arguments,
                        const char *second,
                        const blas_argument *second_arguments) {
  const int status = solve(call, first, 0, first_arguments);
  return status || call->info ? status
                              : solve(call, second, 0, second_arguments);
}

static int call_gesv(lapack_call *call, const blas_argument *a) {
  const blas_argument factors[] = {a[0], a[0], a[2], a[3], a[4]};
  const blas_argument systems[] = {
      {.integer = 'N'}, a[0], a[1], a[2], a[3], a[4], a[5], a[6]};
  return solve_in_two(call, "getrf", factors, "getrs", systems);
}

static int call_posv(lapack_call *call, const blas_argument *a) {
  const blas_argument factors[] = {a[0], a[1], a[3], a[4]};
  return solve_in_two(call, "potrf", factors, "potrs", a);
}

/// Whether a dimension of the call is 0, so that there is nothing to do.
static int is_empty(const char *name, const blas_argument *a) {
  static const struct {
    const char *name;
    unsigned dimensions[2];
  } all[] = {{"gesv", {0, 1}},  {"getrf", {0, 1}}, {"getrs", {1, 2}},
             {"posv", {1, 2}},  {"potrf", {1, 1}}, {"potrs", {1, 2}},
             {"geqrf", {0, 1}}, {"syevd", {2, 2}}, {"gesvd", {2, 3}}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (!strcmp(name, all[i].name))
      return !a[all[i].dimensions[0]].integer ||
             !a[all[i].dimensions[1]].integer;
  return 0;
}

/// The name of cuSOLVER's function. It has one for eigenvalues of symmetric and
/// Hermitian matrices, with the divide-and-conquer method of LAPACK's xSYEVD.
static const char *own_name(const char *name) {
  return strstr(name, "ev") == name + 2 ? "syevd" : name;
}

int lapack_on_gpu(request *r, const char *name, char letter,
                  const blas_argument *arguments) {
  gpu_blas *gpu = ((const gpu_call *)r->on_device)->gpu;
  name = own_name(name);
  if (!gpu->solver.library || is_empty(name, arguments))
    return ENOTSUP;
  lapack_call call = {r, gpu, take_queue(gpu), letter, 0};
  int status;
  if (!strcmp(name, "gesv"))
    status = call_gesv(&call, arguments);
  else if (!strcmp(name, "posv"))
    status = call_posv(&call, arguments);
  else
    status = solve(&call, name,
                   strcmp(name, "gesvd") ? 0 : (uint64_t)arguments[3].integer,
                   arguments);
  give_queue(gpu, call.queue);
  if (status == CUBLAS_CANNOT)
    return ENOTSUP;
  if (!status) {
    r->result[0] = (uint64_t)(int64_t)call.info;
    return 0;
  }
  char message[128];
  snprintf(message, sizeof message, "cuSOLVER: %c%s failed: %d", letter, name,
           status);
  r->host->fail(r->call, message);
  return EIO;
}
