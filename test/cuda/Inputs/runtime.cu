// See ../runtime.test.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__device__ int factor = 4;

__global__ void add(const int *a, const int *b, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] = a[i] + b[i];
}
__global__ void twice() { factor *= 2; }
__global__ void say(const char *text) { printf("thread %d of %s\n", threadIdx.x, "text"); }
__global__ void increment(int *value) { ++*value; }
__global__ void check(int value) { assert(value == 1); }

static void ok(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorName(error));
}
#define OK(CALL) ok(CALL, #CALL)

static void add_vectors() {
  const int n = 1000;
  static int values[n];
  for (int i = 0; i < n; ++i)
    values[i] = i;
  int *a, *b, *sum;
  OK(cudaMalloc(&a, sizeof(values)));
  OK(cudaMalloc(&b, sizeof(values)));
  OK(cudaMalloc(&sum, sizeof(values)));
  OK(cudaMemcpy(a, values, sizeof(values), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(b, values, sizeof(values), cudaMemcpyDefault));
  add<<<4, 256>>>(a, b, sum, n);
  OK(cudaMemcpy(values, sum, sizeof(values), cudaMemcpyDeviceToHost));
  printf("sum %d %d\n", values[0], values[n - 1]);
}

static void use_streams() {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  float milliseconds = -1;
  int *managed, *pinned, *device, host = 0;
  OK(cudaStreamCreate(&stream));
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  OK(cudaMallocManaged(&managed, sizeof(int)));
  OK(cudaMallocHost(&pinned, sizeof(int)));
  OK(cudaMalloc(&device, sizeof(int)));
  *managed = 0;
  *pinned = 1;
  OK(cudaEventRecord(begin, stream));
  increment<<<1, 1, 0, stream>>>(managed);
  increment<<<1, 1, 0, stream>>>(pinned);
  OK(cudaEventRecord(end, stream));
  OK(cudaLaunchHostFunc(stream, [](void *) { printf("callback\n"); }, nullptr));
  OK(cudaStreamSynchronize(stream));
  OK(cudaEventElapsedTime(&milliseconds, begin, end));
  printf("managed %d\npinned %d\n", *managed, *pinned);
  cudaPointerAttributes one, two, three, four;
  OK(cudaPointerGetAttributes(&one, pinned));
  OK(cudaPointerGetAttributes(&two, device));
  OK(cudaPointerGetAttributes(&three, managed));
  OK(cudaPointerGetAttributes(&four, &host));
  printf("type %d %d %d %d\n", one.type, two.type, three.type, four.type);
  printf("event %s\n", milliseconds >= 0 ? "yes" : "no");
}

int main(int count, char **) {
  if (count > 1) {
    check<<<1, 1>>>(2);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    void *memory;
    cudaMalloc(&memory, 4);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
  }
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  printf("%s, %d.%d\n", properties.name, properties.major, properties.minor);
  add_vectors();
  twice<<<1, 1>>>();
  int value = 0;
  OK(cudaMemcpyFromSymbol(&value, factor, sizeof(value)));
  printf("symbol %d\n", value);
  say<<<1, 2>>>(nullptr);
  OK(cudaDeviceSynchronize());
  use_streams();
  increment<<<1, 2048>>>(nullptr);
  cudaError_t first = cudaGetLastError();
  printf("%s, then %s\n", cudaGetErrorName(first), cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorString(cudaMemcpy(&value, nullptr, 4, cudaMemcpyDeviceToHost)));
  printf("%s\n", cudaGetErrorName(cudaSetDevice(1)));
}
