//===-- emulator/amdgpu/jit/no_destructors.cpp - The JIT at exit ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread may be compiling when the process calls exit(). The emulator waits
// for it there, but exit() calls first what was registered last: destructors of
// LLVM's local static objects, which come into being while LLVM compiles. So
// none is registered in this library. It stays loaded until the process ends,
// which frees all memory.
//===----------------------------------------------------------------------===//

/// Stands for the C++ ABI's function (Itanium C++ ABI, section 3.3.5.3) inside
/// this library alone. Returns 0: registered.
// NOLINTBEGIN(readability-identifier-naming, bugprone-reserved-identifier)
extern "C" __attribute__((visibility("hidden"))) int
__cxa_atexit(void (*)(void *), void *, void *) {
  return 0;
}
// NOLINTEND(readability-identifier-naming, bugprone-reserved-identifier)
