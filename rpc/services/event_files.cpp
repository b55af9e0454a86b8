//===-- rpc/services/event_files.cpp - eventfd ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of the kernel that carry events, as descriptors of the program's table.
// The host's files never block: READ and WRITE wait for them where the program
// has not asked for O_NONBLOCK.
//===----------------------------------------------------------------------===//
#include "rpc/services/system_calls.h"
#include <sys/eventfd.h>

using namespace gpuexec::rpc;

namespace {

SystemResult make_eventfd(Services &services, const SystemCall &call) {
  constexpr uint64_t FLAGS = EFD_NONBLOCK | EFD_CLOEXEC | EFD_SEMAPHORE;
  if (call.a > UINT32_MAX || call.b & ~FLAGS)
    return Result::failure(EINVAL);
  const int fd =
      eventfd(unsigned(call.a), int(call.b) | EFD_NONBLOCK | EFD_CLOEXEC);
  if (fd < 0)
    return Result::failure(errno);
  auto descriptor = std::make_shared<Descriptor>(fd, true);
  descriptor->nonblocking = call.b & EFD_NONBLOCK;
  return services.add_descriptor(std::move(descriptor));
}

} // namespace

RPC_SERVE_SYSTEM_CALL(EVENTFD, make_eventfd)
