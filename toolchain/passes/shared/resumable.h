//===-- toolchain/passes/shared/resumable.h - Frames in memory --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A resumable function is a second version of a function that has its frame in
// the heap. Where the original calls a function of its group, the resumable one
// saves the values that it still needs, makes the callee's frame and returns it
// to a loop (extend_stack.cpp). The loop resumes the function to which the
// returned frame belongs. A function that ends returns the frame of its caller.
// So the hardware's stack has at most one activation of the group.
//===----------------------------------------------------------------------===//
#pragma once
#include "toolchain/passes/shared/call_cycles.h"
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <memory>

namespace gpuexec {

class Resumable;

/// The resumable functions of one cycle of calls.
struct ResumableGroup {
  /// By original function.
  llvm::MapVector<llvm::Function *, std::unique_ptr<Resumable>> members;
  const CallTargets *targets = nullptr;
  llvm::Function *more = nullptr; ///< Runtime::more_stack
  uint64_t result_size = 0;       ///< bytes of the largest result of a member

  /// The members that the call may reach. A call through a pointer may reach
  /// other functions, too.
  llvm::SmallVector<const Resumable *, 2>
  callees(const llvm::CallBase &call) const;
};

/// The type of pointers to frames, which are in global memory.
llvm::PointerType *frame_pointer(llvm::LLVMContext &context);

/// The words at the beginning of every frame, by their offsets in bytes. The
/// function's parameters, its local variables and saved values follow.
enum class FrameWord : unsigned {
  caller = 0,    ///< pointer: the frame of the caller
  end = 8,       ///< pointer: the end of the chunk, a stack_chunk
  function = 16, ///< i32: number of the member
  place = 20,    ///< i32: where it resumes; 0 is its beginning
  result = 24,   ///< result_size bytes: the result of the call that it made
};
inline const llvm::Align FRAME_ALIGNMENT(16), RESULT_ALIGNMENT(8);

llvm::Value *word_address(llvm::IRBuilder<> &builder, llvm::Value *frame,
                          FrameWord word);

/// Gets a chunk of memory with room for `bytes` after the one that ends at
/// `end` (null: it is the first one). Returns the addresses where it begins and
/// ends.
std::pair<llvm::Value *, llvm::Value *> next_chunk(llvm::IRBuilder<> &builder,
                                                   llvm::Function &more,
                                                   llvm::Value *end,
                                                   uint64_t bytes);

/// The size in bytes of a frame that has only the words above.
uint64_t bare_frame_size(const ResumableGroup &group);

/// One resumable function.
class Resumable {
public:
  /// Can the function be resumable in a group of `members`?
  static bool is_possible(const llvm::Function &function,
                          llvm::ArrayRef<llvm::Function *> members);

  Resumable(llvm::Function &original, unsigned index);

  /// Makes the body and lays out its frame. Call it when all members are in the
  /// group.
  void prepare(const ResumableGroup &group);
  /// Makes the body save, return and resume. Call it when all members are
  /// prepared.
  void complete(const ResumableGroup &group);

  llvm::Function &function() const { return *resumable; }
  uint64_t frame_size() const { return size; }

  /// Can a call through a pointer make the function's frame?
  bool takes_plain_arguments() const;

  /// i32: the function's number in the group.
  llvm::Value *number(llvm::IRBuilder<> &builder) const {
    return builder.getInt32(index);
  }

  /// The address of a frame, and of the end of its chunk.
  struct Place {
    llvm::Value *frame, *end;
  };
  /// Fills in the frame of a new activation. `number`: the number of this
  /// member or of another one of the same type.
  void begin_frame(llvm::IRBuilder<> &builder, Place place, llvm::Value *caller,
                   llvm::Value *number,
                   llvm::ArrayRef<llvm::Value *> arguments) const;

private:
  struct Parameter {
    uint64_t offset;
    llvm::Type *type;                ///< its type in the frame
    llvm::Type *structure = nullptr; ///< type of a struct passed by value
  };
  /// A value that is needed after a call that suspends the function.
  struct Saved {
    llvm::Instruction *value;
    llvm::SmallVector<unsigned, 4> suspensions; ///< numbers, ascending
    uint64_t offset = 0;                        ///< in the frame
    bool is_parameter = false;                  ///< it is in the frame anyway
    llvm::AllocaInst *variable = nullptr;
  };
  /// A call of a member of the group.
  struct Suspension {
    llvm::CallInst *call;
    llvm::BasicBlock *behind;            ///< the code after the call
    llvm::BasicBlock *resumed = nullptr; ///< loads the saved values
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
  /// The loads of parameters, and the parameters' offsets in the frame.
  llvm::DenseMap<llvm::Instruction *, uint64_t> loaded;
  llvm::BasicBlock *dispatch = nullptr, *start = nullptr;
  llvm::SmallVector<Suspension> suspensions;
  llvm::SmallVector<Saved> saved;
};

} // namespace gpuexec
