//===-- emulator/cuda/libraries/curand.cpp - cuRAND of the host -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcurand.so.10: generators of CUDA's memory, which the host sees at the
// device's addresses. The host waits for the stream and computes the numbers
// itself, so that a device's and a host's generator give the same ones.
//===----------------------------------------------------------------------===//
#pragma GCC visibility push(default)
#include "toolchain/cuda/include/curand.h"
#pragma GCC visibility pop
#include "emulator/cuda/libraries/stream.h"
#include "emulator/cuda/libraries/version.h"
#include "toolchain/cuda/include/gpuexec/random/distributions.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <new>
#include <random>
#include <type_traits>
#include <vector>

using gpuexec::cuda_libraries::wait_for;

namespace {

/// How many sequences XORWOW and MRG32k3a take turns with: number n is number
/// n / 4096 of sequence n % 4096 (cuRAND's documentation, "Order").
constexpr unsigned SEQUENCES = 4096;

// NOLINTNEXTLINE(bugprone-random-generator-seed): begin() seeds it.
struct MersenneTwister : gpuexec_random_kept {
  std::mt19937 engine;
};
unsigned curand(MersenneTwister *state) { return unsigned(state->engine()); }

struct Settings {
  unsigned long long seed = 0, offset = 0;
  bool has_seeds_for_sequences = false; ///< CURAND_ORDERING_PSEUDO_SEEDED
};

// The states with which a generator begins.

template <class State>
std::vector<State> begin_sequences(const Settings &settings) {
  std::vector<State> states(SEQUENCES);
  State sequence;
  curand_init(settings.seed, 0, 0, &sequence);
  for (unsigned i = 0; i < SEQUENCES; ++i) {
    states[i] = sequence;
    if (settings.has_seeds_for_sequences)
      curand_init(settings.seed + i, 0, 0, &states[i]);
    if constexpr (std::is_same_v<State, curandStateMRG32k3a>)
      skipahead_subsequence(1, &sequence);
    else
      skipahead_sequence(1, &sequence);
    skipahead(settings.offset / SEQUENCES + (i < settings.offset % SEQUENCES),
              &states[i]);
  }
  return states;
}

void begin(const Settings &settings, std::vector<curandStateXORWOW> &states) {
  states = begin_sequences<curandStateXORWOW>(settings);
}
void begin(const Settings &settings, std::vector<curandStateMRG32k3a> &states) {
  states = begin_sequences<curandStateMRG32k3a>(settings);
}
void begin(const Settings &settings,
           std::vector<curandStatePhilox4_32_10> &states) {
  states.resize(1);
  curand_init(settings.seed, 0, settings.offset, states.data());
}
void begin(const Settings &settings, std::vector<MersenneTwister> &states) {
  states.assign(1, MersenneTwister());
  std::seed_seq seed{unsigned(settings.seed), unsigned(settings.seed >> 32)};
  states[0].engine.seed(seed);
  states[0].engine.discard(settings.offset);
}

enum class Kind { bits, uniform, normal, log_normal, poisson };

struct Request {
  Kind kind;
  double mean = 0, deviation = 1;
};

template <class T> void set_pair(T *to, const Request &request, T x, T y) {
  x = T(request.mean) + T(request.deviation) * x;
  y = T(request.mean) + T(request.deviation) * y;
  const bool is_log = request.kind == Kind::log_normal;
  to[0] = is_log ? std::exp(x) : x;
  to[1] = is_log ? std::exp(y) : y;
}

} // namespace

/// A generator: what was asked for, and states from the first call on.
struct curandGenerator_st {
  Settings settings;
  bool is_on_host = false, has_begun = false;
  cudaStream_t stream = nullptr;

  virtual ~curandGenerator_st() = default;
  virtual void begin() = 0;
  virtual void generate(const Request &request, unsigned *to, size_t n) = 0;
  virtual void generate(const Request &request, float *to, size_t n) = 0;
  virtual void generate(const Request &request, double *to, size_t n) = 0;
};

namespace {

template <class State> struct Generator : curandGenerator_st {
  std::vector<State> states;
  size_t next = 0;

  State *turn() {
    State *state = &states[next];
    next = next + 1 == states.size() ? 0 : next + 1;
    return state;
  }
  void begin() override {
    ::begin(settings, states);
    next = settings.offset % states.size();
  }
  void generate(const Request &request, unsigned *to, size_t n) override {
    if (request.kind == Kind::poisson)
      for (size_t i = 0; i < n; ++i)
        to[i] = curand_poisson(turn(), request.mean);
    else
      for (size_t i = 0; i < n; ++i)
        to[i] = curand(turn());
  }
  void generate(const Request &request, float *to, size_t n) override {
    if (request.kind == Kind::uniform)
      for (size_t i = 0; i < n; ++i)
        to[i] = curand_uniform(turn());
    else
      for (size_t i = 0; i + 1 < n; i += 2) {
        const float2 pair = curand_normal2(turn());
        set_pair(to + i, request, pair.x, pair.y);
      }
  }
  void generate(const Request &request, double *to, size_t n) override {
    if (request.kind == Kind::uniform)
      for (size_t i = 0; i < n; ++i)
        to[i] = curand_uniform_double(turn());
    else
      for (size_t i = 0; i + 1 < n; i += 2) {
        const double2 pair = curand_normal2_double(turn());
        set_pair(to + i, request, pair.x, pair.y);
      }
  }
};

std::unique_ptr<curandGenerator_st> make(curandRngType_t type) {
  switch (type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
  case CURAND_RNG_PSEUDO_XORWOW:
    return std::make_unique<Generator<curandStateXORWOW>>();
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return std::make_unique<Generator<curandStateMRG32k3a>>();
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return std::make_unique<Generator<curandStatePhilox4_32_10>>();
  case CURAND_RNG_PSEUDO_MT19937:
    return std::make_unique<Generator<MersenneTwister>>();
  default:
    fprintf(stderr,
            "gpuexec: libcurand: generators of type %d are missing; XORWOW, "
            "MRG32k3a, Philox and MT19937 are there\n",
            int(type));
    return nullptr;
  }
}

curandStatus_t create(curandGenerator_t *to, curandRngType_t type,
                      bool is_on_host) {
  if (!to)
    return CURAND_STATUS_NOT_INITIALIZED;
  auto generator = make(type);
  if (!generator)
    return CURAND_STATUS_TYPE_ERROR;
  generator->is_on_host = is_on_host;
  *to = generator.release();
  return CURAND_STATUS_SUCCESS;
}

/// Changes the settings; the next numbers are the first ones by them.
template <class Change>
curandStatus_t change(curandGenerator_t generator, const Change &settings) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  settings(generator->settings);
  generator->has_begun = false;
  return CURAND_STATUS_SUCCESS;
}

template <class T>
curandStatus_t generate(curandGenerator_t generator, const Request &request,
                        T *to, size_t n) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  const bool is_in_pairs =
      request.kind == Kind::normal || request.kind == Kind::log_normal;
  if (is_in_pairs && n % 2)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (request.kind == Kind::poisson && !(request.mean > 0))
    return CURAND_STATUS_OUT_OF_RANGE;
  if (!to && n)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (!generator->is_on_host && !wait_for(generator->stream))
    return CURAND_STATUS_PREEXISTING_FAILURE;
  if (!generator->has_begun)
    generator->begin();
  generator->has_begun = true;
  generator->generate(request, to, n);
  return CURAND_STATUS_SUCCESS;
}

} // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                     curandRngType_t type) {
  return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                         curandRngType_t type) {
  return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGetVersion(int *version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  constexpr gpuexec::cuda_libraries::Version VERSION = {
      CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  *value = VERSION.property(type);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator,
                               cudaStream_t stream) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  return change(generator, [&](Settings &to) { to.seed = seed; });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                        unsigned long long offset) {
  return change(generator, [&](Settings &to) { to.offset = offset; });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                          curandOrdering_t order) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (order < CURAND_ORDERING_PSEUDO_BEST ||
      order > CURAND_ORDERING_PSEUDO_DYNAMIC)
    return CURAND_STATUS_OUT_OF_RANGE;
  return change(generator, [&](Settings &to) {
    to.has_seeds_for_sequences = order == CURAND_ORDERING_PSEUDO_SEEDED;
  });
}
curandStatus_t
curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned) {
  return generator ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->begin();
  generator->has_begun = true;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *to,
                              size_t count) {
  return generate(generator, {Kind::bits}, to, count);
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator,
                                      unsigned long long *, size_t) {
  return generator ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *to,
                                     size_t count) {
  return generate(generator, {Kind::uniform}, to, count);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator,
                                           double *to, size_t count) {
  return generate(generator, {Kind::uniform}, to, count);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *to,
                                    size_t count, float mean, float deviation) {
  return generate(generator, {Kind::normal, mean, deviation}, to, count);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator,
                                          double *to, size_t count, double mean,
                                          double deviation) {
  return generate(generator, {Kind::normal, mean, deviation}, to, count);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *to,
                                       size_t count, float mean,
                                       float deviation) {
  return generate(generator, {Kind::log_normal, mean, deviation}, to, count);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator,
                                             double *to, size_t count,
                                             double mean, double deviation) {
  return generate(generator, {Kind::log_normal, mean, deviation}, to, count);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *to,
                                     size_t count, double mean) {
  return generate(generator, {Kind::poisson, mean}, to, count);
}

curandStatus_t
curandCreatePoissonDistribution(double mean,
                                curandDiscreteDistribution_t *distribution) {
  if (!distribution || !(mean > 0) || mean > 400000)
    return CURAND_STATUS_OUT_OF_RANGE;
  // Beyond 8.5 deviations and the tail of small means, no double differs.
  const double reach = 8.5 * std::sqrt(mean) + 40;
  const unsigned first = mean > reach ? unsigned(mean - reach) : 0;
  std::vector<double> cumulative;
  double sum = 0;
  for (unsigned k = first; k <= mean + reach; ++k) {
    sum += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1));
    cumulative.push_back(sum);
  }
  CUdeviceptr memory = 0;
  const size_t size = sizeof(curandDiscreteDistribution_st) +
                      cumulative.size() * sizeof(double);
  if (cuMemAllocManaged(&memory, size, CU_MEM_ATTACH_GLOBAL) != CUDA_SUCCESS)
    return CURAND_STATUS_ALLOCATION_FAILED;
  auto *values = reinterpret_cast<double *>(
      memory + sizeof(curandDiscreteDistribution_st));
  std::copy(cumulative.begin(), cumulative.end(), values);
  *distribution = new (reinterpret_cast<void *>(memory))
      curandDiscreteDistribution_st{first, unsigned(cumulative.size()), values};
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t
curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  if (!distribution)
    return CURAND_STATUS_NOT_INITIALIZED;
  return cuMemFree(reinterpret_cast<CUdeviceptr>(distribution)) == CUDA_SUCCESS
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_PREEXISTING_FAILURE;
}
