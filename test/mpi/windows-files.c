// Windows of memory and files: what the device prints is what the natively compiled program prints.
// REQUIRES: mpi
// RUN: rm -rf %t.folder && mkdir %t.folder && cd %t.folder && %gpucc -O1 -w %s -lmpi -o device
// RUN: for mpi in openmpi mpich; do mpicc.$mpi -w %s -o $mpi.host && %mpi $mpi 4 ./$mpi.host > expected && %mpi $mpi 4 %run device > $mpi && diff expected $mpi || echo "failed: mpi=$mpi"; done > result
// RUN: not grep . result
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static char said[4096];
#define SAY(...) (sprintf(said + strlen(said), "%d: ", rank), sprintf(said + strlen(said), __VA_ARGS__), strcat(said, "\n"))

static void windows(void) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  int *shared, sent[8], got[8] = {0};
  for (int i = 0; i < 8; ++i)
    sent[i] = rank * 100 + i;
  MPI_Win win;
  MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &win);
  for (int i = 0; i < 64; ++i)
    shared[i] = -rank;
  MPI_Win_fence(0, win);
  MPI_Put(sent, 8, MPI_INT, next, 4, 8, MPI_INT, win);
  MPI_Win_fence(0, win);
  SAY("put %d %d %d %d", shared[3], shared[4], shared[11], shared[12]);
  MPI_Win_fence(0, win);
  MPI_Get(got, 8, MPI_INT, last, 4, 8, MPI_INT, win);
  MPI_Win_fence(0, win);
  SAY("got %d %d", got[0], got[7]);
  MPI_Win_fence(0, win);
  MPI_Accumulate(sent, 4, MPI_INT, 0, 20, 4, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  if (!rank)
    SAY("sums %d %d %d", shared[20], shared[23], shared[24]);
  // With locks: a counter of rank 0, fetched and added to by all.
  if (!rank)
    shared[40] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  int one = 1, before = -1, sum = 0, *flavor, flag;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 40, MPI_SUM, win);
  MPI_Win_unlock(0, win);
  MPI_Allreduce(&before, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
  SAY("fetched in all %d, flavor %d", sum, flag && *flavor == MPI_WIN_FLAVOR_ALLOCATE);
  MPI_Win_free(&win);
  // Memory of the program's own, whose units are bytes.
  double *own = malloc(4 * sizeof *own), value = rank + 0.5;
  memset(own, 0, 4 * sizeof *own);
  MPI_Win_create(own, 4 * sizeof *own, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_DOUBLE, next, 8, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  SAY("own %g %g", own[0], own[1]);
  MPI_Win_free(&win);
  free(own);
}

static void files(void) {
  MPI_File file;
  int numbers[5], read[5] = {0}, count;
  MPI_Status status;
  MPI_Offset bytes;
  for (int i = 0; i < 5; ++i)
    numbers[i] = rank * 10 + i;
  MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, rank * 20, numbers, 5, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_read_at(file, (rank + 1) % size * 20, read, 5, MPI_INT, &status);
  MPI_File_get_size(file, &bytes);
  SAY("wrote %d, read %d %d, size %lld", count, read[0], read[4], (long long)bytes);
  // Each rank sees every `size`th number.
  MPI_Datatype every;
  MPI_Type_create_resized(MPI_INT, 0, size * sizeof(int), &every);
  MPI_Type_commit(&every);
  MPI_File_set_view(file, rank * sizeof(int), MPI_INT, every, "native", MPI_INFO_NULL);
  memset(read, 0, sizeof read);
  MPI_File_read_all(file, read, 5, MPI_INT, MPI_STATUS_IGNORE);
  SAY("view %d %d %d", read[0], read[1], read[4]);
  MPI_Type_free(&every);
  MPI_File_close(&file);
  SAY("no file: %d", MPI_File_open(MPI_COMM_WORLD, "none/such", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  windows();
  files();
  char *all = malloc((size_t)size * sizeof said);
  MPI_Gather(said, sizeof said, MPI_CHAR, all, sizeof said, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; i < size && !rank; ++i)
    fputs(all + i * sizeof said, stdout);
  MPI_Finalize();
  return 0;
}
