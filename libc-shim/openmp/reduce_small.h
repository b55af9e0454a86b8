//===-- libc-shim/openmp/reduce_small.h - Parts of reductions -------------===//
#ifndef GPUEXEC_LIBC_REDUCE_SMALL_H
#define GPUEXEC_LIBC_REDUCE_SMALL_H

#include "libc-shim/openmp/team.h"

/// clang's function: combines the variables of the list with those of the lane
/// `distance` lanes on. `kind`: OMP_ALL_LANES; OMP_FIRST_LANES, lanes from
/// `distance` on take over the others'.
typedef void omp_shuffle(void **list, int16_t lane, int16_t distance,
                         int16_t kind);
enum { OMP_ALL_LANES, OMP_FIRST_LANES };

typedef void omp_pack(char *to, void **list);
typedef void omp_unpack(void **list, const char *from);

typedef struct {
  omp_shuffle *shuffle;
  omp_pack *pack;
  omp_unpack *unpack, *add;
} omp_reduction;

#endif
