/* See ../driver.test. */
#include <cuda.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name(CUresult error) {
  const char *text = "?";
  cuGetErrorName(error, &text);
  return text;
}

static void check(CUresult error, const char *what) {
  if (error == CUDA_SUCCESS)
    return;
  printf("%.*s: %s\n", (int)strcspn(what, "("), what, name(error));
  exit(1);
}
#define CHECK(CALL) check(CALL, #CALL)

static CUmodule module;

static void use_module(void) {
  enum { N = 100 };
  CUfunction add, multiply;
  CUdeviceptr a, b, sum, scale;
  size_t size;
  int values[N], n = N, read;
  for (int i = 0; i < N; ++i)
    values[i] = i;
  CHECK(cuModuleGetFunction(&add, module, "add"));
  CHECK(cuModuleGetFunction(&multiply, module, "multiply"));
  CHECK(cuMemAlloc(&a, sizeof(values)));
  CHECK(cuMemAlloc(&b, sizeof(values)));
  CHECK(cuMemAlloc(&sum, sizeof(values)));
  CHECK(cuMemcpyHtoD(a, values, sizeof(values)));
  CHECK(cuMemcpyHtoD(b, values, sizeof(values)));
  void *arguments[] = {&a, &b, &sum, &n};
  CHECK(cuLaunchKernel(add, 2, 1, 1, 64, 1, 1, 0, 0, arguments, NULL));
  CHECK(cuMemcpyDtoH(values, sum, sizeof(values)));
  printf("sum %d %d\n", values[0], values[N - 1]);
  CHECK(cuModuleGetGlobal(&scale, &size, module, "scale"));
  CHECK(cuMemcpyDtoH(&read, scale, sizeof(read)));
  printf("scale %zu bytes, %d\n", size, read);
  CHECK(cuMemsetD32(scale, 5, 1));
  size_t bytes = sizeof(sum);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &sum, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(multiply, 1, 1, 1, 64, 1, 1, 0, CU_STREAM_PER_THREAD, NULL, extra));
  CHECK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
  CHECK(cuMemcpyDtoH(values, sum, sizeof(values)));
  printf("multiplied %d\n", values[1]);
}

static void misuse(void) {
  CUfunction function;
  int here = 0;
  Elf64_Ehdr cubin = {.e_ident = {ELFMAG0, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB}, .e_machine = EM_CUDA};
  CUmodule none;
  const void *table;
  void *address;
  CUdriverProcAddressQueryResult found;
  printf("unknown function: %s\n", name(cuModuleGetFunction(&function, module, "absent")));
  CHECK(cuModuleGetFunction(&function, module, "fault"));
  printf("wrong stream: %s\n", name(cuStreamSynchronize((CUstream)&here)));
  printf("host memory: %s\n", name(cuMemcpyHtoD((CUdeviceptr)&here, &here, sizeof(here))));
  printf("block of 2048: %s\n", name(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, 0, NULL, NULL)));
  printf("a cubin: %s\n", name(cuModuleLoadData(&none, &cubin)));
  printf("no image: %s\n", name(cuModuleLoadData(&none, "no image")));
  printf("export table: %s\n", name(cuGetExportTable(&table, NULL)));
  CHECK(cuGetProcAddress("cuMemAlloc", &address, CUDA_VERSION, 0, &found));
  printf("by name: %s\n", address == (void *)cuMemAlloc ? "yes" : "no");
}

static void fault(void) {
  CUfunction function;
  CUdeviceptr address = 64;
  const char *text;
  void *arguments[] = {&address};
  CHECK(cuModuleGetFunction(&function, module, "fault"));
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, NULL));
  printf("fault: %s\n", name(cuCtxSynchronize()));
  CUresult error = cuMemAlloc(&address, 4);
  cuGetErrorString(error, &text);
  printf("afterwards: %s, %s\n", name(error), text);
}

int main(int count, char **arguments) {
  CUcontext context, other;
  CUdeviceptr address;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, arguments[1]));
  use_module();
  misuse();
  fault();
  CHECK(cuDevicePrimaryCtxReset(0));
  CHECK(cuDevicePrimaryCtxRetain(&other, 0));
  CHECK(cuCtxSetCurrent(other));
  printf("another context: %s\n", name(cuMemAlloc(&address, 4)));
}
