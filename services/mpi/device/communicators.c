//===-- services/mpi/device/communicators.c - Facts of communicators ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many ranks a communicator has and which of them this program is: the host
// says it once, then the device knows it.
//===----------------------------------------------------------------------===//
#include "services/mpi/device/call.h"
#include <string.h>

enum { KNOWN_COMMUNICATORS = 64 };
static struct {
  uint64_t comm; ///< 0: free
  int facts[MPI_FACTS];
} known[KNOWN_COMMUNICATORS];
static uint32_t lock;

static unsigned slot_of(MPI_Comm comm) {
  const uint64_t handle = (uint64_t)comm;
  return (unsigned)(handle & MPI_OBJECT_BIT ? handle >> 4 : handle) %
         KNOWN_COMMUNICATORS;
}

int mpi_fact(MPI_Comm comm, int fact) {
  const unsigned slot = slot_of(comm);
  int facts[MPI_FACTS] = {0};
  bool is_known = false;
  MPI_LOCKED(&lock) {
    is_known = known[slot].comm == (uint64_t)comm;
    if (is_known)
      memcpy(facts, known[slot].facts, sizeof facts);
  }
  if (is_known)
    return facts[fact];
  if (mpi_ask_facts(MPI_CALL_Comm_facts, (uint64_t)comm, facts, MPI_FACTS,
                    sizeof *facts))
    return 0;
  MPI_LOCKED(&lock) {
    known[slot].comm = (uint64_t)comm;
    memcpy(known[slot].facts, facts, sizeof facts);
  }
  return facts[fact];
}

void mpi_forget_facts(MPI_Comm comm) {
  const unsigned slot = slot_of(comm);
  MPI_LOCKED(&lock) {
    if (known[slot].comm == (uint64_t)comm)
      known[slot].comm = 0;
  }
}

// Programs ask often. What is no communicator has no members: the host refuses
// it.
int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  if (!mpi_members(comm))
    return mpi_raw_Comm_rank(comm, rank);
  *rank = mpi_fact(comm, MPI_FACT_RANK);
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
  const int members = mpi_members(comm);
  if (!members)
    return mpi_raw_Comm_size(comm, size);
  *size = members;
  return MPI_SUCCESS;
}

int64_t mpi_sum(const int *numbers, int count) {
  int64_t sum = 0;
  for (int i = 0; numbers && i < count; ++i)
    sum += numbers[i];
  return sum;
}

int64_t mpi_last(const int *numbers, int count) {
  return numbers && count > 0 ? numbers[count - 1] : 0;
}
