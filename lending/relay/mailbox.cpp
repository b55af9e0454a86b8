//===-- lending/relay/mailbox.cpp - A mailbox on two machines -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/relay/mailbox.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <atomic>

namespace gpuexec::relay {

template <typename T>
static T load(T &word, std::memory_order order = std::memory_order_relaxed) {
  return std::atomic_ref(word).load(order);
}
template <typename T>
static void store(T &word, T value,
                  std::memory_order order = std::memory_order_relaxed) {
  std::atomic_ref(word).store(value, order);
}

bool Mailbox::set_up(const wire::MailboxPlace &place, const Memory &memory) {
  constexpr uint32_t OLDEST = 19;
  llvm::Expected<rpc::Layout> layout =
      place.first_version == OLDEST
          ? rpc::Layout::for_version_19(place.ports, place.lanes)
          : rpc::Layout::from_client_size(place.client_size, place.ports,
                                          place.lanes);
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return false;
  }
  if (place.stride == 0 || place.stride > layout->lanes)
    return false;
  wire::MailboxPlace same = place;
  same.stride = known ? known->stride : 0;
  if (known && same == *known) {
    lanes = place.stride; // the next kernel may have waves of another size
    return true;
  }
  // Long requests, behind this, are not carried: lent devices send none.
  const size_t size = layout->long_requests_offset();
  std::byte *host = memory.view(place.address, size);
  if (!host || reinterpret_cast<uintptr_t>(host) % 64)
    return false;
  // No member changes before the new place has passed all checks: a larger
  // stride in the old mailbox would reach beyond its packets.
  known = place;
  lanes = place.stride;
  base = host;
  address = place.address;
  bytes = size;
  ports = layout->ports;
  has_soa = !layout->short_opcodes;
  to_device = reinterpret_cast<uint32_t *>(host + layout->inbox_offset());
  from_device = reinterpret_cast<uint32_t *>(host + layout->outbox_offset());
  headers = reinterpret_cast<rpc_header *>(host + layout->headers_offset());
  packets = reinterpret_cast<rpc_packet *>(host + layout->packets_offset());
  cells = reinterpret_cast<rpc_fast_slot *>(host + layout->fast_slots_offset());
  output = reinterpret_cast<rpc_output *>(host + layout->output_offset());
  begin_anew();
  return true;
}

Mailbox::Shape Mailbox::shape_of(const rpc_header &header) const {
  const uint64_t all = lanes >= 64 ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
  return {header.lane_mask & all, has_soa && (header.opcode & RPC_SOA)};
}

size_t Mailbox::size_of(const Shape &shape) const {
  if (shape.soa)
    return (RPC_SOA_WORDS * sizeof(uint64_t) + sizeof(uint32_t)) * lanes;
  return size_t(llvm::popcount(shape.mask)) * RPC_PACKET_BYTES;
}

void Mailbox::put_packets(std::string &to, uint32_t port,
                          const Shape &shape) const {
  const auto *from = reinterpret_cast<const char *>(packets_of(port));
  if (shape.soa)
    return void(to.append(from, size_of(shape)));
  for (uint64_t left = shape.mask; left; left &= left - 1)
    to.append(from + size_t(llvm::countr_zero(left)) * RPC_PACKET_BYTES,
              RPC_PACKET_BYTES);
}

void Mailbox::set_packets(uint32_t port, const Shape &shape,
                          llvm::StringRef from) {
  auto *to = reinterpret_cast<char *>(packets_of(port));
  if (shape.soa) {
    std::memcpy(to, from.data(), from.size());
    return;
  }
  for (uint64_t left = shape.mask; left; left &= left - 1) {
    std::memcpy(to + size_t(llvm::countr_zero(left)) * RPC_PACKET_BYTES,
                from.data(), RPC_PACKET_BYTES);
    from = from.drop_front(RPC_PACKET_BYTES);
  }
}

//===-- Where the device is -----------------------------------------------===//

void DeviceSide::begin_anew() {
  seen.assign(ports, 0);
  shapes.assign(ports, {});
  tags = {};
  used = 0;
  text = std::make_unique<uint8_t[]>(RPC_OUTPUT_BYTES);
}

bool DeviceSide::look_at_port(uint32_t port, Outbox &out) {
  // Acquire: sees the header and packets that the device wrote before the word.
  const uint32_t word = load(from_device[port], std::memory_order_acquire);
  if (word == seen[port])
    return false;
  look_at_output(out);
  seen[port] = word;
  rpc_header header{};
  header.lane_mask = load(headers[port].lane_mask);
  header.opcode = load(headers[port].opcode);
  header.soa_words = load(headers[port].soa_words);
  shapes[port] = shape_of(header);
  std::string body = wire::encode(wire::PortRequest{port, word, header, {}});
  put_packets(body, port, shapes[port]);
  out.frame(wire::PortRequest::KIND, body);
  return true;
}

/// A request is whole once all its cells have its tag.
bool DeviceSide::look_at_fast(uint32_t slot, Outbox &out) {
  rpc_fast_slot &line = cells[slot];
  const uint64_t first = load(line.request[0]);
  const auto tag = uint32_t(first >> 32);
  if (tag == tags[slot])
    return false;
  const uint32_t words = tag & 7;
  // An invalid request is sent without data: the host refuses it by its tag.
  const bool good = words <= RPC_FAST_CALLER_WORDS && !(tag & RPC_FAST_SHORT);
  std::array<uint32_t, std::extent_v<decltype(line.request)>> data;
  const uint32_t count = good ? RPC_FAST_CELLS(words) : 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t cell = load(line.request[1 + i]);
    if (cell >> 32 != tag)
      return false; // the rest is on its way
    data[i] = uint32_t(cell);
  }
  // Acquire: sees all that the device wrote before this request.
  std::atomic_thread_fence(std::memory_order_acquire);
  look_at_output(out);
  tags[slot] = tag;
  out.frame(wire::FastRequest{slot,
                              tag,
                              uint32_t(first),
                              {{reinterpret_cast<const char *>(data.data()),
                                count * sizeof(data[0])}}});
  return true;
}

bool DeviceSide::look(Outbox &out) {
  if (!base)
    return false;
  bool found = false;
  constexpr uint32_t PORTS_COMPARED = 64;
  for (uint32_t first = 0; first < ports; first += PORTS_COMPARED) {
    const uint32_t count = std::min(PORTS_COMPARED, ports - first);
    // Compiler barrier: the comparison must read the memory again.
    asm volatile("" ::: "memory");
    if (std::memcmp(from_device + first, seen.data() + first,
                    count * sizeof(uint32_t)) == 0)
      continue;
    for (uint32_t port = first; port < first + count; ++port)
      found |= look_at_port(port, out);
  }
  for (uint32_t slot = 0; slot < RPC_FAST_SLOTS; ++slot)
    found |= look_at_fast(slot, out);
  return found;
}

/// The device usually appends to its output: sends only the bytes behind the
/// longest beginning that is unchanged since the last call.
bool DeviceSide::look_at_output(Outbox &out) {
  if (!base)
    return false;
  const uint64_t now = load(output->used, std::memory_order_acquire);
  const auto size = uint32_t(now);
  if (now > RPC_MOST_BUFFERED || size > RPC_OUTPUT_BYTES ||
      (now == used && std::memcmp(output->text, text.get(), size) == 0))
    return false;
  uint32_t same = 0;
  while (same < size && output->text[same] == text[same])
    ++same;
  std::memcpy(text.get() + same, output->text + same, size - same);
  used = now;
  out.frame(wire::Output{now,
                         same,
                         {{reinterpret_cast<const char *>(text.get()) + same,
                           size_t(size - same)}}});
  return true;
}

bool DeviceSide::take_port(llvm::StringRef body) {
  std::optional<wire::PortAnswer> answer = wire::decode<wire::PortAnswer>(body);
  if (!answer || answer->port >= ports ||
      answer->packets.bytes.size() != size_of(shapes[answer->port]))
    return false;
  set_packets(answer->port, shapes[answer->port], answer->packets.bytes);
  // Release: who sees the word also sees the packets.
  store(to_device[answer->port], answer->word, std::memory_order_release);
  return true;
}

bool DeviceSide::take_fast(llvm::StringRef body) {
  std::optional<wire::FastAnswer> answer = wire::decode<wire::FastAnswer>(body);
  if (!answer || !base || answer->slot >= RPC_FAST_SLOTS)
    return false;
  std::atomic_thread_fence(std::memory_order_release);
  for (auto cell = uint32_t(answer->cells.size()); cell-- > 0;) {
    const uint32_t mark = cell ? answer->tag & ~RPC_FAST_SHORT : answer->tag;
    store(cells[answer->slot].answer[cell],
          uint64_t(mark) << 32 | answer->cells[cell]);
  }
  return true;
}

bool DeviceSide::take_output_used(llvm::StringRef body) {
  std::optional<wire::OutputUsed> now = wire::decode<wire::OutputUsed>(body);
  if (!now || !base || uint32_t(now->used) > RPC_OUTPUT_BYTES)
    return false;
  used = now->used;
  store(output->used, used, std::memory_order_release);
  return true;
}

//===-- Where the host is -------------------------------------------------===//

void HostSide::begin_anew() {
  sent.assign(ports, 0);
  shapes.assign(ports, {});
  waiting.clear();
  waiting_fast = 0;
  tags = {};
  used = 0;
}

bool HostSide::take_port(llvm::StringRef body) {
  std::optional<wire::PortRequest> request =
      wire::decode<wire::PortRequest>(body);
  if (!request || request->port >= ports)
    return false;
  const uint32_t port = request->port;
  const rpc_header &header = request->header;
  const Shape shape = shape_of(header);
  if (request->packets.bytes.size() != size_of(shape))
    return false;
  shapes[port] = shape;
  store(headers[port].lane_mask, header.lane_mask);
  store(headers[port].opcode, header.opcode);
  store(headers[port].soa_words, header.soa_words);
  set_packets(port, shape, request->packets.bytes);
  if (request->word != sent[port] &&
      std::ranges::find(waiting, port) == waiting.end())
    waiting.push_back(port);
  // Release: who sees the word also sees the header and packets.
  store(from_device[port], request->word, std::memory_order_release);
  return true;
}

bool HostSide::take_fast(llvm::StringRef body) {
  std::optional<wire::FastRequest> request =
      wire::decode<wire::FastRequest>(body);
  if (!request || !base || request->slot >= RPC_FAST_SLOTS)
    return false;
  const llvm::StringRef data = request->cells.bytes;
  if (data.size() % sizeof(uint32_t) ||
      data.size() > 2 * RPC_FAST_WORDS * sizeof(uint32_t))
    return false;
  rpc_fast_slot &line = cells[request->slot];
  auto cell = [&](uint32_t word) {
    return uint64_t(request->tag) << 32 | word;
  };
  for (size_t i = 0; i < data.size() / sizeof(uint32_t); ++i) {
    uint32_t word;
    std::memcpy(&word, data.data() + i * sizeof(word), sizeof(word));
    store(line.request[1 + i], cell(word));
  }
  tags[request->slot] = request->tag;
  waiting_fast |= 1u << request->slot;
  store(line.request[0], cell(request->opcode), std::memory_order_release);
  return true;
}

bool HostSide::take_output(llvm::StringRef body) {
  std::optional<wire::Output> added = wire::decode<wire::Output>(body);
  if (!added || !base)
    return false;
  const auto size = uint32_t(added->used);
  if (size > RPC_OUTPUT_BYTES || added->from > size ||
      added->bytes.bytes.size() != size - added->from)
    return false;
  std::memcpy(output->text + added->from, added->bytes.bytes.data(),
              added->bytes.bytes.size());
  used = added->used;
  store(output->used, used, std::memory_order_release);
  return true;
}

/// Sends the host's answer to a port; false when there is none yet.
bool HostSide::answer_port(uint32_t port, Outbox &out) {
  // Acquire: sees the packets that the host wrote before the word.
  const uint32_t word = load(to_device[port], std::memory_order_acquire);
  if (word == sent[port])
    return false;
  sent[port] = word;
  tell_of_output(out);
  std::string body = wire::encode(wire::PortAnswer{port, word, {}});
  put_packets(body, port, shapes[port]);
  out.frame(wire::PortAnswer::KIND, body);
  return true;
}

bool HostSide::answer_fast(uint32_t slot, Outbox &out) {
  rpc_fast_slot &line = cells[slot];
  const uint64_t first = load(line.answer[0], std::memory_order_acquire);
  const auto tag = uint32_t(first >> 32);
  if ((tag & ~RPC_FAST_SHORT) != tags[slot])
    return false;
  wire::FastAnswer answer{slot, tag, {uint32_t(first)}};
  for (uint32_t i = 1; i < answer.cells.size(); ++i) {
    const uint64_t cell = load(line.answer[i]);
    if (cell >> 32 != tags[slot])
      return false;
    answer.cells[i] = uint32_t(cell);
  }
  tell_of_output(out);
  out.frame(answer);
  return true;
}

/// Sends output->used when the host has changed it: the host sets it to 0 after
/// it has written the whole output.
void HostSide::tell_of_output(Outbox &out) {
  const uint64_t now = load(output->used);
  if (now == used)
    return;
  used = now;
  out.frame(wire::OutputUsed{now});
}

bool HostSide::look(Outbox &out) {
  if (!is_waiting())
    return false;
  const size_t before = waiting.size();
  const uint32_t fast = waiting_fast;
  std::erase_if(waiting, [&](uint32_t port) { return answer_port(port, out); });
  for (uint32_t left = fast; left; left &= left - 1) {
    const auto slot = uint32_t(llvm::countr_zero(left));
    if (answer_fast(slot, out))
      waiting_fast &= ~(1u << slot);
  }
  return waiting.size() != before || waiting_fast != fast;
}

} // namespace gpuexec::relay
