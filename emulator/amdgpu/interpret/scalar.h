//===-- emulator/amdgpu/interpret/scalar.h - Scalar arithmetic --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a pure function of ops/ becomes a handler of scalar registers.
// Included once per unit inside the level's namespace, after operands.h.
//===----------------------------------------------------------------------===//
namespace gpuexec::emulator::amdgpu::LEVEL {

template <auto F, typename Signature = decltype(F)> struct Scalar;
template <auto F, typename R, typename... A> struct Scalar<F, R (*)(A...)> {
  template <typename T>
  INLINE T argument(State &s, const Inst *i, unsigned &k) {
    if constexpr (std::is_same_v<T, bool>)
      return s.scc;
    else if constexpr (sizeof(T) == 8)
      return T(scalar64(s, i, i->src[k++]));
    else
      return T(scalar32(s, i, i->src[k++]));
  }
  template <typename T> INLINE void put(State &s, const Inst *i, T value) {
    __builtin_memcpy(reinterpret_cast<char *>(&s) + i->dst, &value, sizeof(T));
  }
  template <bool WritesExec> static void run(State &s, const Inst *i) {
    unsigned k = 0;
    // Braces, not parentheses, so that the arguments are evaluated in order.
    std::tuple<A...> arguments{argument<A>(s, i, k)...};
    R r = std::apply([](A... a)
                         __attribute__((always_inline)) { return F(a...); },
                     arguments);
    if constexpr (std::is_same_v<R, ops::Scc>)
      s.scc = r.scc;
    else if constexpr (requires { r.scc; }) {
      put(s, i, r.value);
      s.scc = r.scc;
    } else
      put(s, i, r);
    if constexpr (WritesExec)
      s.exec_changed();
    NEXT(s, i);
  }
};
template <auto F> constexpr OperationHandlers scalar_handlers() {
  OperationHandlers op = every_shape(Scalar<F>::template run<false>);
  op.writes_exec = Scalar<F>::template run<true>;
  return op;
}
template <auto F, bool Save> static void exec_logic(State &s, const Inst *i) {
  using Mask = decltype(F(0, 0).value); // of 64 or of 32 lanes
  Mask source, exec = Mask(s.exec());
  __builtin_memcpy(&source, address(s, i, i->src[0]), sizeof(Mask));
  auto r = F(source, exec);
  const Mask saved = Save ? exec : r.value;
  __builtin_memcpy(reinterpret_cast<char *>(&s) + i->dst, &saved, sizeof(Mask));
  s.mask(EXEC) = r.value;
  s.scc = r.scc;
  s.exec_changed();
  NEXT(s, i);
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
