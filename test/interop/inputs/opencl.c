// An OpenCL program for AMD's OpenCL runtime over gpuexec's HSA library: it compiles kernels from source for each GPU that there
// is, runs them, and says what came of it. Buffers are written, mapped, filled and read; events have times; kernels print.
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000, MAX_DEVICES = 8 };

static const char *const source =
    "kernel void saxpy(float a, global const float *x, global float *y, uint count) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i < count)\n"
    "    y[i] += a * x[i];\n"
    "}\n"
    "kernel void sums(global const int *in, global int *out, local int *part) {\n"
    "  uint item = get_local_id(0);\n"
    "  part[item] = in[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint half_size = get_local_size(0) / 2; half_size; half_size /= 2) {\n"
    "    if (item < half_size)\n"
    "      part[item] += part[item + half_size];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  if (item == 0)\n"
    "    out[get_group_id(0)] = part[0];\n"
    "}\n"
    "kernel void say(global const int *in) {\n"
    "  if (get_global_id(0) == 3)\n"
    "    printf(\"item %d has %d, says %s\\n\", (int)get_global_id(0), in[3], \"hello\");\n"
    "}\n";

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "opencl.c: %s: error %d\n", what, status);
    exit(1);
  }
}

static cl_program build(cl_context context, cl_device_id device) {
  cl_int status;
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
  check(status, "program");
  status = clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL);
  if (status != CL_SUCCESS) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
    fprintf(stderr, "%s\n", log);
  }
  check(status, "build");
  return program;
}

static cl_kernel kernel_of(cl_program program, const char *name) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, name);
  return kernel;
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t items, size_t group, cl_event *event) {
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, event), "launch");
}

static void test_saxpy(cl_context context, cl_command_queue queue, cl_program program) {
  static float x[COUNT], y[COUNT];
  for (int i = 0; i < COUNT; ++i)
    x[i] = (float)i, y[i] = 1;
  cl_int status;
  cl_mem device_x = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(x), x, &status);
  check(status, "buffer");
  cl_mem device_y = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(y), NULL, &status);
  check(status, "buffer");
  check(clEnqueueWriteBuffer(queue, device_y, CL_FALSE, 0, sizeof(y), y, 0, NULL, NULL), "write");
  cl_kernel kernel = kernel_of(program, "saxpy");
  const float factor = 2;
  const cl_uint count = COUNT;
  check(clSetKernelArg(kernel, 0, sizeof(factor), &factor), "argument");
  check(clSetKernelArg(kernel, 1, sizeof(device_x), &device_x), "argument");
  check(clSetKernelArg(kernel, 2, sizeof(device_y), &device_y), "argument");
  check(clSetKernelArg(kernel, 3, sizeof(count), &count), "argument");
  cl_event event;
  launch(queue, kernel, 1024, 128, &event);
  check(clEnqueueReadBuffer(queue, device_y, CL_TRUE, 0, sizeof(y), y, 0, NULL, NULL), "read");
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i)
    wrong += y[i] != 1 + factor * (float)i;
  cl_ulong start, end;
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL), "start");
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL), "end");
  printf("saxpy: %d wrong, time %s\n", wrong, end > start ? "positive" : "zero");
  clReleaseMemObject(device_x);
  clReleaseMemObject(device_y);
  clReleaseKernel(kernel);
}

static void test_local_memory_and_printf(cl_context context, cl_command_queue queue, cl_program program) {
  enum { ITEMS = 1024, GROUP = 256 };
  cl_int status;
  cl_mem in = clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, ITEMS * sizeof(int), NULL, &status);
  check(status, "buffer");
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, ITEMS / GROUP * sizeof(int), NULL, &status);
  check(status, "buffer");
  int *mapped = clEnqueueMapBuffer(queue, in, CL_TRUE, CL_MAP_WRITE, 0, ITEMS * sizeof(int), 0, NULL, NULL, &status);
  check(status, "map");
  for (int i = 0; i < ITEMS; ++i)
    mapped[i] = i;
  check(clEnqueueUnmapMemObject(queue, in, mapped, 0, NULL, NULL), "unmap");
  cl_kernel sums = kernel_of(program, "sums"), say = kernel_of(program, "say");
  check(clSetKernelArg(sums, 0, sizeof(in), &in), "argument");
  check(clSetKernelArg(sums, 1, sizeof(out), &out), "argument");
  check(clSetKernelArg(sums, 2, GROUP * sizeof(int), NULL), "argument");
  launch(queue, sums, ITEMS, GROUP, NULL);
  int result[ITEMS / GROUP];
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL), "read");
  printf("sums: %d %d %d %d\n", result[0], result[1], result[2], result[3]);
  fflush(stdout);
  const int pattern = 7;
  check(clEnqueueFillBuffer(queue, in, &pattern, sizeof(pattern), 0, ITEMS * sizeof(int), 0, NULL, NULL), "fill");
  check(clSetKernelArg(say, 0, sizeof(in), &in), "argument");
  launch(queue, say, ITEMS, GROUP, NULL);
  check(clFinish(queue), "finish");
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseKernel(sums);
  clReleaseKernel(say);
}

int main(void) {
  cl_platform_id platform;
  cl_device_id devices[MAX_DEVICES];
  cl_uint platforms, count;
  check(clGetPlatformIDs(1, &platform, &platforms), "platforms");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, MAX_DEVICES, devices, &count), "devices");
  for (cl_uint i = 0; i < count; ++i) {
    char name[256];
    cl_int status;
    check(clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof(name), name, NULL), "name");
    printf("GPU %u: %s\n", i, name);
    cl_context context = clCreateContext(NULL, 1, &devices[i], NULL, NULL, &status);
    check(status, "context");
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, devices[i], properties, &status);
    check(status, "queue");
    cl_program program = build(context, devices[i]);
    test_saxpy(context, queue, program);
    test_local_memory_and_printf(context, queue, program);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
  printf("OpenCL: %u GPUs\n", count);
  return 0;
}
