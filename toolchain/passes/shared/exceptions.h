//===-- toolchain/passes/shared/exceptions.h - C++'s exceptions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang makes of try, catch and destructors, in terms of unwinding.h:
//
//   invoke      a call, a test, and a branch to the landing pad
//   landingpad  takes the exception from the thread's record. Its second value
//               says which handler it is for; 0 when it is for one further out,
//               and this pad only destroys variables.
//   resume      writes the record again, and leaves the function
//
// Where an exception goes is found before any function is left: nothing may be
// destroyed if nobody catches it. A function with handlers therefore has a
// Frame, and its thread's record a list of those of the functions that run. In
// front of a call that may unwind, the function notes in its frame which
// handlers apply to it. _Unwind_RaiseException (libc-shim/unwind/) looks
// through the list, and writes to the exception which frame it is for, and
// which handler. A landing pad compares the frame's address with its own.
// Functions that have destructors only have no frame.
//===----------------------------------------------------------------------===//
#pragma once
#include "toolchain/passes/shared/unwinding.h"

namespace gpuexec {

/// The exceptions of a whole program.
class Exceptions {
public:
  Exceptions(llvm::Module &module, Unwinding &unwinding)
      : module(module), unwinding(unwinding) {}

  /// Defines where exceptions begin, a source of the unwinding. False when the
  /// program neither throws nor has landing pads.
  bool begin();

  /// Replaces the program's invokes, landing pads and resumes. All sources and
  /// the landings of functions have been added.
  void lower();

  /// Functions with frames take them off the list when they return, which
  /// includes the returns that Unwinding::run() has made.
  void finish();

private:
  void number_types();
  llvm::Constant *clauses_of(const llvm::LandingPadInst &pad);

  llvm::Module &module;
  Unwinding &unwinding;
  llvm::DenseMap<const llvm::Value *, uint32_t> numbers; ///< of type_infos
  llvm::DenseMap<llvm::Constant *, llvm::GlobalVariable *> lists;
  /// The frame that was the newest when the function was called.
  llvm::MapVector<llvm::Function *, llvm::Value *> older;

  friend class FunctionWithPads;
};

} // namespace gpuexec
