//===-- rpc/services/process.cpp - EXIT, ABORT, SYSTEM ... (section 3.4) --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/serve.h"
#include "llvm/Support/FormatVariadic.h"
#include <poll.h>

using namespace gpuexec::rpc;

namespace {

void no_operation(Services &) {}

// The lowest lane's status counts.
Task<> exit_program(Services &services, Port &port) {
  Call<RPC_EXIT> call(port);
  co_await call.request();
  unsigned first = unsigned(llvm::countr_zero(port.mask()));
  int status = int(call.word("status", first) & 0xff);
  if (port.is_replayed() && !co_await port.replayed_answer())
    co_return;
  // Write all output before anyone can see that the program has ended.
  co_await services.flush_all(port);
  port.note_served();
  services.outcome.finish({Outcome::Kind::exit, status});
}

Task<> abort_program(Services &services, Port &port) {
  Call<RPC_ABORT> call(port);
  co_await call.request();
  if (port.is_replayed() && !co_await port.replayed_answer())
    co_return;
  co_await services.flush_all(port);
  port.note_served();
  services.outcome.finish({Outcome::Kind::abort});
}

Task<Result> run_command(Services &services, Port &port, std::string command) {
  co_await services.flush_all(port);
  if (services.files.sandboxed())
    co_return Result::failure(EPERM);
  // The command must read on where the program stopped: give back what was read
  // ahead. If another thread holds the lock, it waits for input, and nothing
  // was read ahead.
  Stream &input = *services.standard[0];
  if (input.lock.try_lock()) {
    input.give_back();
    input.lock.unlock();
  }
  int error = 0;
  std::unique_ptr<Child> child = co_await start_child(
      services, port, std::move(command),
      {services.descriptor_for_child(0), services.descriptor_for_child(1),
       services.descriptor_for_child(2)},
      error);
  if (!child)
    co_return Result::failure(error);
  int status;
  while ((status = child->take_status()) == -1)
    co_await port.wait_for(child->descriptor(), POLLIN);
  co_await services.commands.write_on(port);
  co_return status;
}

template <rpc_opcode CODE> Task<> host_call(Services &services, Port &port) {
  Call<CODE> call(port);
  co_await call.request();
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    uint64_t function =
        call.word("function", unsigned(llvm::countr_zero(left)));
    const auto &allow = services.options.allow_host_call;
    if (!allow || !allow(function)) {
      port.fail(llvm::formatv("call of host function {0:x} refused", function));
      co_return;
    }
  }
  port.for_each_lane([&](unsigned lane) {
    // A copy that the function may write to, aligned for any type.
    llvm::StringRef arguments = call.bytes("arguments")[lane];
    std::unique_ptr<void, decltype(&std::free)> block(
        std::malloc(std::max<size_t>(arguments.size(), 1)), &std::free);
    if (!block) {
      call.results[lane] = Result::failure(ENOMEM);
      return;
    }
    memcpy(block.get(), arguments.data(), arguments.size());
    auto function = reinterpret_cast<uint64_t (*)(void *)>(
        uintptr_t(call.word("function", lane)));
    call.results[lane] = int64_t(function(block.get()));
  });
  co_await call.answer();
}

Result set_pipe_signal(Services &services, uint64_t ends) {
  services.pipe_signal_ignored = !ends;
  return 0;
}

} // namespace

RPC_SERVE(NOOP, no_operation)
RPC_SERVE(EXIT, exit_program)
RPC_SERVE(ABORT, abort_program)
RPC_SERVE(PIPE_SIGNAL, set_pipe_signal)
RPC_SERVE(SYSTEM, run_command)
RPC_SERVE(HOST_CALL, host_call<RPC_HOST_CALL>)
RPC_SERVE(OFFLOAD_HOST_CALL, host_call<RPC_OFFLOAD_HOST_CALL>)
