//===-- services/blas/cuda/cublas.h - cuBLAS, opened at run time -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's library by the arguments of CBLAS. Which of its functions does what,
// and with which arguments where matrices are by rows, is in cublas.txt. Its
// types and numbers are those of cuBLAS 11 and later.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_CUDA_CUBLAS_H
#define GPUEXEC_SERVICES_BLAS_CUDA_CUBLAS_H

#include <stddef.h>
#include <stdint.h>

enum {
  CUBLAS_FUNCTIONS = 160, ///< room for those of blas.txt
  CUBLAS_ARGUMENTS = 16   ///< of one of them, at most
};
/// What calls give besides 0, which is success: a few of cublasStatus_t, and
/// that cuBLAS has nothing for these arguments.
enum {
  CUBLAS_CANNOT = -1,
  CUBLAS_ALLOC_FAILED = 3,
  CUBLAS_INVALID_VALUE = 7,
  CUBLAS_NOT_SUPPORTED = 15
};

/// An argument of a function of CBLAS.
typedef union {
  int integer;        ///< dimensions, increments, enumerations
  const void *number; ///< where it is, on the host
  uint64_t array;     ///< its address on the device
} blas_argument;

/// A number as cuBLAS has it: it reads both halves of a complex one at once,
/// which ends the process where they are not aligned. Fortran's are aligned to
/// a half.
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

/// Opens the library: `name`, or where that is NULL the newest version that is
/// there. NULL, or why there is none, until the next call.
const char *open_cublas(cublas *, const char *name);
void close_cublas(cublas *);

/// How many functions of BLAS there are, and what they are called.
extern const unsigned cublas_function_count;
const char *cublas_function_name(unsigned function);
/// A letter for each argument of the function of CBLAS: i an integer, a an
/// array, s d c z a number of that type, r where a complex result goes.
const char *cublas_argument_kinds(unsigned function);
/// Their names as cblas.h has them, with spaces in between: "n X incX Y incY".
const char *cublas_argument_names(unsigned function);

/// Copies the arguments of a function to CUBLAS_ARGUMENTS others, and the
/// numbers that they name to `numbers`, which those name then.
void cublas_copy_arguments(unsigned function, const blas_argument *from,
                           blas_argument *to, cublas_number *numbers);

/// Has the function done, in the handle's stream: its place in blas.txt,
/// and an argument for each of CBLAS's (of `r` none is read). Functions that
/// return something wait for it; it goes to `result` as CBLAS has it: a number,
/// two of them, or a size_t. 0, a number of cuBLAS's (cublasStatus_t), or
/// CUBLAS_CANNOT: it has nothing for these arguments.
int cublas_call(const cublas *, void *handle, unsigned function,
                const blas_argument *arguments, void *result);

/// The conjugate transpose, in the handle's stream: `to`, of columns x rows,
/// becomes that of `from`, of rows x columns. Both are on the device, by
/// columns, with these leading dimensions. `type`: s, d, c or z. As
/// cublas_call().
int cublas_transpose(const cublas *, void *handle, char type, int rows,
                     int columns, uint64_t from, int ld_from, uint64_t to,
                     int ld_to);

/// The same as cublas_call() of `count` calls at once, which differ in nothing
/// but their arrays: in an array's place is the address, on the device, of as
/// many addresses.
int cublas_call_batched(const cublas *, void *handle, unsigned function,
                        const blas_argument *arguments, int count);

#endif
