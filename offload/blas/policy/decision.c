//===-- offload/blas/policy/decision.c - See decision.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/policy/decision.h"

/// A call of fewer operations is faster on the processor than the start of a
/// function on the GPU and the copy of its result. A product of 256 x 256
/// matrices has 3.4e7.
static const double LEAST_WORK = 3e7, LEAST_WORK_OF_LEVEL_2 = 4e6;
/// The GPU counts as faster if it is expected to need less than this share of
/// the processor's time, because expectations are no more accurate than a
/// tenth.
static const double CLEARLY_FASTER = 0.9;
/// The GPU is not tried if it is expected to take this many times as long.
static const double MOST_TIMES_SLOWER = 4;
/// The number of calls from which on a rate counts as seen. A measurement
/// beforehand counts as half a call (model_limit()), which is not enough.
static const double SEEN = 1;
/// One call of a function in this many is done on the side that is expected to
/// be slower, so that a wrong expectation does not last.
enum { TRIAL_PERIOD = 64 };
/// The share of a run that trials may cost.
static const double SHARE_OF_TRIALS = 0.005;
/// Loading a function's code takes 50 to 150 ms (H200). A call that saves this
/// share of `worth` goes to the GPU at once, and waits for the code.
static const double SHARE_OF_WORTH = 0.5;

double least_work(const offload_settings *told, int is_level_2) {
  if (!is_level_2)
    return sizes_decide(told) ? told->least_work : LEAST_WORK;
  return sizes_decide(told) && told->least_work < LEAST_WORK_OF_LEVEL_2
             ? told->least_work
             : LEAST_WORK_OF_LEVEL_2;
}

static double compute_on(const offload_model *m, int where,
                         const rated_call *call) {
  return model_compute(m, where, call->rated_as[where], call->work);
}

call_costs estimate_costs(const offload_model *m, const rated_call *call,
                          const operand_cost *operands, unsigned count) {
  call_costs costs = {.cpu = compute_on(m, WHERE_CPU, call)};
  const double compute = compute_on(m, WHERE_GPU, call);
  costs.gpu = compute < m->latency ? m->latency : compute;
  costs.gpu_if_there = costs.gpu;
  for (unsigned i = 0; i < count; ++i) {
    const operand_cost *o = &operands[i];
    const double upload = (double)o->upload * m->upload;
    costs.there += o->reads && !o->upload ? o->size : 0;
    // An array that has not changed for n calls is expected not to change for n
    // more: each of these calls bears a share of the copy.
    costs.gpu += o->writes || o->destroys ? upload : upload / (1.0 + o->stable);
    if (o->writes) {
      const double back = (double)o->size * m->download;
      costs.gpu += back;
      costs.gpu_if_there += back + upload;
    }
  }
  return costs;
}

double least_on_gpu(const offload_model *m, const rated_call *call,
                    size_t result_bytes) {
  const double compute = compute_on(m, WHERE_GPU, call);
  if (compute < 0 || !(m->upload > 0))
    return -1;
  return (compute < m->latency ? m->latency : compute) +
         (double)result_bytes * m->download;
}

static int is_turn_for_trial(const call_facts *facts) {
  return facts->calls % TRIAL_PERIOD == TRIAL_PERIOD - 1;
}

static int is_faster(double gpu, double cpu) {
  return gpu < CLEARLY_FASTER * cpu;
}

int is_hopeless(double cpu, double gpu, const call_facts *facts) {
  // A function that was never timed on the processor begins there; a solver
  // goes to the GPU only when it was measured there.
  if (cpu < 0 || gpu < 0 || gpu > MOST_TIMES_SLOWER * cpu)
    return 1;
  return gpu > CLEARLY_FASTER * cpu && facts->known[WHERE_GPU] >= SEEN &&
         !is_turn_for_trial(facts);
}

static int is_worth_loading(const call_costs *costs, const call_facts *facts) {
  return costs->cpu >= 0 && (is_faster(costs->gpu, costs->cpu) ||
                             (facts->known[WHERE_GPU] < SEEN &&
                              costs->gpu < MOST_TIMES_SLOWER * costs->cpu));
}

/// The side that is expected to be faster; the other one where it was never
/// seen, and now and then.
static call_decision decide_by_time(const call_costs *costs,
                                    const call_facts *facts) {
  if (costs->cpu < 0)
    return (call_decision){ON_CPU, 0}; // the processor is timed first
  const int gpu_wins = is_faster(costs->gpu, costs->cpu);
  const double difference = gpu_wins ? costs->cpu - costs->gpu //
                                     : costs->gpu - costs->cpu;
  const double cost = difference > 0 ? difference : 0;
  const int is_trial = (facts->known[gpu_wins ? WHERE_CPU : WHERE_GPU] < SEEN ||
                        is_turn_for_trial(facts)) &&
                       costs->gpu < MOST_TIMES_SLOWER * costs->cpu &&
                       cost <= facts->may_cost;
  return (call_decision){gpu_wins != is_trial ? ON_GPU : ON_CPU,
                         is_trial ? cost : 0};
}

call_decision decide(const offload_settings *told, const call_costs *costs,
                     const call_facts *facts) {
  if (sizes_decide(told)) {
    const int goes =
        !facts->is_level_2 || (facts->matrix_stays && !told->is_deterministic);
    return (call_decision){goes ? ON_GPU : ON_CPU, 0};
  }
  const int saves_much =
      costs->cpu - costs->gpu >= SHARE_OF_WORTH * told->worth;
  if (!facts->is_loaded && !saves_much)
    return (call_decision){
        is_worth_loading(costs, facts) ? AFTER_LOADING : ON_CPU, 0};
  return decide_by_time(costs, facts);
}

double left_for_trials(double run, double spent) {
  return SHARE_OF_TRIALS * run - spent;
}

int is_gpu_faster_with_operands(const offload_settings *told,
                                const call_costs *costs) {
  return sizes_decide(told) || is_faster(costs->gpu_if_there, costs->cpu);
}
