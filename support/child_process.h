//===-- support/child_process.h - Starts a child process --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork(), and the set-up of the child before it does anything else: it can end
// with its parent, leave the terminal's session, reset signals, and get chosen
// descriptors at chosen numbers. The set-up allocates no memory: after fork()
// the child of a process with threads may only make system calls.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_CHILD_PROCESS_H
#define GPUEXEC_SUPPORT_CHILD_PROCESS_H

#include <span>
#include <sys/types.h>

namespace gpuexec {

/// A descriptor for the child. `here`: its number in this process; -1 stands
/// for /dev/null. `there`: its number in the child, 0 to 63.
struct ChildDescriptor {
  int here, there;
};

/// The exit status of a child whose set-up failed.
inline constexpr int CHILD_FAILED = 125;

struct ChildSettings {
  /// These descriptors stay open across exec(). A `there` may equal the `here`
  /// of another one. At most 64.
  std::span<const ChildDescriptor> descriptors;
  /// Closes all other descriptors, the standard streams included.
  bool closes_others = true;
  /// The signal that the child gets when the thread that called fork_child()
  /// ends; 0: none. If the parent process has already ended, the child exits
  /// with CHILD_FAILED.
  int signal_at_parents_end = 0;
  bool leaves_session = false;  ///< setsid()
  bool unblocks_signals = true; ///< the child's mask of signals is empty
  std::span<const int> default_signals, ignored_signals;
};

/// Forks. Returns the child's process number in the parent, 0 in the child
/// after its set-up, and -1 with errno when fork() failed. A child whose set-up
/// fails exits with CHILD_FAILED and does not return.
pid_t fork_child(const ChildSettings &settings);

} // namespace gpuexec

#endif
