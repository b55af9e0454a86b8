//===-- support/child_process.h - Starts a child process --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork(), and what a child of ours does first: it ends with its parent, leaves
// the terminal's session, has certain signals and the descriptors that it is to
// have, at the numbers where it looks for them. Nothing is allocated behind
// fork(): the child of a process with threads may do next to nothing.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_CHILD_PROCESS_H
#define GPUEXEC_SUPPORT_CHILD_PROCESS_H

#include <span>
#include <sys/types.h>

namespace gpuexec {

/// A descriptor of this process, and its number in the child, below 64.
struct ChildDescriptor {
  int here, there;
};

/// The exit status of a child that cannot be set up.
inline constexpr int CHILD_FAILED = 125;

struct ChildSettings {
  /// The child has them open across exec(). A number may be listed on both
  /// sides; -1 here: /dev/null.
  std::span<const ChildDescriptor> descriptors;
  /// The child has no other descriptor, not even the standard streams.
  bool closes_others = true;
  /// The signal that the child gets when the thread that started it ends; 0:
  /// none. A child whose parent is gone already exits with CHILD_FAILED.
  int signal_at_parents_end = 0;
  bool leaves_session = false;
  bool unblocks_signals = true;
  std::span<const int> default_signals, ignored_signals;
};

/// The child's number; 0 in the child, which is set up; -1 with errno when
/// there is none. A child that cannot be set up exits with CHILD_FAILED.
pid_t fork_child(const ChildSettings &settings);

} // namespace gpuexec

#endif
