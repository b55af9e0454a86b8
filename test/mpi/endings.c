// How programs of MPI end: the status of MPI_Abort(), an error that nobody handles, an end without MPI_Finalize(), a rank that is killed, a machine
// without the library, a sandbox.
// REQUIRES: mpi, emulator
// RUN: %gpucc -O1 -w %s -lmpi -o %t
// RUN: %mpi openmpi 2 %run %t abort > %t.status 2>&1 || echo "status $?" >> %t.status
// RUN: FileCheck %s --check-prefix=ABORT < %t.status
// RUN: %mpi mpich 2 %run %t abort > %t.status 2>&1 || echo "status $?" >> %t.status
// RUN: FileCheck %s --check-prefix=ABORT < %t.status
// ABORT: before the end
// ABORT: status 7
// RUN: not %mpi mpich 2 %run %t error 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: MPI: MPI_Send: {{.*}}rank{{.*}} (error 6)
// RUN: %run %t leave 2>&1 | FileCheck %s --check-prefix=LEAVE
// LEAVE: alone: 1
// LEAVE: the program has ended without MPI_Finalize()
// One rank is killed: the launcher ends the other, which waits for it.
// RUN: not %mpi openmpi 2 %run %t kill > /dev/null 2>&1
// RUN: not %mpi mpich 2 %run %t kill > /dev/null 2>&1
// RUN: env GPUEXEC_MPI=lam not %run %t alone 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: mpi: GPUEXEC_MPI: lam: expected openmpi, mpich or a path
// RUN: env GPUEXEC_MPI=mpich %run %t alone | FileCheck %s --check-prefix=MPICH
// RUN: env GPUEXEC_MPI=openmpi %run %t alone | FileCheck %s --check-prefix=OPENMPI
// MPICH: MPICH Version
// OPENMPI: Open MPI
// RUN: not %run --sandbox %t alone 2>&1 | FileCheck %s --check-prefix=SANDBOX
// SANDBOX: --sandbox: {{.*}} it calls the service 'mpi'
// A function that the service does not have.
// RUN: not %gpucc -O1 -w -DMISSING %s -lmpi -o %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: undefined symbol: MPI_Comm_spawn
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *what = argv[1];
  int rank, size, number = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef MISSING
  MPI_Comm_spawn("x", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, NULL, NULL);
#endif
  if (!strcmp(what, "abort")) {
    if (rank == size - 1) {
      printf("before the end\n");
      MPI_Abort(MPI_COMM_WORLD, 7);
    }
    MPI_Recv(&number, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (!strcmp(what, "error"))
    MPI_Send(&number, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  if (!strcmp(what, "leave")) {
    printf("alone: %d\n", size);
    return 0;
  }
  if (!strcmp(what, "kill")) {
    if (rank)
      kill(getppid() ? getpid() : 0, SIGKILL);
    MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (!strcmp(what, "alone")) {
    char *text = malloc(MPI_MAX_LIBRARY_VERSION_STRING);
    int length;
    MPI_Get_library_version(text, &length);
    printf("%s\n", text);
  }
  MPI_Finalize();
  return 0;
}
