//===-- services/mpi/host/table.c - See table.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/mpi/host/table.h"
#include <stddef.h>

#include "mpi_rows.inc"
