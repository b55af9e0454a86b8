/*===-- blas_service.c - BLAS for device programs -------------------------===*\
 * gpuexec --service lib/gpuexec/services/libgpuexec-blas.so program
 *
 * Calls the host's library on the program's memory, where the host can see it,
 * and else on copies. The library is the one of the argument
 * (libgpuexec-blas.so,/usr/lib/libmine.so), else OpenBLAS, else what this
 * machine has as BLAS.
\*===----------------------------------------------------------------------===*/
#include "blas/request.h"
#include "rpc/include/gpuexec_service.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 5 };

/* One call of a lane. */
typedef struct {
  const gpuexec_host *host;
  gpuexec_call *call;
  const uint64_t *words;
  uint32_t count;
  int error;
  uint64_t result[2];
  unsigned copies;
  struct {
    void *memory;
    uint64_t address, size;
    int written;
  } arrays[ARRAYS];
} request;

/* Where the host can use `size` bytes of the program's memory: the memory
   itself, or a copy, which give_back() writes back where it is `written`. NULL
   for no bytes, and with r->error set. */
static void *get_array(request *r, uint64_t address, uint64_t size,
                       int written) {
  if (!size || r->error)
    return NULL;
  const int has_views =
      r->host->struct_size > offsetof(gpuexec_host, view_device);
  void *view = has_views
                   ? r->host->view_device(r->call, address, size, written)
                   : NULL;
  if (view)
    return view;
  if (r->copies == ARRAYS || size >> 40) {
    r->error = EFAULT;
    return NULL;
  }
  void *copy = malloc(size);
  r->error = copy ? r->host->read_device(r->call, copy, address, size) : ENOMEM;
  if (r->error) {
    free(copy);
    return NULL;
  }
  r->arrays[r->copies].memory = copy;
  r->arrays[r->copies].address = address;
  r->arrays[r->copies].size = size;
  r->arrays[r->copies++].written = written;
  return copy;
}

static void give_back(request *r) {
  for (unsigned i = 0; i < r->copies; ++i) {
    if (r->arrays[i].written && !r->error)
      r->error = r->host->write_device(r->call, r->arrays[i].address,
                                       r->arrays[i].memory, r->arrays[i].size);
    free(r->arrays[i].memory);
  }
}

#include "blas_functions.inc"

enum { FUNCTIONS = sizeof functions / sizeof *functions };

typedef struct {
  void *library;
  void *functions[FUNCTIONS]; /* null: the library has it not */
} service;

static int call_function(const service *blas, request *r, uint32_t function) {
  if (function >= FUNCTIONS)
    return EINVAL;
  if (!blas->functions[function])
    return ENOSYS;
  r->error = functions[function].serve(r, blas->functions[function]);
  give_back(r);
  return r->error;
}

static int serve(void *state, const gpuexec_host *host, gpuexec_call *call) {
  for (unsigned lane = 0; lane < GPUEXEC_MAX_LANES; ++lane) {
    if (!(call->lane_mask >> lane & 1))
      continue;
    /* A copy: the words are read more than once. */
    struct {
      blas_header header;
      uint64_t words[BLAS_WORDS];
    } sent = {0};
    const gpuexec_bytes input = call->inputs[lane];
    uint64_t answer[3] = {EINVAL, 0, 0};
    if (input.size >= sizeof sent.header && input.size <= sizeof sent) {
      memcpy(&sent, input.data, input.size);
      request r = {.host = host, .call = call, .words = sent.words};
      r.count = (uint32_t)((input.size - sizeof sent.header) / sizeof(uint64_t));
      answer[0] = (uint64_t)call_function(state, &r, sent.header.function);
      memcpy(&answer[1], r.result, sizeof r.result);
    }
    host->reply(call, 0, lane, answer, sizeof answer);
  }
  return 0;
}

static int open_blas(const gpuexec_host *host, const char *argument,
                     void **state, char *error, size_t error_size) {
  (void)host;
  static const char *const names[] = {"libopenblas.so.0", "libblas.so.3"};
  void *library = NULL;
  if (*argument)
    library = dlopen(argument, RTLD_NOW | RTLD_LOCAL);
  for (unsigned i = 0; !*argument && !library && i < 2; ++i)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  service *blas = library ? calloc(1, sizeof *blas) : NULL;
  if (!blas) {
    snprintf(error, error_size, "no BLAS on this machine (Debian: apt-get "
                                "install libopenblas0): %s",
             library ? "out of memory" : dlerror());
    return 1;
  }
  blas->library = library;
  for (unsigned i = 0; i < FUNCTIONS; ++i)
    blas->functions[i] = dlsym(library, functions[i].name);
  *state = blas;
  return 0;
}

static void close_blas(void *state) {
  service *blas = state;
  dlclose(blas->library);
  free(blas);
}

static const gpuexec_operation operations[] = {
    {BLAS_OPCODE, 0, "blas", "bP", serve}};
static const gpuexec_service_description description = {
    sizeof description, GPUEXEC_SERVICE_VERSION, "blas", 1,
    operations,         open_blas,               close_blas};
const gpuexec_service_description *gpuexec_service(void) {
  return &description;
}
