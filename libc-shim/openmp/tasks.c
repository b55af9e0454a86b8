//===-- libc-shim/openmp/tasks.c - Making and executing tasks -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See tasks.h. Tasks that may run are in one queue of the grid, a ring of
// places. The `turn` of a place tells whether it is free or has a task, and for
// which round through the ring. When the ring is full, a thread executes its
// task itself.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/tasks.h"
#include "libc-shim/openmp/cancel.h"
#include <stdlib.h>
#include <string.h>

#define CLOSED ((omp_successor *)1)

enum { PLACES = 1 << 14 };
typedef struct {
  /// For position N of the queue, which is in places[N % PLACES]: N while the
  /// place is free, N + 1 while it has the task.
  uint64_t turn;
  omp_task *task;
} queue_place;
static struct {
  queue_place *places;
  _Alignas(128) uint64_t head;
  _Alignas(128) uint64_t tail;
} queue;

#define LOAD(word)                                                             \
  __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define STORE(word, value)                                                     \
  __scoped_atomic_store_n(word, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define ADD(word, value)                                                       \
  __scoped_atomic_fetch_add(word, value, __ATOMIC_RELAXED,                     \
                            __MEMORY_SCOPE_DEVICE)
#define SUBTRACT(word, value)                                                  \
  __scoped_atomic_fetch_sub(word, value, __ATOMIC_RELAXED,                     \
                            __MEMORY_SCOPE_DEVICE)
#define EXCHANGE_IF(word, expected, value)                                     \
  __scoped_atomic_compare_exchange_n(word, expected, value, false,             \
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED,       \
                                     __MEMORY_SCOPE_DEVICE)

//===-- The queue ---------------------------------------------------------===//

/// The places; the thread that first needs them allocates them.
static queue_place *queue_places(void) {
  queue_place *places = LOAD(&queue.places);
  if (places)
    return places;
  queue_place *fresh = __gpuexec_omp_allocate(PLACES * sizeof *fresh);
  for (uint64_t i = 0; i < PLACES; ++i)
    fresh[i].turn = i;
  rpc_device_fence();
  if (EXCHANGE_IF(&queue.places, &places, fresh))
    return fresh;
  free(fresh);
  return places;
}

static bool enqueue(omp_task *task) {
  queue_place *places = queue_places();
  uint64_t at = LOAD(&queue.tail);
  for (;;) {
    queue_place *place = &places[at % PLACES];
    const int64_t behind = (int64_t)(LOAD(&place->turn) - at);
    if (behind < 0)
      return false;
    if (behind) {
      at = LOAD(&queue.tail);
    } else if (EXCHANGE_IF(&queue.tail, &at, at + 1)) {
      STORE(&place->task, task);
      rpc_device_fence();
      STORE(&place->turn, at + 1);
      return true;
    }
  }
}

static omp_task *dequeue(void) {
  queue_place *places = LOAD(&queue.places);
  uint64_t at = LOAD(&queue.head);
  if (!places || at == LOAD(&queue.tail))
    return NULL;
  for (;;) {
    queue_place *place = &places[at % PLACES];
    const int64_t behind = (int64_t)(LOAD(&place->turn) - (at + 1));
    if (behind < 0)
      return NULL;
    if (behind) {
      at = LOAD(&queue.head);
    } else if (EXCHANGE_IF(&queue.head, &at, at + 1)) {
      rpc_device_fence();
      omp_task *task = LOAD(&place->task);
      rpc_device_fence();
      STORE(&place->turn, at + PLACES);
      return task;
    }
  }
}

//===-- The life of a task ------------------------------------------------===//

void __gpuexec_tasks_hold(omp_task *task) { ADD(&task->references, 1); }

void __gpuexec_tasks_drop(omp_task *task) {
  // A child holds a reference of its parent, whose `waiting` it decrements.
  rpc_device_fence(); // release: this thread's accesses to the task
  while (task && SUBTRACT(&task->references, 1) == 1) {
    rpc_device_fence(); // acquire: those of the other threads
    omp_task *parent = task->parent;
    free(task);
    task = parent;
  }
}

bool __gpuexec_tasks_is_complete(const omp_task *task) {
  return LOAD(&task->successors) == CLOSED;
}

void __gpuexec_tasks_wait_for(omp_task *task, omp_task *other) {
  omp_successor *fresh = __gpuexec_omp_allocate(sizeof *fresh);
  fresh->task = task;
  ADD(&task->blockers, 1);
  omp_successor *first = LOAD(&other->successors);
  do {
    if (first == CLOSED) {
      SUBTRACT(&task->blockers, 1);
      free(fresh);
      return;
    }
    fresh->next = first;
    rpc_device_fence();
  } while (!EXCHANGE_IF(&other->successors, &first, fresh));
}

static void run(omp_thread *self, omp_task *task);

static bool claim(omp_task *task) {
  uint32_t ready = TASK_READY;
  if (LOAD(&task->state) != TASK_READY ||
      !EXCHANGE_IF(&task->state, &ready, TASK_CLAIMED))
    return false;
  rpc_device_fence();
  return true;
}

/// Puts a task that waits for no other task into the queue, or executes it if
/// the queue is full.
static void make_ready(omp_task *task) {
  __gpuexec_tasks_hold(task); // the queue's reference
  rpc_device_fence();
  STORE(&task->state, TASK_READY);
  if (enqueue(task))
    return;
  __gpuexec_tasks_drop(task);
  if (claim(task)) // the queue is full
    run(__gpuexec_omp_self(), task);
}

static void unblock(omp_task *task) {
  rpc_device_fence();
  if (SUBTRACT(&task->blockers, 1) == 1) {
    rpc_device_fence();
    make_ready(task);
  }
}

/// Called when the task has been executed and, if it has an event (detach),
/// when that is fulfilled. The last of these calls completes the task.
static void finish_part(omp_task *task) {
  rpc_device_fence(); // release: what the task has written
  if (SUBTRACT(&task->pending, 1) != 1)
    return;
  rpc_device_fence();
  omp_successor *next = __scoped_atomic_exchange_n(
      &task->successors, CLOSED, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  rpc_device_fence();
  while (next) {
    omp_successor *after = next->next;
    unblock(next->task);
    free(next);
    next = after;
  }
  omp_team *team = task->team;
  if (task->group)
    SUBTRACT(&task->group->waiting, 1);
  SUBTRACT(&task->of->waiting, 1);
  __gpuexec_tasks_drop(task);
  SUBTRACT(&team->outstanding, 1);
}

/// Drops the task's references of its children. Called by the task's own thread
/// when it no longer waits for them.
static void forget_children(omp_task_state *state) {
  __gpuexec_tasks_forget(state);
  for (omp_task *child = state->children, *next; child; child = next) {
    next = child->next_child;
    __gpuexec_tasks_drop(child);
  }
  state->children = NULL;
}

static void enter(omp_thread *self, omp_task *task) {
  task->outer = self->task;
  self->task = task;
}
static void leave(omp_thread *self, omp_task *task) {
  self->task = task->outer;
  forget_children(&task->children);
  finish_part(task);
}

/// Executes a task that the thread has claimed.
static void run(omp_thread *self, omp_task *task) {
  omp_group *const group = self->group;
  enter(self, task);
  self->group = task->group;
  if (!task->group || LOAD(&task->group->cancelled) != CANCEL_TASKGROUP)
    task->body.run((int32_t)self->number, &task->body);
  self->group = group;
  leave(self, task);
}

static bool run_from_queue(omp_thread *self) {
  omp_task *task = dequeue();
  if (!task)
    return false;
  if (claim(task))
    run(self, task);
  __gpuexec_tasks_drop(task);
  return true;
}

__attribute__((constructor)) static void set_tasks(void) {
  __gpuexec_omp_tasks =
      (struct gpuexec_omp_tasks){run_from_queue, forget_children};
}

//===-- What clang calls --------------------------------------------------===//

void *__kmpc_omp_task_alloc(source_place *place, int32_t thread, int32_t flags,
                            uint64_t size, uint64_t shared,
                            int32_t (*code)(int32_t, void *)) {
  (void)place, (void)thread;
  omp_thread *self = __gpuexec_omp_self();
  const uint64_t begin = (size + 15) & -(uint64_t)16;
  omp_task *task =
      __gpuexec_omp_allocate(sizeof *task + begin + ((shared + 15) & -16ull));
  task->parent = self->task;
  task->of = current_children(self);
  task->team = self->team;
  task->group = self->group;
  task->blockers = 1;
  task->pending = 1;
  task->references = 1;
  task->size = begin + shared;
  task->is_final = flags & TASK_FINAL || (self->task && self->task->is_final);
  if (task->parent)
    __gpuexec_tasks_hold(task->parent);
  task->body.shared = shared ? (char *)&task->body + begin : NULL;
  task->body.run = code;
  return &task->body;
}

/// Counts the task in its team, parent and group, which wait for it. A
/// `deferred` task is also added to the lists of parent and group, so that
/// their threads can execute it.
static void announce(omp_task *task, bool deferred) {
  ADD(&task->team->outstanding, 1);
  ADD(&task->of->waiting, 1);
  if (task->group)
    ADD(&task->group->waiting, 1);
  if (!deferred)
    return;
  __gpuexec_tasks_hold(task);
  task->next_child = task->of->children;
  task->of->children = task;
  if (!task->group)
    return;
  __gpuexec_tasks_hold(task);
  task->next_member = LOAD(&task->group->members);
  do
    rpc_device_fence();
  while (!EXCHANGE_IF(&task->group->members, &task->next_member, task));
}

/// Executes a task that has been created, or lets it be executed later.
static void submit(omp_thread *self, omp_task *task) {
  const bool at_once = LOAD(&task->blockers) == 1 &&
                       (task->team->size == 1 || task->is_final ||
                        LOAD(&queue.tail) - LOAD(&queue.head) > PLACES / 2);
  announce(task, !at_once);
  if (at_once) {
    task->state = TASK_CLAIMED;
    run(self, task);
  } else {
    unblock(task);
  }
}

int32_t __kmpc_omp_task(source_place *place, int32_t thread, void *body) {
  (void)place, (void)thread;
  submit(__gpuexec_omp_self(), task_of(body));
  return 0;
}
int32_t __kmpc_omp_task_with_deps(source_place *place, int32_t thread,
                                  void *body, int32_t count,
                                  const omp_dependence *list, int32_t none,
                                  const omp_dependence *empty) {
  (void)place, (void)thread, (void)none, (void)empty;
  omp_task *task = task_of(body);
  __gpuexec_tasks_depend(task->of, task, count, list);
  submit(__gpuexec_omp_self(), task);
  return 0;
}

// A task with if(0): clang's code executes it between these.
void __kmpc_omp_task_begin_if0(source_place *place, int32_t thread,
                               void *body) {
  (void)place, (void)thread;
  omp_task *task = task_of(body);
  announce(task, false);
  task->state = TASK_CLAIMED;
  enter(__gpuexec_omp_self(), task);
}
void __kmpc_omp_task_complete_if0(source_place *place, int32_t thread,
                                  void *body) {
  (void)place, (void)thread;
  leave(__gpuexec_omp_self(), task_of(body));
}

int32_t __kmpc_omp_taskyield(source_place *place, int32_t thread,
                             int32_t part) {
  (void)place, (void)thread, (void)part;
  return 0;
}

void *__kmpc_task_allow_completion_event(source_place *place, int32_t thread,
                                         void *body) {
  (void)place, (void)thread;
  ADD(&task_of(body)->pending, 1);
  return body;
}
void omp_fulfill_event(uintptr_t event) { finish_part(task_of((void *)event)); }

int omp_in_final(void) {
  const omp_thread *self = __gpuexec_omp_self();
  return self->task && self->task->is_final;
}

//===-- Waiting -----------------------------------------------------------===//

/// Executes the children that no thread has claimed. True if there was one.
static bool run_children(omp_thread *self, omp_task_state *state) {
  bool any = false;
  for (omp_task *child = state->children; child; child = child->next_child)
    if (claim(child)) {
      run(self, child);
      any = true;
    }
  return any;
}

static void wait_for_children(omp_thread *self) {
  omp_task_state *state = current_children(self);
  while (LOAD(&state->waiting))
    if (!run_children(self, state))
      __gpu_thread_suspend();
  rpc_device_fence();
  forget_children(state);
}

int32_t __kmpc_omp_taskwait(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  wait_for_children(__gpuexec_omp_self());
  return 0;
}

void __kmpc_omp_wait_deps(source_place *place, int32_t thread, int32_t count,
                          const omp_dependence *list, int32_t none,
                          const omp_dependence *empty) {
  (void)place, (void)thread, (void)none, (void)empty;
  omp_thread *self = __gpuexec_omp_self();
  omp_task_state *state = current_children(self);
  while (!__gpuexec_tasks_may_start(state, count, list))
    if (!run_children(self, state))
      __gpu_thread_suspend();
  rpc_device_fence();
}
void __kmpc_omp_taskwait_deps_51(source_place *place, int32_t thread,
                                 int32_t count, const omp_dependence *list,
                                 int32_t none, const omp_dependence *empty,
                                 int32_t no_wait) {
  if (!no_wait)
    __kmpc_omp_wait_deps(place, thread, count, list, none, empty);
}

void __kmpc_taskgroup(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  omp_thread *self = __gpuexec_omp_self();
  omp_group *group = __gpuexec_omp_allocate(sizeof *group);
  group->outer = self->group;
  self->group = group;
}

/// Removes and returns the list of members that were created since the last
/// call.
static omp_task *take_members(omp_group *group) {
  if (!LOAD(&group->members))
    return NULL;
  omp_task *members = __scoped_atomic_exchange_n(
      &group->members, NULL, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  rpc_device_fence();
  return members;
}

/// Executes the members in the list that no thread has claimed, and sets *any
/// if there was one. Drops the complete ones and returns the list of the
/// others.
static omp_task *run_members(omp_thread *self, omp_task *members, bool *any) {
  omp_task *left = NULL;
  for (omp_task *next; members; members = next) {
    next = members->next_member;
    if (claim(members)) {
      run(self, members);
      *any = true;
    }
    if (__gpuexec_tasks_is_complete(members)) {
      __gpuexec_tasks_drop(members);
    } else {
      members->next_member = left;
      left = members;
    }
  }
  return left;
}

void __gpuexec_tasks_end_group(omp_thread *self) {
  omp_group *group = self->group;
  omp_task *known = NULL;
  while (LOAD(&group->waiting)) {
    omp_task *fresh = take_members(group);
    bool any = fresh;
    known = run_members(self, known, &any);
    while (fresh) {
      omp_task *next = fresh->next_member;
      fresh->next_member = known;
      known = fresh;
      fresh = next;
    }
    if (!any)
      __gpu_thread_suspend();
  }
  rpc_device_fence();
  bool any = false;
  run_members(self, known, &any);
  run_members(self, take_members(group), &any);
  if (group->sums)
    __gpuexec_tasks_add_up(group);
  self->group = group->outer;
  free(group);
}
void __kmpc_end_taskgroup(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  __gpuexec_tasks_end_group(__gpuexec_omp_self());
}

//===-- taskloop ----------------------------------------------------------===//

/// Copies a task that has not been submitted.
static omp_task *copy_task(omp_task *from) {
  omp_task *task = __gpuexec_omp_allocate(sizeof *task + from->size + 16);
  memcpy(task, from, offsetof(omp_task, body) + from->size);
  task->references = task->blockers = task->pending = 1;
  if (task->parent)
    __gpuexec_tasks_hold(task->parent);
  if (from->body.shared)
    task->body.shared =
        (char *)&task->body + ((char *)from->body.shared - (char *)&from->body);
  return task;
}

enum { GRAIN_NONE, GRAIN_SIZE, GRAIN_TASKS };

static void task_loop(void *body, int32_t condition, uint64_t *lower,
                      uint64_t *upper, int64_t step, int32_t no_group,
                      int32_t kind, uint64_t grain, bool strict,
                      void (*duplicate)(void *, void *, int32_t)) {
  omp_thread *self = __gpuexec_omp_self();
  omp_task *pattern = task_of(body);
  if (!no_group) {
    __kmpc_taskgroup(NULL, 0);
    pattern->group = self->group;
  }
  const uint64_t first = *lower, last = *upper;
  const int64_t distance = (int64_t)(last - first);
  const uint64_t trips =
      step > 0 ? (distance < 0 ? 0 : (uint64_t)distance / (uint64_t)step + 1)
               : (distance > 0 ? 0 : (uint64_t)-distance / (uint64_t)-step + 1);
  uint64_t tasks = trips;
  if (kind == GRAIN_SIZE)
    tasks = strict ? (trips + grain - 1) / grain : trips / grain;
  else
    tasks = kind == GRAIN_TASKS ? grain : 2 * leaders_of(self->team->size);
  tasks = tasks > trips ? trips : tasks ? tasks : trips ? 1 : 0;
  uint64_t at = 0;
  for (uint64_t i = 0; i < tasks; ++i) {
    uint64_t length = trips / tasks + (i < trips % tasks);
    if (kind == GRAIN_SIZE && strict)
      length = trips - at < grain ? trips - at : grain;
    omp_task *task = copy_task(pattern);
    *(uint64_t *)((char *)&task->body + ((char *)lower - (char *)body)) =
        first + at * (uint64_t)step;
    *(uint64_t *)((char *)&task->body + ((char *)upper - (char *)body)) =
        first + (at + length - 1) * (uint64_t)step;
    at += length;
    if (duplicate)
      duplicate(&task->body, body, at == trips);
    if (condition) {
      submit(self, task);
    } else {
      announce(task, false);
      task->state = TASK_CLAIMED;
      run(self, task);
    }
  }
  __gpuexec_tasks_drop(pattern);
  if (!no_group)
    __gpuexec_tasks_end_group(self);
}

void __kmpc_taskloop(source_place *place, int32_t thread, void *body,
                     int32_t condition, uint64_t *lower, uint64_t *upper,
                     int64_t step, int32_t no_group, int32_t kind,
                     uint64_t grain,
                     void (*duplicate)(void *, void *, int32_t)) {
  (void)place, (void)thread;
  task_loop(body, condition, lower, upper, step, no_group, kind, grain, false,
            duplicate);
}
void __kmpc_taskloop_5(source_place *place, int32_t thread, void *body,
                       int32_t condition, uint64_t *lower, uint64_t *upper,
                       int64_t step, int32_t no_group, int32_t kind,
                       uint64_t grain, int32_t strict,
                       void (*duplicate)(void *, void *, int32_t)) {
  (void)place, (void)thread;
  task_loop(body, condition, lower, upper, step, no_group, kind, grain, strict,
            duplicate);
}

int32_t __kmpc_omp_reg_task_with_affinity(source_place *place, int32_t thread,
                                          void *body, int32_t count,
                                          const void *list) {
  (void)place, (void)thread, (void)body, (void)count, (void)list;
  return 0;
}
