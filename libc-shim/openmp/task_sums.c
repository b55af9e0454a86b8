//===-- libc-shim/openmp/task_sums.c - Reductions of tasks ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task_reduction, reduction(task, ...) and taskloop's reduction: each thread
// that executes a task of the group has copies of the variables. At the end of
// the group the copies are combined into the variables.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/tasks.h"
#include <stdlib.h>
#include <string.h>

/// A variable, as clang describes it.
typedef struct {
  void *variable, *original;
  uint64_t size;
  void (*initialise)(void *copy, void *original);
  void (*finish)(void *copy);
  void (*combine)(void *to, void *from);
  uint32_t flags;
} reduced_variable;

typedef struct omp_task_sums {
  struct omp_task_sums *outer; ///< of the enclosing group
  uint32_t count;
  uint64_t size; ///< bytes of all copies of a thread
  char **copies; ///< for each thread of the grid its copies, or null
  reduced_variable variables[];
} omp_task_sums;

static uint64_t aligned(uint64_t size) { return (size + 15) & -(uint64_t)16; }

static uint32_t all_threads(void) { return grid_blocks() * block_threads(); }

void *__kmpc_taskred_init(int32_t thread, int32_t count,
                          const reduced_variable *variables) {
  (void)thread;
  omp_thread *self = __gpuexec_omp_self();
  omp_task_sums *sums = __gpuexec_omp_allocate(
      sizeof *sums + (uint64_t)count * sizeof *variables);
  sums->count = (uint32_t)count;
  memcpy(sums->variables, variables, (uint64_t)count * sizeof *variables);
  for (int i = 0; i < count; ++i)
    sums->size += aligned(variables[i].size);
  sums->copies = __gpuexec_omp_allocate(all_threads() * sizeof *sums->copies);
  sums->outer = self->group->outer ? self->group->outer->sums : NULL;
  self->group->sums = sums;
  return sums;
}

void *__kmpc_taskred_modifier_init(source_place *place, int32_t thread,
                                   int32_t is_loop, int32_t count,
                                   const reduced_variable *variables) {
  (void)is_loop;
  void __kmpc_taskgroup(source_place *, int32_t);
  __kmpc_taskgroup(place, thread);
  return __kmpc_taskred_init(thread, count, variables);
}
void __kmpc_task_reduction_modifier_fini(source_place *place, int32_t thread,
                                         int32_t is_loop) {
  (void)place, (void)thread, (void)is_loop;
  __gpuexec_tasks_end_group(__gpuexec_omp_self());
}

/// Finds the offset of a variable's copy in a thread's copies. `address` is
/// that of the variable or, in a nested task, of another thread's copy of it.
/// False if the group does not reduce the variable.
static bool find_copy(const omp_task_sums *sums, const void *address,
                      uint64_t *offset) {
  *offset = 0;
  for (uint32_t i = 0; i < sums->count; ++i) {
    if (sums->variables[i].variable == address ||
        sums->variables[i].original == address)
      return true;
    *offset += aligned(sums->variables[i].size);
  }
  for (uint32_t i = 0; i < all_threads(); ++i)
    if (sums->copies[i] && (const char *)address >= sums->copies[i] &&
        (const char *)address < sums->copies[i] + sums->size) {
      *offset = (uint64_t)((const char *)address - sums->copies[i]);
      return true;
    }
  return false;
}

static char *make_copies(const omp_task_sums *sums) {
  char *copies = __gpuexec_omp_allocate(sums->size), *at = copies;
  for (uint32_t i = 0; i < sums->count; ++i) {
    const reduced_variable *variable = &sums->variables[i];
    if (variable->initialise)
      variable->initialise(at, variable->original);
    at += aligned(variable->size);
  }
  return copies;
}

void *__kmpc_task_reduction_get_th_data(int32_t thread, omp_task_sums *sums,
                                        void *address) {
  (void)thread;
  omp_thread *self = __gpuexec_omp_self();
  if (!sums && self->group)
    sums = self->group->sums;
  for (; sums; sums = sums->outer) {
    uint64_t offset;
    if (!find_copy(sums, address, &offset))
      continue;
    char **mine = &sums->copies[hardware_number()];
    if (!*mine)
      *mine = make_copies(sums);
    return *mine + offset;
  }
  __gpuexec_omp_fail("in_reduction: no taskgroup reduces the variable");
}

void __gpuexec_tasks_add_up(omp_group *group) {
  omp_task_sums *sums = group->sums;
  for (uint32_t thread = 0; thread < all_threads(); ++thread) {
    char *copies = sums->copies[thread], *at = copies;
    if (!copies)
      continue;
    for (uint32_t i = 0; i < sums->count; ++i) {
      const reduced_variable *variable = &sums->variables[i];
      variable->combine(variable->variable, at);
      if (variable->finish)
        variable->finish(at);
      at += aligned(variable->size);
    }
    free(copies);
  }
  free(sums->copies);
  free(sums);
  group->sums = NULL;
}
