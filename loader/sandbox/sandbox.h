//===-- loader/sandbox/sandbox.h - What the kernel forbids us ---*- C++ -*-===//
// Locks this process in, whatever code runs in it later: Landlock holds it to
// the files that were granted, a seccomp filter to the system calls that a
// program's server needs, and no privilege can be gained. Each layer stands
// alone: with either of them no command can be started.
//
// Landlock binds the calling thread and those that it starts later; only
// kernels with ABI 8 (Linux 7.0) can bind the others too. The seccomp filter
// binds all threads. So: open the device, parse the image, start no thread that
// works for the program, then
//
//     auto sandbox = exit_on_err(sandbox::Sandbox::prepare(grants));
//     // on every thread that is there and goes on:
//     exit_on_err(sandbox.confine_thread());
//     // then once, on any of them:
//     exit_on_err(sandbox.confine_process());
//
// Nothing of this can be undone. Every file that is open stays usable.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SANDBOX_SANDBOX_H
#define GPUEXEC_LOADER_SANDBOX_SANDBOX_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuexec::sandbox {

/// Which system calls go on; all others fail with EPERM. calls.def has the
/// table.
enum class Calls {
  /// A program's server beside the emulated device: those of the table.
  server,
  /// Emulated code alone in its process: memory, threads, waiting, reading and
  /// writing what is open, read-only opening of `Grants::readable`.
  machine,
  /// A GPU's driver is in the process, and what that calls is not ours to say:
  /// all but those that lead out of the process.
  driver,
};

/// What stays allowed.
struct Grants {
  struct Directory {
    std::string path;
    bool writable = false;
  };
  /// Files below may be read, or changed, made and removed. Never executed, no
  /// devices or sockets made.
  std::vector<Directory> directories;
  /// Files and directories that the process itself reads later. Those that do
  /// not exist are left out.
  std::vector<std::string> readable;
  /// Files that are there and that the process itself opens for writing later.
  std::vector<std::string> writable_files;
  /// Device files that a driver opens again: read, write and ioctl.
  std::vector<std::string> devices;
  Calls calls = Calls::server;
  /// Landlock lets signals reach other processes (seccomp does not): without
  /// it, the kernel's own signal to a process whose parent has died
  /// (PR_SET_PDEATHSIG) is held back too.
  bool ends_children = false;
};

/// The layers; a test leaves one out to show that the other holds.
struct Layers {
  bool landlock = true;
  bool seccomp = true;
};

/// What this kernel lacks of the layers: a phrase such as "Landlock (Linux
/// 5.13)", or nothing.
std::string missing_layers();
/// As `Layers`: those that this kernel has.
Layers available_layers();

class Sandbox {
public:
  /// Opens what is granted. Errors name the path or the layer that failed.
  static llvm::Expected<Sandbox> prepare(const Grants &grants,
                                         Layers layers = available_layers());
  Sandbox(Sandbox &&other);
  ~Sandbox();

  /// Landlock and no_new_privs for this thread and those that it will start.
  llvm::Error confine_thread() const;
  /// Limits, and the seccomp filter for all threads.
  llvm::Error confine_process() const;

private:
  Sandbox(Calls calls, Layers layers) : calls(calls), layers(layers) {}
  Calls calls;
  Layers layers;
  int ruleset = -1; ///< Landlock's; owned
};

/// Descriptors above the standard ones that whoever started this process has
/// left open in it. Called before the process opens any that a child would get.
std::vector<int> inherited_descriptors();

/// All of it, for a process of one thread.
llvm::Error confine(const Grants &grants, Layers layers = available_layers());

} // namespace gpuexec::sandbox

#endif // GPUEXEC_LOADER_SANDBOX_SANDBOX_H
