//===-- services/mpi/device/mpi1.c - Names that MPI 3 has removed ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Old programs call them.
//===----------------------------------------------------------------------===//
#include "services/mpi/device/call.h"

int MPI_Address(void *location, MPI_Aint *address) {
  return MPI_Get_address(location, address);
}

int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride,
                     MPI_Datatype oldtype, MPI_Datatype *newtype) {
  return MPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

int MPI_Type_hindexed(int count, int blocklengths[], MPI_Aint displacements[],
                      MPI_Datatype oldtype, MPI_Datatype *newtype) {
  return MPI_Type_create_hindexed(count, blocklengths, displacements, oldtype,
                                  newtype);
}

int MPI_Type_struct(int count, int blocklengths[], MPI_Aint displacements[],
                    MPI_Datatype types[], MPI_Datatype *newtype) {
  return MPI_Type_create_struct(count, blocklengths, displacements, types,
                                newtype);
}

int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent) {
  MPI_Aint lb;
  return MPI_Type_get_extent(datatype, &lb, extent);
}

int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement) {
  MPI_Aint extent;
  return MPI_Type_get_extent(datatype, displacement, &extent);
}

int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement) {
  MPI_Aint lb, extent;
  const int error = MPI_Type_get_extent(datatype, &lb, &extent);
  *displacement = lb + extent;
  return error;
}

int MPI_Errhandler_create(MPI_Comm_errhandler_function *function,
                          MPI_Errhandler *errhandler) {
  return MPI_Comm_create_errhandler(function, errhandler);
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) {
  return MPI_Comm_set_errhandler(comm, errhandler);
}

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler) {
  return MPI_Comm_get_errhandler(comm, errhandler);
}
