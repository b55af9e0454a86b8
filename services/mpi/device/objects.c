//===-- services/mpi/device/objects.c - Objects with attributes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that copy and free communicators and datatypes, and those for their
// attributes.
//===----------------------------------------------------------------------===//
#include "services/mpi/device/attributes.h"
#include "services/mpi/device/errors.h"

static int after_copy(MPI_Comm comm, MPI_Comm *newcomm, const char *function) {
  mpi_inherit(comm, *newcomm);
  const int error =
      mpi_copy_attributes(MPI_ON_COMM, (uint64_t)comm, (uint64_t)*newcomm);
  if (!error)
    return MPI_SUCCESS;
  mpi_raw_Comm_free(newcomm);
  return mpi_raise(MPI_ON_COMM, (uint64_t)comm, error, function);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm) {
  const int error = mpi_raw_Comm_dup(comm, newcomm);
  return error ? error : after_copy(comm, newcomm, "MPI_Comm_dup");
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm) {
  const int error = mpi_raw_Comm_dup_with_info(comm, info, newcomm);
  return error ? error : after_copy(comm, newcomm, "MPI_Comm_dup_with_info");
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
  const int error = mpi_raw_Comm_idup(comm, newcomm, request);
  return error ? error : after_copy(comm, newcomm, "MPI_Comm_idup");
}

static int before_free(MPI_Comm comm, const char *function) {
  const int error = mpi_delete_attributes(MPI_ON_COMM, (uint64_t)comm);
  return error ? mpi_raise(MPI_ON_COMM, (uint64_t)comm, error, function)
               : MPI_SUCCESS;
}

static int after_free(MPI_Comm comm, int error) {
  if (!error) {
    mpi_forget_handler(MPI_ON_COMM, (uint64_t)comm);
    mpi_forget_facts(comm);
  }
  return error;
}

int MPI_Comm_free(MPI_Comm *comm) {
  const MPI_Comm old = *comm;
  const int error = before_free(old, "MPI_Comm_free");
  return error ? error : after_free(old, mpi_raw_Comm_free(comm));
}

int MPI_Comm_disconnect(MPI_Comm *comm) {
  const MPI_Comm old = *comm;
  const int error = before_free(old, "MPI_Comm_disconnect");
  return error ? error : after_free(old, mpi_raw_Comm_disconnect(comm));
}

int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype) {
  int error = mpi_raw_Type_dup(oldtype, newtype);
  if (error)
    return error;
  error =
      mpi_copy_attributes(MPI_ON_TYPE, (uint64_t)oldtype, (uint64_t)*newtype);
  if (!error)
    return MPI_SUCCESS;
  mpi_raw_Type_free(newtype);
  return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, error,
                   "MPI_Type_dup");
}

int MPI_Type_free(MPI_Datatype *datatype) {
  const int error = mpi_delete_attributes(MPI_ON_TYPE, (uint64_t)*datatype);
  return error ? mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, error,
                           "MPI_Type_free")
               : mpi_raw_Type_free(datatype);
}

//===-- Attributes --------------------------------------------------------===//

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
                           MPI_Comm_delete_attr_function *del, int *keyval,
                           void *extra_state) {
  return mpi_create_key(MPI_ON_COMM, copy, del, keyval, extra_state);
}

int MPI_Comm_free_keyval(int *keyval) {
  return mpi_free_key(MPI_ON_COMM, keyval);
}

int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value) {
  if (!mpi_members(comm))
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_COMM,
                     "MPI_Comm_set_attr");
  return mpi_set_attribute(MPI_ON_COMM, (uint64_t)comm, keyval, value,
                           "MPI_Comm_set_attr");
}

/// The host's predefined attributes are pointers to numbers; the numbers are
/// kept here.
static int predefined(MPI_Comm comm, int keyval, void *value, int *flag) {
  static MPI_Aint numbers[MPI_UNIVERSE_SIZE - MPI_TAG_UB + 1];
  MPI_Aint *number = &numbers[keyval - MPI_TAG_UB];
  if (!mpi_members(comm))
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_COMM,
                     "MPI_Comm_get_attr");
  MPI_Aint found = 0;
  const int error = mpi_raw_Attribute(keyval, &found, flag);
  if (error || !*flag)
    return error;
  *number = found; // read as an int: the device is little-endian
  const void *pointer = number;
  *(const void **)value = pointer;
  return MPI_SUCCESS;
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag) {
  if (keyval >= MPI_TAG_UB && keyval <= MPI_UNIVERSE_SIZE)
    return predefined(comm, keyval, value, flag);
  return mpi_get_attribute(MPI_ON_COMM, (uint64_t)comm, keyval, value, flag,
                           "MPI_Comm_get_attr");
}

int MPI_Comm_delete_attr(MPI_Comm comm, int keyval) {
  return mpi_delete_attribute(MPI_ON_COMM, (uint64_t)comm, keyval,
                              "MPI_Comm_delete_attr");
}

int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy,
                           MPI_Type_delete_attr_function *del, int *keyval,
                           void *extra_state) {
  return mpi_create_key(MPI_ON_TYPE, (MPI_Comm_copy_attr_function *)copy,
                        (MPI_Comm_delete_attr_function *)del, keyval,
                        extra_state);
}

int MPI_Type_free_keyval(int *keyval) {
  return mpi_free_key(MPI_ON_TYPE, keyval);
}

int MPI_Type_set_attr(MPI_Datatype type, int keyval, void *value) {
  return mpi_set_attribute(MPI_ON_TYPE, (uint64_t)type, keyval, value,
                           "MPI_Type_set_attr");
}

int MPI_Type_get_attr(MPI_Datatype type, int keyval, void *value, int *flag) {
  return mpi_get_attribute(MPI_ON_TYPE, (uint64_t)type, keyval, value, flag,
                           "MPI_Type_get_attr");
}

int MPI_Type_delete_attr(MPI_Datatype type, int keyval) {
  return mpi_delete_attribute(MPI_ON_TYPE, (uint64_t)type, keyval,
                              "MPI_Type_delete_attr");
}

// Names of MPI 1 that the standard still has.

int MPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *del,
                      int *keyval, void *extra_state) {
  return MPI_Comm_create_keyval(copy, del, keyval, extra_state);
}
int MPI_Keyval_free(int *keyval) { return MPI_Comm_free_keyval(keyval); }
int MPI_Attr_put(MPI_Comm comm, int keyval, void *value) {
  return MPI_Comm_set_attr(comm, keyval, value);
}
int MPI_Attr_get(MPI_Comm comm, int keyval, void *value, int *flag) {
  return MPI_Comm_get_attr(comm, keyval, value, flag);
}
int MPI_Attr_delete(MPI_Comm comm, int keyval) {
  return MPI_Comm_delete_attr(comm, keyval);
}
