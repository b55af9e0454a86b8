// See ../contexts.test.
#include <cuda.h>
#include <stdio.h>

#define SAY(CALL) printf(#CALL ": %d\n", (int)(CALL))
#define OK(CALL)                                                               \
  do {                                                                         \
    CUresult error = (CALL);                                                   \
    if (error)                                                                 \
      printf("failed: " #CALL ": %d\n", (int)error);                           \
  } while (0)

static const char *text = ".version 7.0\n.target sm_50\n.address_size "
                          "64\n.visible .entry k() { ret; }";

struct objects {
  CUmodule module;
  CUfunction function;
  CUdeviceptr memory;
  void *host;
  CUstream stream;
  CUevent event;
};

static struct objects make(void) {
  struct objects made;
  OK(cuModuleLoadData(&made.module, text));
  OK(cuModuleGetFunction(&made.function, made.module, "k"));
  OK(cuMemAlloc(&made.memory, 1000));
  OK(cuMemAllocHost(&made.host, 1000));
  OK(cuStreamCreate(&made.stream, 0));
  OK(cuEventCreate(&made.event, 0));
  return made;
}

static void without_current(void) {
  CUcontext context, popped;
  CUdeviceptr other;
  int value;
  OK(cuCtxCreate(&context, 0, 0));
  struct objects made = make();
  OK(cuCtxPopCurrent(&popped));
  printf("the same: %d\n", popped == context);
  SAY(cuMemsetD8(made.memory, 1, 10));
  SAY(cuMemAlloc(&other, 10));
  SAY(cuCtxSynchronize());
  SAY(cuLaunchKernel(made.function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  // An object says which context is meant.
  OK(cuLaunchKernel(made.function, 1, 1, 1, 1, 1, 1, 0, made.stream, NULL,
                    NULL));
  OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                        made.function));
  OK(cuModuleGetFunction(&made.function, made.module, "k"));
  OK(cuEventRecord(made.event, made.stream));
  OK(cuEventSynchronize(made.event));
  OK(cuStreamSynchronize(made.stream));
  OK(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                           made.memory));
  OK(cuMemFree(made.memory));
  OK(cuMemFreeHost(made.host));
  OK(cuModuleUnload(made.module));
  OK(cuStreamDestroy(made.stream));
  OK(cuEventDestroy(made.event));
  OK(cuCtxDestroy(context));
  OK(cuCtxPushCurrent(context)); // of what is destroyed
  SAY(cuCtxSynchronize());
  OK(cuCtxPopCurrent(&popped));
}

static void destroyed(void) {
  CUcontext first, second, now = NULL;
  OK(cuCtxCreate(&first, 0, 0));
  struct objects made = make();
  OK(cuCtxCreate(&second, 0, 0));
  OK(cuCtxDestroy(first)); // below the current one
  OK(cuCtxDestroy(second));
  OK(cuCtxGetCurrent(&now));
  printf("the destroyed one is current: %d\n", now == first);
  SAY(cuCtxSynchronize());
  SAY(cuMemFree(made.memory));
  SAY(cuModuleUnload(made.module));
  OK(cuCtxPopCurrent(&now));
  SAY(cuMemFree(made.memory));
}

static void primary(void) {
  CUcontext context, again;
  CUdeviceptr memory;
  unsigned flags;
  int active;
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
  OK(cuDevicePrimaryCtxRelease(0));
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  printf("active: %d\n", active);
  SAY(cuMemAlloc(&memory, 10));
  SAY(cuDevicePrimaryCtxRelease(0));
  OK(cuDevicePrimaryCtxRetain(&again, 0));
  printf("the same handle: %d\n", again == context);
  OK(cuMemAlloc(&memory, 10));
  OK(cuDevicePrimaryCtxReset(0)); // it is still retained
  SAY(cuMemAlloc(&memory, 10));
  OK(cuDevicePrimaryCtxRelease(0));
  SAY(cuDevicePrimaryCtxRelease(0));
  OK(cuDevicePrimaryCtxRetain(&again, 0));
  OK(cuMemAlloc(&memory, 10));
  SAY(cuCtxDestroy(context));
}

int main(void) {
  OK(cuInit(0));
  without_current();
  destroyed();
  primary();
  return 0;
}
