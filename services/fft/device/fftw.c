//===-- services/fft/device/fftw.c - Plans of transforms, on the device ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan of the program is a complete request. When the program makes it, the
// host makes FFTW's plan for these sizes and keeps it; when the program
// executes it, the host finds FFTW's plan by the sizes.
//===----------------------------------------------------------------------===//
#include "rpc/protocol/client.h"
#include "services/common/mark.h"
#include "services/common/own_memory.h"
#include "services/fft/device/fftw3.h"
#include "services/fft/request.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GPUEXEC_MARK_SERVICE(fft);

struct gpuexec_fftw_plan {
  fft_request request;
};

/// Sends a request; returns the host's errno value, or 0.
static int ask_host(const fft_request *request) {
  rpc_port port = rpc_open(FFT_OPCODE);
  rpc_send_n(&port, request,
             sizeof request->header +
                 request->header.rank * sizeof *request->dimensions);
  const int error = (int)rpc_recv(&port)->words[0];
  rpc_close(&port);
  return error;
}

static void execute(const struct gpuexec_fftw_plan *plan, void *in, void *out) {
  fft_request request = plan->request;
  const size_t size = fft_number_size(&request.header);
  const size_t in_bytes = fft_numbers(&request, 1) * size;
  const size_t out_bytes = fft_numbers(&request, 0) * size;
  void *host_in = in, *host_out = out;
  if (is_own_memory(in))
    host_in = copy_of_own(
        in, in == out && out_bytes > in_bytes ? out_bytes : in_bytes, "FFTW");
  if (is_own_memory(out))
    host_out = in == out ? host_in : copy_of_own(out, out_bytes, "FFTW");
  request.header.only_plan = 0;
  request.header.input = (uint64_t)host_in;
  request.header.output = (uint64_t)host_out;
  const int error = ask_host(&request);
  if (host_out != out)
    memcpy(out, host_out, out_bytes);
  if (host_in != in)
    free(host_in);
  if (host_out != out && host_out != host_in)
    free(host_out);
  if (error) {
    fprintf(stderr, "FFTW: %s\n", strerror(error));
    abort();
  }
}

/// The arguments of a function that makes a plan.
typedef struct {
  fft_kind kind;
  bool is_single;
  int rank, count, sign;
  const int *sizes, *input_sizes, *output_sizes; ///< the last two may be null
  int input_stride, input_distance, output_stride, output_distance;
  void *in, *out;
  unsigned flags;
} plan_arguments;

static bool are_positive(const int *numbers, int count) {
  for (int i = 0; i < count; ++i)
    if (numbers[i] < 1)
      return false;
  return true;
}

/// The size of a dimension of the array in which the input, or the output,
/// lies.
static uint64_t stored_size(const plan_arguments *given, int dimension,
                            bool of_input) {
  const int *sizes = of_input ? given->input_sizes : given->output_sizes;
  const uint64_t size = (uint64_t)given->sizes[dimension];
  const fft_kind half_side =
      of_input ? FFT_COMPLEX_TO_REAL : FFT_REAL_TO_COMPLEX;
  if (sizes)
    return (uint64_t)sizes[dimension];
  if (dimension < given->rank - 1 || given->kind == FFT_COMPLEX)
    return size;
  if (given->kind == half_side)
    return fft_half(size);
  // In place, rows of the real array have the length of the complex rows.
  return given->in == given->out ? 2 * fft_half(size) : size;
}

/// Makes a plan. NULL for arguments that FFTW refuses, too.
static struct gpuexec_fftw_plan *make_plan(const plan_arguments *given) {
  const int rank = given->rank;
  const int strides[] = {given->input_stride, given->output_stride,
                         given->count};
  const bool known =
      rank >= 1 && rank <= FFT_DIMENSIONS && given->input_distance >= 0 &&
      given->output_distance >= 0 && are_positive(strides, 3) &&
      are_positive(given->sizes, rank) && !(given->flags & FFTW_WISDOM_ONLY);
  struct gpuexec_fftw_plan *plan = known ? calloc(1, sizeof *plan) : NULL;
  if (!plan)
    return NULL;
  plan->request.header =
      (fft_header){.kind = given->kind,
                   .is_single = given->is_single,
                   .only_plan = 1,
                   .rank = (uint64_t)rank,
                   .count = (uint64_t)given->count,
                   .sign = given->sign,
                   .flags = given->flags,
                   .input = (uint64_t)given->in,
                   .output = (uint64_t)given->out,
                   .input_stride = (uint64_t)given->input_stride,
                   .input_distance = (uint64_t)given->input_distance,
                   .output_stride = (uint64_t)given->output_stride,
                   .output_distance = (uint64_t)given->output_distance};
  for (int i = 0; i < rank; ++i)
    plan->request.dimensions[i] =
        (fft_dimension){(uint64_t)given->sizes[i], stored_size(given, i, true),
                        stored_size(given, i, false)};
  if (ask_host(&plan->request) == 0)
    return plan;
  free(plan);
  return NULL;
}

// clang-format off
#define FUNCTIONS(NAME, REAL, IS_SINGLE)                                                                                       \
  void NAME##_execute(const NAME##_plan plan) {                                                                                \
    execute(plan, (void *)plan->request.header.input, (void *)plan->request.header.output);                                    \
  }                                                                                                                            \
  TRANSFORM(NAME, dft, FFT_COMPLEX, NAME##_complex, NAME##_complex, IS_SINGLE, SIGN_PARAMETER, sign)                           \
  TRANSFORM(NAME, dft_r2c, FFT_REAL_TO_COMPLEX, REAL, NAME##_complex, IS_SINGLE, , FFTW_FORWARD)                               \
  TRANSFORM(NAME, dft_c2r, FFT_COMPLEX_TO_REAL, NAME##_complex, REAL, IS_SINGLE, , FFTW_BACKWARD)                              \
  void NAME##_destroy_plan(NAME##_plan plan) { free(plan); }                                                                   \
  void NAME##_cleanup(void) {}                                                                                                 \
  int NAME##_init_threads(void) { return 1; }                                                                                  \
  void NAME##_plan_with_nthreads(int threads) {}                                                                               \
  void NAME##_cleanup_threads(void) {}                                                                                         \
  void NAME##_set_timelimit(double seconds) {}                                                                                 \
  void *NAME##_malloc(size_t size) { return aligned_alloc(64, (size + 63) & ~(size_t)63); }                                    \
  REAL *NAME##_alloc_real(size_t count) { return NAME##_malloc(count * sizeof(REAL)); }                                        \
  NAME##_complex *NAME##_alloc_complex(size_t count) { return NAME##_malloc(count * sizeof(NAME##_complex)); }                 \
  int NAME##_alignment_of(REAL *array) { return (int)((uintptr_t)array % 16); }                                                \
  void NAME##_free(void *memory) { free(memory); }                                                                             \
  const char NAME##_version[] = #NAME " of gpuexec";

#define SIGN_PARAMETER int sign,
#define TRANSFORM(NAME, SUFFIX, KIND, INPUT, OUTPUT, IS_SINGLE, SIGN, SIGN_VALUE)                                              \
  NAME##_plan NAME##_plan_many_##SUFFIX(int rank, const int *n, int howmany, INPUT *in, const int *inembed, int istride,       \
                                        int idist, OUTPUT *out, const int *onembed, int ostride, int odist,                    \
                                        SIGN unsigned flags) {                                                                 \
    return make_plan(&(plan_arguments){KIND, IS_SINGLE, rank, howmany, SIGN_VALUE, n, inembed, onembed, istride, idist,        \
                                       ostride, odist, in, out, flags});                                                       \
  }                                                                                                                            \
  NAME##_plan NAME##_plan_##SUFFIX(int rank, const int *n, INPUT *in, OUTPUT *out, SIGN unsigned flags) {                      \
    return make_plan(                                                                                                          \
        &(plan_arguments){KIND, IS_SINGLE, rank, 1, SIGN_VALUE, n, NULL, NULL, 1, 0, 1, 0, in, out, flags});                   \
  }                                                                                                                            \
  NAME##_plan NAME##_plan_##SUFFIX##_1d(int n, INPUT *in, OUTPUT *out, SIGN unsigned flags) {                                  \
    return make_plan(                                                                                                          \
        &(plan_arguments){KIND, IS_SINGLE, 1, 1, SIGN_VALUE, &n, NULL, NULL, 1, 0, 1, 0, in, out, flags});                     \
  }                                                                                                                            \
  NAME##_plan NAME##_plan_##SUFFIX##_2d(int n0, int n1, INPUT *in, OUTPUT *out, SIGN unsigned flags) {                         \
    return make_plan(&(plan_arguments){KIND, IS_SINGLE, 2, 1, SIGN_VALUE, (const int[]){n0, n1}, NULL, NULL, 1, 0, 1, 0, in,   \
                                       out, flags});                                                                           \
  }                                                                                                                            \
  NAME##_plan NAME##_plan_##SUFFIX##_3d(int n0, int n1, int n2, INPUT *in, OUTPUT *out, SIGN unsigned flags) {                 \
    return make_plan(&(plan_arguments){KIND, IS_SINGLE, 3, 1, SIGN_VALUE, (const int[]){n0, n1, n2}, NULL, NULL, 1, 0, 1, 0,   \
                                       in, out, flags});                                                                       \
  }                                                                                                                            \
  void NAME##_execute_##SUFFIX(const NAME##_plan plan, INPUT *in, OUTPUT *out) { execute(plan, in, out); }

FUNCTIONS(fftw, double, false)
FUNCTIONS(fftwf, float, true)
