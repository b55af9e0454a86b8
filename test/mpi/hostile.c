// Requests that no function of mpi.h makes: wrong numbers, handles, counts, addresses and lengths. Each is answered with an error, and the program goes on;
// one for another version of the table ends it in words.
// REQUIRES: mpi
// RUN: %gpucc -O1 -w %s -lmpi -o %t
// RUN: %run %t | FileCheck %s
// RUN: not %run %t version 2>&1 | FileCheck %s --check-prefix=VERSION
// CHECK: all refused
// VERSION: linked with -lmpi of another version of gpuexec
#include <gpuexec/client.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };
static unsigned long words[MOST];

// The error that the host answers to the first `count` words; -1 without an answer.
static int ask(int count) {
  unsigned long answer[MOST];
  rpc_port port = rpc_open(0x47001803);
  rpc_send_n(&port, words, count * 8);
  const unsigned long size = rpc_recv_n(&port, answer, sizeof answer);
  rpc_close(&port);
  return size ? (int)answer[0] : -1;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) {
    words[0] = 1;
    ask(1);
    return 0;
  }
  int accepted = 0;
  static int numbers[4] = {1, 2, 3, 4};
  // Through the functions: what they do not check themselves.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  accepted += !MPI_Send(numbers, 0x7fffffff, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  accepted += !MPI_Send((void *)64, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
  accepted += !MPI_Send(numbers, 4, (MPI_Datatype)0x12345, 0, 0, MPI_COMM_WORLD);
  accepted += !MPI_Send(numbers, 4, MPI_INT, 0, 0, (MPI_Comm)0x40000010);
  accepted += !MPI_Allreduce(numbers, numbers, 1, MPI_INT, (MPI_Op)77, MPI_COMM_WORLD);
  MPI_Request request = (MPI_Request)0x40000009;
  accepted += !MPI_Wait(&request, MPI_STATUS_IGNORE);
  int counts[1] = {0x7fffffff}, displs[1] = {0x7fffffff};
  accepted += !MPI_Alltoallv(numbers, counts, displs, MPI_INT, numbers, counts, displs, MPI_INT, MPI_COMM_WORLD);
  MPI_Datatype huge;
  if (!MPI_Type_create_resized(MPI_INT, 0, 1L << 50, &huge) && !MPI_Type_commit(&huge))
    accepted += !MPI_Send(numbers, 4, huge, 0, 0, MPI_COMM_WORLD);
  MPI_Op op;
  accepted += !MPI_Op_create(NULL, 1, &op);
  accepted += !MPI_Group_incl((MPI_Group)MPI_COMM_WORLD, 1, numbers, (MPI_Group *)numbers);
  int position = -5;
  accepted += !MPI_Pack(numbers, 1, MPI_INT, numbers, 16, &position, MPI_COMM_WORLD);
  position = 14;
  accepted += !MPI_Pack(numbers, 1, MPI_INT, numbers, 16, &position, MPI_COMM_WORLD);
  MPI_Request twice[2];
  MPI_Irecv(numbers, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &twice[0]);
  twice[1] = twice[0];
  MPI_Send(numbers + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  accepted += !MPI_Waitall(2, twice, MPI_STATUSES_IGNORE);
  printf(accepted ? "%d accepted\n" : "all refused\n", accepted);
  MPI_Finalize();
  return 0;
}
