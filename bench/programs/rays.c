// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Transport of particles along straight rays: each ray collects and loses flux
   in the regions that it crosses, in eight groups of energy. The regions are
   the leaves of a tree of quarters, found by recursion; the exponential
   function is a table. A unit is 16 rays. */
#include "../workloads/workload.h"
#include <math.h>
#include <string.h>

enum {
  GROUPS = 8,
  DEPTH = 6,
  MOST_REGIONS = 2048,
  TABLE = 4096,
  RAYS = 16,
  MOST_CROSSED = 512
};
static const double LONGEST = 16.0; /* optical length at which the table ends */

struct node {
  int child[4]; /* numbers of nodes, or -1 - number of a region */
};
struct region {
  double absorbs[GROUPS], source[GROUPS], flux[GROUPS];
};
struct crossing {
  int region;
  double length;
};
struct model {
  struct node nodes[MOST_REGIONS];
  struct region regions[MOST_REGIONS];
  double values[TABLE + 1],
      slopes[TABLE + 1]; /* 1 - exp(-x), between two points a straight line */
  struct crossing crossed[MOST_CROSSED];
  int node_count, region_count, crossed_count;
  uint32_t seed;
};

static double chance(struct model *m) {
  m->seed = m->seed * 1664525u + 1013904223u;
  return (m->seed >> 8) * (1.0 / (1 << 24));
}

/* Divides a square in quarters, some of them again; returns what stands for it
 * in node::child. */
static int divide(struct model *m, int depth) {
  if (depth == 0 || (depth < DEPTH - 1 && chance(m) < 0.3)) {
    struct region *r = &m->regions[m->region_count];
    for (int g = 0; g < GROUPS; g++) {
      r->absorbs[g] = 0.2 + 3 * chance(m);
      r->source[g] = chance(m);
      r->flux[g] = 0;
    }
    return -1 - m->region_count++;
  }
  int at = m->node_count++;
  for (int k = 0; k < 4; k++)
    m->nodes[at].child[k] = divide(m, depth - 1);
  return at;
}

/* Notes the regions that the ray crosses between `from` and `to`, lengths along
   it, in their order. The square's corner is (x, y). */
static void cross(struct model *m, int what, double x, double y, double size,
                  const double *start, const double *step, double from,
                  double to) {
  if (to - from < 1e-9)
    return;
  if (what < 0) {
    if (m->crossed_count < MOST_CROSSED)
      m->crossed[m->crossed_count++] = (struct crossing){-1 - what, to - from};
    return;
  }
  double half = size / 2, cut[4] = {from, (x + half - start[0]) / step[0],
                                    (y + half - start[1]) / step[1], to};
  if (cut[1] > cut[2]) {
    double first = cut[2];
    cut[2] = cut[1];
    cut[1] = first;
  }
  for (int k = 1; k < 3; k++)
    cut[k] = cut[k] < from ? from : cut[k] > to ? to : cut[k];
  for (int k = 0; k < 3; k++) {
    double middle = (cut[k] + cut[k + 1]) / 2;
    int right = start[0] + middle * step[0] >= x + half,
        upper = start[1] + middle * step[1] >= y + half;
    cross(m, m->nodes[what].child[right + 2 * upper], x + right * half,
          y + upper * half, half, start, step, cut[k], cut[k + 1]);
  }
}

/* 1 - exp(-x) */
static double lost(const struct model *m, double x) {
  if (x >= LONGEST)
    return 1;
  double at = x * (TABLE / LONGEST);
  int k = (int)at;
  return m->values[k] + (at - k) * m->slopes[k];
}

static void attenuate(struct model *m, double weight) {
  double flux[GROUPS] = {0};
  for (int k = 0; k < m->crossed_count; k++) {
    struct region *r = &m->regions[m->crossed[k].region];
    for (int g = 0; g < GROUPS; g++) {
      double steady = r->source[g] / r->absorbs[g],
             change = (flux[g] - steady) *
                      lost(m, r->absorbs[g] * m->crossed[k].length);
      r->flux[g] += weight * change;
      flux[g] -= change;
    }
  }
}

static uint32_t work(uint32_t seed, unsigned units) {
  struct model *m = calloc(1, sizeof *m);
  m->seed = seed + 1;
  for (int k = 0; k <= TABLE; k++)
    m->values[k] = 1 - exp(-LONGEST * k / TABLE);
  for (int k = 0; k < TABLE; k++)
    m->slopes[k] = m->values[k + 1] - m->values[k];
  int root = divide(m, DEPTH);
  for (unsigned ray = 0; ray < units * RAYS; ray++) {
    double start[2] = {chance(m), chance(m)},
           step[2] = {chance(m) + 0.01, chance(m) + 0.01}, from = -1e9,
           to = 1e9;
    for (int k = 0; k < 2;
         k++) { /* where the ray enters and leaves the unit square */
      double enters = -start[k] / step[k], leaves = (1 - start[k]) / step[k];
      from = enters > from ? enters : from;
      to = leaves < to ? leaves : to;
    }
    m->crossed_count = 0;
    cross(m, root, 0, 0, 1, start, step, from, to);
    attenuate(m, chance(m));
  }
  uint32_t sum = 0;
  for (int k = 0; k < m->region_count; k++)
    for (int g = 0; g < GROUPS; g++) {
      uint64_t bits;
      memcpy(&bits, &m->regions[k].flux[g], 8);
      sum = sum * 31 + (uint32_t)(bits >> 24);
    }
  free(m);
  return sum;
}
