//===-- toolchain/libstdcxx/include/pstl/parallel_backend.h - How parallel algorithms run -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for libstdc++'s file of this name, which knows TBB and one thread.
// -D_GPUEXEC_SERIAL_ALGORITHMS is for a program that cannot have OpenMP's grid,
// such as one with POSIX threads.
//===----------------------------------------------------------------------===//
#ifndef _PSTL_PARALLEL_BACKEND_H
#define _PSTL_PARALLEL_BACKEND_H

#ifdef _GPUEXEC_SERIAL_ALGORITHMS
#include <pstl/parallel_backend_serial.h>
namespace __pstl
{
namespace __par_backend = __serial_backend;
}
#else
#include <pstl/parallel_backend_grid.h>
namespace __pstl
{
namespace __par_backend = __grid_backend;
}
#endif

#endif
