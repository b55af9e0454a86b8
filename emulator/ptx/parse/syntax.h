//===-- emulator/ptx/parse/syntax.h - What a PTX text says -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The syntax tree of a PTX module (PTX ISA 6.0 to 9.x). All StringRefs point
// into the text, which must outlive the tree; arrays and nodes belong to the
// module.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_PARSE_SYNTAX_H
#define GPUEXEC_EMULATOR_PTX_PARSE_SYNTAX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
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
  llvm::StringRef name;          ///< without a component such as .x
  char component = 0;            ///< of %tid.x: 'x', 'y', 'z', 'w'; 0: none
  bool negated = false;          ///< !%p or -%r
  int64_t integer = 0;           ///< the number, or an address's offset
  llvm::ArrayRef<Operand> parts; ///< of list, pair
};

/// `@!%p  ld.global.v2.f32  {%f1, %f2}, [%rd1+4];`
struct Instruction {
  uint32_t line = 0;
  llvm::StringRef guard; ///< a predicate register or empty
  bool guard_negated = false;
  llvm::StringRef opcode;                    ///< "ld"
  llvm::ArrayRef<llvm::StringRef> modifiers; ///< "global" "v2" "f32"
  llvm::ArrayRef<Operand> operands;

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
  bool is_group = false;       ///< %r<27>: 27 registers %r0 to %r26
  uint32_t register_count = 0; ///< of a group
  llvm::ArrayRef<uint64_t>
      dimensions; ///< the first is 0 in `x[]`; none: no array
  bool is_extern = false, is_visible = false, is_weak = false,
       is_common = false;
  bool is_pointer = false; ///< .ptr of a parameter
  /// Flattened, in the order of memory. `name+4` is of kind address, and
  /// `generic(name+4)` a list of one part with the name "generic".
  /// `0xFF00(address)`, a byte of an address, is a list of mask and address
  /// with the name "mask".
  llvm::ArrayRef<Operand> initializer;
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
  llvm::ArrayRef<Statement> statements;
};

/// `.callprototype`: the parameters' names may be `_`.
struct Prototype {
  llvm::ArrayRef<Variable> results, parameters;
  bool is_noreturn = false;
};

/// `.loc file line column`.
struct Location {
  uint32_t file = 0, line = 0, column = 0;
};

struct Statement {
  enum class Kind : uint8_t {
    instruction,
    label,
    variable,
    block,
    prototype,      ///< `label: .callprototype ...`
    branch_targets, ///< `label: .branchtargets a, b;`
    location
  } kind = Kind::instruction;
  uint32_t line = 0;
  llvm::StringRef label; ///< of label, prototype, branch_targets
  union {                ///< by `kind`; nothing for label
    const Instruction *instruction = nullptr;
    const Variable *variable;
    const Block *block;
    const Prototype *prototype;
    const llvm::ArrayRef<llvm::StringRef> *targets;
    const Location *location;
  };
};

struct Function {
  uint32_t line = 0;
  llvm::StringRef name;
  bool is_kernel = false, is_extern = false, is_visible = false,
       is_weak = false;
  bool is_noreturn = false;
  llvm::ArrayRef<Variable> results, parameters;
  uint32_t max_threads[3] = {}, required_threads[3] = {}; ///< 0: not said
  uint32_t min_blocks = 0;
  const Block *body = nullptr; ///< null: a declaration
};

struct File {
  uint32_t number;
  llvm::StringRef name;
};

/// Cannot be copied; its nodes stay where they are when it is moved.
struct Module {
  unsigned version_major = 0, version_minor = 0;
  llvm::StringRef target; ///< "sm_80"
  unsigned address_size = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> aliases;
  std::vector<File> files;
  std::unique_ptr<llvm::BumpPtrAllocator> memory; ///< of the nodes
};

/// Parses a module. An error says "NAME:LINE: what is wrong", where `name` is
/// how the text is called.
llvm::Expected<Module> parse(llvm::StringRef text, llvm::StringRef name);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_PARSE_SYNTAX_H
