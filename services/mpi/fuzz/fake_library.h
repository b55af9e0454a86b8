//===-- services/mpi/fuzz/fake_library.h - A library of MPI for the fuzzer -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_MPI_FUZZ_FAKE_LIBRARY_H
#define GPUEXEC_SERVICES_MPI_FUZZ_FAKE_LIBRARY_H

#include "services/mpi/host/library.h"

/// A library of one rank whose handles are MPICH's, and whose requests are
/// complete at once.
void fake_open(mpi_library *);

#endif
