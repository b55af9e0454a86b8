// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A ray tracer: spheres over a plane, a light with shadows, two reflections. A unit is a picture of 40 x 30 points. */
#include "../workloads/workload.h"
#include <math.h>

enum { SPHERES = 9, WIDTH = 40, HEIGHT = 30 };

struct vector {
  double x, y, z;
};

struct sphere {
  struct vector centre;
  double radius, colour, mirror;
};

static struct vector sum_of(struct vector a, double k, struct vector b) {
  return (struct vector){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

static double dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static struct vector unit_of(struct vector a) {
  double k = 1 / sqrt(dot(a, a));
  return (struct vector){k * a.x, k * a.y, k * a.z};
}

/* The nearest sphere that the ray meets, and where; null if none. */
static const struct sphere *meet(const struct sphere *scene, struct vector from, struct vector way, double *distance) {
  const struct sphere *nearest = 0;
  *distance = 1e30;
  for (int i = 0; i < SPHERES; i++) {
    struct vector to = sum_of(scene[i].centre, -1, from);
    double along = dot(to, way), square = scene[i].radius * scene[i].radius - dot(to, to) + along * along;
    if (square < 0)
      continue;
    double root = sqrt(square), at = along - root > 1e-6 ? along - root : along + root;
    if (at > 1e-6 && at < *distance) {
      *distance = at;
      nearest = &scene[i];
    }
  }
  return nearest;
}

static double trace(const struct sphere *scene, struct vector from, struct vector way, int depth) {
  double distance, mirror, colour;
  struct vector normal, light = {3, 8, -5}, place;
  const struct sphere *sphere = meet(scene, from, way, &distance);
  if (sphere) {
    place = sum_of(from, distance, way);
    normal = unit_of(sum_of(place, -1, sphere->centre));
    colour = sphere->colour;
    mirror = sphere->mirror;
  } else if (way.y < -1e-6) {
    place = sum_of(from, (-1 - from.y) / way.y, way);
    normal = (struct vector){0, 1, 0};
    colour = ((int)floor(place.x) + (int)floor(place.z)) & 1 ? 0.9 : 0.3;
    mirror = 0.2;
  } else {
    return 0.5 + 0.5 * way.y;
  }
  struct vector to_light = sum_of(light, -1, place);
  double far = sqrt(dot(to_light, to_light)), shadow, bright = 0.1;
  to_light = unit_of(to_light);
  if (!meet(scene, place, to_light, &shadow) || shadow > far)
    bright += 0.9 * fmax(0, dot(normal, to_light));
  double result = (1 - mirror) * colour * bright;
  if (depth > 0 && mirror > 0)
    result += mirror * trace(scene, place, sum_of(way, -2 * dot(way, normal), normal), depth - 1);
  return result;
}

static uint32_t work(uint32_t seed, unsigned units) {
  struct sphere scene[SPHERES];
  uint32_t sum = 0;
  for (unsigned unit = 0; unit < units; unit++) {
    for (int i = 0; i < SPHERES; i++) {
      double random[4];
      for (int k = 0; k < 4; k++)
        random[k] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24);
      scene[i] = (struct sphere){{i % 3 * 2 - 2 + random[0] * 0.5, random[1], 4 + i / 3 * 2}, 0.5 + 0.4 * random[2], random[3], 0.3};
    }
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        struct vector way = unit_of((struct vector){(x - WIDTH / 2) / 20.0, (HEIGHT / 2 - y) / 20.0, 1});
        sum = sum * 31 + (uint32_t)(trace(scene, (struct vector){0, 0.5, -2}, way, 2) * 255);
      }
  }
  return sum;
}
