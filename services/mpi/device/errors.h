//===-- services/mpi/device/errors.h - Error handlers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_MPI_DEVICE_ERRORS_H
#define GPUEXEC_SERVICES_MPI_DEVICE_ERRORS_H

#include "services/mpi/device/call.h"

MPI_Errhandler mpi_handler_of(mpi_object_kind kind, uint64_t object);
void mpi_set_handler(mpi_object_kind kind, uint64_t object,
                     MPI_Errhandler handler);
void mpi_forget_handler(mpi_object_kind kind, uint64_t object);
int mpi_error_text(int errorcode, char *string, int *resultlen);

#endif
