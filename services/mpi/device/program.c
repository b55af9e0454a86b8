//===-- services/mpi/device/program.c - Begin and end of MPI --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/device/attributes.h"
#include "services/mpi/device/call.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int thread_level, is_initialized, is_finalized;

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  const int error = mpi_raw_Start_host(required, provided);
  if (!error) {
    thread_level = *provided;
    is_initialized = 1;
  }
  return error;
}

int MPI_Init(int *argc, char ***argv) {
  int provided;
  return MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int MPI_Initialized(int *flag) {
  *flag = is_initialized;
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  const int error = mpi_delete_attributes(MPI_ON_COMM, (uint64_t)MPI_COMM_SELF);
  if (error)
    return error;
  is_finalized = 1;
  return mpi_raw_Finalize_host();
}

int MPI_Finalized(int *flag) {
  *flag = is_finalized;
  return MPI_SUCCESS;
}

int MPI_Query_thread(int *provided) {
  *provided = thread_level;
  return MPI_SUCCESS;
}

int MPI_Is_thread_main(int *flag) {
  *flag = 1;
  return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int errorcode) {
  fflush(NULL);
  mpi_raw_Abort_host(comm, errorcode);
  exit(errorcode);
}

int MPI_Get_version(int *version, int *subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int MPI_Abi_get_version(int *abi_major, int *abi_minor) {
  *abi_major = MPI_ABI_VERSION;
  *abi_minor = MPI_ABI_SUBVERSION;
  return MPI_SUCCESS;
}

int MPI_Pcontrol(const int level, ...) { return MPI_SUCCESS; }

double MPI_Wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double MPI_Wtick(void) { return 1e-9; }

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr) {
  void *memory = size < 0 ? NULL : malloc(size ? (size_t)size : 1);
  memcpy(baseptr, &memory, sizeof memory);
  return memory ? MPI_SUCCESS
                : mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD,
                            size < 0 ? MPI_ERR_ARG : MPI_ERR_NO_MEM,
                            "MPI_Alloc_mem");
}

int MPI_Free_mem(void *base) {
  free(base);
  return MPI_SUCCESS;
}

int MPI_Get_address(const void *location, MPI_Aint *address) {
  *address = (MPI_Aint)location;
  return MPI_SUCCESS;
}

MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint disp) { return base + disp; }
MPI_Aint MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return addr1 - addr2; }

int MPI_Buffer_attach(void *buffer, int size) {
  return mpi_raw_Buffer_attach(buffer, size);
}

int MPI_Buffer_detach(void *buffer_addr, int *size) {
  return mpi_raw_Buffer_detach(buffer_addr, size);
}

int MPI_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op) {
  return mpi_raw_Op_create(user_fn, commute, op);
}

int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen,
                        char *value, int *flag) {
  int length = 0;
  int error = MPI_Info_get_valuelen(info, key, &length, flag);
  const int room = *buflen;
  if (error || !*flag)
    return error;
  *buflen = length + 1;
  if (room <= 0)
    return MPI_SUCCESS;
  char *text = malloc((size_t)length + 2);
  if (!text)
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_NO_MEM,
                     "MPI_Info_get_string");
  error = MPI_Info_get(info, key, length ? length : 1, text, flag);
  if (!error)
    snprintf(value, (size_t)room, "%s", text);
  free(text);
  return error;
}
