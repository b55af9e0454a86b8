//===-- emulator/amdgpu/jit/meanings.h - What a handler does ----*- C++ -*-===//
// A decoded instruction says what it does by its handler alone. This is the way
// back: from the handler to the table line it came from.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_MEANINGS_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_MEANINGS_H

#include "emulator/amdgpu/table.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace gpuexec::emulator::amdgpu::jit {

enum class Step : u8 {
  operation, // a line of the table
  sdwa,
  sdwa_merge,
  modify,
  upper_half,
  insert_half,
  copy_scalar,
  set_exec,
  link,
  nothing, // has no effect
  opaque,  // the interpreter's business
};

struct Meaning {
  Step step = Step::opaque;
  const Operation *operation = nullptr;
  bool saturating = false;
  bool writes_exec = false; // SALU whose destination is EXEC
};

/// Bytes of a scalar function's sources and of its result (0: none).
struct ScalarTypes {
  u8 source[3] = {0, 0, 0};
  u8 result = 0;
  bool writes_scc = false;
};

class Meanings {
public:
  explicit Meanings(const Level &level);
  Meaning of(Handler handler) const;
  /// Null when `name` is no scalar function of ops/.
  const ScalarTypes *scalar(llvm::StringRef name) const;

private:
  llvm::DenseMap<const void *, Meaning> handlers;
  llvm::StringMap<ScalarTypes> scalars;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_MEANINGS_H
