// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices of options by the formula of Black and Scholes.
#include "measured.h"

enum { SIZE = 1 << 18 };

__host__ __device__ inline float distribution(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
__host__ __device__ inline float price(float stock, float strike, float years) {
  const float rate = 0.02f, volatility = 0.3f, root = sqrtf(years);
  const float d1 = (logf(stock / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
  return stock * distribution(d1) - strike * expf(-rate * years) * distribution(d1 - volatility * root);
}

#ifdef __CUDACC__
__global__ void prices(const float *stock, const float *strike, const float *years, float *call) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  call[i] = price(stock[i], strike[i], years[i]);
}
#endif

double compute(int work) {
  float *stock = array_of<float>(SIZE), *strike = array_of<float>(SIZE), *years = array_of<float>(SIZE), *call = array_of<float>(SIZE);
  for (int i = 0; i < SIZE; ++i) {
    stock[i] = 5 + 25 * number(3 * i);
    strike[i] = 1 + 99 * number(3 * i + 1);
    years[i] = 0.25f + 9.75f * number(3 * i + 2);
  }
  for (int round = 0; round < work; ++round) {
#ifdef __CUDACC__
    prices<<<SIZE / 256, 256>>>(stock, strike, years, call);
#else
#pragma omp parallel for
    for (int i = 0; i < SIZE; ++i)
      call[i] = price(stock[i], strike[i], years[i]);
#endif
  }
  finish();
  return sum_of(call, SIZE);
}
