//===-- services/blas/cuda/driver.c - See driver.h ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/cuda/driver.h"
#include <dlfcn.h>
#include <string.h>
#include <time.h>

const char *open_cuda_driver(cuda_driver *d) {
  memset(d, 0, sizeof *d);
  d->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!d->library)
    return dlerror();
  const struct {
    const char *name;
    void **function;
  } wanted[] = {{"cuCtxSetCurrent", (void **)&d->set_current},
                {"cuStreamCreate", (void **)&d->create_stream},
                {"cuStreamDestroy_v2", (void **)&d->destroy_stream},
                {"cuStreamQuery", (void **)&d->query_stream},
                {"cuStreamSynchronize", (void **)&d->synchronize_stream},
                {"cuMemAlloc_v2", (void **)&d->allocate},
                {"cuMemFree_v2", (void **)&d->free},
                {"cuMemsetD8Async", (void **)&d->fill},
                {"cuMemcpyHtoDAsync_v2", (void **)&d->upload}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
    if (!(*wanted[i].function = dlsym(d->library, wanted[i].name))) {
      close_cuda_driver(d);
      return "the CUDA driver is too old";
    }
  return NULL;
}

void close_cuda_driver(cuda_driver *d) {
  dlclose(d->library);
  memset(d, 0, sizeof *d);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int wait_for_stream(const cuda_driver *d, void *stream) {
  const int64_t look_for = 2000000; // longer ones may sleep
  const int64_t end = now() + look_for;
  do {
    const int result = d->query_stream(stream);
    if (result != CUDA_NOT_READY)
      return result;
  } while (now() < end);
  return d->synchronize_stream(stream);
}
