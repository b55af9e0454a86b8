// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The floor under gpuexec's start-up: open a device, load an image, launch three empty kernels one after the other, and
   nothing else. Prints the milliseconds of each phase as JSON, in gpuexec --timings' form.
   usage: floor hsa LIBRARY IMAGE | floor cuda IMAGE */
#define _GNU_SOURCE
#include "device_calls.h"

static const char *const kernels[] = {"_begin", "_start", "_end"};
static double last;
static int phases;

static void done(const char *name) {
  double time = now_ms();
  printf("%s\n  {\"name\": \"%s\", \"time\": %.4f}", phases++ ? "," : "{\"unit\": \"ms\", \"phases\": [", name, time - last);
  last = time;
}

static void run_hsa(const void *image, size_t size) {
  struct hsa_program program;
  hsa_open(&program);
  done("device");
  hsa_load(&program, image, size);
  done("load");
  for (int i = 0; i < 3; i++) {
    hsa_launch(&program, kernels[i], NULL);
    hsa_wait(&program);
    done(kernels[i] + 1);
  }
  hsa_close(&program);
  done("teardown");
}

static void run_cuda(const void *image) {
  CUmodule module;
  cuda_open();
  done("device");
  CUDA(cuModuleLoadData, &module, image);
  done("load");
  for (int i = 0; i < 3; i++) {
    cuda_launch(module, kernels[i], NULL);
    CUDA(cuCtxSynchronize);
    done(kernels[i] + 1);
  }
  CUDA(cuModuleUnload, module);
  CUDA(cuDevicePrimaryCtxRelease_v2, 0);
  done("teardown");
}

int main(int argc, char **argv) {
  size_t size;
  last = now_ms();
  must(argc >= 3, "usage: floor hsa LIBRARY IMAGE | floor cuda IMAGE: this");
  int is_hsa = strcmp(argv[1], "hsa") == 0;
  char *image = read_file(argv[argc - 1], &size);
  done("parse");
  open_library(is_hsa ? argv[2] : "libcuda.so.1");
  if (is_hsa)
    run_hsa(image, size);
  else
    run_cuda(image);
  printf("]}\n");
  fflush(stdout);
  _exit(0);
}
