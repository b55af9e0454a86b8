//===-- services/blas/cuda/cublas.c - See cublas.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/cuda/cublas.h"
#include <dlfcn.h>
#include <string.h>

#include "cublas_calls.inc"

_Static_assert(sizeof targets / sizeof *targets <= CUBLAS_FUNCTIONS,
               "room for all functions");

const unsigned cublas_function_count = sizeof targets / sizeof *targets;

const char *cublas_function_name(unsigned function) {
  return targets[function].name;
}

const char *cublas_argument_kinds(unsigned function) {
  return targets[function].kinds;
}

/// The size in bytes of a number of that kind; 0 for other kinds of arguments.
static size_t number_size(char kind) {
  switch (kind) {
  case 's':
    return 4;
  case 'd':
  case 'c':
    return 8;
  case 'z':
    return 16;
  default:
    return 0;
  }
}

const char *cublas_argument_names(unsigned function) {
  return targets[function].parameters;
}

static const char *load_functions(cublas *c) {
  const struct {
    const char *name;
    void **function;
  } wanted[] = {{"cublasCreate_v2", (void **)&c->create},
                {"cublasDestroy_v2", (void **)&c->destroy},
                {"cublasSetStream_v2", (void **)&c->set_stream},
                {"cublasSetWorkspace_v2", (void **)&c->set_workspace}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
    if (!(*wanted[i].function = dlsym(c->library, wanted[i].name)))
      return "it is older than cuBLAS 11";
  for (unsigned i = 0; i < cublas_function_count; ++i)
    if (targets[i].symbol)
      c->functions[i] = dlsym(c->library, targets[i].symbol);
  for (unsigned i = 0; i < cublas_function_count; ++i)
    if (targets[i].batched_symbol)
      c->batched[i] = dlsym(c->library, targets[i].batched_symbol);
  static const char *const geam[] = {"cublasSgeam", "cublasDgeam",
                                     "cublasCgeam", "cublasZgeam"};
  for (unsigned i = 0; i < 4; ++i)
    c->geam[i] = dlsym(c->library, geam[i]);
  return NULL;
}

const char *open_cublas(cublas *c, const char *name) {
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12",
                                      "libcublas.so.11", "libcublas.so"};
  memset(c, 0, sizeof *c);
  for (size_t i = 0; !c->library && i < sizeof names / sizeof *names; ++i)
    c->library = dlopen(name ? name : names[i], RTLD_NOW | RTLD_LOCAL);
  if (!c->library)
    return dlerror();
  const char *error = load_functions(c);
  if (error)
    close_cublas(c);
  return error;
}

void close_cublas(cublas *c) {
  dlclose(c->library);
  memset(c, 0, sizeof *c);
}

void cublas_copy_arguments(unsigned function, const blas_argument *from,
                           blas_argument *to, cublas_number *numbers) {
  const char *kinds = targets[function].kinds;
  for (unsigned i = 0; kinds[i]; ++i) {
    const size_t size = number_size(kinds[i]);
    to[i] = from[i];
    if (size)
      to[i].number = memcpy(&numbers[i], from[i].number, size);
  }
}

int cublas_call(const cublas *c, void *handle, unsigned function,
                const blas_argument *arguments, void *result) {
  if (function >= cublas_function_count || !c->functions[function])
    return CUBLAS_CANNOT;
  blas_argument aligned[CUBLAS_ARGUMENTS];
  cublas_number numbers[CUBLAS_ARGUMENTS];
  cublas_copy_arguments(function, arguments, aligned, numbers);
  return targets[function].call(handle, c->functions[function], aligned,
                                result);
}

int cublas_transpose(const cublas *c, void *handle, char type, int rows,
                     int columns, uint64_t from, int ld_from, uint64_t to,
                     int ld_to) {
  // geam computes alpha op(A) + beta op(B); beta is 0.
  typedef int function(void *, int, int, int, int, const void *, const void *,
                       int, const void *, const void *, int, void *, int);
  enum { NOT_TRANSPOSED = 0, TRANSPOSED = 1, CONJUGATED = 2 };
  static const float singles[] = {1, 0, 0, 0};
  static const double doubles[] = {1, 0, 0, 0};
  const int is_single = type == 's' || type == 'c';
  const int is_complex = type == 'c' || type == 'z';
  function *geam = (function *)c->geam[is_complex * 2 + !is_single];
  const void *one = is_single ? (const void *)singles : doubles;
  const void *zero =
      is_single ? (const void *)(singles + 2) : (const void *)(doubles + 2);
  return geam ? geam(handle, is_complex ? CONJUGATED : TRANSPOSED,
                     NOT_TRANSPOSED, columns, rows, one,
                     (const void *)(uintptr_t)from, ld_from, zero,
                     (const void *)(uintptr_t)to, ld_to, (void *)(uintptr_t)to,
                     ld_to)
              : CUBLAS_CANNOT;
}

int cublas_call_batched(const cublas *c, void *handle, unsigned function,
                        const blas_argument *arguments, int count) {
  if (function >= cublas_function_count || !c->batched[function])
    return CUBLAS_CANNOT;
  blas_argument aligned[CUBLAS_ARGUMENTS];
  cublas_number numbers[CUBLAS_ARGUMENTS];
  cublas_copy_arguments(function, arguments, aligned, numbers);
  return targets[function].batch(handle, c->batched[function], aligned, count);
}
