//===-- lending/isolated/device.cpp - A device in a process apart ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/isolated/device.h"

namespace gpuexec::isolated {

Parts::Parts(std::unique_ptr<Arena> reserved, std::unique_ptr<Process> started)
    : arena(std::move(reserved)),
      shared(std::make_unique<remote::SharedMemory>()),
      process(std::move(started)) {
  llvm::MutableArrayRef<std::byte> bytes = arena->memory();
  shared->add(DeviceAddress::of(bytes.data()), bytes.data(), bytes.size());
}

llvm::Error
IsolatedDevice::confine(llvm::function_ref<llvm::Error()> confine_thread) {
  // It goes on by itself, while we are busy with the same. The first launch
  // fails when it did not come about.
  process->tell(Request::confine);
  return process->on_keeper(confine_thread);
}

llvm::Expected<OpenedDevice> open_device(llvm::ArrayRef<Image> images,
                                         const Opener &open) {
  llvm::Expected<std::unique_ptr<Arena>> arena = Arena::reserve();
  if (!arena)
    return arena.takeError();
  llvm::MutableArrayRef<std::byte> bytes = (*arena)->memory();
  auto work = [&, bytes](Channel control, Channel launches) {
    serve(std::move(control), std::move(launches), images, open, bytes);
  };
  llvm::Expected<std::unique_ptr<Process>> process = Process::start(work);
  if (!process)
    return process.takeError();
  llvm::Expected<Answer> answer = (*process)->ask(Request::open, {});
  if (!answer)
    return answer.takeError();
  remote::Reader reader(answer->body);
  remote::Facts facts = take_facts(reader);
  uint32_t index = reader.take<uint32_t>();
  if (!reader.done() || index >= images.size() || !facts.info.emulated ||
      !*facts.info.backend || !facts.all_is_shared)
    return failure(Reason::failed, "{0} replies nonsense", (*process)->name());
  auto device = std::make_unique<IsolatedDevice>(
      Parts(std::move(*arena), std::move(*process)), std::move(facts));
  return OpenedDevice{std::move(device), &images[index]};
}

} // namespace gpuexec::isolated
