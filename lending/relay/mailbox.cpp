//===-- lending/relay/mailbox.cpp - A mailbox on two machines -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/relay/mailbox.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <atomic>

namespace gpuexec::relay {

using remote::Reader;
using remote::Writer;

template <typename T>
static T load(T &word, std::memory_order order = std::memory_order_relaxed) {
  return std::atomic_ref(word).load(order);
}
template <typename T>
static void store(T &word, T value,
                  std::memory_order order = std::memory_order_relaxed) {
  std::atomic_ref(word).store(value, order);
}

bool Mailbox::set_up(const lent::MailboxPlace &place, const Memory &memory) {
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
  lent::MailboxPlace same = place;
  same.stride = known ? known->stride : 0;
  if (known && same == *known) {
    lanes = place.stride; // the next kernel's waves have another size
    return true;
  }
  std::byte *host = memory.view(place.address, layout->buffer_size());
  if (!host || reinterpret_cast<uintptr_t>(host) % 64)
    return false;
  // Nothing changes before the new place is known to be good: a wider wave in
  // the old mailbox would reach behind its packets.
  known = place;
  lanes = place.stride;
  base = host;
  address = place.address;
  bytes = layout->buffer_size();
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

void Mailbox::put_packets(Writer &to, uint32_t port, const Shape &shape) const {
  const auto *from = reinterpret_cast<const char *>(packets_of(port));
  if (shape.soa)
    return void(to.raw({from, size_of(shape)}));
  for (uint64_t left = shape.mask; left; left &= left - 1)
    to.raw({from + size_t(llvm::countr_zero(left)) * RPC_PACKET_BYTES,
            RPC_PACKET_BYTES});
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
  // Acquire: the device wrote header and packets before.
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
  Writer body;
  body.put(port).put(word).put(header);
  put_packets(body, port, shapes[port]);
  out.frame(FrameKind::port_request, body);
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
  // A bad one goes over without data: the host refuses it by its tag.
  const bool good = words <= RPC_FAST_CALLER_WORDS && !(tag & RPC_FAST_SHORT);
  Writer body;
  body.put(slot).put(tag).put(uint32_t(first));
  for (uint32_t i = 0; good && i < RPC_FAST_CELLS(words); ++i) {
    const uint64_t cell = load(line.request[1 + i]);
    if (cell >> 32 != tag)
      return false; // the rest is on its way
    body.put(uint32_t(cell));
  }
  // Acquire: what the device wrote before it asked.
  std::atomic_thread_fence(std::memory_order_acquire);
  look_at_output(out);
  tags[slot] = tag;
  out.frame(FrameKind::fast_request, body);
  return true;
}

bool DeviceSide::look(Outbox &out) {
  if (!base)
    return false;
  bool found = false;
  constexpr uint32_t TOGETHER = 64;
  for (uint32_t first = 0; first < ports; first += TOGETHER) {
    const uint32_t count = std::min(TOGETHER, ports - first);
    // Nothing read here before may stand in for the memory now.
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

/// Most often something was added to what the other side has.
bool DeviceSide::look_at_output(Outbox &out) {
  if (!base)
    return false;
  const uint64_t now = load(output->used, std::memory_order_acquire);
  if (now > RPC_OUTPUT_BYTES ||
      (now == used && std::memcmp(output->text, text.get(), now) == 0))
    return false;
  uint32_t same = 0;
  while (same < now && output->text[same] == text[same])
    ++same;
  std::memcpy(text.get() + same, output->text + same, now - same);
  used = now;
  Writer body;
  body.put(now).put(same).raw(
      {reinterpret_cast<const char *>(text.get()) + same, size_t(now - same)});
  out.frame(FrameKind::output, body);
  return true;
}

bool DeviceSide::take_port(llvm::StringRef body) {
  Reader reader(body);
  const auto port = reader.take<uint32_t>(), word = reader.take<uint32_t>();
  if (!reader.ok() || port >= ports ||
      reader.left().size() != size_of(shapes[port]))
    return false;
  set_packets(port, shapes[port], reader.left());
  // Release: the device finds the packets.
  store(to_device[port], word, std::memory_order_release);
  return true;
}

bool DeviceSide::take_fast(llvm::StringRef body) {
  constexpr uint32_t CELLS = std::extent_v<decltype(rpc_fast_slot::answer)>;
  Reader reader(body);
  const auto slot = reader.take<uint32_t>(), tag = reader.take<uint32_t>();
  const auto data = reader.take<std::array<uint32_t, CELLS>>();
  if (!reader.done() || !base || slot >= RPC_FAST_SLOTS)
    return false;
  std::atomic_thread_fence(std::memory_order_release);
  for (uint32_t cell = CELLS; cell-- > 0;) {
    const uint32_t mark = cell ? tag & ~RPC_FAST_SHORT : tag;
    store(cells[slot].answer[cell], uint64_t(mark) << 32 | data[cell]);
  }
  return true;
}

bool DeviceSide::take_output_used(llvm::StringRef body) {
  Reader reader(body);
  const auto now = reader.take<uint64_t>();
  if (!reader.done() || !base || now > RPC_OUTPUT_BYTES)
    return false;
  used = now;
  store(output->used, now, std::memory_order_release);
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
  Reader reader(body);
  const auto port = reader.take<uint32_t>(), word = reader.take<uint32_t>();
  const auto header = reader.take<rpc_header>();
  if (!reader.ok() || port >= ports)
    return false;
  const Shape shape = shape_of(header);
  if (reader.left().size() != size_of(shape))
    return false;
  shapes[port] = shape;
  store(headers[port].lane_mask, header.lane_mask);
  store(headers[port].opcode, header.opcode);
  store(headers[port].soa_words, header.soa_words);
  set_packets(port, shape, reader.left());
  if (word != sent[port] && std::ranges::find(waiting, port) == waiting.end())
    waiting.push_back(port);
  // Release: the host finds header and packets.
  store(from_device[port], word, std::memory_order_release);
  return true;
}

bool HostSide::take_fast(llvm::StringRef body) {
  Reader reader(body);
  const auto slot = reader.take<uint32_t>(), tag = reader.take<uint32_t>();
  const auto opcode = reader.take<uint32_t>();
  const uint32_t count = uint32_t(reader.left().size()) / sizeof(uint32_t);
  if (!reader.ok() || !base || slot >= RPC_FAST_SLOTS ||
      count > 2 * RPC_FAST_WORDS)
    return false;
  rpc_fast_slot &line = cells[slot];
  auto cell = [&](uint32_t data) { return uint64_t(tag) << 32 | data; };
  for (uint32_t i = 0; i < count; ++i)
    store(line.request[1 + i], cell(reader.take<uint32_t>()));
  if (!reader.done())
    return false;
  tags[slot] = tag;
  waiting_fast |= 1u << slot;
  store(line.request[0], cell(opcode), std::memory_order_release);
  return true;
}

bool HostSide::take_output(llvm::StringRef body) {
  Reader reader(body);
  const auto now = reader.take<uint64_t>();
  const auto from = reader.take<uint32_t>();
  if (!reader.ok() || !base || now > RPC_OUTPUT_BYTES || from > now ||
      reader.left().size() != now - from)
    return false;
  std::memcpy(output->text + from, reader.left().data(), now - from);
  used = now;
  store(output->used, now, std::memory_order_release);
  return true;
}

/// True when the host has answered: it is the device's turn.
bool HostSide::answer_port(uint32_t port, Outbox &out) {
  // Acquire: the host wrote the packets before.
  const uint32_t word = load(to_device[port], std::memory_order_acquire);
  if (word == sent[port])
    return false;
  sent[port] = word;
  tell_of_output(out);
  Writer body;
  body.put(port).put(word);
  put_packets(body, port, shapes[port]);
  out.frame(FrameKind::port_answer, body);
  return true;
}

bool HostSide::answer_fast(uint32_t slot, Outbox &out) {
  rpc_fast_slot &line = cells[slot];
  const uint64_t first = load(line.answer[0], std::memory_order_acquire);
  const auto tag = uint32_t(first >> 32);
  if ((tag & ~RPC_FAST_SHORT) != tags[slot])
    return false;
  Writer body;
  body.put(slot).put(tag).put(uint32_t(first));
  for (uint32_t i = 1; i < std::size(line.answer); ++i) {
    const uint64_t cell = load(line.answer[i]);
    if (cell >> 32 != tags[slot])
      return false;
    body.put(uint32_t(cell));
  }
  tell_of_output(out);
  out.frame(FrameKind::fast_answer, body);
  return true;
}

/// The host sets it to 0 when it has written all that was there.
void HostSide::tell_of_output(Outbox &out) {
  const uint64_t now = load(output->used);
  if (now == used)
    return;
  used = now;
  out.frame(FrameKind::output_used, Writer().put(now));
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
