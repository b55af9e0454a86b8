// Eight threads with a stream each: copies, launches, functions of the host, events.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#define CHECK(CALL)                                                                                                                                  \
  if (cudaError_t error = (CALL))                                                                                                                    \
  std::printf("%s: %s\n", #CALL, cudaGetErrorName(error))

static const int COUNT = 10000;

__global__ void step(int *numbers) {
  for (int i = threadIdx.x; i < COUNT; i += blockDim.x)
    numbers[i] += i;
}

static void work(int number, long *sum, std::atomic<int> *calls) {
  cudaStream_t stream;
  cudaEvent_t event;
  int *device, *host;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&event));
  CHECK(cudaMalloc(&device, COUNT * sizeof(int)));
  CHECK(cudaMallocHost(&host, COUNT * sizeof(int)));
  for (int i = 0; i < COUNT; i++)
    host[i] = number;
  CHECK(cudaMemcpyAsync(device, host, COUNT * sizeof(int), cudaMemcpyHostToDevice, stream));
  for (int i = 0; i < 50; i++) {
    step<<<1, 256, 0, stream>>>(device);
    if (i % 10 == 0)
      CHECK(cudaLaunchHostFunc(
          stream, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, calls));
  }
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaEventSynchronize(event));
  std::vector<int> back(COUNT);
  CHECK(cudaMemcpyAsync(back.data(), device, COUNT * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int each : back)
    *sum += each;
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(host));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  std::atomic<int> calls{0};
  long sums[8] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++)
    threads.emplace_back(work, i, &sums[i], &calls);
  for (std::thread &each : threads)
    each.join();
  for (long each : sums)
    std::printf("%ld\n", each);
  std::printf("%d calls\n", calls.load());
}
