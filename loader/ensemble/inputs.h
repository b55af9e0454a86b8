//===-- loader/ensemble/inputs.h - The instances of an ensemble -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the words of instances come from: lines of files, and lists behind the
// program's arguments. Several sources are combined, each element of one with
// each of the next; the last one changes fastest.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_ENSEMBLE_INPUTS_H
#define GPUEXEC_LOADER_ENSEMBLE_INPUTS_H

#include "loader/ensemble/template.h"

namespace gpuexec::ensemble {

struct Inputs {
  std::vector<std::string> arguments; ///< those before the lists
  std::vector<Instance> instances;
};

/// Reads `file` (""; none; "-": standard input), which has a command line a
/// line, and the lists in `words`, which begin with
///   :::  words, each of them an element
///   :::+ the same; its elements belong to those of the source before
///   :::: files, each line of them an element
/// Without any source reads standard input. Errors: Failure that names file and
/// line.
llvm::Expected<Inputs> read_inputs(const std::string &file,
                                   llvm::ArrayRef<std::string> words);

} // namespace gpuexec::ensemble

#endif
