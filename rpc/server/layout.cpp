//===-- rpc/server/layout.cpp - Which mailbox an image expects ------------===//
// Spec sections 0 and 1; the numbers that depend on LLVM's version stand in
// rpc/protocol/versions.def.
//===----------------------------------------------------------------------===//
#include "rpc/server/layout.h"
#include "rpc/protocol/protocol.h"
#include <algorithm>
#include <string>

using namespace gpuexec::rpc;

namespace {
struct Version {
  uint32_t first, last, client_size, max_ports, doorbell_size, lock_words;
};
constexpr Version VERSIONS[] = {
#define RPC_VERSION(FIRST, LAST, SIZE, PORTS, DOORBELL, LOCKS)                 \
  {FIRST, LAST, SIZE, PORTS, DOORBELL, LOCKS},
#include "rpc/protocol/versions.def"
};
static_assert(VERSIONS[0].client_size == sizeof(rpc_client22) &&
              VERSIONS[0].lock_words * 32 == VERSIONS[0].max_ports);
static_assert(VERSIONS[1].client_size == sizeof(rpc_client23) &&
              VERSIONS[1].lock_words * 32 == VERSIONS[1].max_ports &&
              VERSIONS[1].doorbell_size == sizeof(rpc_doorbell));
} // namespace

llvm::Expected<Layout>
Layout::from_client_size(uint64_t st_size, uint32_t ports, uint32_t lanes) {
  const Version *version = nullptr;
  std::string known;
  for (const Version &candidate : VERSIONS) {
    if (candidate.client_size == st_size)
      version = &candidate;
    known += (known.empty() ? "" : ", ") +
             std::to_string(candidate.client_size) + " (LLVM " +
             std::to_string(candidate.first) +
             (candidate.last != candidate.first
                  ? " to " + std::to_string(candidate.last)
                  : "") +
             ")";
  }
  if (!version)
    return llvm::createStringError("symbol '%s' has %llu bytes, expected %s",
                                   RPC_CLIENT_SYMBOL,
                                   (unsigned long long)st_size, known.c_str());
  if (lanes != 1 && lanes != 32 && lanes != 64)
    return llvm::createStringError("wave size %u, expected 1, 32 or 64", lanes);
  if (ports == 0)
    return llvm::createStringError("a mailbox needs at least one port");
  Layout layout;
  layout.first_version = version->first;
  layout.last_version = version->last;
  layout.ports = std::min(ports, version->max_ports);
  layout.lanes = lanes;
  layout.doorbell_size = version->doorbell_size;
  layout.client_size = version->client_size;
  layout.max_ports = version->max_ports;
  return layout;
}

llvm::Error Layout::refuse_version_19() {
  return llvm::createStringError(
      "found symbol '%s' of LLVM 19, expected '%s' of LLVM 20 to 23",
      RPC_CLIENT_SYMBOL_19, RPC_CLIENT_SYMBOL);
}

size_t Layout::inbox_offset() const { return doorbell_size; }
size_t Layout::outbox_offset() const {
  return inbox_offset() + sizeof(uint32_t) * ports;
}
size_t Layout::headers_offset() const {
  return inbox_offset() + 2 * sizeof(uint32_t) * size_t(ports);
}
size_t Layout::packets_offset() const {
  return headers_offset() + sizeof(rpc_header) * ports;
}
size_t Layout::fast_slots_offset() const {
  size_t end = packets_offset() + sizeof(rpc_packet) * size_t(ports) * lanes;
  return (end + 63) & ~size_t(63);
}
size_t Layout::output_offset() const {
  return fast_slots_offset() + sizeof(rpc_fast_slot) * RPC_FAST_SLOTS;
}
size_t Layout::buffer_size() const {
  return output_offset() + sizeof(rpc_output);
}
