//===-- libc-shim/openmp/tasks.h - Tasks ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task is executed by the thread that creates it, by the thread that waits
// for it in taskwait or at the end of a taskgroup, or by a thread at a barrier:
// by the first one that changes the task's `state` to TASK_CLAIMED.
//
// On AMD one lane of a wave executes tasks at a barrier, and the others wait
// for it. It waits only for tasks that it executes itself or that other waves
// execute, and those wait for nothing else; so waves cannot wait for each other
// in a circle. For the same reason a lane in taskwait executes only its own
// children.
//
// Nothing here takes a lock: lanes of a wave must not wait for each other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_TASKS_H
#define GPUEXEC_LIBC_TASKS_H

#include "libc-shim/openmp/team.h"

/// The members of a task that clang's code accesses. Behind them are the
/// private variables, which clang adds, and then the pointers to shared
/// variables.
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

/// An entry of a task's list `successors`: `task` waits for the owner of the
/// list.
typedef struct omp_successor {
  struct omp_successor *next;
  omp_task *task;
} omp_successor;

struct omp_task {
  omp_task *next_child, *next_member; ///< in the lists of parent and group
  omp_task *parent;                   ///< null: the thread's implicit task
  omp_task_state *of;                 ///< the parent's state of its children
  omp_team *team;
  omp_group *group;
  omp_successor *successors; ///< CLOSED when the task is complete
  uint32_t state;
  uint32_t blockers;   ///< tasks it waits for; 1 more until it is submitted
  uint32_t pending;    ///< 1 until it was executed, 1 until its event comes
  uint32_t references; ///< from lists, queue, children and execution
  uint64_t size;       ///< bytes of `body` with all that follows it
  bool is_final;
  omp_task *outer; ///< the task that the thread executed before this one
  omp_task_state children;
  _Alignas(16) clang_task body;
};

struct omp_group {
  omp_group *outer;
  uint32_t waiting; ///< members that are not complete
  uint32_t cancelled;
  omp_task *members; ///< members created since take_members()
  struct omp_task_sums *sums;
};

/// The pointers are set before main() in a program that creates tasks, else
/// null.
extern struct gpuexec_omp_tasks {
  /// Executes a task of the queue; false when there is none.
  bool (*run)(omp_thread *self);
  /// Drops the references of the children, which are complete.
  void (*forget)(omp_task_state *state);
} __gpuexec_omp_tasks;

/// Waits for the team. One lane of a wave executes tasks meanwhile; all tasks
/// are complete afterwards. Leaves early when the region is cancelled, if
/// `cancellable`. Returns the construct that was cancelled, or 0.
uint32_t __gpuexec_tasks_barrier(omp_thread *self, bool cancellable);

/// The task that contains clang's structure.
static inline omp_task *task_of(void *body) {
  return (omp_task *)((char *)body - offsetof(omp_task, body));
}

/// The state of the children of the task that the thread executes.
static inline omp_task_state *current_children(omp_thread *self) {
  return self->task ? &self->task->children : &self->implicit;
}

/// Waits until all tasks of the current taskgroup are complete, executing some,
/// and ends the group.
void __gpuexec_tasks_end_group(omp_thread *self);

/// Combines the variables that the group's tasks have reduced (task_sums.c).
void __gpuexec_tasks_add_up(omp_group *group);

/// Makes `task`, which has not been submitted yet, wait for the siblings that
/// its dependences name (task_dependences.c).
typedef struct omp_dependence omp_dependence;
void __gpuexec_tasks_depend(omp_task_state *siblings, omp_task *task,
                            int32_t count, const omp_dependence *list);
/// Have all siblings completed that a task with the dependences would wait for?
bool __gpuexec_tasks_may_start(const omp_task_state *siblings, int32_t count,
                               const omp_dependence *list);
/// Frees the dependences of a task's children.
void __gpuexec_tasks_forget(omp_task_state *state);

/// Makes `task` wait for `other` unless that is complete.
void __gpuexec_tasks_wait_for(omp_task *task, omp_task *other);
bool __gpuexec_tasks_is_complete(const omp_task *task);
/// Add a reference and drop one; the last drop frees the task.
void __gpuexec_tasks_hold(omp_task *task);
void __gpuexec_tasks_drop(omp_task *task);

/// Called at the end of a region: waits until all its tasks are complete.
void __gpuexec_tasks_finish(omp_thread *self);

#endif
