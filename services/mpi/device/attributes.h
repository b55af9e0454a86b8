//===-- services/mpi/device/attributes.h - Values kept with objects -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_MPI_DEVICE_ATTRIBUTES_H
#define GPUEXEC_SERVICES_MPI_DEVICE_ATTRIBUTES_H

#include "services/mpi/device/call.h"

/// All handles are pointers: functions for datatypes are called as those for
/// communicators.
int mpi_create_key(mpi_object_kind kind, MPI_Comm_copy_attr_function *copy,
                   MPI_Comm_delete_attr_function *remove, int *number,
                   void *extra);
int mpi_free_key(mpi_object_kind kind, int *number);
int mpi_set_attribute(mpi_object_kind kind, uint64_t object, int number,
                      void *value, const char *function);
int mpi_get_attribute(mpi_object_kind kind, uint64_t object, int number,
                      void *value, int *flag, const char *function);
int mpi_delete_attribute(mpi_object_kind kind, uint64_t object, int number,
                         const char *function);
/// Calls the functions that copy the attributes, or that delete them. Returns
/// the error of the first that fails; no handler is called.
int mpi_copy_attributes(mpi_object_kind kind, uint64_t from, uint64_t to);
int mpi_delete_attributes(mpi_object_kind kind, uint64_t object);

#endif
