/* Moves bodies under their own gravity, every pair of them, step by step; prints the energy, which must hardly change.
   usage: nbody [BODIES [STEPS]]

   The threads of one block (gpuexec --threads 64) share the bodies and wait for each other twice a step. Each body's sum
   runs in the same order whatever the number of threads, so that the result is the same to the last bit. */
#include "grid.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

static double px[MOST], py[MOST], pz[MOST], vx[MOST], vy[MOST], vz[MOST], mass[MOST];
static double ax[MOST], ay[MOST], az[MOST];

static unsigned state = 12345;

static double random_number(void) { /* from -1 to 1 */
  state = state * 1664525u + 1013904223u;
  return (double)(int)state / 2147483648.0;
}

static void make_bodies(int count) {
  for (int i = 0; i < count; i++) {
    px[i] = random_number() * 10;
    py[i] = random_number() * 10;
    pz[i] = random_number();
    mass[i] = 1.0 + 0.5 * random_number();
    double distance = sqrt(px[i] * px[i] + py[i] * py[i]) + 1.0;
    vx[i] = -py[i] / distance * 3;
    vy[i] = px[i] / distance * 3;
    vz[i] = 0;
  }
}

static void accelerate(int i, int count) {
  double x = 0, y = 0, z = 0;
  for (int j = 0; j < count; j++) {
    double dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
    double square = dx * dx + dy * dy + dz * dz + 0.05; /* softened: bodies may meet */
    double pull = mass[j] / (square * sqrt(square));
    x += dx * pull;
    y += dy * pull;
    z += dz * pull;
  }
  ax[i] = x;
  ay[i] = y;
  az[i] = z;
}

static void move(int i, double step) {
  vx[i] += ax[i] * step;
  vy[i] += ay[i] * step;
  vz[i] += az[i] * step;
  px[i] += vx[i] * step;
  py[i] += vy[i] * step;
  pz[i] += vz[i] * step;
}

static double energy(int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += 0.5 * mass[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]);
    for (int j = i + 1; j < count; j++) {
      double dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
      sum -= mass[i] * mass[j] / sqrt(dx * dx + dy * dy + dz * dz + 0.05);
    }
  }
  return sum;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 256, steps = argc > 2 ? atoi(argv[2]) : 20;
  int first = (int)thread_number(), stride = (int)thread_count();
  if (count < 1 || count > MOST || steps < 0) {
    if (first == 0)
      fprintf(stderr, "nbody: 1 to %d bodies\n", MOST);
    return 2;
  }
  if (first == 0) {
    make_bodies(count);
    printf("%d bodies, energy %.12g\n", count, energy(count));
  }
  wait_for_block();
  for (int s = 0; s < steps; s++) {
    for (int i = first; i < count; i += stride)
      accelerate(i, count);
    wait_for_block();
    for (int i = first; i < count; i += stride)
      move(i, 0.002);
    wait_for_block();
  }
  if (first == 0) {
    printf("after %d steps %.12g\n", steps, energy(count));
    printf("body 0 at %.15g %.15g %.15g\n", px[0], py[0], pz[0]);
  }
  return 0;
}
