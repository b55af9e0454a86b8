//===-- rpc/services/memory.cpp - MALLOC, FREE, ALLOCATE (section 3.5) ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/serve.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

// The largest size and alignment that are passed on, so that sums of them
// cannot overflow; no device has so much memory.
static constexpr uint64_t MAX_SIZE = uint64_t(1) << 46;

template <rpc_opcode CODE>
static Task<> allocate(Services &services, Port &port) {
  Call<CODE> call(port);
  co_await call.request();
  uint64_t sizes[64], alignments[64];
  DeviceAddress addresses[64];
  uint64_t served = 0;
  port.for_each_lane([&](unsigned lane) {
    sizes[lane] = call.word("size", lane);
    if constexpr (CODE == RPC_ALLOCATE)
      alignments[lane] = call.word("alignment", lane);
    else
      alignments[lane] = services.options.malloc_alignment;
    if (sizes[lane] <= MAX_SIZE && llvm::isPowerOf2_64(alignments[lane]) &&
        alignments[lane] <= MAX_SIZE)
      served |= uint64_t(1) << lane;
  });
  if (served)
    services.heap.allocate(served, sizes, alignments, addresses);
  port.for_each_lane([&](unsigned lane) {
    call.results[lane] =
        Result(int64_t(addresses[lane].value), addresses[lane] ? 0 : ENOMEM);
  });
  co_await call.answer();
}

void Services::free_memory(DeviceAddress address) {
  if (!address || heap.free(address))
    return;
  outcome.finish({Outcome::Kind::abort, 0,
                  llvm::formatv("{0}: free of {1:x}, which is not allocated",
                                options.program_name, address.value)
                      .str()});
}

static void release(Services &services, DeviceAddress address) {
  services.free_memory(address);
}

RPC_SERVE(MALLOC, allocate<RPC_MALLOC>)
RPC_SERVE(FREE, release)
RPC_SERVE(ALLOCATE, allocate<RPC_ALLOCATE>)
