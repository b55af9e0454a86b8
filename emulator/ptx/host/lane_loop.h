//===-- emulator/ptx/host/lane_loop.h - A region around a body -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_HOST_LANE_LOOP_H
#define GPUEXEC_EMULATOR_PTX_HOST_LANE_LOOP_H

#include "emulator/ptx/host/abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuexec::ptx::host {

/// What one lane does in a region: a function that returns where the lane goes
/// on. Its memory is the group's (abi.h).
class LaneBody {
public:
  LaneBody(llvm::Module &module, const llvm::Twine &name);

  llvm::Value *load(llvm::IRBuilder<> &ir, llvm::Type *type, bool is_uniform,
                    uint32_t offset, uint32_t capacity);
  void store(llvm::IRBuilder<> &ir, llvm::Value *value, bool is_uniform,
             uint32_t offset, uint32_t capacity);
  /// An address in the lane's frame.
  llvm::Value *frame(llvm::IRBuilder<> &ir, uint32_t offset,
                     uint32_t frame_bytes);
  /// Replaces the numbers that the body asks for, and makes the region.
  llvm::Function *make_loop(const llvm::Twine &name, uint32_t capacity);

  llvm::Function *function;
  llvm::BasicBlock *entry; ///< allocas first; without an end

private:
  llvm::Value *slot(llvm::IRBuilder<> &ir, llvm::Type *type, uint32_t offset,
                    uint32_t capacity);
  void replace_numbers(uint32_t capacity);
  /// Whether lanes may run side by side; marks their accesses then.
  llvm::MDNode *mark_accesses();

  llvm::Module &module;
  llvm::MapVector<uint32_t, llvm::Type *> loaded, stored; ///< uniform ones
};

} // namespace gpuexec::ptx::host

#endif // GPUEXEC_EMULATOR_PTX_HOST_LANE_LOOP_H
