// MPI_THREAD_MULTIPLE: threads of POSIX, each with messages of its own, whose receives wait while others send; collectives on communicators of their own;
// and all lanes of a wave at once.
// REQUIRES: mpi
// RUN: %gpucc -O1 -w %s -lmpi -lpthread -o %t
// RUN: %mpi openmpi 2 %run --blocks=8 %t > %t.openmpi
// RUN: FileCheck %s < %t.openmpi
// RUN: %mpi mpich 2 %run --blocks=8 %t > %t.mpich
// RUN: FileCheck %s < %t.mpich
// CHECK: rank 0: 4 threads, 400 messages, sums right
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, MESSAGES = 100 };
static int rank, size, right[THREADS];
static MPI_Comm comms[THREADS];

static void *work(void *argument) {
  const long id = (long)argument;
  const int other = 1 - rank;
  long sum = 0;
  for (int i = 0; i < MESSAGES; ++i) {
    int sent = (int)id * MESSAGES + i, got = -1;
    // Even threads receive before they send: a blocking call that kept others out would never end.
    if (rank == (id & 1))
      MPI_Recv(&got, 1, MPI_INT, other, (int)id, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&sent, 1, MPI_INT, other, (int)id, MPI_COMM_WORLD);
    if (rank != (id & 1))
      MPI_Recv(&got, 1, MPI_INT, other, (int)id, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += got;
  }
  long all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, comms[id]);
  const long one = id * MESSAGES * MESSAGES + (long)MESSAGES * (MESSAGES - 1) / 2;
  right[id] = sum == one && all == 2 * one;
  return NULL;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE)
    return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (long i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, work, (void *)i))
      return 2;
  int all_right = 1;
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    all_right &= right[i];
  }
  if (!rank)
    printf("rank %d: %d threads, %d messages, sums %s\n", rank, THREADS, THREADS * MESSAGES, all_right ? "right" : "wrong");
  MPI_Finalize();
  return 0;
}
