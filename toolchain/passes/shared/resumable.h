//===-- toolchain/passes/shared/resumable.h - Frames in memory --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A resumable function has its frame in memory of the thread's own. Where the
// original calls a function of its group, the resumable one saves what it still
// needs, makes the callee's frame and returns it. The loop that resumes the
// members of a group (extend_stack.cpp) calls what belongs to the frame that
// was returned. A member that ends returns the frame of its caller. So the
// hardware's stack has at most one activation of the group.
//===----------------------------------------------------------------------===//
#pragma once
#include "toolchain/passes/shared/call_cycles.h"
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <memory>

namespace gpuexec {

class Resumable;

/// What the resumable functions of one cycle of calls share.
struct ResumableGroup {
  llvm::MapVector<llvm::Function *, std::unique_ptr<Resumable>> members;
  const CallTargets *targets = nullptr;
  llvm::Function *more = nullptr; ///< of heap_stack.h
  uint64_t result_size = 0;       ///< of any member, in each frame

  /// The members that the call may reach. A call through a pointer may reach
  /// others too.
  llvm::SmallVector<const Resumable *, 2>
  callees(const llvm::CallBase &call) const;
};

/// Where frames are: global memory.
llvm::PointerType *frame_pointer(llvm::LLVMContext &context);

/// The beginning of every frame. The members' results follow, then the
/// function's parameters, its local variables and what it saves.
enum class FrameWord : unsigned {
  caller = 0,    ///< pointer: the frame of the caller
  end = 8,       ///< pointer: the end of the chunk, a stack_chunk
  function = 16, ///< i32: number of the member
  place = 20,    ///< i32: where it goes on; 0 is its beginning
  result = 24,   ///< what the call that it waits for returns
};
inline const llvm::Align FRAME_ALIGNMENT(16), RESULT_ALIGNMENT(8);

llvm::Value *word_address(llvm::IRBuilder<> &builder, llvm::Value *frame,
                          FrameWord word);

/// A chunk with room for `bytes` behind the one that ends at `end` (null: the
/// first one of a run): where it begins and ends.
std::pair<llvm::Value *, llvm::Value *> next_chunk(llvm::IRBuilder<> &builder,
                                                   llvm::Function &more,
                                                   llvm::Value *end,
                                                   uint64_t bytes);

/// Bytes of a frame that has nothing but its beginning.
uint64_t bare_frame_size(const ResumableGroup &group);

class Resumable {
public:
  /// Can the function be resumable in a group of `members`?
  static bool is_possible(const llvm::Function &function,
                          llvm::ArrayRef<llvm::Function *> members);

  Resumable(llvm::Function &original, unsigned index);

  /// Makes the body and lays out its frame. All members are in the group.
  void prepare(const ResumableGroup &group);
  /// Makes the body save, return and resume. All members are prepared.
  void complete(const ResumableGroup &group);

  llvm::Function &function() const { return *resumable; }
  uint64_t frame_size() const { return size; }

  /// Can a call through a pointer make the function's frame?
  bool takes_plain_arguments() const;

  /// i32: which member of the group it is.
  llvm::Value *number(llvm::IRBuilder<> &builder) const {
    return builder.getInt32(index);
  }

  struct Place {
    llvm::Value *frame, *end; ///< the end of the chunk
  };
  /// Fills in the frame of an activation that has not begun. `number`: of this
  /// member or of another one of the same type.
  void begin_frame(llvm::IRBuilder<> &builder, Place place, llvm::Value *caller,
                   llvm::Value *number,
                   llvm::ArrayRef<llvm::Value *> arguments) const;

private:
  struct Parameter {
    uint64_t offset;
    llvm::Type *type;                ///< as it is kept in the frame
    llvm::Type *structure = nullptr; ///< passed by value: kept itself
  };
  /// A value that is needed behind a call that suspends the function.
  struct Saved {
    llvm::Instruction *value;
    llvm::SmallVector<unsigned, 4> suspensions; ///< ascending
    uint64_t offset = 0;
    bool is_parameter = false; ///< in the frame already
    llvm::AllocaInst *variable = nullptr;
  };
  struct Suspension {
    llvm::CallInst *call;
    llvm::BasicBlock *behind;
    llvm::BasicBlock *resumed = nullptr; ///< loads what was saved
  };

  uint64_t add_field(uint64_t bytes, llvm::Align alignment);
  llvm::Align alignment_of(llvm::Type *type) const;
  void lay_out_parameters();
  void declare();
  void take_body(const ResumableGroup &group);
  void pass_structs_on_stack(llvm::CallInst &call);
  void move_to_frame(llvm::Function &body);
  void split(const ResumableGroup &group);
  void find_saved();
  void place_saved();
  void suspend(const ResumableGroup &group, unsigned which);
  void save(llvm::IRBuilder<> &builder, unsigned which);
  Place find_place(llvm::IRBuilder<> &builder, llvm::Function &more,
                   uint64_t bytes);
  llvm::Value *find_number(llvm::IRBuilder<> &builder, llvm::CallInst &call,
                           llvm::ArrayRef<const Resumable *> callees,
                           llvm::BasicBlock *behind);
  void resume(unsigned which);
  void leave(llvm::ReturnInst &leaving);
  llvm::Value *frame() const { return resumable->getArg(0); }
  llvm::Value *field(llvm::IRBuilder<> &builder, uint64_t offset) const;

  llvm::Function &original;
  llvm::Function *resumable = nullptr;
  const unsigned index;
  uint64_t size = 0;
  llvm::SmallVector<Parameter> parameters;
  /// Where parameters are loaded, by offset.
  llvm::DenseMap<llvm::Instruction *, uint64_t> loaded;
  llvm::BasicBlock *dispatch = nullptr, *start = nullptr;
  llvm::SmallVector<Suspension> suspensions;
  llvm::SmallVector<Saved> saved;
};

} // namespace gpuexec
