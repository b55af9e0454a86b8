// Memory of all kinds, symbols, large parameters, copies larger than the staging area, events, cudaDeviceReset(), wrong arguments.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(CALL)                                                                                                                                  \
  if (cudaError_t error = (CALL))                                                                                                                    \
  std::printf("%s: %s\n", #CALL, cudaGetErrorName(error))

__global__ void fill(char *bytes, size_t pitch, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < width && y < height)
    bytes[y * pitch + x] = char(x + 3 * y);
}

__device__ int variable = 5;
__constant__ int constants[4];
__global__ void use(int *to) {
  to[0] = variable;
  for (int i = 0; i < 4; i++)
    to[1 + i] = constants[i];
  variable = 9;
}

struct Large {
  int numbers[900];
};
__global__ void add(Large all, long *sum) {
  long total = 0;
  for (int each : all.numbers)
    total += each;
  *sum = total;
}

long sum(const std::vector<char> &bytes) {
  long all = 0;
  for (char each : bytes)
    all += each;
  return all;
}

int main() {
  char *rows;
  size_t pitch;
  CHECK(cudaMallocPitch(&rows, &pitch, 200, 100));
  fill<<<100, 256>>>(rows, pitch, 200, 100);
  std::vector<char> bytes(300 * 100);
  CHECK(cudaMemcpy2D(bytes.data(), 300, rows, pitch, 200, 100, cudaMemcpyDeviceToHost));
  std::printf("rows %ld\n", sum(bytes));
  CHECK(cudaMemset2D(rows, pitch, 1, 100, 50));
  CHECK(cudaMemcpy2D(bytes.data(), 300, rows, pitch, 200, 100, cudaMemcpyDeviceToHost));
  std::printf("set %ld\n", sum(bytes));

  const int values[4] = {1, 2, 3, 4};
  int *to, seen[5];
  CHECK(cudaMemcpyToSymbol(constants, values, sizeof(values)));
  CHECK(cudaMalloc(&to, 100));
  use<<<1, 1>>>(to);
  CHECK(cudaMemcpy(seen, to, sizeof(seen), cudaMemcpyDefault));
  std::printf("%d %d %d %d %d\n", seen[0], seen[1], seen[2], seen[3], seen[4]);
  int value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, variable, sizeof(value)));
  std::printf("variable %d\n", value);

  Large large;
  for (int i = 0; i < 900; i++)
    large.numbers[i] = i;
  long *total;
  CHECK(cudaMallocManaged(&total, sizeof(*total)));
  add<<<1, 1>>>(large, total);
  CHECK(cudaDeviceSynchronize());
  std::printf("managed %ld\n", *total);
  CHECK(cudaFree(total));

  const size_t size = size_t(40) << 20;
  std::vector<unsigned> from(size / 4), back(size / 4);
  for (size_t i = 0; i < from.size(); i++)
    from[i] = unsigned(i * 2654435761u);
  char *memory;
  CHECK(cudaMalloc(&memory, size));
  CHECK(cudaMemcpy(memory, from.data(), size, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(back.data(), memory, size, cudaMemcpyDeviceToHost));
  std::printf("large copy: %s\n", std::memcmp(from.data(), back.data(), size) ? "differs" : "the same");

  cudaEvent_t begin, end;
  float milliseconds = -1;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  use<<<1, 1>>>(to);
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  std::printf("time: %s\n", milliseconds >= 0 ? "yes" : "no");

  CHECK(cudaDeviceReset());
  CHECK(cudaMalloc(&to, 100));
  use<<<1, 1>>>(to);
  CHECK(cudaMemcpy(seen, to, sizeof(seen), cudaMemcpyDefault));
  std::printf("after the reset %d %d\n", seen[0], seen[1]);
  std::printf("%s ", cudaGetErrorName(cudaMemcpy(to, from.data(), 1000, cudaMemcpyHostToDevice)));
  std::printf("%s\n", cudaGetErrorName(cudaFree(&value)));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s %d.%d, %d multiprocessors\n", properties.name, properties.major, properties.minor, properties.multiProcessorCount);
}
