//===-- offload/blas/policy/model.c - See model.h -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/policy/model.h"
#include <stdio.h>
#include <string.h>

static const float NEWEST = 0.25f; // weight of the newest measurement

static int class_of(double work) {
  const int class = work < 1 ? 0 : 63 - __builtin_clzll((uint64_t)work);
  return class < WORK_CLASSES ? class : WORK_CLASSES - 1;
}

/// The known rate of the class that is nearest to `class`; `*distance`: how far
/// away it is.
static const model_rate *nearest(const model_rate *rates, int class,
                                 int *distance) {
  for (int away = 0; away < WORK_CLASSES; ++away)
    for (int side = 0; side < 2; ++side) {
      const int at = side ? class + away : class - away;
      if (at >= 0 && at < WORK_CLASSES && rates[at].seconds > 0) {
        *distance = away;
        return &rates[at];
      }
    }
  return NULL;
}

/// The letter of a function's type: s, d, c or z.
static char precision(unsigned function) {
  return offload_function_name(function)[0];
}

/// Complex functions compute with real numbers of the same precision, and their
/// work is counted in those.
static int is_single(unsigned function) {
  return precision(function) == 's' || precision(function) == 'c';
}

static double compute_solver(const model_rate *rates, int where, double work) {
  const int class = class_of(work);
  int distance = 0;
  if (where == WHERE_CPU) {
    const model_rate *rate = nearest(rates, class, &distance);
    return !rate           ? -1
           : distance <= 1 ? rate->seconds * work
                           : rate->seconds * work / 4;
  }
  for (int at = class; at >= 0; --at)
    if (rates[at].seconds > 0)
      return rates[at].seconds * work;
  for (int at = class; at < WORK_CLASSES; ++at)
    if (rates[at].seconds > 0)
      return rates[at].seconds * (double)((uint64_t)1 << at);
  return -1;
}

double model_compute(const offload_model *m, int where, unsigned function,
                     double work) {
  if (offload_is_solver(function))
    return compute_solver(m->rates[where][function], where, work);
  const int class = class_of(work);
  int distance = 0, best = WORK_CLASSES;
  const model_rate *rate = nearest(m->rates[where][function], class, &distance);
  if (rate)
    return rate->seconds * work;
  for (unsigned other = 0; !offload_is_solver(other); ++other) {
    if (is_single(other) != is_single(function))
      continue;
    const model_rate *found = nearest(m->rates[where][other], class, &distance);
    if (found && distance < best) {
      best = distance;
      rate = found;
    }
  }
  return rate ? rate->seconds * work : -1;
}

void model_learn(offload_model *m, int where, unsigned function, double work,
                 double seconds) {
  if (!(seconds > 0) || !(work > 0))
    return;
  model_rate *rate = &m->rates[where][function][class_of(work)];
  float measured = (float)(seconds / work);
  // One call that was held up must not keep all later ones away.
  if (rate->count > 0 && measured > 4 * rate->seconds)
    measured = 4 * rate->seconds;
  const float weight = 1 / (rate->count + 1);
  rate->seconds +=
      (weight > NEWEST ? weight : NEWEST) * (measured - rate->seconds);
  rate->count += 1;
}

void model_limit(offload_model *m, int where, unsigned function, double work,
                 double seconds) {
  model_rate *rate = &m->rates[where][function][class_of(work)];
  const float measured = (float)(seconds / work);
  if (rate->count < 0.5f || measured < rate->seconds)
    rate->seconds = measured;
  rate->count = 0.5f;
}

void model_expect(offload_model *m, int where, unsigned function, double work,
                  double seconds) {
  model_rate *rate = &m->rates[where][function][class_of(work)];
  if (rate->count == 0)
    *rate = (model_rate){(float)(seconds / work), 0.25f};
}

void model_be_of(offload_model *m, const char *gpu) {
  if (strcmp(m->gpu, gpu) == 0)
    return;
  memset(m->rates[WHERE_GPU], 0, sizeof m->rates[WHERE_GPU]);
  m->upload = m->download = m->latency = 0;
  snprintf(m->gpu, sizeof m->gpu, "%s", gpu);
}

static void take_copies(offload_model *m, const offload_model *from) {
  m->upload = from->upload;
  m->download = from->download;
  m->latency = from->latency;
}

void model_add(offload_model *m, const offload_model *from) {
  for (int where = 0; where < 2; ++where)
    for (unsigned f = 0; f < MOST_FUNCTIONS; ++f)
      for (int class = 0; class < WORK_CLASSES; ++class)
        if (m->rates[where][f][class].count == 0)
          m->rates[where][f][class] = from->rates[where][f][class];
  if (!(m->upload > 0))
    take_copies(m, from);
}

void model_take_gpu(offload_model *m, const offload_model *from) {
  memcpy(m->rates[WHERE_GPU], from->rates[WHERE_GPU],
         sizeof m->rates[WHERE_GPU]);
  memcpy(m->gpu, from->gpu, sizeof m->gpu);
  take_copies(m, from);
}

double model_known(const offload_model *m, int where, unsigned function,
                   double work) {
  return m->rates[where][function][class_of(work)].count;
}

double model_most_known(const offload_model *m, int where, unsigned function) {
  float most = 0;
  for (int class = 0; class < WORK_CLASSES; ++class)
    if (m->rates[where][function][class].count > most)
      most = m->rates[where][function][class].count;
  return most;
}

void learn_rate(double *rate, double measured) {
  *rate += (*rate > 0 ? (double)NEWEST : 1) * (measured - *rate);
}
