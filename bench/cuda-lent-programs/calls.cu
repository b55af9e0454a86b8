// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a CUDA program's calls cost: copies, launches, waiting, memory. Prints
// lines of a name and a number; bench/cuda-lent compares two runs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::printf("failed: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}
#define CHECK(CALL) check(CALL, #CALL)

__global__ void nothing() {}
__global__ void add(unsigned *numbers, unsigned count, unsigned what) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    numbers[i] += what;
}

/// The median time of a call, in seconds.
template <typename Call> double median(unsigned count, Call call) {
  std::vector<double> times;
  for (unsigned i = 0; i < count; ++i) {
    const auto begin = Clock::now();
    call();
    times.push_back(since(begin));
  }
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  return times[count / 2];
}

void copies(const char *kind, char *host, char *device, size_t most) {
  for (size_t size : {size_t(64) << 10, size_t(1) << 20, size_t(16) << 20,
                      size_t(256) << 20}) {
    if (size > most)
      break;
    const unsigned count =
        unsigned(std::clamp<size_t>((size_t(1) << 30) / size, 9, 400));
    const char *name = size < (1u << 20) ? "64KiB" : nullptr;
    char text[32];
    if (!name) {
      std::snprintf(text, sizeof(text), "%zuMiB", size >> 20);
      name = text;
    }
    const auto to = [&] {
      CHECK(cudaMemcpy(device, host, size, cudaMemcpyHostToDevice));
    };
    const auto from = [&] {
      CHECK(cudaMemcpy(host, device, size, cudaMemcpyDeviceToHost));
    };
    to(); // once for nothing
    std::printf("%s_to_device_%s %.3f GB/s\n", kind, name,
                double(size) / median(count, to) / 1e9);
    from();
    std::printf("%s_to_host_%s %.3f GB/s\n", kind, name,
                double(size) / median(count, from) / 1e9);
    std::fflush(stdout);
  }
}

void verify(unsigned *host, unsigned *device, size_t bytes) {
  const auto count = unsigned(bytes / sizeof(unsigned));
  for (unsigned i = 0; i < count; ++i)
    host[i] = i * 7;
  CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
  add<<<(count + 255) / 256, 256>>>(device, count, 3);
  std::memset(host, 0, bytes);
  CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i)
    wrong += host[i] != i * 7 + 3;
  if (wrong)
    std::printf("failed: %u of %u numbers are wrong\n", wrong, count);
}

} // namespace

int main(int argc, char **argv) {
  const size_t most = (argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 256)
                      << 20;
  const unsigned turns = argc > 2 ? unsigned(std::atoi(argv[2])) : 2000;
  char *device = nullptr, *pinned = nullptr;
  CHECK(cudaMalloc(&device, most));
  CHECK(cudaMallocHost(&pinned, most));
  std::vector<char> pageable(most, 1);
  std::memset(pinned, 1, most);
  for (size_t size : {size_t(4) << 10, size_t(300) << 10, most}) {
    verify(reinterpret_cast<unsigned *>(pinned),
           reinterpret_cast<unsigned *>(device), size);
    verify(reinterpret_cast<unsigned *>(pageable.data()),
           reinterpret_cast<unsigned *>(device), size);
  }
  copies("pinned", pinned, device, most);
  copies("pageable", pageable.data(), device, most);

  nothing<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  constexpr unsigned BURST = 500; // fewer than the driver's queue has room for
  std::printf("enqueue %.3f us\n", median(20, [] {
                                     for (unsigned i = 0; i < BURST; ++i)
                                       nothing<<<1, 1>>>();
                                   }) / BURST * 1e6);
  CHECK(cudaDeviceSynchronize());
  const auto begin = Clock::now();
  for (unsigned i = 0; i < turns * 25; ++i)
    nothing<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  std::printf("launches %.0f /s\n", turns * 25 / since(begin));
  std::printf("launch_synchronize %.3f us\n", median(turns, [] {
                                                nothing<<<1, 1>>>();
                                                CHECK(cudaDeviceSynchronize());
                                              }) * 1e6);
  std::printf("idle_synchronize %.3f us\n", median(turns, [] {
                                              CHECK(cudaDeviceSynchronize());
                                            }) * 1e6);
  std::printf("malloc_free_1MiB %.3f us\n",
              median(std::min(turns, 300u), [] {
                void *memory = nullptr;
                CHECK(cudaMalloc(&memory, 1 << 20));
                CHECK(cudaFree(memory));
              }) * 1e6);
  return 0;
}
