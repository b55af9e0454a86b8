//===-- emulator/amdgpu/jit/hot_code.h - Hot code as one function -*- C++
//-*-===//
// Builds the LLVM function for the code that can be reached from one
// instruction, for waves in which no lane but Request::lane is on.
//
// The rules that make this simple:
//  - Every register is a local variable ("cell"), read from State on entry and
//    written back on the one way out; LLVM turns the cells into values.
//  - EXEC is 0 or the lane's bit. Code that sets any other bit leaves.
//  - Whatever the JIT does not know, and whatever might be a fault, leaves: the
//    interpreter executes that instruction again from its start. So no effect
//    of an instruction may be visible before its last way out.
//  - Guest memory is accessed with volatile loads and stores: another wave or
//    the host may change it at any time.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_HOT_CODE_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_HOT_CODE_H

#include "emulator/amdgpu/jit/compiler.h"
#include "emulator/amdgpu/jit/jit.h"
#include "emulator/amdgpu/jit/meanings.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec::emulator::amdgpu::jit {

class HotCode {
public:
  HotCode(Compiler &compiler, const Meanings &meanings, const Request &request);
  /// Fills the module. False when the region is not worth compiling.
  bool build();
  /// "120 instructions, 12 blocks; left for: ...", for people.
  std::string summary() const;
  /// The blocks that may be entered: first instructions.
  std::vector<const Inst *> heads() const;
  Compiler::Work take() { return std::move(work); }
  static constexpr const char *FUNCTION = "region";

private:
  using Value = llvm::Value;
  using Block = llvm::BasicBlock;
  enum class Flow { next, ended };

  // region.cpp: traces and the ways in and out.
  void prologue();
  void epilogue();
  void trace(const Inst *head);
  Flow translate(const Inst *i);
  Flow control(const Inst *i, llvm::StringRef name);
  void go(const Inst *from, const Inst *to); // ends the block
  void leave(const Inst *at);       // ends the block; the interpreter does `at`
  void leave_for(const Inst *next); // ends the block; whatever does `next`
  Block *leaving(const Inst *at, bool again); // a block that does the one or
                                              // the other
  Block *block_of(const Inst *head);          // null when the region is full
  const Inst *decoded(u64 offset);
  void returns();
  bool full() const;
  void check_epoch(Block *then);
  Block *fresh(const char *name);

  // values.cpp: registers, operands, scalar and vector operations.
  llvm::AllocaInst *cell(u32 offset);
  Value *get(u32 offset);
  void set(u32 offset, Value *value);   // unconditional
  u32 offset_of(Operand operand) const; // of a register's cell
  Value *read32(const Inst *i, Operand o);
  Value *read64(const Inst *i, Operand o);
  void write_scalar(Operand o, Value *value, unsigned bytes);
  void write_vector(Operand o, Value *value, unsigned registers);
  Value *lane_bit(const Inst *i, Operand o);   // i1 of a mask operand
  void write_mask(Operand o, Value *bit);      // bit & active
  Flow write_exec(const Inst *i, Value *mask); // i64
  struct Result {
    Value *value, *bit;
  };
  std::optional<Result> call(llvm::StringRef name,
                             llvm::ArrayRef<Value *> sources, Value *condition,
                             u32 mods, Value *old);
  Flow vector_operation(const Inst *i, const Meaning &meaning);
  Flow scalar_operation(const Inst *i, const Meaning &meaning);
  Flow save_exec(const Inst *i, const Operation &operation);
  Flow special(const Inst *i, const Operation &operation);
  Flow sdwa(const Inst *i);
  Flow sdwa_merge(const Inst *i);
  std::optional<u32> known(Operand o, const Inst *i) const;
  void learn(const Inst *i, llvm::StringRef name);

  // memory.cpp
  Flow memory(const Inst *i, llvm::StringRef name);
  Flow scalar_load(const Inst *i, llvm::StringRef name);
  struct Place {
    Value *base;                  // of the first dword
    Value *word_stride = nullptr; // null: contiguous
  };
  enum class Space : u8 { global, flat, scratch, lds };
  std::optional<Place> place(const Inst *i, Space space, unsigned bytes,
                             bool write, unsigned offset);
  Value *global_place(const Inst *i, Value *address, unsigned bytes, bool write,
                      bool flat);
  Value *address_of(const Inst *i, Space space);
  void load(const Inst *i, const Place &place, unsigned bytes, bool sign,
            int half, Operand dst);
  void store(const Inst *i, const Place &place, unsigned bytes, int half,
             Operand data);
  Flow atomic(const Inst *i, llvm::StringRef name, Space space);
  /// Runs `body` only when the lane is on.
  template <typename Body> void if_active(Body body);

  Value *constant32(u32 v) { return ir.getInt32(v); }
  Value *constant64(u64 v) { return ir.getInt64(v); }
  Value *state_field(size_t offset, llvm::Type *type, const char *name);
  Value *state_pointer(size_t offset);

  Compiler &compiler;
  const Meanings &meanings;
  const Request &request;
  Compiler::Work work;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> ir;
  llvm::Type *i1, *i8, *i32, *i64, *ptr;
  llvm::Function *function = nullptr;
  Value *state = nullptr, *start_active = nullptr;
  Block *entry = nullptr, *body = nullptr, *enter = nullptr, *out = nullptr,
        *stopped = nullptr;
  llvm::AllocaInst *active = nullptr, *scc = nullptr, *budget = nullptr,
                   *bit = nullptr;
  Value *scratch = nullptr, *scratch_size = nullptr, *lds = nullptr,
        *lds_size = nullptr, *word_stride = nullptr;

  struct Cell {
    llvm::AllocaInst *variable;
    bool dirty = false;
  };
  llvm::MapVector<u32, Cell> cells;
  llvm::DenseMap<const Inst *, Block *> blocks;
  std::map<u64, Block *> leaves;
  std::deque<const Inst *> pending;
  struct Return {
    Block *block;
    const Inst *inst;
    Value *target;
  };
  std::vector<Return> indirect;
  std::vector<std::pair<u64, const Inst *>> return_sites; // address, block
  llvm::DenseMap<u32, u32> constants; // scalar cells whose value is known here
  std::optional<bool> constant_scc;
  unsigned translated = 0, sites = 0;
  bool loops = false;
  std::string name; // of the operation that is being translated
  std::map<std::string, unsigned> left; // names of what is not compiled
};

template <typename Body> void HotCode::if_active(Body then) {
  Block *on = fresh("on"), *join = fresh("join");
  ir.CreateCondBr(ir.CreateLoad(i1, active), on, join);
  ir.SetInsertPoint(on);
  then();
  ir.CreateBr(join);
  ir.SetInsertPoint(join);
}

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_HOT_CODE_H
