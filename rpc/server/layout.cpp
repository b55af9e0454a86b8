//===-- rpc/server/layout.cpp - Which mailbox an image expects ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spec sections 0 and 1; the numbers that depend on LLVM's version stand in
// rpc/protocol/versions.def.
//===----------------------------------------------------------------------===//
#include "rpc/server/layout.h"
#include "rpc/protocol/protocol.h"
#include <algorithm>
#include <string>

using namespace gpuexec::rpc;

namespace {
enum class Formatter { llvm, host };
struct Version {
  uint32_t first, last, client_size, max_ports, doorbell_size, lock_words,
      opcode_bits;
  Formatter formatter;
};
constexpr Version VERSIONS[] = {
#define RPC_VERSION(FIRST, LAST, SIZE, PORTS, DOORBELL, LOCKS, BITS,           \
                    FORMATTER)                                                 \
  {FIRST, LAST, SIZE, PORTS, DOORBELL, LOCKS, BITS, Formatter::FORMATTER},
#include "rpc/protocol/versions.def"
};
constexpr const Version &version_19 = VERSIONS[0], &version_22 = VERSIONS[1],
                        &version_23 = VERSIONS[2];
static_assert(version_19.last == 19 && version_19.opcode_bits == 16 &&
              version_19.client_size == version_22.client_size);
static_assert(version_22.client_size == sizeof(rpc_client22) &&
              version_22.lock_words * 32 == version_22.max_ports);
static_assert(version_23.client_size == sizeof(rpc_client23) &&
              version_23.lock_words * 32 == version_23.max_ports &&
              version_23.doorbell_size == sizeof(rpc_doorbell));

llvm::Expected<Layout> lay_out(const Version &version, uint32_t ports,
                               uint32_t lanes) {
  if (lanes != 1 && lanes != 32 && lanes != 64)
    return llvm::createStringError("wave size %u, expected 1, 32 or 64", lanes);
  if (ports == 0)
    return llvm::createStringError("a mailbox needs at least one port");
  Layout layout;
  layout.first_version = version.first;
  layout.last_version = version.last;
  layout.ports = std::min(ports, version.max_ports);
  layout.lanes = lanes;
  layout.doorbell_size = version.doorbell_size;
  layout.client_size = version.client_size;
  layout.max_ports = version.max_ports;
  layout.short_opcodes = version.opcode_bits == 16;
  layout.llvm_formatter = version.formatter == Formatter::llvm;
  return layout;
}
} // namespace

llvm::Expected<Layout>
Layout::from_client_size(uint64_t st_size, uint32_t ports, uint32_t lanes) {
  const Version *version = nullptr;
  std::string known;
  for (const Version &candidate : VERSIONS) {
    if (&candidate == &version_19)
      continue; // it has another symbol: for_version_19()
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
  return lay_out(*version, ports, lanes);
}

llvm::Expected<Layout> Layout::for_version_19(uint32_t ports, uint32_t lanes) {
  return lay_out(version_19, ports, lanes);
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
size_t Layout::long_requests_offset() const {
  return output_offset() + sizeof(rpc_output);
}
size_t Layout::buffer_size() const {
  return long_requests_offset() + sizeof(rpc_long_request) * RPC_FAST_SLOTS;
}
