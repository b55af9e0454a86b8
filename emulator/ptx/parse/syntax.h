//===-- emulator/ptx/parse/syntax.h - What a PTX text says -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The syntax tree of a PTX module (PTX ISA 6.0 to 9.x). All StringRefs point
// into the text, which must outlive the tree.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_PARSE_SYNTAX_H
#define GPUEXEC_EMULATOR_PTX_PARSE_SYNTAX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gpuexec::ptx {

/// A type without its leading dot: the fundamental types, in one enumeration.
enum class Type : uint8_t {
  none,
#define PTX_TYPE(NAME, BITS) NAME,
#include "emulator/ptx/parse/types.def"
};
/// Bits of a value of this type; 1 for pred, 0 for none.
unsigned bits_of(Type type);
llvm::StringRef name_of(Type type);
/// Whether it is s8 to s64.
bool is_signed(Type type);
bool is_floating(Type type); ///< f16 to f64 and their pairs
std::optional<Type> type_named(llvm::StringRef name_without_dot);

enum class Space : uint8_t {
  generic,
  reg,
  sreg,
  constant,
  global,
  local,
  param,
  shared
};
std::optional<Space> space_named(llvm::StringRef name_without_dot);

/// An operand: `%r1`, `5`, `0f3F800000`, `name`, `[name+4]`, `{a, b}`, `a|b`.
struct Operand {
  enum class Kind : uint8_t {
    name,    ///< a register, special register, variable, label or function
    integer, ///< `integer` (a negative one in two's complement; WARP_SZ is 32)
    real32,  ///< 0f...: its bits in `integer`
    real64,  ///< 0d... or a decimal one: its bits in `integer`
    address, ///< [base + offset]; base in `name` (empty: absolute)
    list,    ///< {a, b, c} or (a, b) of a call, and [tex, {x, y}]
    pair,    ///< a|b of shfl, vote, setp ...
    sink     ///< _
  } kind = Kind::name;
  llvm::StringRef name;       ///< without a component such as .x
  char component = 0;         ///< of %tid.x: 'x', 'y', 'z', 'w'; 0: none
  bool negated = false;       ///< !%p or -%r
  int64_t integer = 0;        ///< the number, or an address's offset
  std::vector<Operand> parts; ///< of list, pair
};

/// `@!%p  ld.global.v2.f32  {%f1, %f2}, [%rd1+4];`
struct Instruction {
  uint32_t line = 0;
  llvm::StringRef guard; ///< a predicate register or empty
  bool guard_negated = false;
  llvm::StringRef opcode;                          ///< "ld"
  llvm::SmallVector<llvm::StringRef, 6> modifiers; ///< "global" "v2" "f32"
  llvm::SmallVector<Operand, 4> operands;

  bool has(llvm::StringRef modifier) const;
  /// The n-th modifier that is a type; Type::none when there are fewer.
  Type type(unsigned n = 0) const;
  std::optional<Space> space() const; ///< the first modifier that is one
};

/// A variable, parameter or group of registers.
struct Variable {
  uint32_t line = 0;
  Space space = Space::global;
  Type type = Type::none;
  uint8_t vector = 1;     ///< 2 or 4 for .v2, .v4
  uint32_t alignment = 0; ///< bytes; 0: that of the type
  llvm::StringRef name;
  uint32_t register_count = 0;      ///< of %r<27>: 27 registers name0 to name26
  std::vector<uint64_t> dimensions; ///< the first is 0 in `x[]`; none: no array
  bool is_extern = false, is_visible = false, is_weak = false,
       is_common = false;
  bool is_pointer = false; ///< .ptr of a parameter
  /// Flattened, in the order of memory. `name+4` is of kind address, and
  /// `generic(name+4)` a list of one part with the name "generic".
  std::vector<Operand> initializer;
  bool has_initializer = false;
  bool is_array() const { return !dimensions.empty(); }
  /// Elements of an array, or 1. Never overflows: the parser bounds it.
  uint64_t elements() const;
  uint64_t bytes() const;
  /// That of .align, or of the type.
  uint32_t alignment_in_bytes() const;
};

struct Statement; // of a function's body

/// `{ ... }`: a scope for the variables and labels declared in it.
struct Block {
  std::vector<Statement> statements;
};

/// `.callprototype`: parameters have no names.
struct Prototype {
  llvm::StringRef label;
  std::vector<Variable> results, parameters;
};

struct Statement {
  enum class Kind : uint8_t {
    instruction,
    label,
    variable,
    block,
    prototype,
    branch_targets, ///< L: .branchtargets a, b;
    location        ///< .loc file line column
  } kind = Kind::instruction;
  Instruction instruction;
  llvm::StringRef label;
  Variable variable;
  std::unique_ptr<Block> block;
  std::unique_ptr<Prototype> prototype;
  std::vector<llvm::StringRef> targets;
  uint32_t file = 0, source_line = 0, source_column = 0;
};

struct Function {
  uint32_t line = 0;
  llvm::StringRef name;
  bool is_kernel = false, is_extern = false, is_visible = false,
       is_weak = false;
  bool is_noreturn = false;
  std::vector<Variable> results, parameters;
  uint32_t max_threads[3] = {}, required_threads[3] = {}; ///< 0: not said
  uint32_t min_blocks = 0;
  std::optional<Block> body; ///< absent: a declaration
};

struct File {
  uint32_t number;
  llvm::StringRef name;
};

struct Module {
  unsigned version_major = 0, version_minor = 0;
  llvm::StringRef target; ///< "sm_80"
  unsigned address_size = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> aliases;
  std::vector<File> files;
};

/// Parses a module. An error says "NAME:LINE: what is wrong", where `name` is
/// how the text is called.
llvm::Expected<Module> parse(llvm::StringRef text, llvm::StringRef name);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_PARSE_SYNTAX_H
