//===-- rpc/tests/host_client.h - A device played by the host ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The client's side of the protocol written from the spec alone (sections 1 and
// 2), for threads of a test: each thread is a wave of up to 64 lanes. Shares no
// code with the server but the structures of protocol.h.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_TESTS_HOST_CLIENT_H
#define GPUEXEC_RPC_TESTS_HOST_CLIENT_H

#include "rpc/protocol/protocol.h"
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace gpuexec::rpc::test {

/// Where the parts of a mailbox are, from a client object's bytes.
class Device {
public:
  Device(const std::vector<std::byte> &client_object, uint32_t lanes)
      : lanes(lanes) {
    auto take = [&](auto client) {
      memcpy(&client, client_object.data(), sizeof client);
      ports = client.port_count;
      inbox = reinterpret_cast<uint32_t *>(client.inbox);
      outbox = reinterpret_cast<uint32_t *>(client.outbox);
      headers = reinterpret_cast<rpc_header *>(client.headers);
      packets = reinterpret_cast<rpc_packet *>(client.packets);
    };
    if (client_object.size() == 552)
      take(rpc_client22());
    else
      take(rpc_client23());
    locks = std::make_unique<std::atomic<bool>[]>(ports);
  }

  uint32_t lanes, ports;
  uint32_t *inbox, *outbox;
  rpc_header *headers;
  rpc_packet *packets;
  std::unique_ptr<std::atomic<bool>[]> locks;
  /// Set to make every wave give up its waits (a device that is killed).
  std::atomic<bool> dead = false;
};

class WavePort {
public:
  WavePort(Device &device, uint32_t opcode, uint64_t mask, uint32_t start = 0)
      : device(device), mask(mask) {
    for (index = start % device.ports;; index = (index + 1) % device.ports) {
      if (device.dead)
        return;
      if (device.locks[index].exchange(true, std::memory_order_acquire)) {
        std::this_thread::yield();
        continue;
      }
      out = load(device.outbox);
      if (load(device.inbox) == out)
        break;
      device.locks[index].store(false, std::memory_order_release);
      std::this_thread::yield();
    }
    device.headers[index].lane_mask = mask;
    device.headers[index].opcode = opcode;
  }
  ~WavePort() { close(); }
  WavePort(const WavePort &) = delete;

  void close() {
    if (!closed && !device.dead)
      device.locks[index].store(false, std::memory_order_release);
    closed = true;
  }

  template <typename F> void for_each_lane(F f) {
    for (unsigned lane = 0; lane < device.lanes; ++lane)
      if (mask >> lane & 1)
        f(lane);
  }
  rpc_packet &packet(unsigned lane) {
    return device.packets[uint64_t(index) * device.lanes + lane];
  }

  template <typename F> void send(F fill) {
    wait();
    if (device.dead)
      return;
    for_each_lane([&](unsigned lane) { fill(lane, packet(lane)); });
    hand_over();
    owns = received = false;
  }
  template <typename F> void recv(F use) {
    if (received) {
      hand_over();
      owns = false;
    }
    wait();
    if (device.dead)
      return;
    for_each_lane([&](unsigned lane) { use(lane, packet(lane)); });
    received = owns = true;
  }
  void send_words(uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
                  uint64_t d = 0) {
    send([&](unsigned, rpc_packet &p) {
      p.words[0] = a;
      p.words[1] = b;
      p.words[2] = c;
      p.words[3] = d;
    });
  }
  /// Words `index` of every lane's next packet; all zero when the device died.
  std::vector<uint64_t> recv_words(unsigned index = 0) {
    std::vector<uint64_t> words(64);
    recv([&](unsigned lane, rpc_packet &p) { words[lane] = p.words[index]; });
    return words;
  }
  void send_n(const std::function<std::string(unsigned)> &text) {
    std::vector<std::string> data(64);
    uint64_t longest = 0;
    for_each_lane([&](unsigned lane) {
      data[lane] = text(lane);
      longest = std::max<uint64_t>(longest, data[lane].size());
    });
    send([&](unsigned lane, rpc_packet &p) {
      p.words[0] = data[lane].size();
      memcpy(p.bytes + 8, data[lane].data(),
             std::min<size_t>(56, data[lane].size()));
    });
    for (uint64_t at = 56; at < longest; at += 64)
      send([&](unsigned lane, rpc_packet &p) {
        if (at < data[lane].size())
          memcpy(p.bytes, data[lane].data() + at,
                 std::min<size_t>(64, data[lane].size() - at));
      });
  }
  void send_n(const std::string &text) {
    send_n([&](unsigned) { return text; });
  }
  /// With the NUL.
  void send_path(const std::string &text) {
    send_n(std::string(text.c_str(), text.size() + 1));
  }
  std::vector<std::string> recv_n() {
    std::vector<std::string> data(64);
    std::vector<uint64_t> sizes(64);
    uint64_t longest = 0;
    recv([&](unsigned lane, rpc_packet &p) {
      sizes[lane] = p.words[0];
      longest = std::max(longest, sizes[lane]);
      data[lane].assign((char *)p.bytes + 8,
                        std::min<uint64_t>(56, sizes[lane]));
    });
    for (uint64_t at = 56; at < longest && !device.dead; at += 64)
      recv([&](unsigned lane, rpc_packet &p) {
        if (at < sizes[lane])
          data[lane].append((char *)p.bytes,
                            std::min<uint64_t>(64, sizes[lane] - at));
      });
    return data;
  }

  uint32_t index = 0;

private:
  uint32_t load(uint32_t *mailbox) {
    return std::atomic_ref<uint32_t>(mailbox[index])
        .load(std::memory_order_acquire);
  }
  void wait() {
    if (owns)
      return;
    for (unsigned spins = 0; load(device.inbox) != out; ++spins) {
      if (device.dead)
        return;
      if (spins > 50)
        std::this_thread::yield();
    }
    owns = true;
  }
  void hand_over() {
    out = !out;
    std::atomic_ref<uint32_t>(device.outbox[index])
        .store(out, std::memory_order_release);
  }

  Device &device;
  uint64_t mask;
  uint32_t out = 0;
  bool owns = true, received = false, closed = false;
};

} // namespace gpuexec::rpc::test

#endif // GPUEXEC_RPC_TESTS_HOST_CLIENT_H
