//===-- loader/program/program.h - An image, wired up and run --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes an open device and an image that suits it and does what LLVM's loaders
// do: load, constructor tables, argv and envp, mailbox and server, `_begin`,
// `_start`, `_end`.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROGRAM_PROGRAM_H
#define GPUEXEC_LOADER_PROGRAM_PROGRAM_H

#include "loader/program/arguments.h"
#include "loader/program/contract.h"
#include "loader/program/gcc.h"
#include "loader/program/phases.h"
#include "loader/program/region_log.h"
#include "rpc/server.h"

namespace gpuexec {

struct ProgramOptions : LaunchOptions {
  std::string image;                    ///< argv[0], and its name in messages
  std::vector<std::string> arguments;   ///< after argv[0]
  std::vector<std::string> environment; ///< NAME=VALUE
  rpc::ServerOptions server;            ///< program_name: set to `image`
  std::function<void(const Kernel &)> before_launch; ///< may be empty
  /// Each kernel is waited for before the next, so that it has a phase of its
  /// own.
  bool separate_kernels = false;
  /// A service runs kernels of a vendor's library beside the program's.
  bool shares_device = false;
  /// time_regions: a program with OpenMP measures its parallel regions;
  /// note_regions: it notes each execution of one.
  bool time_regions = false, note_regions = false;

  /// `image`, then `arguments`.
  std::vector<std::string> argv() const {
    std::vector<std::string> all = {image};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }
};

/// The number of ports for a launch of `waves` waves on a device that holds
/// `resident` waves at once: one for each wave that can run, so that no wave
/// waits for a port of one that does not run, and more for requests whose waves
/// do not wait for an answer.
uint32_t port_count(uint64_t waves, uint64_t resident);

class Program {
public:
  /// Loads the image and sets up all that it needs, but runs nothing. `device`,
  /// `image` and `phases` must outlive the program. Errors: Failure,
  /// ImageError.
  static llvm::Expected<std::unique_ptr<Program>> load(Device &device,
                                                       const Image &image,
                                                       ProgramOptions options,
                                                       Phases &phases);
  ~Program();

  /// Runs the program to its end and returns its status, 32 bits. After a
  /// success all its requests have been served and its output is written. Call
  /// it once. Errors: Failure (also when no thread returned from main or called
  /// exit), DeviceFault, Aborted.
  llvm::Expected<int32_t> run();

  /// Null when the image has no mailbox: it makes no calls.
  rpc::Server *server() const { return mailbox_server.get(); }
  const Contract &contract() const { return startup; }
  const Image &loaded_image() const { return image; }
  /// The grid of `_start`.
  const Grid &launched_grid() const { return grid; }
  /// The number of ports of the mailbox; 1 without one.
  uint32_t ports() const { return mailbox_layout.ports; }
  const rpc::ServerOptions &server_options() const { return options.server; }
  Module &module() const { return *loaded; }
  /// Null when ProgramOptions do not ask for it, and without OpenMP.
  const RegionLog *regions() const { return region_log.get(); }
  /// Called when the program must end: from now on its output does not wait for
  /// a reader. From any thread.
  void abandon_output();
  /// The kernel that runs now; empty between kernels. Any thread.
  std::string running_kernel() const;

private:
  Program(Device &device, const Image &image, ProgramOptions options,
          Phases &phases)
      : device(device), image(image), options(std::move(options)),
        phases(phases) {}
  llvm::Error load();
  llvm::Error copy_arguments();
  /// As Module::find_global(); a symbol that is there and hidden is an error.
  llvm::Expected<std::optional<DeviceAddress>>
  find_global(llvm::StringRef name);
  /// The address of a variable that the image defines with `size` bytes; empty
  /// if there is none of that name and size.
  llvm::Expected<std::optional<DeviceAddress>>
  find_own_variable(llvm::StringRef name, uint64_t size);
  /// Copies the client object into the image; LLVM 19's has only a pointer to
  /// it.
  llvm::Error fill_in_client(const RpcClient &client,
                             llvm::ArrayRef<std::byte> bytes);
  /// The same for the object of gpuexec's extensions, if the image has one.
  llvm::Error fill_in_extensions(llvm::ArrayRef<std::byte> bytes);
  /// The mailbox for the image's version, with ports for the whole grid.
  llvm::Expected<rpc::Layout> lay_out_mailbox(const RpcClient &client) const;
  llvm::Error set_up_mailbox();
  llvm::Error set_clock();
  /// Sets `grid` for a program that divides its work by itself.
  llvm::Error find_own_grid();
  llvm::Error build_constructor_tables();
  /// After a status of 0: an error if no thread has returned from main, because
  /// then no thread has set the status. Success for images of other tool
  /// chains, which do not have GPUEXEC_MAIN_RETURNED.
  llvm::Error check_return();
  llvm::Error find_return_mark();
  llvm::Error set_up_region_log();
  llvm::Expected<int32_t> run_gcc();
  llvm::Error launch(llvm::ArrayRef<KernelLaunch> kernels);
  llvm::Error launch_together(llvm::ArrayRef<KernelLaunch> kernels);

  Device &device;
  const Image &image;
  const ProgramOptions options;
  Phases &phases;
  Contract startup;
  Grid grid; ///< what is launched
  uint32_t most_ports = UINT32_MAX;
  std::unique_ptr<Module> loaded;
  HostBuffer argument_memory, mailbox, tables;
  rpc::Layout mailbox_layout;
  StartArguments start_arguments;
  DeviceAddress return_mark; ///< of GPUEXEC_MAIN_RETURNED; null: not there
  std::unique_ptr<RegionLog> region_log;
  std::unique_ptr<rpc::Server> mailbox_server; // uses the memory of `mailbox`
  std::unique_ptr<GccProcess> gcc;             ///< of a program that GCC made
  mutable std::mutex running_mutex;
  std::vector<std::string> running; ///< kernels, one after the other
};

} // namespace gpuexec

#endif
