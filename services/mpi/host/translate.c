//===-- services/mpi/host/translate.c - Arguments and results -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of a call as the library takes them, by the function's row, and
// back. Everything comes from the device and is checked.
//===----------------------------------------------------------------------===//
#include "services/mpi/host/engine.h"
#include <stdlib.h>
#include <string.h>

/// The most bytes between the ends of a buffer.
static const int64_t MOST_BYTES = INT64_C(1) << 46;
/// The most elements of an array that a function writes: more than any has.
static const int64_t MOST_WRITTEN = INT64_C(1) << 20;

typedef struct {
  mpi_engine *engine;
  mpi_op *op;
  const mpi_function *function;
  const uint64_t *given;                   ///< the words of the arguments
  const char *bytes[MPI_MOST_ARGUMENTS];   ///< of arrays, or null
  mpi_object *objects[MPI_MOST_ARGUMENTS]; ///< of handles
  bool has_meaning[MPI_MOST_ARGUMENTS];
  const int32_t *facts; ///< of the communicator, or null
} translation;

static int error_of_kind(mpi_kind kind) {
  switch (kind) {
  case MPI_KIND_COMM:
    return MPI_ERR_COMM;
  case MPI_KIND_TYPE:
    return MPI_ERR_TYPE;
  case MPI_KIND_OP:
    return MPI_ERR_OP;
  case MPI_KIND_GROUP:
    return MPI_ERR_GROUP;
  case MPI_KIND_INFO:
    return MPI_ERR_INFO;
  case MPI_KIND_WIN:
    return MPI_ERR_WIN;
  case MPI_KIND_FILE:
    return MPI_ERR_FILE;
  case MPI_KIND_REQUEST:
  case MPI_KIND_MESSAGE:
    return MPI_ERR_REQUEST;
  case MPI_KIND_COUNT:
    return MPI_ERR_COUNT;
  case MPI_KIND_RANK:
    return MPI_ERR_RANK;
  case MPI_KIND_TAG:
    return MPI_ERR_TAG;
  default:
    return MPI_ERR_ARG;
  }
}

/// Bytes of an element of an array on the wire.
static uint64_t element_size(const mpi_argument *argument) {
  switch (argument->kind) {
  case MPI_KIND_TEXT:
    return 1;
  case MPI_KIND_AINTS:
  case MPI_KIND_TYPES:
    return 8;
  case MPI_KIND_TRIPLETS:
    return 12;
  case MPI_KIND_STATUS:
    return 8 * MPI_STATUS_WORDS;
  default:
    return 4;
  }
}

static bool is_array(const mpi_argument *argument) {
  return argument->many.kind != MPI_ONE || argument->kind == MPI_KIND_TEXT;
}
/// Whether the bytes of the argument follow the words.
static bool is_sent(const mpi_argument *argument) {
  return (argument->way == MPI_IN || argument->way == MPI_BOTH) &&
         (is_array(argument) || argument->kind == MPI_KIND_STATUS);
}
static bool is_absent(uint64_t count) {
  return count >= MPI_ABSENT_WEIGHTS_EMPTY;
}

/// Finds the bytes of each array. False if they are not all there.
static bool find_arrays(translation *t) {
  uint64_t at = t->function->count;
  for (unsigned i = 0; i < t->function->count; ++i) {
    const mpi_argument *argument = &t->function->arguments[i];
    if (!is_sent(argument) || is_absent(t->given[i]))
      continue;
    uint64_t size;
    if (__builtin_mul_overflow(t->given[i], element_size(argument), &size) ||
        size / 8 > t->op->word_count - at ||
        (size + 7) / 8 > t->op->word_count - at)
      return false;
    t->bytes[i] = (const char *)(t->given + at);
    at += (size + 7) / 8;
    if (argument->kind == MPI_KIND_TEXT && (!size || t->bytes[i][size - 1]))
      return false;
  }
  return true;
}

static bool is_significant(const translation *t, unsigned role) {
  if (role == MPI_ROLE_ALWAYS || t->function->root < 0 || !t->facts)
    return true;
  const int root = (int)t->given[t->function->root];
  if (role == MPI_ROLE_ANY)
    return root != MPI_PROC_NULL;
  const bool is_inter = t->facts[MPI_FACT_IS_INTER];
  if (role == MPI_ROLE_LEAF)
    return !is_inter || root >= 0;
  return is_inter ? root == MPI_ROOT : root == t->facts[MPI_FACT_RANK];
}

static bool is_in_place(const translation *t, unsigned argument) {
  return t->function->arguments[argument].kind == MPI_KIND_BUFFER &&
         t->given[argument] == ABI_IN_PLACE;
}

/// Which arguments have a meaning in this call.
static void find_meaning(translation *t) {
  for (unsigned i = 0; i < t->function->count; ++i) {
    const mpi_argument *argument = &t->function->arguments[i];
    t->has_meaning[i] = is_significant(t, argument->role);
    const int owner = argument->owner;
    if (owner < 0)
      continue;
    const mpi_argument *buffer = &t->function->arguments[owner];
    t->has_meaning[i] = t->has_meaning[i] && is_significant(t, buffer->role) &&
                        !is_in_place(t, (unsigned)owner);
  }
}

static int64_t int_at(const char *bytes, uint64_t index) {
  int32_t value;
  memcpy(&value, bytes + 4 * index, sizeof value);
  return value;
}
static int64_t aint_at(const char *bytes, uint64_t index) {
  int64_t value;
  memcpy(&value, bytes + 8 * index, sizeof value);
  return value;
}

static int64_t sum_of(const translation *t, unsigned argument) {
  int64_t sum = 0;
  for (uint64_t i = 0; t->bytes[argument] && i < t->given[argument]; ++i)
    sum += int_at(t->bytes[argument], i);
  return sum;
}

/// The number of elements that the row says; -1 if there is none.
static int64_t many_of(const translation *t, mpi_many many) {
  switch (many.kind) {
  case MPI_GIVEN:
    return (int32_t)t->given[many.value];
  case MPI_NUMBER:
    return many.value;
  case MPI_LAST:
    return t->bytes[many.value] && t->given[many.value]
               ? int_at(t->bytes[many.value], t->given[many.value] - 1)
               : 0;
  case MPI_SUM:
    return sum_of(t, many.value);
  case MPI_PEERS:
    return t->facts ? t->facts[MPI_FACT_PEERS] : -1;
  case MPI_MEMBERS:
    return t->facts ? t->facts[MPI_FACT_MEMBERS] : -1;
  case MPI_SOURCES:
    return t->facts ? t->facts[MPI_FACT_SOURCES] : -1;
  case MPI_TARGETS:
    return t->facts ? t->facts[MPI_FACT_TARGETS] : -1;
  case MPI_DIMS:
    return t->facts ? t->facts[MPI_FACT_DIMS] : -1;
  default:
    return 1;
  }
}

//===-- Values ------------------------------------------------------------===//

/// A class of constants that a number or the elements of an array belong to.
static mpi_class class_of(const mpi_argument *argument) {
  return argument->kind == MPI_KIND_RANK  ? MPI_CLASS_RANK
         : argument->kind == MPI_KIND_TAG ? MPI_CLASS_TAG
                                          : argument->values;
}

static int translate_number(translation *t, unsigned i) {
  const mpi_argument *argument = &t->function->arguments[i];
  const int64_t value =
      argument->kind == MPI_KIND_AINT || argument->kind == MPI_KIND_OFFSET
          ? (int64_t)t->given[i]
          : (int32_t)t->given[i];
  t->op->native[i] = (uint64_t)value;
  if (argument->kind == MPI_KIND_COUNT && value < 0 && t->has_meaning[i])
    return MPI_ERR_COUNT;
  if (!class_of(argument))
    return MPI_SUCCESS;
  int native;
  if (!mpi_to_native(&t->engine->mpi, class_of(argument), value, &native))
    return error_of_kind(argument->kind);
  t->op->native[i] = (uint64_t)(int64_t)native;
  return MPI_SUCCESS;
}

static int translate_handle(translation *t, unsigned i) {
  const mpi_argument *argument = &t->function->arguments[i];
  uint64_t native;
  t->objects[i] = mpi_find(t->engine, argument->kind, t->given[i], &native);
  if (!t->objects[i] && t->has_meaning[i])
    return error_of_kind(argument->kind);
  if (!t->objects[i]) // without a meaning
    native = t->engine->mpi.handles[mpi_null_handle(argument->kind)];
  t->op->native[i] = native;
  if (argument->way == MPI_FREE || argument->way == MPI_BOTH) {
    t->op->slots[i][0] = native;
    t->op->native[i] = (uintptr_t)t->op->slots[i];
  }
  return MPI_SUCCESS;
}

/// The array as the library takes it, in memory of the call.
static int translate_array(translation *t, unsigned i) {
  const mpi_argument *argument = &t->function->arguments[i];
  const mpi_library *mpi = &t->engine->mpi;
  const uint64_t count = t->given[i];
  if (argument->kind == MPI_KIND_STATUS && count != 1)
    return MPI_ERR_ARG;
  if (is_absent(count)) {
    t->op->native[i] = count == MPI_ABSENT_UNWEIGHTED      ? mpi->unweighted
                       : count == MPI_ABSENT_WEIGHTS_EMPTY ? mpi->weights_empty
                                                           : 0;
    const int64_t wanted = t->has_meaning[i] ? many_of(t, argument->many) : 0;
    return count == MPI_ABSENT && wanted > 0 ? MPI_ERR_ARG : MPI_SUCCESS;
  }
  if (argument->kind != MPI_KIND_TEXT && argument->kind != MPI_KIND_STATUS &&
      t->has_meaning[i] && (int64_t)count != many_of(t, argument->many))
    return MPI_ERR_ARG;
  char *to = mpi_op_memory(t->op, (count + 1) * element_size(argument));
  if (!to)
    return MPI_ERR_NO_MEM;
  t->op->native[i] = (uintptr_t)to;
  memcpy(to, t->bytes[i], count * element_size(argument));
  for (uint64_t at = 0; at < count && t->has_meaning[i]; ++at) {
    uint64_t native = 0;
    int number;
    if (argument->kind == MPI_KIND_TYPES) {
      if (!mpi_find(t->engine, MPI_KIND_TYPE,
                    (uint64_t)aint_at(t->bytes[i], at), &native))
        return MPI_ERR_TYPE;
      memcpy(to + at * mpi->handle_size, &native, mpi->handle_size);
    } else if (class_of(argument)) {
      if (!mpi_to_native(mpi, class_of(argument), int_at(t->bytes[i], at),
                         &number))
        return MPI_ERR_ARG;
      memcpy(to + 4 * at, &number, sizeof number);
    }
  }
  if (argument->kind == MPI_KIND_STATUS) {
    int32_t status[2 * MPI_STATUS_WORDS];
    memcpy(status, t->bytes[i], sizeof status);
    mpi_write_status(mpi, status, (mpi_native_status *)t->op->slots[i]);
    t->op->native[i] = (uintptr_t)t->op->slots[i];
  }
  return MPI_SUCCESS;
}

/// Memory for what the library writes.
static int make_slot(translation *t, unsigned i) {
  const mpi_argument *argument = &t->function->arguments[i];
  memset(t->op->slots[i], 0, sizeof t->op->slots[i]);
  t->op->native[i] = (uintptr_t)t->op->slots[i];
  if (!is_array(argument))
    return MPI_SUCCESS;
  const int64_t count = many_of(t, argument->many);
  if (count < 0 || count > MOST_WRITTEN)
    return MPI_ERR_ARG;
  t->op->counts[i] = (uint64_t)count;
  if (!t->given[i]) // the program passes a null pointer
    t->op->native[i] =
        argument->kind == MPI_KIND_WEIGHTS ? t->engine->mpi.unweighted : 0;
  // One more: MPI_Info_get() writes a zero behind the value.
  void *memory = mpi_op_memory(t->op, ((uint64_t)count + 1) * 8);
  if (!memory)
    return MPI_ERR_NO_MEM;
  if (t->given[i])
    t->op->native[i] = (uintptr_t)memory;
  return MPI_SUCCESS;
}

//===-- Buffers -----------------------------------------------------------===//

typedef struct {
  __int128 first, end; ///< equal: no bytes
  bool has_gaps;
} span;

/// Adds `count` elements that begin at `at`.
static bool add_span(span *all, __int128 at, int64_t count,
                     const mpi_type_facts *facts) {
  if (count < 0)
    return false;
  if (!count || facts->true_extent <= 0)
    return true;
  const __int128 last = (__int128)(count - 1) * facts->extent;
  const __int128 first = at + facts->true_lb + (last < 0 ? last : 0);
  const __int128 end =
      at + facts->true_lb + facts->true_extent + (last > 0 ? last : 0);
  if (facts->true_extent != facts->size ||
      (count > 1 && facts->extent != facts->size))
    all->has_gaps = true;
  if (all->first == all->end) {
    all->first = first;
    all->end = end;
  } else {
    all->first = first < all->first ? first : all->first;
    all->end = end > all->end ? end : all->end;
  }
  return all->end - all->first <= MOST_BYTES && all->first > -MOST_BYTES * 2 &&
         end < ((__int128)1 << 62);
}

static int facts_of_argument(translation *t, unsigned i,
                             mpi_type_facts *facts) {
  if (!t->objects[i])
    return MPI_ERR_TYPE;
  return mpi_facts_of_type(t->engine, t->objects[i], t->op->native[i], facts);
}

/// The span of blocks at displacements.
static int spread_span(translation *t, const mpi_argument *buffer, span *all) {
  const mpi_argument *displs = &t->function->arguments[buffer->displs];
  const bool is_typed = is_array(&t->function->arguments[buffer->type]);
  const char *counts = t->bytes[buffer->count], *at = t->bytes[buffer->displs],
             *types = t->bytes[buffer->type];
  const int64_t blocks = many_of(t, buffer->blocks);
  mpi_type_facts facts = {0, 0, 0, 0};
  all->has_gaps = true;
  if (blocks > 0 && (!counts || !at || (is_typed && !types)))
    return MPI_ERR_ARG;
  int error = is_typed || blocks <= 0
                  ? MPI_SUCCESS
                  : facts_of_argument(t, buffer->type, &facts);
  for (int64_t i = 0; i < blocks && !error; ++i) {
    if (is_typed) {
      uint64_t native;
      mpi_object *type =
          mpi_find(t->engine, MPI_KIND_TYPE,
                   (uint64_t)aint_at(types, (uint64_t)i), &native);
      error = type ? mpi_facts_of_type(t->engine, type, native, &facts)
                   : MPI_ERR_TYPE;
    }
    const int64_t displ = displs->kind == MPI_KIND_AINTS
                              ? aint_at(at, (uint64_t)i)
                              : int_at(at, (uint64_t)i);
    const __int128 place = (__int128)displ * (is_typed ? 1 : facts.extent);
    if (!error && !add_span(all, place, int_at(counts, (uint64_t)i), &facts))
      error = MPI_ERR_COUNT;
  }
  return error;
}

/// The bytes that a call uses of a buffer.
static int span_of(translation *t, const mpi_argument *buffer, span *all) {
  if (buffer->form == MPI_FORM_SPREAD)
    return spread_span(t, buffer, all);
  if (buffer->form == MPI_FORM_BYTES) {
    all->end = t->function->arguments[buffer->count].kind == MPI_KIND_AINT
                   ? (__int128)(int64_t)t->given[buffer->count]
                   : (__int128)(int32_t)t->given[buffer->count];
    return all->end < 0 || all->end > MOST_BYTES ? MPI_ERR_COUNT : MPI_SUCCESS;
  }
  mpi_type_facts facts;
  const int error = facts_of_argument(t, buffer->type, &facts);
  if (error)
    return error;
  int64_t count = buffer->count == MPI_ONE_ELEMENT ? 1
                  : buffer->form == MPI_FORM_SUM
                      ? sum_of(t, buffer->count)
                      : (int32_t)t->given[buffer->count];
  if (buffer->form == MPI_FORM_BLOCKS) {
    const int64_t blocks = many_of(t, buffer->blocks);
    if (blocks < 0)
      return MPI_ERR_COMM;
    count *= blocks;
  }
  return add_span(all, 0, count, &facts) ? MPI_SUCCESS : MPI_ERR_COUNT;
}

static int translate_buffer(translation *t, unsigned i) {
  const mpi_argument *buffer = &t->function->arguments[i];
  t->op->native[i] = 0;
  if (!t->has_meaning[i])
    return MPI_SUCCESS;
  if (is_in_place(t, i)) {
    t->op->native[i] = t->engine->mpi.in_place;
    return MPI_SUCCESS;
  }
  span all = {0, 0, false};
  const int error = span_of(t, buffer, &all);
  return error ? error
               : mpi_stage(t->engine, t->op, t->given[i], (int64_t)all.first,
                           (uint64_t)(all.end - all.first), buffer->writes,
                           all.has_gaps, &t->op->native[i]);
}

//===-- All arguments -----------------------------------------------------===//

static int translate_one(translation *t, unsigned i) {
  const mpi_argument *argument = &t->function->arguments[i];
  if (argument->way == MPI_BUFFER)
    return MPI_SUCCESS; // when the others are known
  if (is_sent(argument))
    return translate_array(t, i);
  if (argument->way == MPI_OUT)
    return make_slot(t, i);
  if (argument->kind < MPI_HANDLE_KINDS)
    return translate_handle(t, i);
  if (argument->way == MPI_BOTH) {
    t->op->slots[i][0] = t->given[i];
    t->op->native[i] = (uintptr_t)t->op->slots[i];
    return MPI_SUCCESS;
  }
  if (argument->kind == MPI_KIND_FUNCTION || argument->kind == MPI_KIND_ADDRESS)
    return MPI_SUCCESS;
  return translate_number(t, i);
}

/// The communicator comes first: others depend on it.
static int translate_object(translation *t) {
  const int object = t->function->object;
  if (object < 0 || t->function->arguments[object].kind != MPI_KIND_COMM)
    return MPI_SUCCESS;
  uint64_t native;
  mpi_object *comm =
      mpi_find(t->engine, MPI_KIND_COMM, t->given[object], &native);
  if (!comm)
    return MPI_ERR_COMM;
  if (native == t->engine->mpi.handles[ABI_MPI_COMM_NULL])
    return MPI_SUCCESS; // the library refuses it, or does not
  if (t->op->flight)
    t->op->flight->comm = t->given[object];
  return mpi_facts_of_comm(t->engine, comm, native, &t->facts);
}

int mpi_translate(mpi_engine *engine, mpi_op *op) {
  translation t = {
      .engine = engine, .op = op, .function = op->function, .given = op->words};
  if (op->word_count < op->function->count || !find_arrays(&t))
    return MPI_ERR_ARG;
  int error = translate_object(&t);
  if (!error)
    find_meaning(&t);
  for (unsigned i = 0; i < op->function->count && !error; ++i)
    error = translate_one(&t, i);
  for (unsigned i = 0; i < op->function->count && !error; ++i)
    if (op->function->arguments[i].way == MPI_BUFFER)
      error = translate_buffer(&t, i);
  return error;
}

const void *mpi_sent_array(const mpi_op *op, unsigned argument,
                           uint64_t *count) {
  translation t = {.op = (mpi_op *)(uintptr_t)op,
                   .function = op->function,
                   .given = op->words};
  *count = 0;
  if (op->word_count < op->function->count || !find_arrays(&t) ||
      !t.bytes[argument])
    return NULL;
  *count = op->words[argument];
  return t.bytes[argument];
}

//===-- Results -----------------------------------------------------------===//

static void answer_array(mpi_engine *engine, mpi_op *op, unsigned i) {
  const mpi_argument *argument = &op->function->arguments[i];
  char *from = (char *)(uintptr_t)op->native[i];
  uint64_t count = from && op->words[i] ? op->counts[i] : 0;
  if (argument->way == MPI_BOTH)
    count = from && !is_absent(op->words[i]) ? op->words[i] : 0;
  if (argument->kind == MPI_KIND_TEXT && from)
    count = strnlen(from, count) + 1;
  mpi_answer_word(op, count);
  if (argument->kind == MPI_KIND_TEXT && from)
    from[count - 1] = 0;
  for (uint64_t at = 0; at < count && argument->kind != MPI_KIND_TEXT; ++at) {
    int value;
    uint64_t native = 0;
    if (argument->kind == MPI_KIND_TYPES) {
      memcpy(&native, from + at * engine->mpi.handle_size,
             engine->mpi.handle_size);
      mpi_answer_word(op, mpi_handle_of(engine, MPI_KIND_TYPE, native));
    } else if (class_of(argument)) {
      memcpy(&value, from + 4 * at, sizeof value);
      mpi_from_native(&engine->mpi, class_of(argument), value, &value);
      memcpy(from + 4 * at, &value, sizeof value);
    }
  }
  if (argument->kind != MPI_KIND_TYPES && from)
    mpi_answer_bytes(op, from, count * element_size(argument));
}

/// The handle of what the library has made.
static uint64_t answer_handle(mpi_engine *engine, mpi_op *op, unsigned i) {
  const mpi_kind kind = op->function->arguments[i].kind;
  if (kind == MPI_KIND_REQUEST)
    return mpi_make_request(engine, op);
  if (op->made)
    return op->made;
  if (kind == MPI_KIND_WIN) { // its errors come back to the device
    const uint64_t words[] = {op->slots[i][0],
                              engine->mpi.handles[ABI_MPI_ERRORS_RETURN]};
    mpi_native(&engine->mpi, MPI_CALL_Win_set_errhandler, words);
  }
  return mpi_handle_of(engine, kind, op->slots[i][0]);
}

static void answer_one(mpi_engine *engine, mpi_op *op, unsigned i) {
  const mpi_argument *argument = &op->function->arguments[i];
  const uint64_t slot = op->slots[i][0];
  int value = (int)slot;
  if (argument->kind == MPI_KIND_STATUS) {
    int32_t status[2 * MPI_STATUS_WORDS];
    if (op->has_flight_status)
      memcpy(status, op->flight->status, sizeof status);
    else
      mpi_read_status(&engine->mpi, (const mpi_native_status *)op->slots[i],
                      status);
    mpi_answer_bytes(op, status, sizeof status);
  } else if (is_array(argument)) {
    answer_array(engine, op, i);
  } else if (argument->way == MPI_FREE) {
    mpi_remove(engine, argument->kind, op->words[i]);
    mpi_answer_word(op, mpi_null_handle(argument->kind));
  } else if (argument->kind < MPI_HANDLE_KINDS && argument->way == MPI_BOTH) {
    mpi_answer_word(op, op->words[i]);
  } else if (argument->kind < MPI_HANDLE_KINDS) {
    mpi_answer_word(op, answer_handle(engine, op, i));
  } else if (class_of(argument)) {
    mpi_from_native(&engine->mpi, class_of(argument), value, &value);
    mpi_answer_word(op, (uint64_t)(int64_t)value);
  } else {
    mpi_answer_word(
        op, argument->kind == MPI_KIND_INT ? (uint64_t)(int64_t)value : slot);
  }
}

void mpi_translate_back(mpi_engine *engine, mpi_op *op) {
  mpi_answer_error(op, MPI_SUCCESS);
  for (unsigned i = 0; i < op->function->count; ++i) {
    const mpi_argument *argument = &op->function->arguments[i];
    if (argument->way == MPI_OUT || argument->way == MPI_BOTH ||
        argument->way == MPI_FREE)
      answer_one(engine, op, i);
  }
}
