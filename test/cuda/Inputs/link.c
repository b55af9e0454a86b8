// See ../link.test.
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#define SAY(CALL) printf(#CALL ": %d\n", (int)(CALL))
#define OK(CALL)                                                               \
  do {                                                                         \
    CUresult error = (CALL);                                                   \
    if (error)                                                                 \
      printf("failed: " #CALL ": %d\n", (int)error);                           \
  } while (0)

static char text[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                     ".visible .global .align 4 .u32 factor = 3;\n"
                     ".visible .entry scale(.param .u64 to) {\n"
                     ".reg .u64 %a; .reg .u32 %v;\n"
                     "ld.param.u64 %a, [to];\n"
                     "ld.global.u32 %v, [factor];\n"
                     "st.global.u32 [%a], %v;\n"
                     "ret;\n}\n";
static char broken[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                       ".visible .entry k() {\n nonsense.u32 %a;\n}\n";

static char errors[1000];

static CUlinkState start(void *values[2]) {
  static CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                                   CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  CUlinkState link;
  values[0] = errors;
  values[1] = (void *)sizeof errors;
  OK(cuLinkCreate(2, options, values, &link));
  return link;
}

static int launch(CUfunction function) {
  CUdeviceptr memory;
  int value = 0;
  OK(cuMemAlloc(&memory, 4));
  void *arguments[] = {&memory};
  OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  OK(cuMemcpyDtoH(&value, memory, 4));
  OK(cuMemFree(memory));
  return value;
}

static void links(void) {
  void *values[2], *image;
  size_t size;
  CUmodule module;
  CUfunction function;
  CUlinkState link = start(values);
  SAY(cuLinkComplete(link, &image, &size)); // of nothing
  // The size may leave out the zero byte at the end.
  OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, text, strlen(text), "scale.ptx", 0,
                   NULL, NULL));
  SAY(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/none.ptx", 0, NULL, NULL));
  OK(cuLinkComplete(link, &image, &size));
  OK(cuModuleLoadDataEx(&module, image, 0, NULL, NULL));
  OK(cuLinkDestroy(link));
  OK(cuModuleGetFunction(&function, module, "scale"));
  printf("linked: %d\n", launch(function));
  SAY(cuLinkDestroy(link));
  link = start(values);
  OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, broken, sizeof broken, "broken.ptx",
                   0, NULL, NULL));
  SAY(cuLinkComplete(link, &image, &size));
  printf("%zu bytes, %s\n", (size_t)values[1],
         strstr(errors, "nonsense") ? "which name it" : errors);
  OK(cuLinkDestroy(link));
}

static void libraries(void) {
  CUlibrary library, owner;
  CUkernel kernel, same;
  CUmodule module;
  CUfunction function;
  CUdeviceptr factor;
  const char *name;
  unsigned count;
  size_t size, offset;
  const int seven = 7;
  OK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
  OK(cuLibraryGetKernel(&kernel, library, "scale"));
  OK(cuLibraryGetKernelCount(&count, library));
  OK(cuLibraryEnumerateKernels(&same, 1, library));
  OK(cuKernelGetName(&name, kernel));
  OK(cuKernelGetLibrary(&owner, kernel));
  OK(cuKernelGetParamInfo(kernel, 0, &offset, &size));
  printf("%u kernel, %d %d, %s, %zu bytes\n", count, same == kernel,
         owner == library, name, size);
  SAY(cuLibraryGetKernel(&same, library, "none"));
  OK(cuLibraryGetGlobal(&factor, &size, library, "factor"));
  OK(cuMemcpyHtoD(factor, &seven, sizeof seven));
  printf("launched: %d\n", launch((CUfunction)kernel));
  OK(cuKernelGetFunction(&function, kernel));
  printf("as a function: %d\n", launch(function));
  OK(cuLibraryGetModule(&module, library));
  OK(cuModuleGetFunction(&function, module, "scale"));
  printf("of the module: %d\n", launch(function));
  OK(cuLibraryUnload(library));
  SAY(cuLibraryUnload(library));
  SAY(cuKernelGetName(&name, kernel));
  SAY(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

int main(void) {
  CUcontext context;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
  links();
  libraries();
  return 0;
}
