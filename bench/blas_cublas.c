//===-- bench/blas_cublas.c - What bare calls of cuBLAS cost ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As bench/blas.c, by a program of the host on data that are on the GPU: what a
// device program's calls are measured against. A call ends when the GPU has
// done it.
//   blas_cublas [--beside] FUNCTION N...
// --beside: a kernel of one thread keeps a multiprocessor meanwhile, as a
// program that waits for its answer does: no such program's call takes less.
//===----------------------------------------------------------------------===//
#include "bench/best_time.h"
#include "services/blas/cuda/cublas.h"
#include "services/blas/cuda/cusolver.h"
#include "services/blas/cuda/driver.h"
#include <stdio.h>
#include <stdlib.h>

enum { CANNOT = 125 };

static cuda_driver driver;
static cublas blas;
static cusolver solver;
static void *handle, *solver_handle;
static CUstream stream;

// What the service does not call.
#define CUDA_FUNCTIONS(F)                                                      \
  F(cuInit)                                                                    \
  F(cuDevicePrimaryCtxRetain)                                                  \
  F(cuMemcpyHtoD_v2)                                                           \
  F(cuMemcpyDtoDAsync_v2)                                                      \
  F(cuMemHostAlloc)                                                            \
  F(cuModuleLoadData)                                                          \
  F(cuModuleGetFunction)                                                       \
  F(cuLaunchKernel)
static struct {
  CUDA_FUNCTIONS(DRIVER_MEMBER)
} cuda;

typedef struct {
  int n;
  uint64_t a, b, c, s; ///< matrices of doubles; s of floats
  cusolver_memory memory;
} operands;

static const char *open_all(void) {
  CUcontext context;
  const char *error = open_cuda_driver(&driver);
  if (error)
    return error;
  if (bind_functions(driver.library, CUDA_FUNCTIONS(DRIVER_NAME), &cuda) ||
      cuda.cuInit(0) || cuda.cuDevicePrimaryCtxRetain(&context, 0) ||
      driver.cuda.cuCtxSetCurrent(context) ||
      driver.cuda.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING))
    return "no GPU";
  error = open_cublas(&blas, NULL);
  if (!error)
    error = open_cusolver(&solver, NULL);
  if (error)
    return error;
  return blas.create(&handle) || blas.set_stream(handle, stream) ||
                 solver.create(&solver_handle) ||
                 solver.set_stream(solver_handle, stream)
             ? "the libraries cannot be initialised"
             : NULL;
}

static uint64_t upload(const void *from, size_t bytes) {
  CUdeviceptr address = 0;
  return driver.cuda.cuMemAlloc_v2(&address, bytes) ||
                 cuda.cuMemcpyHtoD_v2(address, from, bytes)
             ? 0
             : address;
}

static unsigned find(const char *name) {
  for (unsigned i = 0; i < cublas_function_count; ++i)
    if (!strcmp(cublas_function_name(i) + strlen("cblas_"), name))
      return i;
  return CUBLAS_FUNCTIONS;
}

static int call_getrf(const operands *o) {
  const blas_argument a[] = {{.integer = o->n},
                             {.integer = o->n},
                             {.array = o->c},
                             {.integer = o->n},
                             {.array = o->b}};
  return cuda.cuMemcpyDtoDAsync_v2(o->c, o->a, (size_t)o->n * (size_t)o->n * 8, stream) ||
         cusolver_call(&solver, solver_handle, "getrf", 'd', a, &o->memory);
}

static int call(const char *name, const operands *o) {
  static const double half = 0.5, one = 1, zero = 0;
  static const float one_single = 1, zero_single = 0;
  const blas_argument n = {.integer = o->n}, unit = {.integer = 1},
                      by_columns = {.integer = 102}, no = {.integer = 111},
                      upper = {.integer = 121}, left = {.integer = 141},
                      not_unit = {.integer = 131}, a = {.array = o->a},
                      b = {.array = o->b}, c = {.array = o->c},
                      d1 = {.number = &one}, d0 = {.number = &zero};
  const size_t size = (size_t)o->n * (size_t)o->n * sizeof(float);
  const struct {
    const char *name;
    blas_argument arguments[14];
  } all[] = {
      {"daxpy", {n, {.number = &half}, a, unit, b, unit}},
      {"ddot", {n, a, unit, a, unit}},
      {"dgemv", {by_columns, no, n, n, d1, a, n, b, unit, d0, c, unit}},
      {"dgemm", {by_columns, no, no, n, n, n, d1, a, n, b, n, d0, c, n}},
      {"sgemm",
       {by_columns,
        no,
        no,
        n,
        n,
        n,
        {.number = &one_single},
        {.array = o->s},
        n,
        {.array = o->s + size},
        n,
        {.number = &zero_single},
        {.array = o->s + 2 * size},
        n}},
      {"dsyrk", {by_columns, upper, no, n, n, d1, a, n, d0, c, n}},
      {"dtrsm", {by_columns, left, upper, no, not_unit, n, n, d1, a, n, b, n}}};
  double result;
  if (!strcmp(name, "dgetrf"))
    return call_getrf(o);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (!strcmp(all[i].name, name))
      return cublas_call(&blas, handle, find(name), all[i].arguments, &result);
  return CUBLAS_CANNOT;
}

typedef struct {
  const char *name;
  const operands *operands;
} timed_call;

static int make_call(void *context) {
  const timed_call *timed = context;
  return call(timed->name, timed->operands) || wait_for_stream(&driver, stream);
}

/// A kernel that looks at a word of the host's memory until it is not 0.
static const char waiting_kernel[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry waits(.param .u64 word) {\n"
    "  .reg .u64 %rd1;\n  .reg .u32 %r1;\n  .reg .pred %p1;\n"
    "  ld.param.u64 %rd1, [word];\n"
    "again:\n"
    "  ld.relaxed.sys.u32 %r1, [%rd1];\n"
    "  setp.eq.u32 %p1, %r1, 0;\n"
    "  @%p1 bra again;\n"
    "  ret;\n}\n";

static struct {
  CUfunction kernel;
  CUstream stream;
  uint32_t *word; ///< the host's memory; NULL: not asked for
} waiting;

static const char *load_waiting_kernel(void) {
  CUmodule module;
  void *memory;
  if (cuda.cuModuleLoadData(&module, waiting_kernel) ||
      cuda.cuModuleGetFunction(&waiting.kernel, module, "waits") ||
      driver.cuda.cuStreamCreate(&waiting.stream, CU_STREAM_NON_BLOCKING) ||
      cuda.cuMemHostAlloc(&memory, sizeof *waiting.word,
                          CU_MEMHOSTALLOC_DEVICEMAP))
    return "the kernel that waits cannot be loaded";
  waiting.word = memory;
  return NULL;
}

/// As best_microseconds(make_call), beside the waiting kernel if it is wanted.
/// Before that the call has loaded all its code, which the kernel would hinder.
static double best_beside(timed_call *timed) {
  if (!waiting.word)
    return best_microseconds(make_call, timed);
  void *arguments[] = {&waiting.word};
  __atomic_store_n(waiting.word, 0, __ATOMIC_RELEASE);
  if (make_call(timed) ||
      cuda.cuLaunchKernel(waiting.kernel, 1, 1, 1, 1, 1, 1, 0, waiting.stream,
                          arguments, NULL))
    return -1;
  const double best = best_microseconds(make_call, timed);
  __atomic_store_n(waiting.word, 1, __ATOMIC_RELEASE);
  return driver.cuda.cuStreamSynchronize(waiting.stream) ? -1 : best;
}

static int make_operands(operands *o, int n) {
  const size_t size = (size_t)n * (size_t)n;
  double *numbers = malloc(size * sizeof *numbers);
  float *singles = malloc(3 * size * sizeof *singles);
  if (!numbers || !singles)
    return 1;
  for (size_t i = 0; i < size; ++i)
    numbers[i] = (double)(i * 7 % 13) / 13 + 0.1;
  for (size_t i = 0; i < 3 * size; ++i)
    singles[i] = (float)(i * 7 % 13) / 13 + 0.1f;
  for (int i = 0; i < n; ++i)
    numbers[(size_t)i * (size_t)(n + 1)] = n; // a matrix that can be solved for
  o->n = n;
  o->a = upload(numbers, size * 8);
  o->b = upload(numbers, size * 8);
  o->c = upload(numbers, size * 8);
  o->s = upload(singles, 3 * size * sizeof *singles);
  CUdeviceptr work = 0, info = 0;
  const blas_argument a[] = {
      {.integer = n}, {.integer = n}, {.array = o->c}, {.integer = n}};
  if (cusolver_workspace(&solver, solver_handle, "getrf", 'd', a,
                         &o->memory.elements) ||
      driver.cuda.cuMemAlloc_v2(&work, (size_t)o->memory.elements * 8 + 8) ||
      driver.cuda.cuMemAlloc_v2(&info, sizeof(int)))
    return 1;
  o->memory.work = work;
  o->memory.info = info;
  free(numbers);
  free(singles);
  return !o->a || !o->b || !o->c || !o->s;
}

static void free_operands(operands *o) {
  const uint64_t all[] = {o->a, o->b,           o->c,
                          o->s, o->memory.work, o->memory.info};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (all[i])
      driver.cuda.cuMemFree_v2(all[i]);
}

int main(int argc, char **argv) {
  const int is_beside = argc > 1 && !strcmp(argv[1], "--beside");
  argc -= is_beside;
  argv += is_beside;
  if (argc < 3)
    return 2;
  // As gpuexec: no two streams share a queue of the GPU's.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  const char *error = open_all();
  if (!error && is_beside)
    error = load_waiting_kernel();
  for (int i = 2; !error && i < argc; ++i) {
    operands o = {0};
    timed_call timed = {argv[1], &o};
    const double time =
        make_operands(&o, atoi(argv[i])) ? -1 : best_beside(&timed);
    if (time < 0)
      error = "the call failed, or there is no memory for it";
    else
      printf("%.6g\n", time);
    free_operands(&o);
  }
  if (error)
    fprintf(stderr, "blas_cublas: %s\n", error);
  return error ? CANNOT : 0;
}
