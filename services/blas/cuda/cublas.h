//===-- services/blas/cuda/cublas.h - cuBLAS, opened at run time -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls NVIDIA's library with the arguments of CBLAS. cublas.txt says which
// function of cuBLAS does the work of which function of CBLAS, and with which
// arguments for matrices by rows. Types and numbers are those of cuBLAS 11 and
// later.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_CUDA_CUBLAS_H
#define GPUEXEC_SERVICES_BLAS_CUDA_CUBLAS_H

#include <stddef.h>
#include <stdint.h>

enum {
  CUBLAS_FUNCTIONS = 160, ///< room for the functions of blas.txt
  CUBLAS_ARGUMENTS = 16   ///< the most arguments of a function
};
/// Results of calls other than 0, success: some of cublasStatus_t, and
/// CUBLAS_CANNOT if cuBLAS has no function for these arguments.
enum {
  CUBLAS_CANNOT = -1,
  CUBLAS_ALLOC_FAILED = 3,
  CUBLAS_INVALID_VALUE = 7,
  CUBLAS_NOT_SUPPORTED = 15
};

/// An argument of a function of CBLAS.
typedef union {
  int integer;        ///< a dimension, increment or enumerator
  const void *number; ///< the address of a number, on the host
  uint64_t array;     ///< the address of an array, on the device
} blas_argument;

/// Aligned memory for a number. cuBLAS reads both halves of a complex number at
/// once, which ends the process if they are not aligned; Fortran aligns a
/// complex number only to a half.
typedef struct {
  double halves[2] __attribute__((aligned(16)));
} cublas_number;

typedef struct {
  void *library;
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  int (*set_stream)(void *handle, void *stream);
  int (*set_workspace)(void *handle, void *memory, size_t size);
  void *functions[CUBLAS_FUNCTIONS]; ///< by their places in blas.txt
  void *batched[CUBLAS_FUNCTIONS];   ///< likewise; few have one
  void *geam[4];                     ///< by type: s d c z
} cublas;

/// Opens the library: `name`, or if that is NULL the newest version of this
/// machine. Returns NULL, or the reason of a failure, valid until the next
/// call.
const char *open_cublas(cublas *, const char *name);
void close_cublas(cublas *);

/// The number of functions in blas.txt, and their names.
extern const unsigned cublas_function_count;
const char *cublas_function_name(unsigned function);
/// A letter for each argument of the function of CBLAS: i an integer, a an
/// array, s d c z a number of that type, r the address for a complex result.
const char *cublas_argument_kinds(unsigned function);
/// The arguments' names in cblas.h, separated by spaces: "n X incX Y incY".
const char *cublas_argument_names(unsigned function);

/// Copies the arguments of a function from `from` to `to`, and the numbers that
/// they point to to `numbers`, to which `to` then points. `to` and `numbers`
/// have CUBLAS_ARGUMENTS elements.
void cublas_copy_arguments(unsigned function, const blas_argument *from,
                           blas_argument *to, cublas_number *numbers);

/// Starts a function in the handle's stream. `function`: its place in blas.txt;
/// `arguments`: one for each argument of CBLAS (those of kind r are not read).
/// A function with a result waits for it, and writes it to `result` as CBLAS
/// returns it: a number, two of them, or a size_t. Returns 0, a cublasStatus_t,
/// or CUBLAS_CANNOT.
int cublas_call(const cublas *, void *handle, unsigned function,
                const blas_argument *arguments, void *result);

/// Starts a conjugate transpose in the handle's stream: `from` has rows x
/// columns elements, `to` gets columns x rows. Both are on the device, stored
/// by columns, with the leading dimensions `ld_from` and `ld_to`. `type`: s, d,
/// c or z. Returns what cublas_call() returns.
int cublas_transpose(const cublas *, void *handle, char type, int rows,
                     int columns, uint64_t from, int ld_from, uint64_t to,
                     int ld_to);

/// As cublas_call(), for `count` calls at once that differ only in their
/// arrays. An array's argument is the address, on the device, of `count`
/// addresses.
int cublas_call_batched(const cublas *, void *handle, unsigned function,
                        const blas_argument *arguments, int count);

#endif
