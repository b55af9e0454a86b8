//===-- loader/command_line/option_table.h - Options by a table -*- C++ -*-===//
// What gpuexec and gpuexec-info share in reading their options: each has a
// table of its own (options.td, expanded by LLVM's OptTable); errors and --help
// read alike.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_OPTION_TABLE_H
#define GPUEXEC_LOADER_COMMAND_LINE_OPTION_TABLE_H

#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace gpuexec {

/// The option at `index`, which moves past it and its value. Errors name what
/// stands there: an option that `command` does not know, or that lacks its
/// value.
llvm::Expected<std::unique_ptr<llvm::opt::Arg>>
next_option(const llvm::opt::OptTable &table,
            const llvm::opt::InputArgList &arguments, unsigned &index,
            llvm::StringRef command);

/// "--threads" of an option that was given as --threads=8 or -threads 8.
llvm::StringRef name_of(const llvm::opt::Arg &arg);

/// All options that have a help text, in lines of 80 columns; `groups`: the
/// titles of their groups, in order.
void print_options(llvm::raw_ostream &os, const llvm::opt::OptTable &table,
                   llvm::ArrayRef<llvm::StringRef> groups);

} // namespace gpuexec

#endif
