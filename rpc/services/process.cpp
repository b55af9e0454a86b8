//===-- rpc/services/process.cpp - EXIT, ABORT, SYSTEM ... (section 3.4)
//----===//
#include "rpc/services/services.h"
#include "rpc/services/text.h"
#include "llvm/Support/FormatVariadic.h"
#include <poll.h>
#include <signal.h>

using namespace gpuexec::rpc;

static Task<> no_operation(Services &, Port &port) { co_await port.receive(); }

static auto empty_packet = [](unsigned, rpc_packet &) {};

// C {} · S {} · C {status}. The lowest lane's status counts.
static Task<> exit_program(Services &services, Port &port) {
  co_await port.receive();
  co_await port.send(empty_packet);
  co_await port.receive();
  Outcome outcome;
  outcome.kind = Outcome::Kind::exit;
  unsigned first = unsigned(llvm::countr_zero(port.mask()));
  outcome.status = int(port.word(first, 0) & 0xff);
  // What was printed must be out before anyone can see the end.
  co_await services.flush_all(port);
  services.engine.finish(std::move(outcome));
}

static Task<> abort_program(Services &services, Port &port) {
  co_await port.receive();
  co_await port.send(empty_packet);
  co_await port.receive();
  co_await services.flush_all(port);
  Outcome outcome;
  outcome.kind = Outcome::Kind::abort;
  outcome.status = 128 + SIGABRT;
  services.engine.finish(std::move(outcome));
}

static Task<> run_command(Services &services, Port &port) {
  LaneBytes commands = co_await port.receive_bytes();
  Results results;
  co_await services.flush_all(port);
  const ServerOptions &options = services.options;
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    if (services.files.sandboxed() || !commands.complete(lane)) {
      results.set_error(lane, commands.complete(lane) ? EPERM : ENOMEM);
      continue;
    }
    int error = 0;
    std::unique_ptr<Child> child = co_await start_child(
        services, port, c_string(commands[lane]),
        {options.stdin_fd, options.stdout_fd, options.stderr_fd}, error);
    if (!child) {
      results.set_error(lane, error);
      continue;
    }
    int status;
    while ((status = child->take_status()) == -1)
      co_await services.engine.wait_for(port, child->descriptor(), POLLIN);
    results.set(lane, status);
  }
  co_await port.reply(results.values, results.errors);
}

static Task<> host_call(Services &services, Port &port) {
  LaneBytes blocks = co_await port.receive_bytes();
  co_await port.receive();
  uint64_t functions[64] = {};
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    functions[lane] = port.word(lane, 0);
    const auto &allow = services.options.allow_host_call;
    if (!allow || !allow(functions[lane])) {
      services.engine.fail(port,
                           llvm::formatv("call of host function {0:x} refused",
                                         functions[lane]));
      co_return;
    }
  }
  Results results;
  port.for_each_lane([&](unsigned lane) {
    // A copy that the function may write to, aligned for anything.
    size_t size = blocks[lane].size();
    std::unique_ptr<void, decltype(&std::free)> block(
        std::malloc(size ? size : 1), &std::free);
    if (!block)
      return results.set_error(lane, ENOMEM);
    memcpy(block.get(), blocks[lane].data(), size);
    auto function =
        reinterpret_cast<uint64_t (*)(void *)>(uintptr_t(functions[lane]));
    results.set(lane, int64_t(function(block.get())));
  });
  co_await port.reply(results.values, results.errors);
}

void gpuexec::rpc::add_process_services(Services &services) {
  RPC_SERVE(services, NOOP, no_operation);
  RPC_SERVE(services, EXIT, exit_program);
  RPC_SERVE(services, ABORT, abort_program);
  RPC_SERVE(services, SYSTEM, run_command);
  RPC_SERVE(services, HOST_CALL, host_call);
  RPC_SERVE(services, OFFLOAD_HOST_CALL, host_call);
}
