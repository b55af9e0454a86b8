/*===-- blas_service.c - BLAS for device programs -------------------------===*\
 * gpuexec --service lib/gpuexec/services/libgpuexec-blas.so program
 *
 * On an NVIDIA GPU cuBLAS and cuSOLVER do what they can, on the program's
 * memory. All else is done by the host's library, on the program's memory where
 * the host can see it, and else on copies. That library is the one of the
 * argument (libgpuexec-blas.so,/usr/lib/libmine.so), else OpenBLAS, else what
 * this machine has as BLAS. LAPACK is the same library, else liblapack.so.3.
 * With the argument `host` no library of the GPU's is used. `small=N`: a thread
 * of the device does calls of up to N multiplications itself; that is not
 * measured then.
\*===----------------------------------------------------------------------===*/
#include "blas/host/functions.h"
#include "blas/host/gpu.h"
#include "blas/host/limit.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas_functions.inc"

enum { FUNCTIONS = sizeof functions / sizeof *functions };

typedef struct {
  gpu_blas *gpu; /* null: the host does all */
  small_limit limit;
  void *blas, *lapack; /* libraries; of LAPACK null where BLAS's has it */
  void *functions[FUNCTIONS]; /* null: the library has it not */
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

static int call_function(service *opened, request *r, uint32_t function) {
  if (function == BLAS_LIMIT)
    return serve_limit(opened, r);
  const int is_lapack = (function & BLAS_LAPACK) != 0;
  const uint32_t number = function & ~(uint32_t)BLAS_LAPACK;
  if (number >= (is_lapack ? lapack_function_count : FUNCTIONS))
    return EINVAL;
  void *library_function =
      is_lapack ? opened->lapack_functions[number] : opened->functions[number];
  if (!library_function)
    return ENOSYS;
  const blas_function *table = is_lapack ? lapack_functions : functions;
  if (r->call->opcode == BLAS_SMALL_OPCODE && !table[number].ends_soon)
    return EINVAL;
  if (opened->gpu) {
    request on_gpu = *r;
    on_gpu.gpu = opened->gpu;
    if (serve_by(&on_gpu, &table[number], library_function) != ENOTSUP) {
      *r = on_gpu;
      return r->error;
    }
  }
  return serve_by(r, &table[number], library_function);
}

static int serve(void *state, const gpuexec_host *host, gpuexec_call *call) {
  const int is_small = call->opcode == BLAS_SMALL_OPCODE;
  gpu_blas *gpu = ((const service *)state)->gpu;
  if (gpu && is_small && !call->may_wait && gpu_is_busy(gpu))
    return GPUEXEC_NOT_QUICK; /* it would have to wait for others */
  for (unsigned lane = 0; lane < GPUEXEC_MAX_LANES; ++lane) {
    if (!(call->lane_mask >> lane & 1))
      continue;
    /* A copy: the words are read more than once. */
    struct {
      blas_header header;
      uint64_t words[BLAS_WORDS];
    } sent = {0};
    const gpuexec_bytes input = call->inputs[lane];
    uint64_t answer[1 + BLAS_RESULTS] = {EINVAL};
    if (input.size >= sizeof sent.header && input.size <= sizeof sent) {
      memcpy(&sent, input.data, input.size);
      request r = {.host = host, .call = call, .words = sent.words};
      r.bytes_left = is_small ? BLAS_SMALL : UINT64_MAX;
      r.count =
          (uint32_t)((input.size - sizeof sent.header) / sizeof(uint64_t));
      answer[0] = (uint64_t)call_function(state, &r, sent.header.function);
      memcpy(&answer[1], r.result, sizeof r.result);
    }
    host->reply(call, 0, lane, answer, sizeof answer);
  }
  return 0;
}

/* LAPACK calls this for a wrong argument, and for numbers that are none
   (xGEBAL, xLASCL). The reference's ends the process, which is gpuexec's.
   Arguments are checked before; that numbers are none is what the program's
   INFO says. */
__attribute__((weak, visibility("default"))) void
xerbla_(const char *function, const int *place, size_t length);
void xerbla_(const char *function, const int *place, size_t length) {
  (void)function, (void)place, (void)length;
}

/* Libraries that are opened from now on take the xerbla_() of this one. */
static void put_xerbla_first(void) {
  Dl_info self;
  if (dladdr((void *)xerbla_, &self))
    (void)dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/* What the user wants of the service: words with commas between them. */
typedef struct {
  char library[4096]; /* empty: the first that is there */
  int is_host;        /* no library of the GPU's */
  int64_t small;      /* the limit of small calls; below 0: it is measured */
} service_options;

/* False for a number that is none. */
static int read_options(const char *argument, service_options *options) {
  static const char small[] = "small=";
  *options = (service_options){.small = -1};
  while (*argument) {
    const size_t length = strcspn(argument, ",");
    char *end = NULL;
    if (length == 4 && !strncmp(argument, "host", length))
      options->is_host = 1;
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

/* Without libraries of the GPU's the host's do it. */
static void open_gpu(service *opened, const gpuexec_host *host,
                     const service_options *options) {
  char why[256];
  if (host->struct_size <= offsetof(gpuexec_host, free_device) ||
      !host->cuda_context || options->is_host)
    return;
  opened->gpu = open_gpu_blas(host->cuda_context, why, sizeof why);
  if (!opened->gpu)
    fprintf(stderr,
            "gpuexec: warning: BLAS is done by the host, on copies: %s\n", why);
}

/* What is small depends on who does the calls otherwise. */
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
  open_gpu(opened, host, &options);
  open_limit(opened, host, &options);
  *state = opened;
  return 0;
}

static void close_blas(void *state) {
  service *opened = state;
  if (opened->gpu)
    close_gpu_blas(opened->gpu);
  close_small_limit(&opened->limit);
  if (opened->lapack)
    dlclose(opened->lapack);
  dlclose(opened->blas);
  free(opened);
}

static const gpuexec_operation operations[] = {
    {BLAS_OPCODE, 0, "blas", "bP", serve},
    {BLAS_SMALL_OPCODE, GPUEXEC_QUICK, "blas small", "bP", serve}};
static const gpuexec_service_description description = {sizeof description,
                                                        GPUEXEC_SERVICE_VERSION,
                                                        "blas",
                                                        2,
                                                        operations,
                                                        open_blas,
                                                        close_blas};
const gpuexec_service_description *gpuexec_service(void) {
  return &description;
}
