//===-- rpc/services/memory.cpp - MALLOC, FREE and ALLOCATE (section 3.5)
//--===//
#include "rpc/services/services.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <signal.h>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

// No allocation is larger than an address space; a size that is not must not
// overflow on its way.
static constexpr uint64_t MAX_SIZE = uint64_t(1) << 46;

static Task<> allocate(Services &services, Port &port) {
  co_await port.receive();
  uint64_t sizes[64] = {}, alignments[64] = {};
  DeviceAddress addresses[64];
  uint64_t served = 0;
  port.for_each_lane([&](unsigned lane) {
    sizes[lane] = port.word(lane, 0);
    alignments[lane] = port.opcode() == RPC_ALLOCATE
                           ? port.word(lane, 1)
                           : services.options.malloc_alignment;
    if (sizes[lane] <= MAX_SIZE && llvm::isPowerOf2_64(alignments[lane]) &&
        alignments[lane] <= MAX_SIZE)
      served |= uint64_t(1) << lane;
  });
  if (served)
    services.heap.allocate(served, sizes, alignments, addresses);
  Results results;
  port.for_each_lane([&](unsigned lane) {
    results.set(lane, int64_t(addresses[lane].value),
                addresses[lane] ? 0 : ENOMEM);
  });
  co_await port.reply(results.values, results.errors);
}

static Task<> release(Services &services, Port &port) {
  co_await port.receive();
  port.for_each_lane([&](unsigned lane) {
    DeviceAddress address(port.word(lane, 0));
    if (!address || services.heap.free(address))
      return;
    Outcome outcome;
    outcome.kind = Outcome::Kind::abort;
    outcome.status = 128 + SIGABRT;
    outcome.message =
        llvm::formatv("{0}: free of {1:x}, which is not allocated",
                      services.options.program_name, address.value)
            .str();
    services.engine.finish(std::move(outcome));
  });
}

void gpuexec::rpc::add_memory_services(Services &services) {
  RPC_SERVE(services, MALLOC, allocate);
  RPC_SERVE(services, FREE, release);
  RPC_SERVE(services, ALLOCATE, allocate);
}
