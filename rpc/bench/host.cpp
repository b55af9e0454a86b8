//===-- rpc/bench/host.cpp - What the server itself costs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves are played by a thread that keeps many ports busy at once, as a GPU
// does: it fills every port it has an answer for, then looks at the next. So
// what is measured is the host's side alone. Every row has a ratio to something
// measured in the same run: a bare flag bounced between two threads, one flag
// per wave.
//
//     bench-rpc-host [seconds per row]
//===----------------------------------------------------------------------===//
#include "rpc/protocol/protocol.h"
#include "rpc/server.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;
using Clock = std::chrono::steady_clock;

namespace {

double seconds_per_row = 1;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto of = [](timeval t) {
    return double(t.tv_sec) + double(t.tv_usec) / 1e6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

class HostMemory : public DeviceMemory {
  DeviceAddress allocate(uint64_t size, uint64_t alignment) override {
    return DeviceAddress::of(
        aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1)));
  }
  void free(DeviceAddress address) override { ::free(address.shared()); }
  llvm::Error read(void *to, DeviceAddress from, uint64_t size) override {
    memcpy(to, from.shared(), size);
    return llvm::Error::success();
  }
  llvm::Error write(DeviceAddress to, const void *from,
                    uint64_t size) override {
    memcpy(to.shared(), from, size);
    return llvm::Error::success();
  }
  void *host_view(DeviceAddress address, uint64_t, bool) override {
    return address.shared();
  }
};

/// The bare limit: `flags` words bounced by another thread that does nothing
/// else.
double bare_bounces(unsigned flags) {
  struct alignas(64) Line {
    std::atomic<uint32_t> to = 0, from = 0;
  };
  std::vector<Line> lines(flags);
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop.load(std::memory_order_relaxed)) {
      bool any = false;
      for (Line &line : lines) {
        uint32_t value = line.to.load(std::memory_order_acquire);
        if (value != line.from.load(std::memory_order_relaxed)) {
          line.from.store(value, std::memory_order_release);
          any = true;
        }
      }
      if (!any)
        sched_yield();
    }
  });
  uint64_t done = 0;
  auto begin = Clock::now();
  while (since(begin) < seconds_per_row / 2) {
    bool any = false;
    for (Line &line : lines) {
      uint32_t sent = line.to.load(std::memory_order_relaxed);
      if (line.from.load(std::memory_order_acquire) == sent) {
        line.to.store(!sent, std::memory_order_release);
        ++done;
        any = true;
      }
    }
    if (!any)
      sched_yield();
  }
  double rate = double(done) / since(begin);
  stop = true;
  other.join();
  return rate;
}

struct Bench {
  Layout layout;
  void *buffer;
  HostMemory memory;
  std::unique_ptr<Server> server;
  uint32_t *inbox, *outbox;
  rpc_header *headers;
  rpc_packet *packets;
  uint32_t lanes;

  explicit Bench(uint32_t ports, uint32_t lanes = 32) : lanes(lanes) {
    layout = llvm::cantFail(Layout::from_client_size(552, ports, lanes));
    size_t size = (layout.buffer_size() + 4095) & ~size_t(4095);
    buffer = aligned_alloc(4096, size);
    memset(buffer, 0, size);
    ServerOptions options;
    options.stdout_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    server = llvm::cantFail(Server::create(
        layout, buffer, DeviceAddress::of(buffer), memory, std::move(options)));
    char *base = (char *)buffer;
    inbox = (uint32_t *)(base + layout.inbox_offset());
    outbox = (uint32_t *)(base + layout.outbox_offset());
    headers = (rpc_header *)(base + layout.headers_offset());
    packets = (rpc_packet *)(base + layout.packets_offset());
    server->start();
  }
  ~Bench() {
    server->stop();
    server.reset();
    free(buffer);
  }
  bool ours(uint32_t port) {
    return std::atomic_ref(inbox[port]).load(std::memory_order_acquire) ==
           outbox[port];
  }
  void flip(uint32_t port) {
    std::atomic_ref(outbox[port])
        .store(!outbox[port], std::memory_order_release);
  }
  rpc_packet &packet(uint32_t port, uint32_t lane) {
    return packets[size_t(port) * lanes + lane];
  }

  /// Keeps `waves` ports busy with exchanges of `steps` packets each; `fill`
  /// makes packet `step`. Exchanges per second.
  double run(uint32_t opcode, uint32_t waves, uint64_t mask, unsigned steps,
             const std::function<void(uint32_t, unsigned)> &fill) {
    std::vector<unsigned> at(waves, 0);
    for (uint32_t port = 0; port < waves; ++port)
      headers[port] = {mask, opcode, 0};
    uint64_t done = 0, done_warm = 0;
    auto begin = Clock::now();
    bool warm = false, last = false;
    for (uint32_t busy = 0;;) {
      bool any = false;
      for (uint32_t port = 0; port < waves; ++port) {
        if (!ours(port))
          continue;
        if (at[port] == steps) {
          ++done;
          --busy;
          at[port] = 0;
        }
        if (at[port] == 0) {
          if (last)
            continue;
          ++busy;
        }
        any = true;
        fill(port, at[port]++);
        flip(port);
      }
      if (!any)
        sched_yield();
      if (last && !busy)
        break;
      double time = since(begin);
      if (!warm && time > seconds_per_row / 10) {
        warm = true;
        begin = Clock::now();
        done_warm = done;
      } else if (warm && !last && time > seconds_per_row) {
        return finish(done - done_warm, time, at, steps, fill, waves);
      }
    }
    return 0;
  }

private:
  double finish(uint64_t done, double time, std::vector<unsigned> &at,
                unsigned steps,
                const std::function<void(uint32_t, unsigned)> &fill,
                uint32_t waves) {
    // Ends what is begun.
    for (uint32_t left = 1; left;) {
      left = 0;
      for (uint32_t port = 0; port < waves; ++port) {
        if (at[port] == 0)
          continue;
        ++left;
        if (!ours(port))
          continue;
        if (at[port] == steps) {
          at[port] = 0;
          continue;
        }
        fill(port, at[port]++);
        flip(port);
      }
      sched_yield();
    }
    return double(done) / time;
  }
};

void throughput() {
  printf("no-ops with an answer, one lane\n");
  printf("%8s %14s %14s %8s\n", "waves", "per second", "bare flags", "ratio");
  for (uint32_t waves : {1, 64, 1024, 4096}) {
    double bare = bare_bounces(waves);
    Bench bench(std::max(waves, 64u));
    double rate = bench.run(RPC_TEST_INCREMENT, waves, 1, 1,
                            [&](uint32_t port, unsigned) {
                              bench.packet(port, 0).words[0] = port;
                            });
    printf("%8u %14.0f %14.0f %8.2f\n", waves, rate, bare, rate / bare);
    if (waves == 1)
      printf("%8s %14.2f %14.2f us per call\n", "", 1e6 / rate, 1e6 / bare);
  }
}

void printf_lines() {
  printf("\nprintf(\"thread %%d of %%s: %%f\\n\") of whole waves of 32 lanes, "
         "and the "
         "host's own snprintf\n");
  char text[100];
  auto begin = Clock::now();
  uint64_t alone = 0;
  for (; since(begin) < seconds_per_row / 4; alone += 100)
    for (int i = 0; i < 100; ++i)
      snprintf(text, sizeof text, "thread %d of %s: %f\n", i, "many", i * 0.5);
  double alone_rate = double(alone) / since(begin);
  printf("%8s %14s %14s %8s\n", "waves", "lines/s", "snprintf/s", "ratio");
  static const char format[] = "thread %d of %s: %f\n";
  for (uint32_t waves : {1, 64, 1024}) {
    Bench bench(std::max(waves, 64u));
    double rate = bench.run(RPC_PRINTF_TO_STDOUT, waves, 0xFFFFFFFF, 4,
                            [&](uint32_t port, unsigned step) {
                              for (uint32_t lane = 0; lane < 32; ++lane) {
                                rpc_packet &p = bench.packet(port, lane);
                                if (step == 0) {
                                  p.words[0] = sizeof format;
                                  memcpy(p.bytes + 8, format, sizeof format);
                                } else if (step == 1) { // 4 + 4 padding + 8 + 8
                                  uint64_t block[3] = {lane, 1, 0};
                                  double number = lane * 0.5;
                                  memcpy(&block[2], &number, 8);
                                  p.words[0] = sizeof block;
                                  memcpy(p.bytes + 8, block, sizeof block);
                                } else if (step == 2) {
                                  p.words[0] = 5;
                                  memcpy(p.bytes + 8, "many", 5);
                                }
                              }
                            });
    printf("%8u %14.0f %14.0f %8.2f\n", waves, rate * 32, alone_rate,
           rate * 32 / alone_rate);
  }
}

void writes() {
  printf("\nMB/s written to /dev/null by one lane and by 32, packets and bulk, "
         "and "
         "memcpy of 1 MiB\n");
  std::vector<char> from(16 << 20, 'x'), to(16 << 20);
  auto begin = Clock::now();
  uint64_t copied = 0;
  for (; since(begin) < seconds_per_row / 4; copied += 1 << 20) {
    memcpy(to.data(), from.data(), 1 << 20);
    asm volatile("" ::"r"(to.data()) : "memory"); // it must really be copied
  }
  double memory = double(copied) / since(begin) / 1e6;
  printf("%10s %6s %12s %12s %10s\n", "bytes", "lanes", "packets", "bulk",
         "memcpy");
  for (uint64_t size : {64ull, 4096ull, 65536ull, 1ull << 20, 16ull << 20}) {
    for (uint64_t mask : {1ull, 0xFFFFFFFFull}) {
      unsigned count = mask == 1 ? 1 : 32;
      if (size * count > (64 << 20))
        continue;
      Bench bench(64);
      unsigned packets = size <= 56 ? 1 : unsigned(1 + (size - 56 + 63) / 64);
      double rate = bench.run(RPC_WRITE_TO_STDOUT, 1, mask, packets,
                              [&](uint32_t port, unsigned step) {
                                for (unsigned lane = 0; lane < count; ++lane) {
                                  rpc_packet &p = bench.packet(port, lane);
                                  if (step == 0)
                                    p.words[0] = size;
                                }
                              });
      double bulk = bench.run(RPC_BULK_WRITE_STREAM, 1, mask, 1,
                              [&](uint32_t port, unsigned) {
                                for (unsigned lane = 0; lane < count; ++lane) {
                                  rpc_packet &p = bench.packet(port, lane);
                                  p.words[0] = RPC_STREAM_STDOUT;
                                  p.words[1] = uint64_t(from.data());
                                  p.words[2] = size;
                                }
                              });
      double megabytes = double(size) * count / 1e6;
      printf("%10llu %6u %12.1f %12.1f %10.0f\n", (unsigned long long)size,
             count, rate * megabytes, bulk * megabytes, memory);
    }
  }
}

void quiet() {
  printf("\nidle for %.0f s with 4096 ports: ", 2 * seconds_per_row);
  Bench bench(4096);
  usleep(100000);
  double before = cpu_seconds();
  auto begin = Clock::now();
  usleep(useconds_t(2e6 * seconds_per_row));
  printf("%.2f %% of a core\n", 100 * (cpu_seconds() - before) / since(begin));

  // A burst of calls after a pause, against the same burst without one.
  auto burst = [&](unsigned calls) {
    auto start = Clock::now();
    for (unsigned i = 0; i < calls; ++i) {
      bench.headers[0] = {1, RPC_TEST_INCREMENT, 0};
      bench.flip(0);
      while (!bench.ours(0))
        sched_yield();
    }
    return since(start) * 1e6;
  };
  printf("%8s %16s %16s %8s\n", "calls", "after 50 ms (us)", "at once (us)",
         "ratio");
  for (unsigned calls : {1, 10, 100, 1000, 10000}) {
    std::vector<double> cold, warm;
    for (int i = 0; i < 15; ++i) {
      usleep(50000);
      cold.push_back(burst(calls));
      warm.push_back(burst(calls));
    }
    std::sort(cold.begin(), cold.end());
    std::sort(warm.begin(), warm.end());
    printf("%8u %16.1f %16.1f %8.2f\n", calls, cold[7], warm[7],
           cold[7] / warm[7]);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1)
    seconds_per_row = atof(argv[1]);
  throughput();
  printf_lines();
  writes();
  quiet();
}
