//===-- toolchain/gpucc/inputs.h - Objects that are given to gpucc -*- C++ -*-//
// A linker that is given a host's object file takes the rest of the link for
// wrong and says so of each file, or, where it is NVIDIA's, drops that one
// without a word.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_INPUTS_H
#define GPUEXEC_GPUCC_INPUTS_H

#include "arch.h"
#include <string>
#include <vector>

namespace gpuexec {

/// What is wrong with the object files and archives among clang's arguments, in
/// one line, or "". Bitcode and everything that is no object is left to clang,
/// and of an archive the first object speaks for all.
std::string check_inputs(const std::vector<const char *> &arguments,
                         Vendor vendor);

} // namespace gpuexec

#endif
