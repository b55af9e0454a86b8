//===-- rpc/services/named_semaphores.cpp - sem_open, sem_wait ... --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's C library has the semaphores, so that programs of the host and of
// devices share them by name. A wait tries again and again and holds no thread.
//===----------------------------------------------------------------------===//
#include "rpc/services/named_semaphores.h"
#include "rpc/services/system_calls.h"
#include <fcntl.h>

using namespace gpuexec::rpc;

//===-- Those that are open -----------------------------------------------===//

uint64_t NamedSemaphores::add(sem_t *semaphore) {
  std::lock_guard lock(mutex);
  for (auto &[number, each] : open)
    if (each->semaphore == semaphore) {
      sem_close(semaphore); // the C library counts its opens, too
      ++each->opens;
      return number;
    }
  auto added = std::make_shared<NamedSemaphore>(semaphore);
  if (open.size() >= MOST)
    return 0;
  open.emplace_back(table.add(added), added);
  return open.back().first;
}

bool NamedSemaphores::close(uint64_t number) {
  std::lock_guard lock(mutex);
  auto found = llvm::find_if(
      open, [&](const auto &each) { return each.first == number; });
  if (found == open.end())
    return false;
  if (--found->second->opens)
    return true;
  table.remove(number);
  open.erase(found);
  return true;
}

//===-- The calls ---------------------------------------------------------===//

namespace {

SystemResult open_semaphore(Services &services, const SystemCall &call) {
  const int flags = int(call.a) & (O_CREAT | O_EXCL);
  sem_t *semaphore = sem_open(call.input.c_str(), flags, mode_t(call.b & 07777),
                              unsigned(call.c));
  if (semaphore == SEM_FAILED)
    return Result::failure(errno);
  const uint64_t number = services.semaphores.add(semaphore);
  return number ? Result(int64_t(number)) : Result::failure(EMFILE);
}

SystemResult close_semaphore(Services &services, const SystemCall &call) {
  return Result::of(services.semaphores.close(call.a) ? 0 : EINVAL);
}

SystemResult unlink_semaphore(Services &, const SystemCall &call) {
  return SystemResult::of_call(sem_unlink(call.input.c_str()));
}

SystemResult post(Services &services, const SystemCall &call) {
  auto found = services.semaphores.find(call.a);
  return found ? SystemResult::of_call(sem_post(found->semaphore))
               : Result::failure(EINVAL);
}

SystemResult value(Services &services, const SystemCall &call) {
  auto found = services.semaphores.find(call.a);
  int now = 0;
  if (!found || sem_getvalue(found->semaphore, &now))
    return Result::failure(EINVAL);
  return ResultWords<2>(0, now);
}

Task<SystemResult> wait(Services &services, Port &port,
                        const SystemCall &call) {
  constexpr auto RETRY = std::chrono::milliseconds(1);
  auto found = services.semaphores.find(call.a);
  if (!found)
    co_return Result::failure(EINVAL);
  const CallDeadline deadline(services, call);
  while (sem_trywait(found->semaphore)) {
    if (errno != EAGAIN || !call.b)
      co_return Result::failure(errno);
    if (int error = deadline.refusal())
      co_return Result::failure(error);
    co_await FileWait(port, -1, 0, deadline.next(RETRY));
  }
  co_return 0;
}

} // namespace

RPC_SERVE_SYSTEM_CALL(SEMAPHORE_OPEN, open_semaphore)
RPC_SERVE_SYSTEM_CALL(SEMAPHORE_CLOSE, close_semaphore)
RPC_SERVE_SYSTEM_CALL(SEMAPHORE_UNLINK, unlink_semaphore)
RPC_SERVE_SYSTEM_CALL(SEMAPHORE_POST, post)
RPC_SERVE_SYSTEM_CALL(SEMAPHORE_VALUE, value)
RPC_SERVE_SYSTEM_CALL(SEMAPHORE_WAIT, wait)
