// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies that attract each other, all pairs; a block keeps the bodies that it works on in shared memory.
#include "measured.h"

enum { BODIES = 1024, THREADS = 128 };
struct Body {
  float x, y, z, mass;
};

__host__ __device__ inline void attract(const Body &own, const Body &other, float &ax, float &ay, float &az) {
  const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
  const float inverse = 1.0f / sqrtf(x * x + y * y + z * z + 0.01f), pull = other.mass * inverse * inverse * inverse;
  ax += x * pull;
  ay += y * pull;
  az += z * pull;
}
__host__ __device__ inline Body moved(Body own, float ax, float ay, float az) {
  own.x += ax * 1e-6f;
  own.y += ay * 1e-6f;
  own.z += az * 1e-6f;
  return own;
}

#ifdef __CUDACC__
__global__ void step(const Body *from, Body *to) {
  __shared__ Body part[THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const Body own = from[i];
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < BODIES; first += THREADS) {
    part[threadIdx.x] = from[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < THREADS; ++k)
      attract(own, part[k], ax, ay, az);
    __syncthreads();
  }
  to[i] = moved(own, ax, ay, az);
}
#endif

double compute(int work) {
  Body *from = array_of<Body>(BODIES), *to = array_of<Body>(BODIES);
  for (int i = 0; i < BODIES; ++i)
    from[i] = Body{number(4 * i), number(4 * i + 1), number(4 * i + 2), number(4 * i + 3)};
  for (int round = 0; round < work; ++round) {
#ifdef __CUDACC__
    step<<<BODIES / THREADS, THREADS>>>(from, to);
#else
#pragma omp parallel for
    for (int i = 0; i < BODIES; ++i) {
      float ax = 0, ay = 0, az = 0;
      for (int k = 0; k < BODIES; ++k)
        attract(from[i], from[k], ax, ay, az);
      to[i] = moved(from[i], ax, ay, az);
    }
#endif
    Body *other = from;
    from = to;
    to = other;
  }
  finish();
  double sum = 0;
  for (int i = 0; i < BODIES; ++i)
    sum += from[i].x + from[i].y + from[i].z;
  return sum;
}
