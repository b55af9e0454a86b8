//===-- libc-shim/openmp/icv.c - Functions of <omp.h> for settings --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/openmp/schedules.h"
#include "libc-shim/openmp/team.h"
#include <omp.h>
#include <stdio.h>
#include <time.h>

/// Reads the environment, if it has not been read, and returns the calling
/// thread.
static omp_thread *self(void) {
  __gpuexec_omp_read_environment();
  return __gpuexec_omp_self();
}

void omp_set_num_threads(int count) {
  if (count > 0)
    self()->variables.threads_wanted = (uint32_t)count;
}
int omp_get_num_threads(void) { return (int)own_team_size(); }
int omp_get_max_threads(void) {
  const uint32_t wanted = self()->variables.threads_wanted;
  const uint32_t most = __gpuexec_omp_threads();
  return (int)(wanted && wanted < most ? wanted : most);
}
int omp_get_thread_num(void) { return (int)own_number(); }
int omp_get_num_procs(void) {
  return (int)(grid_blocks() * block_threads() - idle_lanes());
}
int omp_in_parallel(void) {
  return __gpuexec_omp_self()->team->active_level > 0;
}
int omp_in_explicit_task(void) { return __gpuexec_omp_self()->task != NULL; }
void omp_set_dynamic(int on) { self()->variables.dynamic = on; }
int omp_get_dynamic(void) { return self()->variables.dynamic; }

// A nested region has a team of one thread.
enum { ACTIVE_LEVELS = 1 };
void omp_set_nested(int on) {
  self()->variables.max_active_levels = on ? ACTIVE_LEVELS : 1;
}
int omp_get_nested(void) { return 0; }
int omp_get_supported_active_levels(void) { return ACTIVE_LEVELS; }
void omp_set_max_active_levels(int levels) {
  if (levels >= 0)
    self()->variables.max_active_levels =
        levels < ACTIVE_LEVELS ? (uint32_t)levels : ACTIVE_LEVELS;
}
int omp_get_max_active_levels(void) {
  return (int)self()->variables.max_active_levels;
}

int omp_get_cancellation(void) {
  __gpuexec_omp_read_environment();
  return __gpuexec_omp_settings.cancellation;
}

void omp_set_schedule(omp_sched_t kind, int chunk) {
  const unsigned plain = (unsigned)kind & ~(unsigned)omp_sched_monotonic;
  if (plain < omp_sched_static || plain > omp_sched_auto)
    return;
  self()->variables.schedule = (int)kind;
  self()->variables.schedule_chunk = chunk > 0 ? chunk : 0;
}
void omp_get_schedule(omp_sched_t *kind, int *chunk) {
  *kind = (omp_sched_t)self()->variables.schedule;
  *chunk = self()->variables.schedule_chunk;
}
int omp_get_thread_limit(void) {
  __gpuexec_omp_read_environment();
  return (int)__gpuexec_omp_threads();
}

int omp_get_level(void) { return (int)__gpuexec_omp_self()->team->level; }
int omp_get_active_level(void) {
  return (int)__gpuexec_omp_self()->team->active_level;
}
int omp_get_ancestor_thread_num(int level) {
  const omp_thread *thread = __gpuexec_omp_self();
  const omp_team *team = thread->team;
  if (level < 0 || (uint32_t)level > team->level)
    return -1;
  uint32_t number = thread->number;
  for (; team->level > (uint32_t)level; team = team->parent)
    number = team->parent_number;
  return (int)number;
}
int omp_get_team_size(int level) {
  const omp_team *team = __gpuexec_omp_self()->team;
  if (level < 0 || (uint32_t)level > team->level)
    return -1;
  while (team->level > (uint32_t)level)
    team = team->parent;
  return (int)team->size;
}
int omp_get_max_task_priority(void) { return 0; }

//===-- Places: the grid is one -------------------------------------------===//

omp_proc_bind_t omp_get_proc_bind(void) { return omp_proc_bind_false; }
int omp_get_num_places(void) { return 0; }
int omp_get_place_num_procs(int place) { return (void)place, 0; }
void omp_get_place_proc_ids(int place, int *ids) { (void)place, (void)ids; }
int omp_get_place_num(void) { return -1; }
int omp_get_partition_num_places(void) { return 0; }
void omp_get_partition_place_nums(int *places) { (void)places; }

//===-- Time --------------------------------------------------------------===//

double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
double omp_get_wtick(void) {
  struct timespec tick;
  clock_getres(CLOCK_MONOTONIC, &tick);
  return (double)tick.tv_sec + (double)tick.tv_nsec * 1e-9;
}

/// clang passes the result on as `thread` to other functions, which ignore it.
int32_t __kmpc_global_thread_num(source_place *place) {
  (void)place;
  return (int32_t)own_number();
}

/// The error directive with at(execution). `severity` 1 is a warning.
void __kmpc_error(source_place *place, int32_t severity, const char *message) {
  (void)place;
  if (severity != 1)
    __gpuexec_omp_fail(message ? message : "error");
  fprintf(stderr, "gpuexec: OpenMP: %s\n", message ? message : "warning");
}
