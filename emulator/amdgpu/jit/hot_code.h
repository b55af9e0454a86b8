//===-- emulator/amdgpu/jit/hot_code.h - Hot code as one function ---------===//
// Builds the LLVM function for the code that can be reached from one
// instruction, for waves in which no lane but Request::lane is ever on.
//
// The rules that make this simple:
//  - EXEC is 0 or the lane's bit, and which of the two is known while
//    translating: code that runs with either is translated twice. Code that
//    sets any other bit leaves.
//  - Every register is a local variable ("cell"); LLVM turns the cells into
//    values. Where one block goes to another, and where the code leaves, State
//    holds every register again: a block writes back what it changed at its
//    end, and so does each way out of its middle. So ways out need nothing of
//    each other, and an entry reads just what its block may need (liveness.h).
//  - Whatever the JIT does not know, and whatever might be a fault, leaves: the
//    interpreter executes that instruction again from its start. So no effect
//    of an instruction may be visible before its last way out.
//  - Guest memory is accessed with volatile loads and stores: another wave or
//    the host may change it at any time.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_HOT_CODE_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_HOT_CODE_H

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/jit/compiler.h"
#include "emulator/amdgpu/jit/jit.h"
#include "emulator/amdgpu/jit/liveness.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuexec::emulator::amdgpu::jit {

class HotCode {
public:
  HotCode(Compiler &compiler, const std::set<Entry> &compiled,
          const Request &request);
  /// Fills the module. False when the region is not worth compiling.
  bool build();
  /// "120 instructions, 12 blocks; left for: ...", for people.
  std::string summary() const;
  Result result(Handler handler) const;
  Compiler::Work take() { return std::move(work); }
  static constexpr const char *FUNCTION = "region";

private:
  using Value = llvm::Value;
  using Block = llvm::BasicBlock;
  enum class Flow { next, ended };

  /// An instruction, and whether the lane is on there.
  struct Point {
    const Inst *inst;
    bool on;
    u64 key() const { return reinterpret_cast<u64>(inst) | on; }
  };
  /// A translated stretch of code that is gone to by name.
  struct Trace {
    Point at;
    Block *block;
    unsigned segment;        // of Liveness
    bool seldom = false;     // nothing that is known to run goes there
    bool translated = false; // else it leaves at once
  };

  // hot_code.cpp: traces.
  void translate_traces();
  bool compiled_before(Point point) const;
  void begin(Block *block, unsigned where, bool lane_on);
  void trace(Trace &trace);
  Flow translate(const Inst *i);
  Trace &trace_at(Point point, bool seldom = false);
  void join(Trace &to); // the current segment goes on there
  void go(const Inst *from, const Inst *to,
          bool seldom = false);            // ends the block
  void go_on(const Inst *next, bool with); // ends the block: EXEC was written
  bool full() const;
  Block *fresh(const char *name);

  // ways.cpp: ways in and out.
  void prologue();
  void entries();
  void way_out();
  void leave(const Inst *at);       // ends the block; the interpreter does `at`
  void leave_for(const Inst *next); // ends the block; whatever does `next`
  enum class Way { again, next, wide, stopped };
  Block *leaving(const Inst *at, Way way); // a block that leaves as it is now
  void write_back(llvm::IRBuilder<> &there);
  void flush(); // State holds every register
  void check_epoch(Block *then);

  // control.cpp
  Flow control(const Inst *i);
  Flow conditional_branch(const Inst *i, Value *taken);
  Flow leave_past(const Inst *i);
  void returns();
  Value *remembered(u64 return_address, Value *depth);
  void note_call(u64 return_address);
  void note_return(u64 address);
  const Inst *target_of(const Inst *i, bool &seldom);

  // values.cpp: registers, operands, scalar and vector operations.
  unsigned cell(u32 offset);
  Value *get(u32 offset);
  void set(u32 offset, Value *value);
  Value *get_scc();
  void set_scc(Value *bit);
  u32 offset_of(Operand operand) const; // of a register's cell
  Value *read32(const Inst *i, Operand o);
  Value *read64(const Inst *i, Operand o);
  void write_scalar(Operand o, Value *value, unsigned bytes);
  void write_vector(Operand o, Value *value, unsigned registers);
  Value *lane_bit(const Inst *i, Operand o);   // i1 of a mask operand
  void write_mask(Operand o, Value *bit);      // bit, if the lane is on
  Flow write_exec(const Inst *i, Value *mask); // i64; ends the block
  struct Given {
    Value *value, *bit;
  };
  std::optional<Given> call(llvm::StringRef name,
                            llvm::ArrayRef<Value *> sources, Value *condition,
                            u32 mods, Value *old);
  Flow vector_operation(const Inst *i);
  Flow scalar_operation(const Inst *i);
  Flow save_exec(const Inst *i);
  Flow special(const Inst *i);
  Flow micro_op(const Inst *i);
  Flow other_lanes(const Inst *i);
  Flow sdwa(const Inst *i);
  Flow sdwa_merge(const Inst *i);
  std::optional<u32> known(Operand o, const Inst *i) const;
  void learn(const Inst *i);

  // memory.cpp
  Flow memory(const Inst *i);
  Flow scalar_load(const Inst *i);
  struct Place {
    Value *base;                  // of the first dword
    Value *word_stride = nullptr; // null: contiguous
  };
  Place place(const Inst *i, Space space, unsigned bytes, bool write,
              unsigned offset);
  Value *global_place(const Inst *i, Value *address, unsigned bytes, bool write,
                      bool flat);
  Value *address_of(const Inst *i, Space space);
  void load(const Place &place, const Operation &operation, Operand dst);
  void store(const Inst *i, const Place &place, const Operation &operation,
             Operand data);
  Flow atomic(const Inst *i);

  Value *constant32(u32 v) { return ir.getInt32(v); }
  Value *constant64(u64 v) { return ir.getInt64(v); }
  u64 lane_mask() const { return u64(1) << request.lane; }
  Value *state_field(size_t offset, llvm::Type *type, const char *name);
  Value *state_pointer(size_t offset);

  Compiler &compiler;
  const std::set<Entry> &compiled;
  const Request &request;
  Compiler::Work work;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> ir;
  llvm::Type *i1, *i8, *i32, *i64, *ptr;
  llvm::Function *function = nullptr;
  Value *state = nullptr, *entered = nullptr; // the entry's Point::key
  Block *enter = nullptr, *other = nullptr, *wide = nullptr;
  Block *out[2] = {}, *stopped[2] = {}; // by `on`
  llvm::AllocaInst *scc = nullptr, *budget = nullptr, *bit = nullptr;
  Value *scratch = nullptr, *scratch_size = nullptr, *lds = nullptr,
        *lds_size = nullptr, *word_stride = nullptr;

  std::map<u64, Trace> traces; // by Point::key; they stay where they are
  std::deque<Trace *> pending, seldom_pending;
  llvm::SetVector<Trace *> ways_in;
  Liveness liveness;
  struct Cell {
    u32 offset; // in State
    llvm::AllocaInst *variable;
  };
  std::vector<Cell> cells; // by number
  llvm::DenseMap<u32, unsigned> cell_numbers;

  // Where the translation is.
  bool on = true;
  unsigned segment = 0;
  llvm::SetVector<unsigned> dirty; // cells that State does not hold yet
  bool scc_dirty = false;
  std::map<u64, Block *> leaves;      // that leave as it is now
  llvm::DenseMap<u32, u32> constants; // scalar cells whose value is known here
  std::optional<bool> constant_scc;
  const char *name = ""; // of what is being translated

  struct Return {
    Block *block;
    const Inst *inst;
    Value *target;
    bool on;
    unsigned segment;
  };
  std::vector<Return> indirect;
  std::vector<std::pair<u64, const Inst *>> return_sites; // address, block
  unsigned translated = 0, sites = 0;
  bool loops = false, failed = false;
  std::map<std::string, unsigned> left; // names of what is not compiled
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_HOT_CODE_H
