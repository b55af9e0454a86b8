//===-- loader/program/instances.h - Many programs in one launch -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instances of a program that gpucc -fensemble has made: each block of one
// launch is one of them, with its own variables, mailbox and server.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROGRAM_INSTANCES_H
#define GPUEXEC_LOADER_PROGRAM_INSTANCES_H

#include "gpu/start_up.h"
#include "loader/program/arguments.h"
#include "loader/program/contract.h"
#include "rpc/server.h"
#include <functional>
#include <mutex>

namespace gpuexec {

struct InstanceOptions {
  std::vector<std::string> argv, environment;
  rpc::ServerOptions server;
};

class Instances {
public:
  /// True for an image of gpucc -fensemble.
  static bool suit(const Image &image);
  /// Loads the image and sets up what all instances need. `device` and `image`
  /// outlive the result. Errors: Failure, ImageError.
  static llvm::Expected<std::unique_ptr<Instances>>
  load(Device &device, const Image &image, const LaunchSettings &settings,
       std::vector<InstanceOptions> options);
  ~Instances();

  /// Runs all, in one launch. `ended` is called for each instance that has
  /// ended, with its place in the list, from any thread, one call at a time.
  /// Errors: as Queue::launch(); instances that have not ended did not get to
  /// their end.
  llvm::Error run(std::function<void(size_t, const rpc::Outcome &)> ended);

private:
  struct Instance {
    InstanceOptions options;
    std::unique_ptr<rpc::Server> server;
    bool has_ended = false;
  };
  Instances(Device &device, const Image &image)
      : device(device), image(image) {}
  llvm::Error load(const LaunchSettings &settings);
  llvm::Expected<DeviceAddress> find(llvm::StringRef name) const;
  llvm::Error read_layout();
  llvm::Error allocate();
  llvm::Error set_up(size_t place);
  llvm::Error fill_in();
  bool serve();

  Device &device;
  const Image &image;
  Contract startup;
  std::unique_ptr<Module> module;
  gpuexec_instance_layout layout{};
  rpc::Layout mailbox_layout;
  uint64_t mailbox_size = 0; ///< of each, a multiple of its alignment
  uint64_t objects_size = 0; ///< of both that describe a mailbox
  HostBuffer mailboxes, table, texts;
  std::vector<uint64_t> text_offsets;
  DeviceAddress blocks; ///< of the variables
  std::vector<Instance> all;
  std::function<void(size_t, const rpc::Outcome &)> on_end;
  std::mutex serving;       ///< one thread at a time looks at all mailboxes
  std::vector<size_t> left; ///< places of those that have not ended
};

} // namespace gpuexec

#endif
