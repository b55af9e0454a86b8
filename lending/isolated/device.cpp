//===-- lending/isolated/device.cpp - A device in a process apart ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/isolated/device.h"

namespace gpuexec::isolated {

Parts::Parts(std::unique_ptr<Arena> reserved, std::unique_ptr<Process> started)
    : arena(std::move(reserved)),
      shared(std::make_unique<wire::SharedMemory>()),
      process(std::move(started)) {
  llvm::MutableArrayRef<std::byte> bytes = arena->memory();
  shared->add(DeviceAddress::of(bytes.data()), bytes.data(), bytes.size());
}

llvm::Error
IsolatedDevice::confine(llvm::function_ref<llvm::Error()> confine_thread) {
  // It goes on by itself, while we are busy with the same. The first launch
  // fails when it did not come about.
  process->notify(wire::Confine{});
  return process->on_monitor(confine_thread);
}

llvm::Expected<OpenedDevice> open_device(llvm::ArrayRef<Image> images,
                                         const Opener &open) {
  llvm::Expected<std::unique_ptr<Arena>> arena = Arena::reserve();
  if (!arena)
    return arena.takeError();
  llvm::MutableArrayRef<std::byte> bytes = (*arena)->memory();
  auto work = [&, bytes](wire::Channel control, wire::Channel launches) {
    serve(std::move(control), std::move(launches), images, open, bytes);
  };
  llvm::Expected<std::unique_ptr<Process>> process = Process::start(work);
  if (!process)
    return process.takeError();
  auto reply = (*process)->ask(wire::Open{});
  if (!reply)
    return reply.takeError();
  wire::Facts &facts = reply->facts;
  if (reply->image >= images.size() || !facts.info.emulated ||
      !*facts.info.backend || !facts.all_is_shared)
    return (*process)->nonsense();
  const Image *image = &images[reply->image];
  auto device = std::make_unique<IsolatedDevice>(
      Parts(std::move(*arena), std::move(*process)), std::move(facts));
  return OpenedDevice{std::move(device), image};
}

} // namespace gpuexec::isolated
