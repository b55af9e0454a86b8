//===-- bench/parallel/nbody.c - Bodies that attract each other -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   nbody [bodies] [steps]
//===----------------------------------------------------------------------===//
#include "common.h"
#include <math.h>

typedef struct {
  float x, y, z, mass;
} body;
typedef struct {
  float x, y, z;
} vector;

static const float STEP = 0.001f, SOFTENING = 0.01f;

static vector acceleration(const body *bodies, int count, body me) {
  vector sum = {0, 0, 0};
  for (int i = 0; i < count; ++i) {
    const float x = bodies[i].x - me.x, y = bodies[i].y - me.y,
                z = bodies[i].z - me.z;
    const float square = x * x + y * y + z * z + SOFTENING;
    const float inverse = 1.0f / sqrtf(square);
    const float pull = bodies[i].mass * inverse * inverse * inverse;
    sum.x += pull * x;
    sum.y += pull * y;
    sum.z += pull * z;
  }
  return sum;
}

int main(int argc, char **argv) {
  const int count = (int)argument(argc, argv, 1, 32768);
  const int steps = (int)argument(argc, argv, 2, 10);
  body *bodies = allocate(sizeof *bodies * (size_t)count);
  vector *speeds = allocate(sizeof *speeds * (size_t)count);
#pragma omp parallel for
  for (int i = 0; i < count; ++i) {
    const uint64_t n = 4 * (uint64_t)i;
    bodies[i] = (body){(float)fraction(n) - 0.5f, (float)fraction(n + 1) - 0.5f,
                       (float)fraction(n + 2) - 0.5f,
                       (float)fraction(n + 3) / (float)count};
    speeds[i] = (vector){0, 0, 0};
  }
  const double begin = wall_time();
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
      const vector change = acceleration(bodies, count, bodies[i]);
      speeds[i].x += STEP * change.x;
      speeds[i].y += STEP * change.y;
      speeds[i].z += STEP * change.z;
    }
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
      bodies[i].x += STEP * speeds[i].x;
      bodies[i].y += STEP * speeds[i].y;
      bodies[i].z += STEP * speeds[i].z;
    }
  }
  report_time(wall_time() - begin);
  double energy = 0;
#pragma omp parallel for reduction(+ : energy)
  for (int i = 0; i < count; ++i)
    energy +=
        (double)bodies[i].mass * ((double)speeds[i].x * (double)speeds[i].x +
                                  (double)speeds[i].y * (double)speeds[i].y +
                                  (double)speeds[i].z * (double)speeds[i].z);
  printf("nbody %d %d: %.3e\n", count, steps, energy);
  return 0;
}
