//===-- services/mpi/host/engine.c - The thread that serves MPI -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/host/engine.h"
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// How often the thread looks for calls, or tests those that wait, before it
/// begins to sleep, and for how long then (nanoseconds). Waking it takes 20 to
/// 40 us; but other ranks share the processor.
enum {
  LOOKS_BEFORE_SLEEP = 100,
  TESTS_BEFORE_SLEEP = 2000,
  TESTS_AT_ONE_LENGTH = 64,
  FIRST_SLEEP = 20000,
  LONGEST_SLEEP = 1000000
};

//===-- Memory and answers of a call --------------------------------------===//

static void free_op(mpi_op *op) {
  for (unsigned i = 0; i < op->memory_count; ++i)
    free(op->memory[i]);
  free(op->words);
  free(op->answer);
  free(op);
}

void *mpi_op_memory(mpi_op *op, uint64_t size) {
  if (op->memory_count == MPI_MOST_MEMORY)
    return NULL;
  void *memory = calloc(1, size ? size : 1);
  if (memory)
    op->memory[op->memory_count++] = memory;
  return memory;
}

/// Room for more words of the answer. Without memory the answer ends here, and
/// the device reads zeros behind it.
static bool reserve(mpi_op *op, uint64_t words) {
  if (op->answer_count + words <= op->answer_capacity)
    return true;
  const uint64_t capacity = 2 * (op->answer_count + words);
  uint64_t *answer = realloc(op->answer, capacity * sizeof *answer);
  if (!answer)
    return false;
  op->answer = answer;
  op->answer_capacity = (uint32_t)capacity;
  return true;
}

void mpi_answer_word(mpi_op *op, uint64_t word) {
  if (reserve(op, 1))
    op->answer[op->answer_count++] = word;
}

void mpi_answer_bytes(mpi_op *op, const void *bytes, uint64_t size) {
  const uint64_t words = (size + 7) / 8;
  if (!words || !reserve(op, words))
    return;
  op->answer[op->answer_count + words - 1] = 0;
  memcpy(op->answer + op->answer_count, bytes, size);
  op->answer_count += (uint32_t)words;
}

static void begin_answer(mpi_op *op, mpi_answer_kind kind, uint32_t error) {
  op->answer_count = 0;
  mpi_answer_word(op, (uint64_t)kind << 32 | error);
}

void mpi_answer_error(mpi_op *op, int error) {
  begin_answer(op, MPI_DONE, (uint32_t)error);
}

//===-- Groups: calls of a wave -------------------------------------------===//

static void end_group(mpi_engine *engine, mpi_group *group, int result) {
  *group->at = group->next;
  if (group->next)
    group->next->at = group->at;
  if (group->call)
    engine->host->complete(group->call, result);
  free(group);
}

static void reply(mpi_engine *engine, mpi_op *op) {
  if (op->group->call)
    engine->host->reply(op->group->call, 0, op->lane, op->answer,
                        op->answer_count * sizeof *op->answer);
}

/// The answer is there.
static void finish(mpi_engine *engine, mpi_op *op) {
  mpi_group *group = op->group;
  reply(engine, op);
  group->ops[op->lane] = NULL;
  if (op->flight)
    mpi_free_flight(op->flight);
  free_op(op);
  if (!--group->left)
    end_group(engine, group, 0);
}

/// Answers the wave though some of its calls have no result: those lanes call
/// Continue. `callback`: for the lane of `op`.
static void detach(mpi_engine *engine, mpi_op *op, mpi_callback *callback) {
  mpi_group *group = op->group;
  for (unsigned lane = 0; lane < GPUEXEC_MAX_LANES; ++lane) {
    mpi_op *other = group->ops[lane];
    if (!other)
      continue;
    other->token = ++engine->last_token;
    begin_answer(other, other == op ? MPI_CALLBACK : MPI_AGAIN, 0);
    if (other == op) {
      callback->token = other->token;
      mpi_answer_bytes(other, callback, sizeof *callback);
    } else {
      mpi_answer_word(other, other->token);
    }
    reply(engine, other);
    other->group = NULL;
    // It stays in the list of pending calls.
  }
  end_group(engine, group, 0);
}

//===-- The queue ---------------------------------------------------------===//

static mpi_op *make_op(mpi_group *group, unsigned lane) {
  const gpuexec_bytes input = group->call->inputs[lane];
  mpi_op *op = calloc(1, sizeof *op);
  if (!op)
    return NULL;
  op->group = group;
  op->lane = lane;
  op->word_count = input.size / 8;
  op->words = malloc(input.size + 8);
  if (!op->words) {
    free(op);
    return NULL;
  }
  uint64_t number = MPI_CALLS;
  if (op->word_count) {
    memcpy(&number, input.data, sizeof number);
    op->is_of_version = number >> 32 == MPI_TABLE_VERSION;
    number = (uint32_t)number;
    --op->word_count;
    memcpy(op->words, (const char *)input.data + 8, op->word_count * 8);
  }
  op->number = number < MPI_CALLS ? (mpi_call_number)number : MPI_CALLS;
  op->function = number < MPI_CALLS ? &mpi_functions[number] : NULL;
  return op;
}

int mpi_enqueue(mpi_engine *engine, gpuexec_call *call) {
  mpi_group *group = calloc(1, sizeof *group);
  if (!group)
    return ENOMEM;
  group->call = call;
  mpi_op *first = NULL, **end = &first;
  for (unsigned lane = 0; lane < GPUEXEC_MAX_LANES; ++lane)
    if (call->lane_mask >> lane & 1) {
      mpi_op *op = make_op(group, lane);
      if (!op) { // the program ends; what was made is left
        free(group);
        return ENOMEM;
      }
      group->ops[lane] = op;
      ++group->left;
      *end = op;
      end = &op->next;
    }
  pthread_mutex_lock(&engine->state);
  if (engine->has_ended || !group->left) {
    pthread_mutex_unlock(&engine->state);
    free(group);
    return ECANCELED;
  }
  group->next = engine->groups;
  group->at = &engine->groups;
  if (group->next)
    group->next->at = &group->next;
  engine->groups = group;
  *engine->arrived_end = first;
  engine->arrived_end = end;
  if (!engine->has_thread)
    engine->has_thread =
        !pthread_create(&engine->thread, NULL, mpi_run, engine);
  const bool is_served = engine->has_thread;
  pthread_cond_signal(&engine->changed);
  pthread_mutex_unlock(&engine->state);
  return is_served ? GPUEXEC_PENDING : EAGAIN;
}

void mpi_cancel_all(mpi_engine *engine) {
  pthread_mutex_lock(&engine->state);
  engine->has_ended = true;
  for (mpi_group *group = engine->groups; group; group = group->next)
    if (group->call) {
      engine->host->complete(group->call, ECANCELED);
      group->call = NULL;
    }
  pthread_cond_signal(&engine->changed);
  pthread_mutex_unlock(&engine->state);
}

static void free_ops(mpi_op *op) {
  while (op) {
    mpi_op *next = op->next;
    if (op->flight)
      mpi_free_flight(op->flight);
    free_op(op);
    op = next;
  }
}

void mpi_free_all(mpi_engine *engine) {
  free_ops(engine->arrived);
  free_ops(engine->pending);
  while (engine->unwanted) {
    mpi_flight *next = engine->unwanted->next;
    mpi_free_flight(engine->unwanted);
    engine->unwanted = next;
  }
  while (engine->groups) {
    mpi_group *next = engine->groups->next;
    free(engine->groups);
    engine->groups = next;
  }
  mpi_free_objects(engine);
}

static mpi_op *take_arrived(mpi_engine *engine) {
  mpi_op *op = engine->arrived;
  if (op) {
    engine->arrived = op->next;
    if (!engine->arrived)
      engine->arrived_end = &engine->arrived;
    op->next = NULL;
  }
  return op;
}

//===-- Serving -----------------------------------------------------------===//

static void add_pending(mpi_engine *engine, mpi_op *op) {
  op->next = engine->pending;
  engine->pending = op;
}

/// A call that says Continue: attached to the one that it continues. A token
/// that no call has is answered with an error.
static void continue_call(mpi_engine *engine, mpi_op *op) {
  mpi_op *continued = NULL;
  for (mpi_op *at = engine->pending; at && op->word_count; at = at->next)
    if (!at->group && at->token == op->words[0])
      continued = at;
  if (!continued) {
    mpi_answer_error(op, MPI_ERR_ARG);
    finish(engine, op);
    return;
  }
  continued->group = op->group;
  continued->lane = op->lane;
  continued->group->ops[continued->lane] = continued;
  free_op(op);
}

static bool begin(mpi_engine *engine, mpi_op *op) {
  engine->current = op;
  const bool done = mpi_begin_call(engine, op);
  engine->current = NULL;
  return done;
}

static void start_call(mpi_engine *engine, mpi_op *op) {
  if (!op->is_of_version && op->group->call)
    engine->host->fail(op->group->call,
                       "the program was linked with -lmpi of another version "
                       "of gpuexec; link it again");
  if (!op->function || !op->is_of_version) {
    mpi_answer_error(op, MPI_ERR_ARG);
    finish(engine, op);
  } else if (op->number == MPI_CALL_Continue) {
    continue_call(engine, op);
  } else {
    // In the list while it begins: a callback may detach it.
    add_pending(engine, op);
  }
}

static bool poll_one(mpi_engine *engine, mpi_op *op) {
  if (!op->poll)
    return begin(engine, op);
  engine->current = op;
  const bool done = op->poll(engine, op);
  engine->current = NULL;
  return done;
}

/// Tests all pending calls; true if one is done.
static bool poll_all(mpi_engine *engine) {
  bool progressed = false;
  for (mpi_op *op = engine->pending; op && engine->unwanted; op = op->next)
    if (op->group) {
      mpi_test_unwanted(engine, op);
      break;
    }
  // Calls that arrive meanwhile come to the list's front: they are next time's.
  for (mpi_op *op = engine->pending; op && !engine->has_ended;) {
    mpi_op *next = op->next;
    const bool was_begun = op->poll != NULL;
    if (op->group && poll_one(engine, op)) {
      mpi_op **at = &engine->pending;
      while (*at != op)
        at = &(*at)->next;
      next = op->next;
      *at = next;
      finish(engine, op);
      progressed = true;
    } else if (!was_begun) {
      progressed = true;
      next = op->next;
    }
    op = next;
  }
  return progressed;
}

static void wait_for(mpi_engine *engine, long nanoseconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += nanoseconds;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    ++until.tv_sec;
  }
  pthread_cond_timedwait(&engine->changed, &engine->state, &until);
}

static void yield_processor(mpi_engine *engine) {
  pthread_mutex_unlock(&engine->state);
  sched_yield();
  pthread_mutex_lock(&engine->state);
}

/// Lets others have the processor after a round without a result.
static void rest(mpi_engine *engine, unsigned idle) {
  if (idle < TESTS_BEFORE_SLEEP) {
    yield_processor(engine);
    return;
  }
  const unsigned steps = (idle - TESTS_BEFORE_SLEEP) / TESTS_AT_ONE_LENGTH;
  const long sleep = steps < 6 ? (long)FIRST_SLEEP << steps : LONGEST_SLEEP;
  wait_for(engine, sleep < LONGEST_SLEEP ? sleep : LONGEST_SLEEP);
}

void *mpi_run(void *argument) {
  mpi_engine *engine = argument;
  unsigned idle = 0;
  pthread_mutex_lock(&engine->state);
  while (!engine->ends && !engine->has_ended) {
    mpi_op *op;
    while ((op = take_arrived(engine))) {
      start_call(engine, op);
      idle = 0;
    }
    if (!engine->pending && idle++ < LOOKS_BEFORE_SLEEP) {
      yield_processor(engine);
    } else if (!engine->pending) {
      pthread_cond_wait(&engine->changed, &engine->state);
    } else if (poll_all(engine)) {
      idle = 0;
    } else if (!engine->arrived) {
      rest(engine, idle++);
    }
  }
  pthread_mutex_unlock(&engine->state);
  return NULL;
}

static bool call_device(mpi_engine *engine, const mpi_callback *asked) {
  mpi_op *op = engine->current;
  mpi_callback callback = *asked;
  if (!op || !op->group || engine->has_ended)
    return false;
  detach(engine, op, &callback);
  while (!op->group && !engine->has_ended && !engine->ends) {
    mpi_op *arrived = take_arrived(engine);
    if (arrived)
      start_call(engine, arrived);
    else
      pthread_cond_wait(&engine->changed, &engine->state);
  }
  return op->group && op->group->call;
}

bool mpi_call_device(mpi_engine *engine, const mpi_callback *asked) {
  const bool is_unlocked = engine->is_unlocked;
  if (is_unlocked)
    pthread_mutex_lock(&engine->state);
  const bool is_done = call_device(engine, asked);
  if (is_unlocked)
    pthread_mutex_unlock(&engine->state);
  return is_done;
}

int mpi_native_blocking(mpi_engine *engine, mpi_call_number number,
                        const uint64_t *words) {
  engine->is_unlocked = true;
  pthread_mutex_unlock(&engine->state);
  const int error = mpi_native(&engine->mpi, number, words);
  pthread_mutex_lock(&engine->state);
  engine->is_unlocked = false;
  return error;
}
