//===-- bench/parallel/cuda/nbody.cu - Bodies that attract each other -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common.cuh"

static const float STEP = 0.001f;
enum { THREADS = 256 };

__global__ void prepare(float4 *bodies, float4 *speeds, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const uint64_t n = 4 * (uint64_t)i;
  bodies[i] = {(float)fraction(n) - 0.5f, (float)fraction(n + 1) - 0.5f,
               (float)fraction(n + 2) - 0.5f,
               (float)fraction(n + 3) / (float)count};
  speeds[i] = {0, 0, 0, 0};
}

__global__ void accelerate(const float4 *bodies, float4 *speeds, int count) {
  __shared__ float4 tile[THREADS];
  const int me = blockIdx.x * THREADS + threadIdx.x;
  const float4 own = bodies[me < count ? me : 0];
  float3 sum = {0, 0, 0};
  for (int first = 0; first < count; first += THREADS) {
    const int mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < count ? bodies[mine] : float4{0, 0, 0, 0};
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < THREADS; ++i) {
      const float x = tile[i].x - own.x, y = tile[i].y - own.y,
                  z = tile[i].z - own.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
      const float pull = tile[i].w * inverse * inverse * inverse;
      sum.x += pull * x;
      sum.y += pull * y;
      sum.z += pull * z;
    }
    __syncthreads();
  }
  if (me < count) {
    speeds[me].x += STEP * sum.x;
    speeds[me].y += STEP * sum.y;
    speeds[me].z += STEP * sum.z;
  }
}

__global__ void move(float4 *bodies, const float4 *speeds, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  bodies[i].x += STEP * speeds[i].x;
  bodies[i].y += STEP * speeds[i].y;
  bodies[i].z += STEP * speeds[i].z;
}

__global__ void add_energy(const float4 *bodies, const float4 *speeds,
                           int count, double *energy) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double mine = 0;
  if (i < count)
    mine = (double)bodies[i].w * ((double)speeds[i].x * speeds[i].x +
                                  (double)speeds[i].y * speeds[i].y +
                                  (double)speeds[i].z * speeds[i].z);
  add_block(mine, energy);
}

int main(int argc, char **argv) {
  const int count = (int)argument(argc, argv, 1, 32768);
  const int steps = (int)argument(argc, argv, 2, 10);
  float4 *bodies = allocate<float4>(count), *speeds = allocate<float4>(count);
  double *energy = allocate<double>(1);
  CHECK(cudaMemset(energy, 0, sizeof *energy));
  const unsigned blocks = blocks_for(count, THREADS);
  prepare<<<blocks, THREADS>>>(bodies, speeds, count);
  const double begin = now();
  for (int step = 0; step < steps; ++step) {
    accelerate<<<blocks, THREADS>>>(bodies, speeds, count);
    move<<<blocks, THREADS>>>(bodies, speeds, count);
  }
  report_time(now() - begin);
  add_energy<<<blocks, THREADS>>>(bodies, speeds, count, energy);
  printf("nbody %d %d: %.3e\n", count, steps, fetch(energy));
}
