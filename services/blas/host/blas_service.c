// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- blas_service.c - BLAS for device programs -------------------------===*\
 * gpuexec --service lib/gpuexec/services/libgpuexec-blas.so program
 *
 * On an NVIDIA GPU cuBLAS and cuSOLVER do the calls that they can do, on the
 * program's memory. The host's library does all other calls, on the program's
 * memory if the host can see it, else on copies. That library is the one of the
 * argument (libgpuexec-blas.so,/usr/lib/libmine.so), else libopenblas.so.0,
 * else libblas.so.3. LAPACK is taken from the same library, else from
 * liblapack.so.3. Other arguments: `host`: no library of the GPU is used.
 * `small=N`: a thread of the device does calls of up to N multiplications
 * itself; without it the limit is measured. `times`: prints the mean times of
 * the steps of a call on the GPU when the program has ended.
\*===----------------------------------------------------------------------===*/
#include "services/blas/host/functions.h"
#include "services/blas/host/gpu.h"
#include "services/blas/host/limit.h"
#include "services/common/packing.h"
#include "support/trusted_path.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas_functions.inc"

enum { FUNCTIONS = sizeof functions / sizeof *functions };
_Static_assert((int)BLAS_RESULTS == (int)MOST_RESULTS,
               "a request keeps all words of its answer");

typedef struct {
  gpu_blas *gpu; /* null: the host does all calls */
  small_limit limit;
  call_times times;
  void *blas, *lapack;        /* lapack is null if blas has LAPACK, too */
  void *functions[FUNCTIONS]; /* null: the library lacks the function */
  void *lapack_functions[];   /* likewise */
} service;

static int serve_by(request *r, const blas_function *function,
                    void *library_function) {
  r->error = function->serve(r, library_function);
  end_request(r);
  return r->error;
}

static int serve_limit(service *opened, request *r) {
  int is_wanted;
  if (r->count != 3 || r->call->opcode != BLAS_SMALL_OPCODE)
    return EINVAL;
  keep_small_limit(&opened->limit, r->words[0], r->words[1]);
  r->result[0] = get_small_limit(&opened->limit, &is_wanted);
  r->result[1] = (uint64_t)is_wanted;
  const int is_seen = has_views(r) && !opened->gpu &&
                      r->host->view_device(r->call, r->words[2], 1, 0);
  r->result[2] = is_seen ? 1 : BLAS_MOST_CROWD;
  return 0;
}

/* A lane's request. The words are a copy: they are read more than once. */
typedef struct {
  unsigned lane;
  blas_header header;
  uint64_t words[BLAS_WORDS];
  uint32_t count; /* of words */
  request request;
  gpu_call gpu_call;
} lane_call;

static const blas_function *function_of(uint32_t function) {
  const uint32_t number = function & ~(uint32_t)BLAS_LAPACK;
  if (function & BLAS_LAPACK)
    return number < lapack_function_count ? &lapack_functions[number] : NULL;
  return number < FUNCTIONS ? &functions[number] : NULL;
}

static void *library_function_of(const service *opened, uint32_t function) {
  return function & BLAS_LAPACK
             ? opened->lapack_functions[function & ~(uint32_t)BLAS_LAPACK]
             : opened->functions[function];
}

static void make_request(const gpuexec_host *host, gpuexec_call *call,
                         lane_call *c) {
  c->request = (request){
      .host = host,
      .call = call,
      .words = c->words,
      .bytes_left = call->opcode == BLAS_SMALL_OPCODE ? BLAS_SMALL : UINT64_MAX,
      .count = c->count};
}

/* Reads a lane's request. EINVAL if the bytes are no valid request, else 0. */
static int read_lane(gpuexec_bytes input, lane_call *c) {
  memset(c->words, 0, sizeof c->words);
  if (input.size < sizeof c->header)
    return EINVAL;
  memcpy(&c->header, input.data, sizeof c->header);
  const unsigned char *words =
      (const unsigned char *)input.data + sizeof c->header;
  const uint64_t size = input.size - sizeof c->header;
  const int is_packed = (c->header.count & BLAS_PACKED) != 0;
  c->count = is_packed ? c->header.count & ~BLAS_PACKED
                       : (uint32_t)(size / sizeof *c->words);
  if (c->count > BLAS_WORDS || (!is_packed && size > sizeof c->words))
    return EINVAL;
  if (is_packed)
    return unpack_words(words, size, c->words, c->count) ? 0 : EINVAL;
  memcpy(c->words, words, size);
  return 0;
}

/* Prepares a call for the GPU and returns EINPROGRESS; a function of LAPACK is
   done instead. ENOTSUP if the GPU's libraries cannot do it; else errno. */
static int prepare_for_gpu(service *opened, lane_call *c) {
  const uint32_t number = c->header.function;
  c->gpu_call.gpu = opened->gpu;
  c->request.on_device = &c->gpu_call;
  return serve_by(&c->request, function_of(number),
                  library_function_of(opened, number));
}

/* Does a call, or prepares it for the GPU and returns EINPROGRESS: then
   finish_on_gpu() does it together with those of the other lanes. Else errno or
   0. */
static int begin_function(service *opened, lane_call *c) {
  const uint32_t number = c->header.function;
  if (number == BLAS_LIMIT)
    return serve_limit(opened, &c->request);
  const blas_function *function = function_of(number);
  if (!function)
    return EINVAL;
  void *library_function = library_function_of(opened, number);
  if (!library_function)
    return ENOSYS;
  if (c->request.call->opcode == BLAS_SMALL_OPCODE && !function->ends_soon)
    return EINVAL;
  if (opened->gpu) {
    const request asked = c->request;
    const int error = prepare_for_gpu(opened, c);
    if (error != ENOTSUP)
      return error;
    c->request = asked;
  }
  return serve_by(&c->request, function, library_function);
}

/* Reads a lane's request and begins its call. Returns EINVAL for a bad request,
   else what begin_function() returns. */
static int begin_lane(service *opened, const gpuexec_host *host,
                      gpuexec_call *call, lane_call *c) {
  c->request = (request){0};
  const int error = read_lane(call->inputs[c->lane], c);
  if (error)
    return error;
  make_request(host, call, c);
  return begin_function(opened, c);
}

static void reply_to(const gpuexec_host *host, gpuexec_call *call,
                     const lane_call *c, int error) {
  uint64_t answer[1 + BLAS_RESULTS] = {(uint64_t)error};
  memcpy(&answer[1], c->request.result, sizeof c->request.result);
  host->reply(call, 0, c->lane, answer, sizeof answer);
}

/* Has the GPU do the prepared calls, and the host those that it cannot do. */
static void finish_on_gpu(service *opened, const gpuexec_host *host,
                          gpuexec_call *call, lane_call *lanes,
                          unsigned count) {
  gpu_call *calls[GPUEXEC_MAX_LANES];
  for (unsigned i = 0; i < count; ++i)
    calls[i] = &lanes[i].gpu_call;
  do_on_gpu(opened->gpu, calls, count);
  for (unsigned i = 0; i < count; ++i) {
    lane_call *c = &lanes[i];
    int error = look_at_gpu_call(&c->request, &c->gpu_call);
    if (error == ENOTSUP) {
      const uint32_t number = c->header.function;
      make_request(host, call, c);
      error = serve_by(&c->request, function_of(number),
                       library_function_of(opened, number));
    }
    reply_to(host, call, c, error);
  }
}

/* Serves the calls of a wave's lanes together. */
static int serve_lanes(service *opened, const gpuexec_host *host,
                       gpuexec_call *call) {
  lane_call one;
  const unsigned count = (unsigned)__builtin_popcountll(call->lane_mask);
  lane_call *all =
      opened->gpu && count > 1 ? malloc(count * sizeof *all) : &one;
  unsigned on_gpu = 0;
  if (!all)
    return ENOMEM;
  for (unsigned lane = 0; lane < GPUEXEC_MAX_LANES; ++lane) {
    if (!(call->lane_mask >> lane & 1))
      continue;
    lane_call *c = &all[on_gpu]; /* kept if begin_lane() says EINPROGRESS */
    c->lane = lane;
    const int error = begin_lane(opened, host, call, c);
    if (error == EINPROGRESS)
      ++on_gpu;
    else
      reply_to(host, call, c, error);
  }
  if (on_gpu)
    finish_on_gpu(opened, host, call, all, on_gpu);
  if (all != &one)
    free(all);
  return 0;
}

/* Answers a call that has ended on the GPU. */
static void answer_alone(service *opened, const gpuexec_host *host,
                         gpuexec_call *call, lane_call *c) {
  reply_to(host, call, c, look_at_gpu_call(&c->request, &c->gpu_call));
  note_time(&opened->times, TIME_REPLIED);
}

/* Serves a call of one lane in the thread that polls for requests, if cuBLAS
   does it, without a result, and is idle: the call is launched at once.
   GPUEXEC_NOT_QUICK: a thread that may wait has to serve the call, or to wait
   for its end. */
static int serve_alone(service *opened, const gpuexec_host *host,
                       gpuexec_call *call) {
  const uint64_t asked = time_now(&opened->times);
  lane_call c;
  c.lane = (unsigned)__builtin_ctzll(call->lane_mask);
  if (read_lane(call->inputs[c.lane], &c))
    return GPUEXEC_NOT_QUICK;
  const blas_function *function = function_of(c.header.function);
  if (c.header.function & BLAS_LAPACK || !function || !function->ends_soon ||
      !library_function_of(opened, c.header.function))
    return GPUEXEC_NOT_QUICK;
  make_request(host, call, &c);
  const int error = prepare_for_gpu(opened, &c);
  if (error != EINPROGRESS || c.gpu_call.result)
    return GPUEXEC_NOT_QUICK;
  note_time_of(&opened->times, TIME_ASKED, asked);
  note_time(&opened->times, TIME_CHECKED);
  if (begin_alone(opened->gpu, &c.gpu_call, call) != GPU_ENDED ||
      c.gpu_call.status == CUBLAS_CANNOT)
    return GPUEXEC_NOT_QUICK;
  answer_alone(opened, host, call, &c);
  return 0;
}

/* Waits for a call that serve_alone() has begun. GPUEXEC_NOT_QUICK if it has
   not begun this one. */
static int end_alone(service *opened, const gpuexec_host *host,
                     gpuexec_call *call) {
  lane_call c;
  c.lane = (unsigned)__builtin_ctzll(call->lane_mask);
  c.request = (request){.host = host, .call = call};
  if (!wait_for_alone(opened->gpu, &c.gpu_call, call))
    return GPUEXEC_NOT_QUICK;
  answer_alone(opened, host, call, &c);
  return 0;
}

static int is_one_lane(const gpuexec_call *call) {
  return !(call->lane_mask & (call->lane_mask - 1));
}

static int serve(void *state, const gpuexec_host *host, gpuexec_call *call) {
  service *opened = state;
  const int is_small = call->opcode == BLAS_SMALL_OPCODE;
  if (opened->gpu && is_one_lane(call)) {
    const int result = call->may_wait ? end_alone(opened, host, call)
                                      : serve_alone(opened, host, call);
    if (result != GPUEXEC_NOT_QUICK)
      return result;
  }
  if (!call->may_wait &&
      (!is_small || (opened->gpu && gpu_is_busy(opened->gpu))))
    return GPUEXEC_NOT_QUICK; /* it takes long, or waits for other calls */
  return serve_lanes(opened, host, call);
}

/* LAPACK calls this for a wrong argument, and for NaNs (xGEBAL, xLASCL). The
   reference implementation's xerbla_() would end gpuexec's process. This one
   does nothing: arguments have been checked, and INFO tells the program of
   NaNs. */
__attribute__((weak, visibility("default"))) void
xerbla_(const char *function, const int *place, size_t length);
void xerbla_(const char *function, const int *place, size_t length) {
  (void)function, (void)place, (void)length;
}

/* Makes libraries that are opened from now on use this library's xerbla_(). */
static void put_xerbla_first(void) {
  Dl_info self;
  if (dladdr((void *)xerbla_, &self))
    (void)dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/* The service's argument: words separated by commas. */
typedef struct {
  char library[4096]; /* empty: the first one that this machine has */
  int is_host;        /* no library of the GPU is used */
  int has_times;      /* the times of calls on the GPU are printed */
  int64_t small;      /* the limit of small calls; below 0: it is measured */
} service_options;

/* Reads the argument. False if the text behind small= is no number. */
static int read_options(const char *argument, service_options *options) {
  static const char small[] = "small=";
  *options = (service_options){.small = -1};
  while (*argument) {
    const size_t length = strcspn(argument, ",");
    char *end = NULL;
    if (length == 4 && !strncmp(argument, "host", length))
      options->is_host = 1;
    else if (length == 5 && !strncmp(argument, "times", length))
      options->has_times = 1;
    else if (!strncmp(argument, small, sizeof small - 1))
      options->small = strtol(argument + sizeof small - 1, &end, 10);
    else
      snprintf(options->library, sizeof options->library, "%.*s", (int)length,
               argument);
    if (end && (end != argument + length || options->small < 0))
      return 0;
    argument += length + (argument[length] == ',');
  }
  return 1;
}

static void *open_library(const char *name) {
  static const char *const names[] = {"libopenblas.so.0", "libblas.so.3"};
  void *library = NULL;
  if (*name)
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
  for (unsigned i = 0; !library && i < sizeof names / sizeof *names; ++i)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

/* Opens the GPU's libraries, if there are any; else the host does all calls. */
static void open_gpu(service *opened, const gpuexec_host *host,
                     const service_options *options) {
  char why[256];
  if (host->struct_size <= offsetof(gpuexec_host, free_device) ||
      !host->cuda_context || options->is_host)
    return;
  opened->gpu =
      open_gpu_blas(host->cuda_context, &opened->times, why, sizeof why);
  if (!opened->gpu)
    fprintf(stderr,
            "gpuexec: warning: BLAS is done by the host, on copies: %s\n", why);
}

/* Opens the kept limit of small calls. There is one for calls by the GPU's
   library and one for calls by the host's. */
static void open_limit(service *opened, const gpuexec_host *host,
                       const service_options *options) {
  const int has_name = host->struct_size > offsetof(gpuexec_host, device);
  char name[200];
  snprintf(name, sizeof name, "%s by %s",
           has_name && host->device ? host->device : "a device",
           opened->gpu ? "cuBLAS" : "the host");
  open_small_limit(&opened->limit, name, options->small);
}

static int open_blas(const gpuexec_host *host, const char *argument,
                     void **state, char *error, size_t error_size) {
  service_options options;
  if (!read_options(argument, &options)) {
    snprintf(error, error_size,
             "'%s': small= is followed by a number of multiplications",
             argument);
    return 1;
  }
  char real[PATH_MAX];
  const char *problem = strchr(options.library, '/')
                            ? gpuexec_distrust(options.library, real)
                            : NULL;
  if (problem && errno != ENOENT) {
    snprintf(error, error_size, "%s: %s", real, problem);
    return 1;
  }
  put_xerbla_first();
  void *library = open_library(options.library);
  service *opened =
      library
          ? calloc(1, sizeof *opened + lapack_function_count * sizeof(void *))
          : NULL;
  if (!opened) {
    snprintf(error, error_size,
             "no BLAS on this machine (Debian: apt-get "
             "install libopenblas0): %s",
             library ? "out of memory" : dlerror());
    return 1;
  }
  opened->blas = library;
  if (!dlsym(library, "dgesv_")) /* calls of LAPACK fail where there is none */
    opened->lapack = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
  for (unsigned i = 0; i < FUNCTIONS; ++i)
    opened->functions[i] = dlsym(library, functions[i].name);
  library = opened->lapack ? opened->lapack : library;
  for (unsigned i = 0; i < lapack_function_count; ++i)
    opened->lapack_functions[i] = dlsym(library, lapack_functions[i].name);
  opened->times.is_on = options.has_times;
  open_gpu(opened, host, &options);
  open_limit(opened, host, &options);
  *state = opened;
  return 0;
}

static void close_blas(void *state) {
  service *opened = state;
  print_times(&opened->times);
  if (opened->gpu)
    close_gpu_blas(opened->gpu);
  close_small_limit(&opened->limit);
  if (opened->lapack)
    dlclose(opened->lapack);
  dlclose(opened->blas);
  free(opened);
}

static const gpuexec_operation operations[] = {
    {BLAS_OPCODE, GPUEXEC_QUICK | GPUEXEC_REPEATABLE, "blas", "bP", serve},
    {BLAS_SMALL_OPCODE, GPUEXEC_QUICK | GPUEXEC_REPEATABLE, "blas small", "bP",
     serve}};
static const gpuexec_service_description description = {sizeof description,
                                                        GPUEXEC_SERVICE_VERSION,
                                                        "blas",
                                                        2,
                                                        operations,
                                                        open_blas,
                                                        close_blas,
                                                        NULL};
const gpuexec_service_description *gpuexec_service(void) {
  return &description;
}
