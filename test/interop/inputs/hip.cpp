// A HIP program, as its users write them, for AMD's HIP runtime over gpuexec's HSA library: copies, constants, pinned and
// managed memory, streams, events, shared memory, warps, printf, the device's heap, and a kernel compiled at run time. Runs
// on each GPU that there is, and copies between them.
#ifndef __AMDGCN_WAVEFRONT_SIZE // HIP 6.4 wants it, clang 22 does not define it
#ifdef __GFX9__
#define __AMDGCN_WAVEFRONT_SIZE 64
#else
#define __AMDGCN_WAVEFRONT_SIZE 32
#endif
#endif
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(CALL)                                                                                                      \
  do {                                                                                                                   \
    if (auto error = (CALL)) {                                                                                           \
      fprintf(stderr, "hip.cpp:%d: %s: error %d\n", __LINE__, #CALL, int(error));                                        \
      exit(1);                                                                                                           \
    }                                                                                                                    \
  } while (0)

__constant__ float factors[2];
__device__ int calls;

__global__ void saxpy(int count, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    y[i] += factors[1] * x[i];
    atomicAdd(&calls, 1);
  }
}

__global__ void sums(const int *in, int *out) {
  __shared__ int part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

// Each thread gets its right neighbour's number, the last of a warp its own.
__global__ void neighbours(int *out) { out[threadIdx.x] = __shfl_down(threadIdx.x, 1); }

__global__ void say(int thread) {
  if (threadIdx.x == thread)
    printf("thread %d of %u says %s, %.2f\n", thread, blockDim.x, "hello", thread * 0.5);
}

__global__ void use_heap(int *out) {
  int *own = static_cast<int *>(malloc(4 * sizeof(int)));
  for (int i = 0; i < 4; ++i)
    own[i] = threadIdx.x * i;
  out[threadIdx.x] = own[1] + own[3];
  free(own);
}

static void test_copies_and_constants() {
  const int count = 1000;
  std::vector<float> x(count), y(count, 1);
  for (int i = 0; i < count; ++i)
    x[i] = i;
  float *device_x, *device_y;
  CHECK(hipMalloc(&device_x, count * sizeof(float)));
  CHECK(hipMalloc(&device_y, count * sizeof(float)));
  hipStream_t stream;
  hipEvent_t before, after;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreate(&before));
  CHECK(hipEventCreate(&after));
  const float values[2] = {0, 2};
  const int zero = 0;
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factors), values, sizeof(values)));
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(calls), &zero, sizeof(zero)));
  CHECK(hipMemcpy(device_x, x.data(), count * sizeof(float), hipMemcpyHostToDevice));
  CHECK(hipMemcpyAsync(device_y, y.data(), count * sizeof(float), hipMemcpyHostToDevice, stream));
  CHECK(hipEventRecord(before, stream));
  saxpy<<<(count + 127) / 128, 128, 0, stream>>>(count, device_x, device_y);
  CHECK(hipEventRecord(after, stream));
  CHECK(hipMemcpyAsync(y.data(), device_y, count * sizeof(float), hipMemcpyDeviceToHost, stream));
  CHECK(hipStreamSynchronize(stream));
  int wrong = 0, made = 0;
  for (int i = 0; i < count; ++i)
    wrong += y[i] != 1 + 2.0f * i;
  float milliseconds = 0;
  CHECK(hipEventElapsedTime(&milliseconds, before, after));
  CHECK(hipMemcpyFromSymbol(&made, HIP_SYMBOL(calls), sizeof(made)));
  printf("saxpy: %d wrong, %d calls, time %s\n", wrong, made, milliseconds > 0 ? "positive" : "zero");
  CHECK(hipFree(device_x));
  CHECK(hipFree(device_y));
  CHECK(hipEventDestroy(before));
  CHECK(hipEventDestroy(after));
  CHECK(hipStreamDestroy(stream));
}

static void test_shared_memory() {
  int *in, *out;
  CHECK(hipHostMalloc(&in, 1024 * sizeof(int)));
  CHECK(hipMallocManaged(&out, 4 * sizeof(int)));
  for (int i = 0; i < 1024; ++i)
    in[i] = i;
  sums<<<4, 256>>>(in, out);
  CHECK(hipDeviceSynchronize());
  printf("sums: %d %d %d %d\n", out[0], out[1], out[2], out[3]);
  CHECK(hipHostFree(in));
  CHECK(hipFree(out));
}

static void test_warps(int size) {
  int *out, host[256], wrong = 0;
  CHECK(hipMalloc(&out, sizeof(host)));
  neighbours<<<1, 256>>>(out);
  CHECK(hipMemcpy(host, out, sizeof(host), hipMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i)
    wrong += host[i] != (i % size == size - 1 ? i : i + 1);
  use_heap<<<1, 256>>>(out);
  CHECK(hipMemcpy(host, out, sizeof(host), hipMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i)
    wrong += host[i] != 4 * i;
  printf("warps of %d, heap: %d wrong\n", size, wrong);
  CHECK(hipFree(out));
}

static void test_run_time_compiler(const hipDeviceProp_t &properties) {
  static const char source[] = "extern \"C\" __global__ void twice(int *x) {\n"
                               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "  x[i] = 2 * x[i] + __popc(i);\n"
                               "}\n";
  hiprtcProgram program;
  std::string arch = std::string("--offload-arch=") + properties.gcnArchName;
  const char *options[] = {arch.c_str()};
  size_t size;
  CHECK(hiprtcCreateProgram(&program, source, "twice.hip", 0, nullptr, nullptr));
  CHECK(hiprtcCompileProgram(program, 1, options));
  CHECK(hiprtcGetCodeSize(program, &size));
  std::vector<char> code(size);
  CHECK(hiprtcGetCode(program, code.data()));
  CHECK(hiprtcDestroyProgram(&program));
  hipModule_t module;
  hipFunction_t function;
  CHECK(hipModuleLoadData(&module, code.data()));
  CHECK(hipModuleGetFunction(&function, module, "twice"));
  int *x, host[256], wrong = 0;
  for (int i = 0; i < 256; ++i)
    host[i] = i;
  CHECK(hipMalloc(&x, sizeof(host)));
  CHECK(hipMemcpy(x, host, sizeof(host), hipMemcpyHostToDevice));
  void *arguments[] = {&x};
  CHECK(hipModuleLaunchKernel(function, 2, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(hipMemcpy(host, x, sizeof(host), hipMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i)
    wrong += host[i] != 2 * i + __builtin_popcount(i);
  printf("compiled at run time: %d wrong\n", wrong);
  CHECK(hipFree(x));
  CHECK(hipModuleUnload(module));
}

static void test_copy_between(int from, int to) {
  int *source, *target, value = 77;
  CHECK(hipSetDevice(from));
  CHECK(hipMalloc(&source, sizeof(int)));
  CHECK(hipMemcpy(source, &value, sizeof(int), hipMemcpyHostToDevice));
  CHECK(hipSetDevice(to));
  CHECK(hipMalloc(&target, sizeof(int)));
  CHECK(hipMemcpyPeer(target, to, source, from, sizeof(int)));
  CHECK(hipMemcpy(&value, target, sizeof(int), hipMemcpyDeviceToHost));
  printf("from GPU %d to %d: %d\n", from, to, value);
}

int main() {
  int count = 0;
  CHECK(hipGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    hipDeviceProp_t properties;
    CHECK(hipSetDevice(device));
    CHECK(hipGetDeviceProperties(&properties, device));
    printf("GPU %d: %s, %s, warps of %d, %zu KiB of shared memory\n", device, properties.name, properties.gcnArchName,
           properties.warpSize, properties.sharedMemPerBlock / 1024);
    test_copies_and_constants();
    test_shared_memory();
    test_warps(properties.warpSize);
    fflush(stdout);
    say<<<1, 64>>>(5);
    CHECK(hipDeviceSynchronize());
    test_run_time_compiler(properties);
  }
  for (int device = 1; device < count; ++device)
    test_copy_between(device - 1, device);
  printf("HIP: %d GPUs\n", count);
}
