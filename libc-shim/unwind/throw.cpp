//===-- libc-shim/unwind/throw.cpp - libsupc++'s eh_throw.cc --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each exception notes the handlers of std::terminate and std::unexpected.
// libsupc++ loads them with acquire order, which costs an NVIDIA GPU a wait for
// the second level cache each, and the contents of the first. Here the order
// comes where a handler is called (terminate.cpp, unexpected.cpp).
//===----------------------------------------------------------------------===//
#include "unwind-cxx.h"

namespace std {
inline terminate_handler __gpuexec_terminate_handler() noexcept {
  return __atomic_load_n(&__cxxabiv1::__terminate_handler, __ATOMIC_RELAXED);
}
inline terminate_handler __gpuexec_unexpected_handler() noexcept {
  return __atomic_load_n(&__cxxabiv1::__unexpected_handler, __ATOMIC_RELAXED);
}
} // namespace std

#define get_terminate __gpuexec_terminate_handler
#define get_unexpected __gpuexec_unexpected_handler
#include "eh_throw.cc"
