//===-- libc-shim/openmp/loops.c - Loops of a static schedule -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread computes its own iterations. Loops whose iterations wait for each
// other (doacross) run in one lane of each wave on AMD: team.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/schedules.h"
#include "libc-shim/openmp/team.h"

// Inlined, because schedule, step and chunk are mostly constants.
#define INLINED __attribute__((always_inline))

/// The thread's number among the `count` threads that share a loop's
/// iterations. `none`: this thread gets none.
typedef struct {
  uint64_t number, count;
  bool none;
} loop_share;

static inline INLINED loop_share own_share(void) {
#ifdef __NVPTX__
  const team_place place = own_place();
  return (loop_share){place.number, place.size, false};
#endif
  const omp_thread *self = __gpuexec_omp_self();
  if (!self->leads_only)
    return (loop_share){self->number, self->team->size, false};
  return (loop_share){leader_number(self), leaders_of(self->team->size),
                      !leads(self->team->size)};
}

// TYPE is that of the iteration variable; UNSIGNED and SIGNED are the integers
// of its width. The function sets the bounds of the thread's first chunk, both
// inclusive, the distance between its chunks (*stride), and whether the thread
// executes the last iteration.
#define STATIC_INIT(NAME, TYPE, UNSIGNED, SIGNED)                              \
  INLINED void NAME(source_place *place, int32_t thread, int32_t schedule,     \
                    int32_t *last, TYPE *lower, TYPE *upper, SIGNED *stride,   \
                    SIGNED step, SIGNED chunk) {                               \
    (void)place, (void)thread;                                                 \
    const loop_share share = own_share();                                      \
    if (step > 0 ? *lower > *upper : *lower < *upper) {                        \
      *last = 0;                                                               \
      *stride = step;                                                          \
      return;                                                                  \
    }                                                                          \
    const UNSIGNED distance = step > 0 ? (UNSIGNED)*upper - (UNSIGNED)*lower   \
                                       : (UNSIGNED)*lower - (UNSIGNED)*upper;  \
    const UNSIGNED last_trip =                                                 \
        distance / (step > 0 ? (UNSIGNED)step : -(UNSIGNED)step);              \
    const UNSIGNED add = (UNSIGNED)step;                                       \
    UNSIGNED first, length; /* of the thread's first chunk, in iterations */   \
    bool empty = share.none;                                                   \
    if (is_chunked(schedule)) {                                                \
      length = chunk > 0 ? (UNSIGNED)chunk : 1;                                \
      first = (UNSIGNED)(share.number * length);                               \
      *stride = (SIGNED)((UNSIGNED)(share.count * length) * add);              \
      *last = !empty && share.number == last_trip / length % share.count;      \
      if (empty || share.number > last_trip / length)                          \
        empty = true;                                                          \
    } else { /* one chunk, the first ones larger by one */                     \
      const uint64_t trips = (uint64_t)last_trip + 1; /* 0: 2^64 */            \
      const uint64_t small =                                                   \
          trips ? trips / share.count : ~0ull / share.count;                   \
      const uint64_t more =                                                    \
          trips ? trips % share.count : ~0ull % share.count + 1;               \
      length = (UNSIGNED)(small + (share.number < more));                      \
      first = (UNSIGNED)(share.number * small +                                \
                         (share.number < more ? share.number : more));         \
      *stride = (SIGNED)(trips ? trips * add : 0);                             \
      empty |= !length;                                                        \
      *last = !empty && first + length - 1 == last_trip;                       \
    }                                                                          \
    if (empty) { /* nothing, whichever the sign of the step */                 \
      *lower = *upper + (TYPE)add;                                             \
      return;                                                                  \
    }                                                                          \
    *upper = (TYPE)((UNSIGNED)*lower + (first + length - 1) * add);            \
    *lower = (TYPE)((UNSIGNED)*lower + first * add);                           \
  }

STATIC_INIT(__kmpc_for_static_init_4, int32_t, uint32_t, int32_t)
STATIC_INIT(__kmpc_for_static_init_4u, uint32_t, uint32_t, int32_t)
STATIC_INIT(__kmpc_for_static_init_8, int64_t, uint64_t, int64_t)
STATIC_INIT(__kmpc_for_static_init_8u, uint64_t, uint64_t, int64_t)

void __kmpc_for_static_fini(source_place *place, int32_t thread) {
  (void)place, (void)thread;
}

// There is one team, so distribute gives it all iterations.
#define DISTRIBUTE_INIT(NAME, TYPE, SIGNED)                                    \
  void NAME(source_place *place, int32_t thread, int32_t schedule,             \
            int32_t *last, TYPE *lower, TYPE *upper, SIGNED *stride,           \
            SIGNED step, SIGNED chunk) {                                       \
    (void)place, (void)thread, (void)schedule, (void)step, (void)chunk;        \
    *last = 1;                                                                 \
    *stride = (SIGNED)(*upper - *lower + 1);                                   \
  }
DISTRIBUTE_INIT(__kmpc_distribute_static_init_4, int32_t, int32_t)
DISTRIBUTE_INIT(__kmpc_distribute_static_init_4u, uint32_t, int32_t)
DISTRIBUTE_INIT(__kmpc_distribute_static_init_8, int64_t, int64_t)
DISTRIBUTE_INIT(__kmpc_distribute_static_init_8u, uint64_t, int64_t)

void __kmpc_distribute_static_fini(source_place *place, int32_t thread) {
  (void)place, (void)thread;
}
