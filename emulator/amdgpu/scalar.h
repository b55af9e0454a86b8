//===-- emulator/amdgpu/scalar.h - Scalar arithmetic ------------*- C++ -*-===//
// How a pure function of ops/ becomes a handler of scalar registers.
// Included once per unit inside the level's namespace, after operands.h.
//===----------------------------------------------------------------------===//
namespace gpuexec::emulator::amdgpu::LEVEL {

template <auto F, typename Signature = decltype(F)> struct Scalar;
template <auto F, typename R, typename... A> struct Scalar<F, R (*)(A...)> {
  static constexpr unsigned N = (0u + ... + unsigned(!std::is_same_v<A, bool>));
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
  template <typename T>
  static constexpr void add_source(Uses &uses, unsigned &k) {
    if constexpr (!std::is_same_v<T, bool>)
      uses.src[k++] = reads(File::value, sizeof(T) == 8 ? 2 : 1);
  }
  static constexpr Uses uses() {
    Uses uses;
    unsigned k = 0;
    (add_source<A>(uses, k), ...);
    unsigned bytes;
    if constexpr (std::is_same_v<R, ops::Scc>)
      bytes = 0;
    else if constexpr (requires(R r) { r.scc; })
      bytes = sizeof(decltype(R::value));
    else
      bytes = sizeof(R);
    if (bytes)
      uses.dst = writes(File::scalar, bytes == 8 ? 2 : 1);
    return uses;
  }
  template <bool WritesExec> static void run(State &s, const Inst *i) {
    unsigned k = 0;
    // Braces: the arguments are evaluated in order.
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
template <auto F, bool Tied>
constexpr Operation scalar_operation(const char *name) {
  using S = Scalar<F>;
  Operation op;
  op.name = name;
  op.form = Form::salu;
  op.sources = S::N;
  op.uses = S::uses();
  op.tied = Tied;
  for (unsigned k = 0; k < SHAPES; ++k)
    op.fn[k] = S::template run<false>;
  op.writes_exec = S::template run<true>;
  return op;
}
template <auto F, bool Save> static void exec_logic(State &s, const Inst *i) {
  u64 exec = s.exec();
  auto r = F(scalar64(s, i, i->src[0]), exec);
  mask_at(s, i->dst) = Save ? exec : r.value;
  s.mask(EXEC) = r.value;
  s.scc = r.scc;
  s.exec_changed();
  NEXT(s, i);
}
template <auto F, bool Save>
constexpr Operation exec_operation(const char *name) {
  Operation op;
  op.name = name;
  op.form = Form::saveexec;
  op.sources = 1;
  op.uses = from_to(reads(File::value, 2), writes(File::scalar, 2));
  for (unsigned k = 0; k < SHAPES; ++k)
    op.fn[k] = exec_logic<F, Save>;
  return op;
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
