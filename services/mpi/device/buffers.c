//===-- services/mpi/device/buffers.c - Where a buffer's bytes lie --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers on a thread's stack, which are copied for the host, and the copies of
// those that belong to requests.
//===----------------------------------------------------------------------===//
#include "services/mpi/device/call.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t first, true_extent, extent, size;
} type_facts;

static const struct {
  uint64_t type;
  short size, extent;
} predefined[] = {
#define MPI_HANDLE(KIND, NAME, VALUE, SYMBOL, NUMBER, SIZE, EXTENT)            \
  MPI_PREDEFINED_##KIND(VALUE, SIZE, EXTENT)
#define MPI_PREDEFINED_TYPE(VALUE, SIZE, EXTENT) {VALUE, SIZE, EXTENT},
#define MPI_PREDEFINED_OP(...)
#define MPI_PREDEFINED_COMM(...)
#define MPI_PREDEFINED_GROUP(...)
#define MPI_PREDEFINED_WIN(...)
#define MPI_PREDEFINED_FILE(...)
#define MPI_PREDEFINED_MESSAGE(...)
#define MPI_PREDEFINED_INFO(...)
#define MPI_PREDEFINED_ERRHANDLER(...)
#define MPI_PREDEFINED_REQUEST(...)
#include "mpi_handles.inc"
};

/// False if the host knows no such datatype.
static bool facts_of(MPI_Datatype type, type_facts *facts) {
  for (unsigned i = 0; i < sizeof predefined / sizeof *predefined; ++i)
    if (predefined[i].type == (uint64_t)type && predefined[i].size) {
      const int64_t size = predefined[i].size;
      *facts =
          (type_facts){0, predefined[i].extent, predefined[i].extent, size};
      return true;
    }
  MPI_Aint asked[4] = {0, 0, 0, 0};
  const int error = mpi_ask_facts(MPI_CALL_Type_facts, (uint64_t)type, asked, 4,
                                  sizeof *asked);
  *facts = (type_facts){asked[MPI_TYPE_TRUE_LB], asked[MPI_TYPE_TRUE_EXTENT],
                        asked[MPI_TYPE_EXTENT], asked[MPI_TYPE_SIZE]};
  return !error;
}

int64_t mpi_type_size(MPI_Datatype type) {
  type_facts facts;
  return facts_of(type, &facts) ? facts.size : -1;
}

mpi_span mpi_bytes(int64_t size) {
  return (mpi_span){0, size > 0 ? (uint64_t)size : 0};
}

static mpi_span span_of(int64_t count, const type_facts *facts) {
  if (count <= 0 || facts->true_extent <= 0)
    return MPI_NO_SPAN;
  const int64_t to_last = (count - 1) * facts->extent;
  return (mpi_span){
      facts->first + (to_last < 0 ? to_last : 0),
      (uint64_t)(facts->true_extent + (to_last < 0 ? -to_last : to_last))};
}

mpi_span mpi_span_of(int64_t count, MPI_Datatype type) {
  type_facts facts;
  return count > 0 && facts_of(type, &facts) ? span_of(count, &facts)
                                             : MPI_NO_SPAN;
}

/// The span that covers both, of which the second begins `at` bytes behind.
static mpi_span cover(mpi_span a, mpi_span b, int64_t at) {
  if (!b.size)
    return a;
  b.first += at;
  if (!a.size)
    return b;
  const int64_t first = a.first < b.first ? a.first : b.first;
  const int64_t end_a = a.first + (int64_t)a.size,
                end_b = b.first + (int64_t)b.size;
  return (mpi_span){first, (uint64_t)((end_a > end_b ? end_a : end_b) - first)};
}

mpi_span mpi_span_spread(const int *counts, const int *displs, int blocks,
                         MPI_Datatype type) {
  mpi_span span = MPI_NO_SPAN;
  type_facts facts;
  if (facts_of(type, &facts))
    for (int i = 0; i < blocks; ++i)
      span = cover(span, span_of(counts[i], &facts), displs[i] * facts.extent);
  return span;
}

mpi_span mpi_span_typed(const int *counts, const int *displs, int blocks,
                        const MPI_Datatype *types) {
  mpi_span span = MPI_NO_SPAN;
  for (int i = 0; i < blocks; ++i)
    span = cover(span, mpi_span_of(counts[i], types[i]), displs[i]);
  return span;
}

mpi_span mpi_span_typed_far(const int *counts, const MPI_Aint *displs,
                            int blocks, const MPI_Datatype *types) {
  mpi_span span = MPI_NO_SPAN;
  for (int i = 0; i < blocks; ++i)
    span = cover(span, mpi_span_of(counts[i], types[i]), displs[i]);
  return span;
}

//===-- Copies that belong to requests ------------------------------------===//

/// A copied buffer of a request. Only the bytes that have changed since
/// `before` are copied back: between those of a datatype with gaps lie bytes
/// that are not the request's.
typedef struct kept {
  struct kept *next;
  MPI_Request request;
  mpi_bounce bounce;
  unsigned char *before;
} kept;

static uint32_t lock;
static kept *first_kept;

void mpi_keep(mpi_call *call, MPI_Request request) {
  for (uint32_t i = 0; i < call->bounces; ++i) {
    kept *entry = malloc(sizeof *entry);
    if (!entry)
      abort();
    const mpi_bounce bounce = call->bounce[i];
    *entry = (kept){.request = request, .bounce = bounce};
    if (bounce.directions & MPI_WRITES)
      entry->before = copy_of_own(bounce.own, bounce.size, "MPI");
    MPI_LOCKED(&lock) {
      entry->next = first_kept;
      first_kept = entry;
    }
  }
  call->bounces = 0;
}

/// Takes the first copy of the request out of the list. `rest` gets what is
/// left of it.
static kept *take(MPI_Request request) {
  kept *found = NULL;
  MPI_LOCKED(&lock) {
    for (kept **at = &first_kept; *at; at = &(*at)->next)
      if ((*at)->request == request) {
        found = *at;
        *at = found->next;
        break;
      }
  }
  return found;
}

static void put_back(kept *entries) {
  while (entries) {
    kept *next = entries->next;
    MPI_LOCKED(&lock) {
      entries->next = first_kept;
      first_kept = entries;
    }
    entries = next;
  }
}

static bool has_kept(void) {
  return __scoped_atomic_load_n(&first_kept, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE) != NULL;
}

void mpi_refresh(MPI_Request request) {
  kept *entry, *all = NULL;
  while (has_kept() && (entry = take(request))) {
    memcpy(entry->bounce.copy, entry->bounce.own, entry->bounce.size);
    if (entry->before)
      memcpy(entry->before, entry->bounce.own, entry->bounce.size);
    entry->next = all;
    all = entry;
  }
  put_back(all);
}

void mpi_release(MPI_Request request, bool is_gone) {
  kept *entry, *all = NULL;
  while (has_kept() && (entry = take(request))) {
    const mpi_bounce bounce = entry->bounce;
    if (entry->before)
      for (uint64_t i = 0; i < bounce.size; ++i)
        if (bounce.copy[i] != entry->before[i])
          bounce.own[i] = bounce.copy[i];
    if (is_gone) {
      free(bounce.copy);
      free(entry->before);
      free(entry);
    } else {
      entry->next = all;
      all = entry;
    }
  }
  put_back(all);
}
