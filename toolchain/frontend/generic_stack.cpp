//===-- toolchain/frontend/generic_stack.cpp - C++ on AMD -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On AMD's GPUs local variables have an address space of their own, which
// clang 22 gets wrong in C++ in two ways:
//   new S(make())      make() is told to put its result on the stack, by the
//                      lower half of the address that new has returned.
//   c ? x : throw S()  clang crashes: what it saves for an exception in the
//   c ? new S : p      constructor it takes for an alloca, which is a cast.
// Where the data layout says nothing of such an address space neither happens.
//===----------------------------------------------------------------------===//
#include "generic_stack.h"

namespace {

constexpr const char *STACK = "-A5"; // in a data layout
constexpr const char *BEHIND = "-G1";

/// Gives access to a protected member of TargetInfo.
struct Target : clang::TargetInfo {
  static std::string &layout(clang::TargetInfo &target) {
    return target.*&Target::DataLayoutString;
  }
};

} // namespace

void gpuexec::begin_generic_stack(clang::TargetInfo &target) {
  std::string &layout = Target::layout(target);
  const size_t at = layout.find(STACK);
  if (at != layout.npos)
    layout.erase(at, std::char_traits<char>::length(STACK));
}

void gpuexec::end_generic_stack(clang::TargetInfo &target) {
  std::string &layout = Target::layout(target);
  if (layout.find(STACK) == layout.npos)
    layout.insert(layout.find(BEHIND), STACK);
}
