//===-- emulator/amdgpu/jit/meanings.cpp - What a handler does ------------===//
#include "emulator/amdgpu/jit/meanings.h"

#include "emulator/amdgpu/ops/salu.h"

#include <type_traits>

namespace gpuexec::emulator::amdgpu::jit {
namespace {

template <typename R> struct Result {
  static constexpr u8 bytes = sizeof(R);
  static constexpr bool scc = false;
};
template <typename T> struct Result<ops::WithScc<T>> {
  static constexpr u8 bytes = sizeof(T);
  static constexpr bool scc = true;
};
template <> struct Result<ops::Scc> {
  static constexpr u8 bytes = 0;
  static constexpr bool scc = true;
};

template <typename R, typename... A>
constexpr ScalarTypes types_of(R (*)(A...)) {
  ScalarTypes types;
  unsigned k = 0;
  ((std::is_same_v<A, bool> ? void() : void(types.source[k++] = sizeof(A))),
   ...);
  types.result = Result<R>::bytes;
  types.writes_scc = Result<R>::scc;
  return types;
}

const void *key(Handler handler) {
  return reinterpret_cast<const void *>(handler);
}
} // namespace

Meanings::Meanings(const Level &level) {
  auto add = [&](Handler handler, Meaning meaning) {
    if (handler)
      handlers.try_emplace(key(handler), meaning); // the first line wins: what
                                                   // shares a handler is equal
  };
  const Steps &steps = level.steps;
  add(steps.skip, {Step::nothing});
  add(steps.sdwa, {Step::sdwa});
  add(steps.sdwa_merge, {Step::sdwa_merge});
  add(steps.modify, {Step::modify});
  add(steps.upper_half, {Step::upper_half});
  add(steps.insert_half, {Step::insert_half});
  add(steps.copy_scalar, {Step::copy_scalar});
  add(steps.set_exec, {Step::set_exec});
  add(steps.link, {Step::link});
  for (unsigned k = 0; k < level.count; ++k) {
    const Operation &operation = level.operations[k];
    for (unsigned shape : {ONE, FULL, SOME}) { // fn[ONE] may be patched
      add(operation.fn[shape], {Step::operation, &operation});
      add(operation.saturating[shape], {Step::operation, &operation, true});
    }
    add(operation.writes_exec, {Step::operation, &operation, false, true});
  }
#define SALU(NAME) scalars[#NAME] = types_of(&ops::NAME);
#define SALU_TIED(NAME) scalars[#NAME] = types_of(&ops::NAME);
#define SALU_SAVEEXEC(NAME, LOGIC) scalars[#NAME] = types_of(&ops::LOGIC);
#define SALU_WREXEC(NAME, LOGIC) scalars[#NAME] = types_of(&ops::LOGIC);
#include "emulator/amdgpu/ops/salu.def"
}

Meaning Meanings::of(Handler handler) const {
  return handlers.lookup(key(handler));
}

const ScalarTypes *Meanings::scalar(llvm::StringRef name) const {
  auto it = scalars.find(name);
  return it == scalars.end() ? nullptr : &it->second;
}

} // namespace gpuexec::emulator::amdgpu::jit
