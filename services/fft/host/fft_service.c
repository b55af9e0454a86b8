// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- fft_service.c - Fourier transforms for device programs ------------===*\
 * gpuexec --service lib/gpuexec/services/libgpuexec-fft.so program
 *
 * Calls the host's FFTW on the program's memory if the host can see it, else on
 * copies. Plans are kept until the program ends. They are found by the sizes
 * and flags of a request; a program has no handles that it could forge.
\*===----------------------------------------------------------------------===*/
#include "services/common/request.h"
#include "services/fft/host/library.h"
#include "services/fft/request.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PLANS = 1024 };

/* A request without its addresses, and whether these are equal. */
typedef struct {
  fft_request request;
  uint64_t is_in_place;
} plan_key;

typedef struct {
  plan_key key;
  void *plan;
} kept_plan;

typedef struct {
  fft_library library;
  uint64_t most_bytes;      /* of an array */
  pthread_mutex_t planning; /* FFTW plans for one thread at a time */
  unsigned count;
  kept_plan plans[MOST_PLANS];
} service;

/* Whether all numbers of the request are in range; the other functions rely on
   that. Addresses are checked by get_array(). */
static int is_sound(const service *fft, const fft_request *request) {
  const fft_header *header = &request->header;
  if (header->kind > FFT_COMPLEX_TO_REAL || header->is_single > 1 ||
      header->rank < 1 || header->rank > FFT_DIMENSIONS ||
      (header->sign != 1 && header->sign != -1) || header->count < 1 ||
      header->count > INT32_MAX || header->input_stride < 1 ||
      header->input_stride > INT32_MAX || header->output_stride < 1 ||
      header->output_stride > INT32_MAX || header->input_distance > INT32_MAX ||
      header->output_distance > INT32_MAX)
    return 0;
  for (uint64_t i = 0; i < header->rank; ++i) {
    const fft_dimension *dimension = &request->dimensions[i];
    if (dimension->size < 1 || dimension->size > INT32_MAX ||
        dimension->input_size < 1 || dimension->input_size > INT32_MAX ||
        dimension->output_size < 1 || dimension->output_size > INT32_MAX)
      return 0;
  }
  const uint64_t most = fft->most_bytes / fft_number_size(header);
  const uint64_t in = fft_numbers(request, 1), out = fft_numbers(request, 0);
  return in && in <= most && out && out <= most;
}

/* For a transform in place: whether each row of real numbers begins where the
   row of complex numbers does. For some other layouts FFTW 3.3.10 searches for
   a plan without end. */
static int is_one_layout(const fft_request *request) {
  const fft_header *header = &request->header;
  if (header->kind == FFT_COMPLEX)
    return 1;
  const int from_real = header->kind == FFT_REAL_TO_COMPLEX;
  const uint64_t real_distance =
      from_real ? header->input_distance : header->output_distance;
  const uint64_t complex_distance =
      from_real ? header->output_distance : header->input_distance;
  if (header->input_stride != header->output_stride ||
      (header->count > 1 && real_distance != 2 * complex_distance))
    return 0;
  for (uint64_t i = 1; i < header->rank; ++i) {
    const fft_dimension *dimension = &request->dimensions[i];
    const uint64_t real =
        from_real ? dimension->input_size : dimension->output_size;
    const uint64_t complex =
        from_real ? dimension->output_size : dimension->input_size;
    if (real != (i + 1 == header->rank ? 2 : 1) * complex)
      return 0;
  }
  return 1;
}

/* Finds or makes FFTW's plan for the key. NULL if FFTW has none, or with
   r->error set. Sets `*is_kept` if the plan stays in the table; else the caller
   forgets it after use. The caller holds `planning`. If FFTW measures, it
   writes to arrays of the host, not of the program. */
static void *find_plan(service *fft, request *r, const plan_key *key,
                       int *is_kept) {
  *is_kept = 1;
  for (unsigned i = 0; i < fft->count; ++i)
    if (!memcmp(&fft->plans[i].key, key, sizeof *key))
      return fft->plans[i].plan;
  const fft_request *wanted = &key->request;
  if (key->is_in_place && !is_one_layout(wanted))
    return NULL;
  void *input = (void *)64, *output = (void *)128; /* not used by estimates */
  if (!fft_only_estimates(wanted->header.flags)) {
    const uint64_t size = fft_number_size(&wanted->header);
    const uint64_t in = fft_numbers(wanted, 1), out = fft_numbers(wanted, 0);
    input = get_workspace(r, key->is_in_place && out > in ? out : in, size);
    output = key->is_in_place ? NULL : get_workspace(r, out, size);
  }
  if (key->is_in_place)
    output = input;
  void *plan = r->error ? NULL : fft_plan(&fft->library, wanted, input, output);
  *is_kept = plan && fft->count < MOST_PLANS;
  if (*is_kept)
    fft->plans[fft->count++] = (kept_plan){*key, plan};
  return plan;
}

/* Whether FFTW may overwrite the input. */
static int writes_input(const fft_header *header) {
  return header->kind == FFT_COMPLEX_TO_REAL ||
         fft_destroys_input(header->flags);
}

static void transform(service *fft, request *r, const fft_request *wanted,
                      void *plan) {
  const fft_header *header = &wanted->header;
  const uint64_t size = fft_number_size(header);
  const uint64_t in = fft_numbers(wanted, 1), out = fft_numbers(wanted, 0);
  const int in_place = header->input == header->output;
  void *input = get_array(r, header->input, in_place && out > in ? out : in,
                          size, in_place || writes_input(header));
  void *output = in_place ? input : get_array(r, header->output, out, size, 1);
  if (!r->error)
    fft_execute(&fft->library, header, plan, input, output);
}

static void call_fft(service *fft, request *r, const fft_request *sent) {
  plan_key key;
  memset(&key, 0, sizeof key); /* it is compared byte by byte */
  memcpy(&key.request, sent,
         sizeof sent->header + sent->header.rank * sizeof *sent->dimensions);
  key.is_in_place = sent->header.input == sent->header.output;
  key.request.header.only_plan = 0;
  key.request.header.input = key.request.header.output = 0;
  int is_kept = 0;
  pthread_mutex_lock(&fft->planning);
  void *plan = find_plan(fft, r, &key, &is_kept);
  pthread_mutex_unlock(&fft->planning);
  if (!plan)
    r->error = r->error ? r->error : ENOTSUP;
  else if (!sent->header.only_plan)
    transform(fft, r, sent, plan);
  if (plan && !is_kept) {
    pthread_mutex_lock(&fft->planning);
    fft_forget(&fft->library, &sent->header, plan);
    pthread_mutex_unlock(&fft->planning);
  }
  end_request(r);
}

static int serve(void *state, const gpuexec_host *host, gpuexec_call *call) {
  for (unsigned lane = 0; lane < GPUEXEC_MAX_LANES; ++lane) {
    if (!(call->lane_mask >> lane & 1))
      continue;
    fft_request sent; /* a copy: it is read more than once */
    memset(&sent, 0, sizeof sent);
    const gpuexec_bytes input = call->inputs[lane];
    request r = {
        .host = host, .call = call, .bytes_left = UINT64_MAX, .error = EINVAL};
    if (input.size >= sizeof sent.header && input.size <= sizeof sent) {
      memcpy(&sent, input.data, input.size);
      const uint64_t dimensions =
          (input.size - sizeof sent.header) / sizeof *sent.dimensions;
      if (dimensions == sent.header.rank && is_sound(state, &sent)) {
        r.error = 0;
        call_fft(state, &r, &sent);
      }
    }
    const uint64_t answer = (uint64_t)r.error;
    host->reply(call, 0, lane, &answer, sizeof answer);
  }
  return 0;
}

static int open_fft(const gpuexec_host *host, const char *argument,
                    void **state, char *error, size_t error_size) {
  (void)host;
  service *fft = calloc(1, sizeof *fft);
  if (!fft) {
    snprintf(error, error_size, "out of memory");
    return 1;
  }
  if (fft_open(&fft->library, argument, error, error_size)) {
    free(fft);
    return 1;
  }
  pthread_mutex_init(&fft->planning, NULL);
  /* FFTW ends the process when it has no memory for its tables, which are about
     as large as the arrays. */
  fft->most_bytes =
      (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4;
  *state = fft;
  return 0;
}

static void close_fft(void *state) {
  service *fft = state;
  for (unsigned i = 0; i < fft->count; ++i)
    fft_forget(&fft->library, &fft->plans[i].key.request.header,
               fft->plans[i].plan);
  fft_close(&fft->library);
  pthread_mutex_destroy(&fft->planning);
  free(fft);
}

static const gpuexec_operation operations[] = {
    {FFT_OPCODE, GPUEXEC_REPEATABLE, "fft", "bP", serve}};
static const gpuexec_service_description description = {
    sizeof description, GPUEXEC_SERVICE_VERSION, "fft", 1, operations, open_fft,
    close_fft, NULL};
const gpuexec_service_description *gpuexec_service(void) {
  return &description;
}
