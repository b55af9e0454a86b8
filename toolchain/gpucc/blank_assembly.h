//===-- toolchain/gpucc/blank_assembly.h - Other machines' .S ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries have assembly for some processors in files of which the
// preprocessor leaves nothing for all others, and build systems compile them
// for every target (zstd's huf_decompress_amd64.S). ptxas refuses such a file.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_BLANK_ASSEMBLY_H
#define GPUEXEC_GPUCC_BLANK_ASSEMBLY_H

#include "toolchain/gpucc/plan.h"

namespace gpuexec {

/// Makes clang's command line for NVIDIA, where it has -c, compile each assembly
/// file (.S) of which the preprocessor leaves nothing as the empty C file that
/// it then is. Runs that preprocessor.
void replace_blank_assembly(Command &clang);

} // namespace gpuexec

#endif
