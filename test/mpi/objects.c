// Messages, requests, derived datatypes, communicators, topologies, attributes, error handlers and operations of the program: what the device prints is
// what the natively compiled program prints.
// The library comes before the program, as in MPICC="gpucc -lmpi".
// REQUIRES: mpi
// RUN: %gpucc -O1 -w -lmpi %s -o %t
// RUN: mpicc.openmpi -w %s -o %t.openmpi.host && mpicc.mpich -w %s -o %t.mpich.host
// RUN: %mpi openmpi 4 %t.openmpi.host > %t.expected
// RUN: %mpi openmpi 4 %run %t > %t.openmpi
// RUN: diff %t.expected %t.openmpi
// RUN: %mpi mpich 4 %t.mpich.host > %t.expected
// RUN: %mpi mpich 4 %run %t > %t.mpich
// RUN: diff %t.expected %t.mpich
// RUN: %mpi openmpi 4 %run --service %build/lib/gpuexec/services/libgpuexec-mpi.so,copies %t > %t.copies
// RUN: diff %t.expected %t.copies
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
// What a rank says; rank 0 prints it for all in the end, one after the other.
static char said[8192];
#define SAY(...) (sprintf(said + strlen(said), "%d: ", rank), sprintf(said + strlen(said), __VA_ARGS__), strcat(said, "\n"))

static void messages(void) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  int sent[100], got[100], count, flag, index;
  for (int i = 0; i < 100; ++i)
    sent[i] = rank * 1000 + i;
  MPI_Status status, statuses[4];
  MPI_Request requests[4];
  MPI_Sendrecv(sent, 100, MPI_INT, next, 1, got, 100, MPI_INT, last, 1, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  SAY("sendrecv %d from %d tag %d count %d", got[99], status.MPI_SOURCE, status.MPI_TAG, count);
  MPI_Sendrecv_replace(sent, 100, MPI_INT, next, 2, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  SAY("replaced %d %d", sent[5], status.MPI_TAG);
  // Columns of a matrix on the stack, received side by side.
  int matrix[4][4], column[4] = {rank, rank + 1, rank + 2, rank + 3};
  memset(matrix, -1, sizeof matrix);
  MPI_Datatype columns;
  MPI_Type_vector(4, 1, 4, MPI_INT, &columns);
  MPI_Type_commit(&columns);
  for (int i = 0; i < 3; ++i)
    MPI_Irecv(&matrix[0][i], 1, columns, last, 10 + i, MPI_COMM_WORLD, &requests[i]);
  matrix[0][3] = 77;
  for (int i = 2; i >= 0; --i)
    MPI_Send(column, 4, MPI_INT, next, 10 + i, MPI_COMM_WORLD);
  MPI_Waitall(3, requests, statuses);
  MPI_Get_elements(&statuses[1], columns, &count);
  SAY("columns %d %d %d %d | %d %d elements %d %d", matrix[0][0], matrix[3][1], matrix[2][2], matrix[0][3], matrix[3][3], requests[0] == MPI_REQUEST_NULL, count,
      statuses[2].MPI_TAG);
  MPI_Type_free(&columns);
  // Probes, Waitany, Waitsome, Testall.
  MPI_Isend(sent, 3, MPI_INT, next, 20, MPI_COMM_WORLD, &requests[0]);
  MPI_Probe(last, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_Recv(got, count, MPI_INT, last, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  SAY("probed %d %d", count, got[2]);
  requests[1] = MPI_REQUEST_NULL;
  MPI_Waitany(2, requests, &index, &status);
  SAY("waitany %d", index);
  MPI_Waitany(2, requests, &index, &status);
  SAY("waitany of none %d", index == MPI_UNDEFINED);
  MPI_Testall(2, requests, &flag, statuses);
  SAY("testall of none %d", flag);
  MPI_Recv(got, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &status);
  SAY("null %d %d", status.MPI_SOURCE == MPI_PROC_NULL, status.MPI_TAG == MPI_ANY_TAG);
  // Persistent requests on the stack.
  int out, in = -1;
  MPI_Send_init(&out, 1, MPI_INT, next, 30, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&in, 1, MPI_INT, last, 30, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 3; ++i) {
    out = rank * 10 + i;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    SAY("persistent %d", in);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  // A buffered send, a synchronous one, a cancelled receive.
  void *buffer = malloc(10000), *detached;
  int length;
  MPI_Buffer_attach(buffer, 10000);
  MPI_Bsend(&rank, 1, MPI_INT, next, 40, MPI_COMM_WORLD);
  MPI_Issend(&rank, 1, MPI_INT, next, 41, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv(&in, 1, MPI_INT, last, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&in, 1, MPI_INT, last, 41, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&detached, &length);
  SAY("buffered %d %d %d", in, detached == buffer, length);
  MPI_Irecv(&in, 1, MPI_INT, last, 50, MPI_COMM_WORLD, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &flag);
  SAY("cancelled %d", flag);
  free(buffer);
}

static void datatypes(void) {
  struct part {
    char letter;
    double value;
    int pair[2];
  } sent[3], got[3];
  memset(sent, 0, sizeof sent);
  memset(got, 0, sizeof got);
  for (int i = 0; i < 3; ++i)
    sent[i] = (struct part){'a' + i, rank + i * 0.5, {rank, i}};
  MPI_Aint base, places[3], lb, extent;
  MPI_Get_address(&sent[0], &base);
  MPI_Get_address(&sent[0].letter, &places[0]);
  MPI_Get_address(&sent[0].value, &places[1]);
  MPI_Get_address(&sent[0].pair, &places[2]);
  for (int i = 0; i < 3; ++i)
    places[i] = MPI_Aint_diff(places[i], base);
  const int lengths[] = {1, 1, 2};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype raw, part, block;
  MPI_Type_create_struct(3, lengths, places, types, &raw);
  MPI_Type_create_resized(raw, 0, sizeof(struct part), &part);
  MPI_Type_commit(&part);
  int bytes, numbers[3], combiner, position = 0;
  MPI_Type_size(part, &bytes);
  MPI_Type_get_extent(part, &lb, &extent);
  MPI_Type_get_envelope(raw, &numbers[0], &numbers[1], &numbers[2], &combiner);
  SAY("struct %d %ld %ld %d %d %d %d", bytes, (long)lb, (long)extent, numbers[0], numbers[1], numbers[2], combiner == MPI_COMBINER_STRUCT);
  int integers[8];
  MPI_Aint addresses[4];
  MPI_Datatype contents[3];
  MPI_Type_get_contents(raw, numbers[0], numbers[1], numbers[2], integers, addresses, contents);
  SAY("contents %d %d %ld %d", integers[0], integers[3], (long)addresses[1], contents[1] == MPI_DOUBLE);
  MPI_Sendrecv(sent, 3, part, (rank + 1) % size, 0, got, 3, part, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  SAY("parts %c %g %d %d", got[2].letter, got[2].value, got[2].pair[0], got[2].pair[1]);
  char packed[200];
  MPI_Pack(&sent[1], 2, part, packed, sizeof packed, &position, MPI_COMM_WORLD);
  const int used = position;
  memset(got, 0, sizeof got);
  position = 0;
  MPI_Unpack(packed, used, &position, got, 2, part, MPI_COMM_WORLD);
  SAY("packed %d %d %g %c", used, position, got[1].value, got[0].letter);
  const int sizes[] = {4, 6}, subsizes[] = {2, 3}, starts[] = {1, 2};
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &block);
  MPI_Type_commit(&block);
  int array[24];
  for (int i = 0; i < 24; ++i)
    array[i] = rank ? -1 : i;
  MPI_Bcast(array, 1, block, 0, MPI_COMM_WORLD);
  SAY("block %d %d %d %d", array[8], array[10], array[16], array[17]);
  MPI_Type_free(&block);
  MPI_Type_free(&part);
  MPI_Type_free(&raw);
}

static void communicators(void) {
  MPI_Comm half, copy, grid, row;
  int its, result, coords[2], from, to, dims[2] = {0, 0};
  const int periods[2] = {1, 0};
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_rank(half, &its);
  MPI_Comm_dup(half, &copy);
  MPI_Comm_compare(half, copy, &result);
  SAY("half %d %d", its, result == MPI_CONGRUENT);
  MPI_Comm none;
  MPI_Comm_split(MPI_COMM_WORLD, rank ? MPI_UNDEFINED : 0, 0, &none);
  SAY("none %d", none == MPI_COMM_NULL);
  MPI_Group all, odd, both;
  const int ranks[] = {1, 3}, range[1][3] = {{0, size - 1, 2}};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, ranks, &odd);
  MPI_Group_range_excl(all, 1, (int(*)[3])range, &both);
  MPI_Group_compare(odd, both, &result);
  int seen[4], asked[4] = {0, 1, 2, 3};
  MPI_Group_translate_ranks(all, 4, asked, odd, seen);
  SAY("groups %d %d %d", result == MPI_IDENT, seen[0] == MPI_UNDEFINED, seen[3]);
  MPI_Comm made;
  MPI_Comm_create(MPI_COMM_WORLD, odd, &made);
  SAY("made %d", made == MPI_COMM_NULL);
  if (made != MPI_COMM_NULL)
    MPI_Comm_free(&made);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_coords(grid, rank, 2, coords);
  MPI_Cart_shift(grid, 1, 1, &from, &to);
  SAY("grid %d %d at %d %d shift %d %d", dims[0], dims[1], coords[0], coords[1], from == MPI_PROC_NULL ? -9 : from, to == MPI_PROC_NULL ? -9 : to);
  int around[4] = {-1, -1, -1, -1};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, grid);
  SAY("around %d %d %d %d", around[0], around[1], around[2], around[3]);
  const int keep[] = {0, 1};
  MPI_Cart_sub(grid, keep, &row);
  MPI_Comm_size(row, &result);
  MPI_Topo_test(row, &its);
  SAY("row %d %d", result, its == MPI_CART);
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
  MPI_Comm graph;
  int source = (rank + 1) % size, target = (rank + size - 1) % size, value = -1;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &source, MPI_UNWEIGHTED, 1, &target, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &value, 1, MPI_INT, graph);
  SAY("graph %d", value);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
  MPI_Group_free(&all);
  MPI_Group_free(&odd);
  MPI_Group_free(&both);
}

static int copied, deleted;
static int copy_value(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *flag) {
  ++copied;
  *(void **)copy = (char *)value + (long)extra;
  *flag = 1;
  return MPI_SUCCESS;
}
static int delete_value(MPI_Comm comm, int key, void *value, void *extra) {
  ++deleted;
  return MPI_SUCCESS;
}
static int last_error;
static void note_error(MPI_Comm *comm, int *error, ...) { MPI_Error_class(*error, &last_error); }

static void attributes_and_errors(void) {
  int key, flag, *tag;
  void *value;
  MPI_Comm copy;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag, &flag);
  SAY("tags %d %d", flag, *tag >= 32767);
  MPI_Comm_create_keyval(copy_value, delete_value, &key, (void *)4);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, (void *)100);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_get_attr(copy, key, &value, &flag);
  MPI_Comm_free(&copy);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  SAY("attributes %ld %d copied %d deleted %d", (long)value, flag, copied, deleted);
  MPI_Comm_free_keyval(&key);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(note_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  int number = 0;
  MPI_Send(&number, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
  SAY("rank %d", last_error == MPI_ERR_RANK);
  MPI_Send(&number, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  SAY("count %d", last_error == MPI_ERR_COUNT);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int class;
  const int error = MPI_Send(&number, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD);
  MPI_Error_class(error, &class);
  SAY("type %d", class == MPI_ERR_TYPE);
  int numbers[2] = {1, 2};
  MPI_Request request;
  MPI_Isend(numbers, 2, MPI_INT, rank, 3, MPI_COMM_SELF == MPI_COMM_NULL ? MPI_COMM_SELF : MPI_COMM_WORLD, &request);
  const int truncated = MPI_Recv(numbers, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Error_class(truncated, &class);
  SAY("truncated %d", class == MPI_ERR_TRUNCATE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Info info;
  char text[20];
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "blue");
  MPI_Info_get(info, "colour", 19, text, &flag);
  SAY("info %d %s", flag, text);
  MPI_Info_free(&info);
}

// Multiplies 2x2 matrices: associative, not commutative.
static void multiply(void *in, void *inout, int *count, MPI_Datatype *type) {
  const long *a = in;
  long *b = inout;
  for (int i = 0; i < *count; ++i, a += 4, b += 4) {
    const long product[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    memcpy(b, product, sizeof product);
  }
}

static void operations(void) {
  MPI_Op op;
  MPI_Datatype matrix;
  MPI_Type_contiguous(4, MPI_LONG, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op_create(multiply, 0, &op);
  long mine[8] = {1, rank + 1, rank + 2, 1, 2, rank, 0, 1}, product[8] = {0};
  MPI_Allreduce(mine, product, 2, matrix, op, MPI_COMM_WORLD);
  SAY("product %ld %ld %ld %ld %ld", product[0], product[1], product[2], product[3], product[5]);
  MPI_Request request;
  MPI_Iscan(mine, product, 2, matrix, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  SAY("scan %ld %ld", product[0], product[3]);
  MPI_Op freed;
  MPI_Op_create(multiply, 0, &freed);
  MPI_Iallreduce(mine, product, 2, matrix, freed, MPI_COMM_WORLD, &request);
  MPI_Op_free(&freed);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  SAY("freed %ld %ld %ld", product[0], product[1], product[5]);
  int commutes;
  MPI_Op_commutative(op, &commutes);
  MPI_Reduce_local(mine, product, 1, matrix, op);
  SAY("local %ld %d", product[0], commutes);
  MPI_Op_free(&op);
  MPI_Type_free(&matrix);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  messages();
  datatypes();
  communicators();
  attributes_and_errors();
  operations();
  char *all = malloc((size_t)size * sizeof said);
  MPI_Gather(said, sizeof said, MPI_CHAR, all, sizeof said, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; i < size && !rank; ++i)
    fputs(all + i * sizeof said, stdout);
  MPI_Finalize();
  return 0;
}
