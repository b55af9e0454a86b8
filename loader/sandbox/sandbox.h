//===-- loader/sandbox/sandbox.h - Confinement by the kernel ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Confines this process, whatever code runs in it later: Landlock restricts it
// to the granted files, a seccomp filter to the system calls that a program's
// server needs, and no_new_privs keeps it from gaining privileges. The layers
// are independent: each alone keeps the process from starting commands.
//
// Landlock restricts the calling thread and the threads that it starts later;
// only kernels with ABI 8 (Linux 7.0) can restrict all threads. The seccomp
// filter applies to all threads. Therefore open the device and parse the image
// first, start no thread that works for the program, then call
//
//     auto sandbox = exit_on_err(sandbox::Sandbox::prepare(grants));
//     // on each thread that runs on:
//     exit_on_err(sandbox.confine_thread());
//     // then once, on any thread:
//     exit_on_err(sandbox.confine_process());
//
// None of this can be undone. Files that are open stay usable.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SANDBOX_SANDBOX_H
#define GPUEXEC_LOADER_SANDBOX_SANDBOX_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuexec::sandbox {

/// The set of system calls that are allowed (calls.def). All others fail with
/// EPERM.
enum class Calls {
  /// For a program's server and the emulated device in one process.
  server,
  /// For a process that only emulates: memory, threads, waiting, reading and
  /// writing open files, and opening files of `Grants::readable` for reading.
  machine,
  /// For a process that moves bytes between open sockets and shared memory.
  relay,
  /// For a process with a GPU's driver, whose calls we cannot know: all but
  /// those that affect other processes.
  driver,
};

/// What the process may do after it is confined.
struct Grants {
  struct Directory {
    std::string path;
    bool writable = false;
    int fd = -1; ///< of the open directory, not owned; -1: opened by `path`
  };
  /// Files below these may be read; below writable ones also changed, created
  /// and removed. None may be executed, and no devices or sockets created.
  std::vector<Directory> directories;
  /// Files and directories that gpuexec itself reads later. Missing ones are
  /// ignored.
  std::vector<std::string> readable;
  /// Existing files that gpuexec itself opens for writing later.
  std::vector<std::string> writable_files;
  /// Device files that a driver opens later: read, write and ioctl.
  std::vector<std::string> devices;
  Calls calls = Calls::server;
  /// Landlock does not block signals to other processes; seccomp still blocks
  /// kill(2). Needed for PR_SET_PDEATHSIG: otherwise Landlock also blocks the
  /// signal that the kernel sends to a child when its parent dies.
  bool ends_children = false;
};

/// Which layers are used. A test leaves one out to show that the other
/// suffices.
struct Layers {
  bool landlock = true;
  bool seccomp = true;
};

/// The layers that this kernel lacks, as a phrase such as "Landlock (Linux
/// 5.13)", or an empty string.
std::string missing_layers();
/// The layers that this kernel has.
Layers available_layers();

class Sandbox {
public:
  /// Opens the granted files. An error names the path or the layer that failed.
  static llvm::Expected<Sandbox> prepare(const Grants &grants,
                                         Layers layers = available_layers());
  Sandbox(Sandbox &&other);
  ~Sandbox();

  /// Applies Landlock and no_new_privs to this thread and those that it starts.
  llvm::Error confine_thread() const;
  /// Turns core dumps off and loads the seccomp filter for all threads.
  llvm::Error confine_process() const;

private:
  Sandbox(Calls calls, Layers layers) : calls(calls), layers(layers) {}
  Calls calls;
  Layers layers;
  int ruleset = -1; ///< Landlock's descriptor, owned
};

/// Descriptors above 2 that this process inherited. Call it before the process
/// opens descriptors without close-on-exec.
std::vector<int> inherited_descriptors();

/// prepare(), confine_thread() and confine_process(), for a process with one
/// thread.
llvm::Error confine(const Grants &grants, Layers layers = available_layers());

} // namespace gpuexec::sandbox

#endif // GPUEXEC_LOADER_SANDBOX_SANDBOX_H
