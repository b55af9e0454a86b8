// Collectives of MPI against results computed plainly, with counts that differ by rank, in place, with derived datatypes and on the stack; also their
// non-blocking forms. Each program prints the same lines as its native form.
// REQUIRES: mpi
// RUN: %gpucc -O1 %s -lmpi -o %t
// RUN: %mpi openmpi 4 %run %t > %t.openmpi
// RUN: %mpi mpich 3 %run %t > %t.mpich
// RUN: FileCheck %s < %t.openmpi
// RUN: FileCheck %s < %t.mpich
// RUN: %mpi mpich 4 %run --service %build/lib/gpuexec/services/libgpuexec-mpi.so,copies %t | FileCheck %s
// CHECK-NOT: wrong
// CHECK: all right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, COUNT = 1000 };
static int rank, size, wrong;

static void expect(int right, const char *what) {
  if (!right) {
    printf("wrong: %s on rank %d\n", what, rank);
    wrong = 1;
  }
}

static void rooted(int root) {
  int mine[4] = {rank, root, rank * root, 7}, all[4 * MOST];
  memset(all, 0, sizeof all);
  MPI_Gather(mine, 4, MPI_INT, all, 4, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < size && rank == root; ++i)
    expect(all[4 * i] == i && all[4 * i + 1] == root && all[4 * i + 2] == i * root && all[4 * i + 3] == 7, "gather");
  // Counts that differ, with gaps between the blocks.
  int counts[MOST], displs[MOST], sent[MOST], blocks[16 * MOST];
  for (int i = 0; i < size; ++i) {
    counts[i] = i;
    displs[i] = 10 * (size - 1 - i);
    sent[i] = 100 * rank + i;
  }
  memset(blocks, -1, sizeof blocks);
  MPI_Gatherv(sent, rank, MPI_INT, blocks, rank == root ? counts : NULL, rank == root ? displs : NULL, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < size && rank == root; ++i)
    for (int k = 0; k < 10; ++k)
      expect(blocks[displs[i] + k] == (k < i ? 100 * i + k : -1), "gatherv");
  int got[MOST];
  memset(got, -1, sizeof got);
  MPI_Scatterv(blocks, counts, displs, MPI_INT, got, rank, MPI_INT, root, MPI_COMM_WORLD);
  for (int k = 0; k < MOST; ++k)
    expect(got[k] == (k < rank ? 100 * rank + k : -1), "scatterv");
  double *large = malloc(COUNT * sizeof *large);
  for (int i = 0; i < COUNT; ++i)
    large[i] = rank == root ? i * 0.5 : -1;
  MPI_Bcast(large, COUNT, MPI_DOUBLE, root, MPI_COMM_WORLD);
  for (int i = 0; i < COUNT; ++i)
    expect(large[i] == i * 0.5, "bcast");
  for (int i = 0; i < COUNT; ++i)
    large[i] = rank + i;
  double *sums = calloc(COUNT, sizeof *sums);
  MPI_Reduce(rank == root ? MPI_IN_PLACE : large, rank == root ? large : NULL, COUNT, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
  for (int i = 0; i < COUNT && rank == root; ++i)
    expect(large[i] == size * (size - 1) / 2 + (double)i * size, "reduce in place");
  free(large);
  free(sums);
}

static void all_to_all(void) {
  int sent[MOST * MOST], got[MOST * MOST], counts[MOST], displs[MOST], from[MOST], places[MOST];
  for (int i = 0; i < size; ++i)
    sent[i] = 10 * rank + i;
  MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    expect(got[i] == 10 * i + rank, "alltoall");
  for (int i = 0; i < size; ++i) {
    counts[i] = (rank + i) % 3;
    from[i] = (rank + i) % 3;
    displs[i] = MOST * i;
    places[i] = MOST * (size - 1 - i);
    for (int k = 0; k < MOST; ++k)
      sent[MOST * i + k] = 100 * rank + 10 * i + k;
  }
  memset(got, -1, sizeof got);
  MPI_Alltoallv(sent, counts, displs, MPI_INT, got, from, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < MOST; ++k)
      expect(got[places[i] + k] == (k < from[i] ? 100 * i + 10 * rank + k : -1), "alltoallv");
  MPI_Datatype types[MOST];
  for (int i = 0; i < size; ++i) {
    types[i] = MPI_INT;
    displs[i] *= sizeof(int);
    places[i] *= sizeof(int);
  }
  memset(got, -1, sizeof got);
  MPI_Request request;
  MPI_Ialltoallw(sent, counts, displs, types, got, from, places, types, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < MOST; ++k)
      expect(got[places[i] / 4 + k] == (k < from[i] ? 100 * i + 10 * rank + k : -1), "ialltoallw");
  int gathered[MOST];
  memset(gathered, 0, sizeof gathered);
  gathered[rank] = rank * rank;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathered, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    expect(gathered[i] == i * i, "allgather in place");
}

static void reductions(void) {
  struct {
    double value;
    int place;
  } mine = {rank == 1 ? 9.5 : rank, rank}, most;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  expect(most.value == 9.5 && most.place == 1, "maxloc");
  int value = rank + 1, scanned = 0, before = -1, product;
  MPI_Scan(&value, &scanned, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(scanned == (rank + 1) * (rank + 2) / 2, "scan");
  MPI_Exscan(&value, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(before == (rank ? rank * (rank + 1) / 2 : -1), "exscan");
  MPI_Request request;
  MPI_Iallreduce(&value, &product, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD, &request);
  int done = 0;
  while (!done)
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  expect(product == (size == 4 ? 24 : 6) && request == MPI_REQUEST_NULL, "iallreduce");
  long double wide = rank * 0.25L, total;
  MPI_Allreduce(&wide, &total, 1, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(total == size * (size - 1) * 0.125L, "long double");
  int counts[MOST], parts[MOST], part = 0;
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    parts[i] = rank + i;
  }
  MPI_Reduce_scatter(parts, &part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(part == size * (size - 1) / 2 + size * rank, "reduce_scatter");
  MPI_Reduce_scatter_block(MPI_IN_PLACE, parts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(parts[0] == size * (size - 1) / 2 + size * rank, "reduce_scatter_block in place");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int root = 0; root < size; ++root)
    rooted(root);
  all_to_all();
  reductions();
  MPI_Barrier(MPI_COMM_WORLD);
  int any;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  if (!rank && !any)
    printf("all right\n");
  MPI_Finalize();
  return 0;
}
