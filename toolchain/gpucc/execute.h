//===-- toolchain/gpucc/execute.h - Does what a plan says -------*- C++ -*-===//
#ifndef GPUEXEC_GPUCC_EXECUTE_H
#define GPUEXEC_GPUCC_EXECUTE_H

#include "plan.h"

namespace gpuexec {

/// Returns the status to end with. A plan whose last step is clang does not
/// return: the process becomes clang.
int execute(const Plan &plan);

} // namespace gpuexec

#endif
