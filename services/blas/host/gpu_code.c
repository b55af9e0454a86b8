//===-- services/blas/host/gpu_code.c - Loading code before it is needed --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a kernel of the library is launched for the first time, the driver may
// wait until no other kernel runs; but the program's kernel runs until it has
// its answer. With CUDA_MODULE_LOADING=EAGER the library loads all but a few
// kernels when it is opened, and these few when each function is called once.
// Measured on an H200, driver 580, cuBLAS 13.
//===----------------------------------------------------------------------===//
#include "services/blas/host/gpu_queues.h"
#include <stdio.h>
#include <string.h>

/// Rows of matrices for which the library's kernels have one block, and
/// several.
enum { SMALL = 8, LARGE = 100 };
/// The size of an array in complex numbers; one of them is used as workspace.
enum { ROOM = 1 << 20 };

/// Arrays on the device.
typedef struct {
  CUdeviceptr arrays[3];
} operands;

/// A value for the integer argument with this name in cblas.h. `variant`, 0 or
/// 1: which of two enumerators, such as upper and lower.
static int integer(const char *name, size_t length, int n, int variant) {
  const char *const letters[] = {"order", "trans", "transa", "transb",
                                 "uplo",  "diag",  "side"};
  const int values[] = {BY_COLUMNS, NO_TRANS, NO_TRANS, NO_TRANS,
                        UPPER,      NON_UNIT, LEFT};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i)
    if (length == strlen(letters[i]) && !strncmp(name, letters[i], length))
      return values[i] + (i ? variant : 0);
  if (!strncmp(name, "inc", 3))
    return 1;
  if (!strncmp(name, "kl", 2) || !strncmp(name, "ku", 2))
    return 1;
  return name[0] == 'k' ? n - 1 : n; // k may be the width of a band
}

static void make_arguments(unsigned function, int n, int variant,
                           const operands *o, blas_argument *arguments) {
  static const double zero[2];
  const char *kinds = cublas_argument_kinds(function);
  const char *name = cublas_argument_names(function);
  for (unsigned i = 0, arrays = 0; kinds[i]; ++i) {
    const size_t length = strcspn(name, " ");
    if (kinds[i] == 'i')
      arguments[i].integer = integer(name, length, n, variant);
    else if (kinds[i] == 'a')
      arguments[i].array = o->arrays[arrays++ % 3];
    else
      arguments[i].number = zero;
    name += length + (name[length] == ' ');
  }
  // Functions of Hermitian matrices take CONJ_TRANS, not TRANS.
  if (strstr(cublas_function_name(function), "her") && variant &&
      arguments[2].integer == TRANS)
    arguments[2].integer = CONJ_TRANS;
}

static int call_one(gpu_blas *gpu, gpu_queue *queue, unsigned function, int n,
                    int variant, const operands *o) {
  blas_argument arguments[CUBLAS_ARGUMENTS];
  double result[2];
  make_arguments(function, n, variant, o, arguments);
  const int status =
      cublas_call(&gpu->blas, queue->blas, function, arguments, result);
  // Not each function accepts all enumerators.
  return status == CUBLAS_CANNOT || status == CUBLAS_INVALID_VALUE ||
                 status == CUBLAS_NOT_SUPPORTED
             ? 0
             : status;
}

static int call_batch(gpu_blas *gpu, gpu_queue *queue, unsigned function, int n,
                      int variant, const operands *o) {
  gpu_call both[2] = {{.function = function}, {.function = function}};
  make_arguments(function, n, variant, o, both[0].arguments);
  memcpy(both[1].arguments, both[0].arguments, sizeof both[1].arguments);
  begin_calls(gpu, queue, (gpu_call *[]){&both[0], &both[1]}, 2);
  return both[0].status;
}

static int call_blas(gpu_blas *gpu, gpu_queue *queue, int n,
                     const operands *o) {
  int status = 0;
  for (unsigned f = 0; !status && f < cublas_function_count; ++f)
    for (int variant = 0; !status && variant < 2; ++variant)
      status = call_one(gpu, queue, f, n, variant, o);
  for (unsigned f = 0; !status && f < cublas_function_count; ++f)
    for (int variant = 0; gpu->blas.batched[f] && !status && variant < 2;
         ++variant)
      status = call_batch(gpu, queue, f, n, variant, o);
  return status;
}

/// Calls the functions of LAPACK on a matrix of n rows and columns.
static int call_lapack(gpu_blas *gpu, gpu_queue *queue, int n,
                       const operands *o) {
  const blas_argument size = {.integer = n}, a = {.array = o->arrays[0]},
                      b = {.array = o->arrays[0] + (1 << 20)},
                      letter = {.integer = 'N'}, upper = {.integer = 'U'},
                      none = {.array = 0};
  const struct {
    const char *name;
    blas_argument arguments[12];
  } all[] = {
      {"getrf", {size, size, a, size, b}},
      {"getrs", {letter, size, size, a, size, b, a, size}},
      {"potrf", {upper, size, a, size}},
      {"potrs", {upper, size, size, a, size, a, size}},
      {"geqrf", {size, size, a, size, b}},
      {"syevd", {{.integer = 'V'}, upper, size, a, size, b}},
      {"gesvd",
       {letter, letter, size, size, a, size, b, b, size, b, size, none}}};
  cusolver_memory memory = {.work = o->arrays[1],
                            .rwork = o->arrays[0] + (2 << 20),
                            .info = o->arrays[0] + (3 << 20)};
  int status = 0;
  for (unsigned f = 0; !status && f < sizeof all / sizeof *all; ++f)
    for (const char *type = "sdcz"; !status && *type; ++type) {
      // Clear the matrix: earlier calls may have left NaNs, on which some
      // functions iterate. getrs needs the rows that getrf has chosen, behind
      // it: zeros would be rows before the matrix.
      status = gpu->driver.cuda.cuMemsetD8Async(o->arrays[0], 0, 1 << 20,
                                                queue->stream);
      if (!status)
        status = cusolver_workspace(&gpu->solver, queue->solver, all[f].name,
                                    *type, all[f].arguments, &memory.elements);
      if (!status && memory.elements <= ROOM)
        status = cusolver_call(&gpu->solver, queue->solver, all[f].name, *type,
                               all[f].arguments, &memory);
      if (!status)
        status = wait_for_stream(&gpu->driver, queue->stream);
    }
  return status;
}

static int allocate(gpu_blas *gpu, gpu_queue *queue, operands *o) {
  const size_t bytes = (size_t)ROOM * 2 * sizeof(double);
  int status = 0;
  for (unsigned i = 0; !status && i < 3; ++i)
    status = gpu->driver.cuda.cuMemAlloc_v2(&o->arrays[i], bytes);
  for (unsigned i = 0; !status && i < 3; ++i)
    status =
        gpu->driver.cuda.cuMemsetD8Async(o->arrays[i], 0, bytes, queue->stream);
  return status ? status : wait_for_stream(&gpu->driver, queue->stream);
}

int load_all_code(gpu_blas *gpu, char *error, size_t size) {
  operands o = {{0}};
  int status = allocate(gpu, &gpu->queues[0], &o);
  for (unsigned i = 0; !status && i < GPU_QUEUES; ++i) {
    gpu_queue *queue = &gpu->queues[i];
    // Code is loaded once per context, but each handle needs some set-up: one
    // size is enough for the other queues.
    const int most = i ? SMALL : LARGE;
    for (int n = SMALL; !status && n <= most; n += LARGE - SMALL) {
      status = call_blas(gpu, queue, n, &o);
      if (gpu->solver.library && !status)
        status = call_lapack(gpu, queue, n, &o);
    }
    if (!status)
      status = wait_for_stream(&gpu->driver, queue->stream);
  }
  for (unsigned i = 0; i < 3; ++i)
    if (o.arrays[i])
      gpu->driver.cuda.cuMemFree_v2(o.arrays[i]);
  if (status)
    snprintf(error, size, "the GPU's libraries fail: %d", status);
  return status;
}
