//===-- libc-shim/openmp/tasks.h - Tasks ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task is executed by the thread that makes it, by the thread that waits for
// it in taskwait or at the end of a taskgroup, or by a thread at a barrier. A
// word of the task says who may: the first that claims it.
//
// On AMD one lane of a wave executes tasks at a barrier, and the others wait
// for it. It waits only for tasks that it executes itself or that other waves
// execute, and those wait for nothing else; so the waves cannot wait for each
// other in a circle. A lane in taskwait executes its own children and no other
// tasks, for the same reason.
//
// Nothing here takes a lock: lanes of a wave must not wait for each other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_TASKS_H
#define GPUEXEC_LIBC_TASKS_H

#include "libc-shim/openmp/team.h"

/// What clang knows of a task: the members that it accesses. What it adds
/// (private variables) follows, and then what the task shares.
typedef struct {
  void *shared;
  int32_t (*run)(int32_t thread, void *task);
  int32_t part;
  void *data[2];
  uint64_t lower, upper; ///< of a taskloop
  int64_t step;
} clang_task;

enum { TASK_WAITS, TASK_READY, TASK_CLAIMED };
enum { TASK_FINAL = 2 }; ///< clang's flag

/// A task that waits for another one, in the other's list.
typedef struct omp_successor {
  struct omp_successor *next;
  omp_task *task;
} omp_successor;

struct omp_task {
  omp_task *next_child, *next_member; ///< in the lists of parent and group
  omp_task *parent;                   ///< null: an implicit task
  omp_task_state *of;                 ///< the parent's
  omp_team *team;
  omp_group *group;
  omp_successor *successors; ///< CLOSED when the task is complete
  uint32_t state;
  uint32_t blockers;   ///< tasks that it waits for; 1 more while it is made
  uint32_t pending;    ///< its execution, and the event that completes it
  uint32_t references; ///< lists, queue, children, execution
  uint64_t size;       ///< of what follows
  bool is_final;
  omp_task *outer; ///< what the thread executed before: undeferred tasks
  omp_task_state children;
  _Alignas(16) clang_task body;
};

struct omp_group {
  omp_group *outer;
  uint32_t waiting; ///< members that are not complete
  uint32_t cancelled;
  omp_task *members; ///< those that were made since the last look
  struct omp_task_sums *sums;
};

/// Null in a program that makes no tasks; set before main().
extern struct gpuexec_omp_tasks {
  /// Executes a task of the queue; false when there is none.
  bool (*run)(omp_thread *self);
  /// The children are complete: forgets them.
  void (*forget)(omp_task_state *state);
} __gpuexec_omp_tasks;

/// Waits for the team. One lane of a wave executes tasks meanwhile; all tasks
/// are complete afterwards. Leaves early when the region is cancelled, if
/// `cancellable`. Returns the construct that was cancelled, or 0.
uint32_t __gpuexec_tasks_barrier(omp_thread *self, bool cancellable);

/// The task of clang's structure.
static inline omp_task *task_of(void *body) {
  return (omp_task *)((char *)body - offsetof(omp_task, body));
}

/// Of the task that the thread executes.
static inline omp_task_state *current_children(omp_thread *self) {
  return self->task ? &self->task->children : &self->implicit;
}

/// Everything of the current taskgroup is complete. Ends the group.
void __gpuexec_tasks_end_group(omp_thread *self);

/// Adds up what the group's tasks have reduced (task_sums.c).
void __gpuexec_tasks_add_up(omp_group *group);

/// Makes `task` wait for its siblings that its dependences name. For one that
/// is not submitted yet (task_dependences.c).
typedef struct omp_dependence omp_dependence;
void __gpuexec_tasks_depend(omp_task_state *siblings, omp_task *task,
                            int32_t count, const omp_dependence *list);
/// Have all siblings completed that a task with the dependences would wait for?
bool __gpuexec_tasks_may_start(const omp_task_state *siblings, int32_t count,
                               const omp_dependence *list);
void __gpuexec_tasks_forget(omp_task_state *state);

/// `task` waits for `other` if that is not complete.
void __gpuexec_tasks_wait_for(omp_task *task, omp_task *other);
bool __gpuexec_tasks_is_complete(const omp_task *task);
void __gpuexec_tasks_hold(omp_task *task);
void __gpuexec_tasks_drop(omp_task *task);

/// The end of a region, before its last barrier.
void __gpuexec_tasks_finish(omp_thread *self);

#endif
