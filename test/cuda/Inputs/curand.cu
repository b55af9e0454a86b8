//===-- test/cuda/Inputs/curand.cu - cuRAND's numbers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that are published, moments of the distributions, and that skipping
// ahead leads to the numbers that were skipped to.
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>
#include <vector>

static int failures;
#define EXPECT(CONDITION)                                                      \
  if (!(CONDITION)) {                                                          \
    printf("failed: %s, line %d\n", #CONDITION, __LINE__);                     \
    ++failures;                                                                \
  }

template <class T> struct Managed {
  T *data;
  explicit Managed(size_t n) { cudaMallocManaged(&data, n * sizeof(T)); }
  ~Managed() { cudaFree(data); }
};

/// The first number of each of the first ten sequences of XORWOW with seed 0:
/// what cuRAND's host API printed (NVIDIA's forum, topic 44909).
static const unsigned XORWOW[] = {
    3179217846, 3955638199, 167591721, 4161663997, 3973448494,
    1917059131, 2866113984, 472148682, 2019573489, 2204150021};

__global__ void xorwow(unsigned *to) {
  curandState state;
  curand_init(0, threadIdx.x, 0, &state);
  to[threadIdx.x] = curand(&state);
}

/// Counter and key all ones, and digits of pi: known answers of Random123.
__global__ void philox(uint4 *to) {
  to[0] = curand_Philox4x32_10(uint4{0, 0, 0, 0}, uint2{0, 0});
  to[1] = curand_Philox4x32_10(uint4{~0u, ~0u, ~0u, ~0u}, uint2{~0u, ~0u});
  to[2] = curand_Philox4x32_10(
      uint4{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
      uint2{0xa4093822, 0x299f31d0});
  curandStatePhilox4_32_10_t state;
  curand_init(0, 0, 0, &state);
  to[3] = curand4(&state);
}

/// Whether numbers 0 to 39 of sequence 5 are those after skips.
template <class State> __global__ void skips(int *wrong) {
  State all, skipped;
  curand_init(1234, 5, 0, &all);
  for (unsigned n = 0; n < 40; ++n) {
    curand_init(1234, 5, n, &skipped);
    State from_there = skipped;
    const unsigned expected = curand(&all);
    if (curand(&skipped) != expected)
      ++*wrong;
    skipahead(3ull, &from_there);
    curand(&skipped), curand(&skipped);
    if (curand(&from_there) != curand(&skipped))
      ++*wrong;
  }
}

/// Sums of the numbers, their squares, and how many are out of range.
template <class State>
__global__ void moments(double (*sums)[3], int threads, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  curand_init(42, thread, 0, &state);
  auto add = [&](int kind, double x) {
    atomicAdd(&sums[kind][0], x);
    atomicAdd(&sums[kind][1], x * x);
    if (kind < 2 && !(x > 0 && x <= 1))
      atomicAdd(&sums[kind][2], 1.0);
  };
  for (int i = 0; i < count; ++i) {
    add(0, curand_uniform(&state));
    add(1, curand_uniform_double(&state));
    add(2, curand_normal(&state));
    add(3, curand_normal_double(&state));
    add(4, curand_poisson(&state, 7.0));
    add(5, curand_poisson(&state, 500.0));
    add(6, log(curand_log_normal(&state, 1.0f, 0.5f)));
  }
}

/// Sobol's first dimension with direction numbers 2^31, 2^30 ...: van der
/// Corput's sequence in Gray code's order.
__global__ void sobol(unsigned *to) {
  unsigned vectors[32];
  for (int i = 0; i < 32; ++i)
    vectors[i] = 1u << (31 - i);
  curandStateSobol32_t state, later;
  curand_init(vectors, 0, &state);
  curand_init(vectors, 5, &later);
  for (int i = 0; i < 8; ++i)
    to[i] = curand(&state) >> 29;
  to[8] = curand(&later) >> 29;
}

template <class State> void try_moments(const char *name) {
  const int threads = 256, count = 100, n = threads * count;
  static const double MEAN[] = {0.5, 0.5, 0, 0, 7, 500, 1};
  static const double VARIANCE[] = {1 / 12.0, 1 / 12.0, 1, 1, 7, 500, 0.25};
  Managed<double[3]> sums(7);
  for (int i = 0; i < 21; ++i)
    sums.data[i / 3][i % 3] = 0;
  moments<State><<<threads / 64, 64>>>(sums.data, threads, count);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 7; ++i) {
    const double mean = sums.data[i][0] / n;
    const double variance = sums.data[i][1] / n - mean * mean;
    if (std::abs(mean - MEAN[i]) > 5 * std::sqrt(VARIANCE[i] / n) ||
        std::abs(variance / VARIANCE[i] - 1) > 0.06 || sums.data[i][2] != 0) {
      printf("failed: %s, distribution %d: mean %g, variance %g\n", name, i,
             mean, variance);
      ++failures;
    }
  }
}

void try_host_api(curandRngType_t type) {
  const int n = 10000;
  curandGenerator_t device, host, offset;
  EXPECT(!curandCreateGenerator(&device, type));
  EXPECT(!curandCreateGeneratorHost(&host, type));
  EXPECT(!curandCreateGenerator(&offset, type));
  for (curandGenerator_t generator : {device, host, offset})
    EXPECT(!curandSetPseudoRandomGeneratorSeed(generator, 77));
  unsigned *on_device;
  std::vector<unsigned> copied(n), on_host(n), later(n);
  EXPECT(!cudaMalloc(&on_device, n * sizeof(unsigned)));
  EXPECT(!curandGenerate(device, on_device, n));
  cudaMemcpy(copied.data(), on_device, n * sizeof(unsigned),
             cudaMemcpyDeviceToHost);
  // The same in two calls on the host.
  EXPECT(!curandGenerate(host, on_host.data(), 4444));
  EXPECT(!curandGenerate(host, on_host.data() + 4444, n - 4444));
  EXPECT(copied == on_host);
  EXPECT(!curandSetGeneratorOffset(offset, 4999));
  EXPECT(!curandGenerate(offset, on_device, n - 4999));
  cudaMemcpy(later.data(), on_device, n * sizeof(unsigned),
             cudaMemcpyDeviceToHost);
  for (int i = 4999; i < n; ++i)
    if (later[i - 4999] != on_host[i]) {
      printf("failed: generator %d, number %d after an offset\n", type, i);
      ++failures;
      break;
    }
  std::vector<double> normal(n);
  EXPECT(!curandGenerateNormalDouble(host, normal.data(), n, 3, 2));
  double sum = 0, squares = 0;
  for (double x : normal) {
    sum += x;
    squares += (x - 3) * (x - 3);
  }
  EXPECT(std::abs(sum / n - 3) < 0.1 && std::abs(squares / n - 4) < 0.3);
  EXPECT(curandGenerateNormalDouble(host, normal.data(), 3, 0, 1) ==
         CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  cudaFree(on_device);
  for (curandGenerator_t generator : {device, host, offset})
    EXPECT(!curandDestroyGenerator(generator));
}

__global__ void discrete(curandDiscreteDistribution_t distribution,
                         double *mean) {
  curandState state;
  curand_init(3, 0, 0, &state);
  for (int i = 0; i < 2000; ++i)
    *mean += curand_discrete(&state, distribution) / 2000.0;
}

int main() {
  Managed<unsigned> numbers(16);
  xorwow<<<1, 10>>>(numbers.data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10; ++i)
    EXPECT(numbers.data[i] == XORWOW[i]);
  curandGenerator_t generator;
  EXPECT(!curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  EXPECT(!curandSetPseudoRandomGeneratorSeed(generator, 0));
  EXPECT(!curandGenerate(generator, numbers.data, 10));
  for (int i = 0; i < 10; ++i)
    EXPECT(numbers.data[i] == XORWOW[i]);
  EXPECT(!curandDestroyGenerator(generator));

  static const uint4 PHILOX[] = {
      {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
      {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}};
  Managed<uint4> blocks(4);
  philox<<<1, 1>>>(blocks.data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) {
    const uint4 x = blocks.data[i], y = PHILOX[i];
    EXPECT(x.x == y.x && x.y == y.y && x.z == y.z && x.w == y.w);
  }

  // The first numbers that L'Ecuyer's program prints for the initial state.
  curandStateMRG32k3a mrg;
  curand_init(0, 0, 0, &mrg);
  EXPECT(std::abs(curand_uniform_double(&mrg) - 0.12701112204657714) < 1e-9);
  EXPECT(std::abs(curand_uniform_double(&mrg) - 0.31852756539679453) < 1e-9);

  Managed<int> wrong(1);
  *wrong.data = 0;
  skips<curandState><<<1, 1>>>(wrong.data);
  skips<curandStateMRG32k3a_t><<<1, 1>>>(wrong.data);
  skips<curandStatePhilox4_32_10_t><<<1, 1>>>(wrong.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && *wrong.data == 0);

  sobol<<<1, 1>>>(numbers.data);
  cudaDeviceSynchronize();
  static const unsigned SOBOL[] = {0, 4, 6, 2, 3, 7, 5, 1, 7};
  for (int i = 0; i < 9; ++i)
    EXPECT(numbers.data[i] == SOBOL[i]);

  try_moments<curandState>("XORWOW");
  try_moments<curandStateMRG32k3a_t>("MRG32k3a");
  try_moments<curandStatePhilox4_32_10_t>("Philox");
  for (curandRngType_t type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
        CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_PSEUDO_MT19937})
    try_host_api(type);

  curandDiscreteDistribution_t distribution;
  EXPECT(!curandCreatePoissonDistribution(100, &distribution));
  Managed<double> mean(1);
  *mean.data = 0;
  discrete<<<1, 1>>>(distribution, mean.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(std::abs(*mean.data - 100) < 1.2);
  EXPECT(!curandDestroyDistribution(distribution));
  EXPECT(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MTGP32) ==
         CURAND_STATUS_TYPE_ERROR);
  printf("%d failures\n", failures);
  return failures != 0;
}
