//===-- emulator/ptx/host/table.h - The table of kernels -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_HOST_TABLE_H
#define GPUEXEC_EMULATOR_PTX_HOST_TABLE_H

#include "emulator/ptx/host/regions.h"
#include <string>

namespace gpuexec::ptx::host {

/// A kernel as its row of the table tells it.
struct TableRow {
  std::string name, unfit;
  Cut cut;
  std::vector<Parameter> parameters;
  Kernel kernel{}; ///< the numbers that `cut` does not have
};

struct TableContent {
  std::vector<TableRow> rows;
  std::vector<std::string> variables;
};

/// Defines TABLE (abi.h).
void emit_table(llvm::Module &module, const TableContent &content);

} // namespace gpuexec::ptx::host

#endif // GPUEXEC_EMULATOR_PTX_HOST_TABLE_H
