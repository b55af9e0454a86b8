//===-- rpc/server.cpp - The host's side of the mailbox -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins the threads and ports of rpc/server/, which know no opcode, and the
// services.
//===----------------------------------------------------------------------===//
#include "rpc/server.h"
#include "rpc/server/worker_pool.h"
#include "rpc/services/services.h"
#include <cstring>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

struct Server::Impl {
  Impl(const Layout &layout, void *buffer, DeviceAddress device_address,
       const ServerOptions &options)
      : layout(layout), device_address(device_address),
        output(reinterpret_cast<rpc_output *>(static_cast<std::byte *>(buffer) +
                                              layout.output_offset())),
        outcome(options.program_name), context{outcome, options.trace.get(),
                                               options.journal.get(), nullptr},
        table(layout, buffer, registry, context, options.stats),
        pool(table, outcome, options.max_threads) {
    context.pool = &pool;
    if (options.lockstep)
      context.lockstep = &lockstep;
  }
  ~Impl() {
    pool.stop(); // its requests hold what the services own
    services.reset();
  }
  /// Writes out the buffers of the program's streams. Waits for a reader at
  /// most 50 ms at a time, so that abandon() from another thread can end the
  /// wait.
  llvm::Error write_out() {
    llvm::Error error = llvm::Error::success();
    do {
      llvm::consumeError(std::move(error));
      error = services->flush_all_now(Poller::Clock::now() +
                                      std::chrono::milliseconds(50));
    } while (services->has_pending_output() && !abandoned);
    return error;
  }

  Layout layout;
  DeviceAddress device_address;
  rpc_output *output; // the device writes it
  Registry registry;
  OutcomeRecord outcome;
  Lockstep lockstep; // with ServerOptions::lockstep
  PortContext context;
  PortTable table;
  WorkerPool pool;
  std::unique_ptr<Services> services;
  std::mutex ending;
  bool ended = false;
  std::atomic<bool> abandoned = false;
};

Server::Server(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}

llvm::Expected<std::unique_ptr<Server>>
Server::create(const Layout &layout, void *buffer, DeviceAddress device_address,
               DeviceMemory &memory, ServerOptions options) {
  auto impl = std::make_unique<Impl>(layout, buffer, device_address, options);
  auto services = Services::create(
      impl->registry, impl->outcome, memory,
      [pool = &impl->pool] { pool->interrupt_waits(); }, std::move(options));
  if (!services)
    return services.takeError();
  impl->services = std::move(*services);
  impl->services->llvm_style =
      layout.llvm_formatter ? Format::Style::llvm : Format::Style::host;
  impl->services->output = impl->output;
  impl->services->signals.tell_by(&impl->output->signals);
  impl->services->output_text =
      device_address + layout.output_offset() + offsetof(rpc_output, text);
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::~Server() {
  if (!impl->ended)
    abandon();
}

// Spec section 1.3.
template <typename Client>
static std::vector<std::byte> fill_client(const Layout &layout,
                                          DeviceAddress at) {
  const uint64_t address = at.value;
  Client client = {};
  client.port_count = layout.ports;
  client.inbox = address + layout.inbox_offset();
  client.outbox = address + layout.outbox_offset();
  client.headers = address + layout.headers_offset();
  client.packets = address + layout.packets_offset();
  if constexpr (requires { client.doorbell; })
    client.doorbell = address;
  std::vector<std::byte> bytes(sizeof client);
  std::memcpy(bytes.data(), &client, sizeof client);
  return bytes;
}

std::vector<std::byte> Server::client_object() const {
  return impl->layout.client_size == sizeof(rpc_client23)
             ? fill_client<rpc_client23>(impl->layout, impl->device_address)
             : fill_client<rpc_client22>(impl->layout, impl->device_address);
}

std::vector<std::byte> Server::extensions_object() const {
  const ServerOptions &options = impl->services->options;
  rpc_extensions extensions = {};
  extensions.version = 1;
  extensions.features =
      (RPC_FEATURE_ERRNO | RPC_FEATURE_BULK | RPC_FEATURE_POSIX |
       RPC_FEATURE_FAST_PATH | RPC_FEATURE_SOA | RPC_FEATURE_STRINGS |
       RPC_FEATURE_PRINTF | RPC_FEATURE_RECORDS | RPC_FEATURE_GOES_ON |
       RPC_FEATURE_LONG_REQUESTS | RPC_FEATURE_SYSTEM_CALLS |
       (options.journal ? RPC_FEATURE_CALLERS | RPC_FEATURE_CALLER_CELL : 0)) &
      ~impl->services->withheld_features();
  extensions.bulk_threshold = options.bulk_threshold;
  extensions.fast_slots =
      impl->device_address.value + impl->layout.fast_slots_offset();
  extensions.fast_slot_count = RPC_FAST_SLOTS;
  if (extensions.features & RPC_FEATURE_LONG_REQUESTS)
    extensions.long_requests =
        impl->device_address.value + impl->layout.long_requests_offset();
  if (extensions.features & RPC_FEATURE_BULK)
    extensions.output =
        impl->device_address.value + impl->layout.output_offset();
  uint32_t ports = impl->layout.ports, in_line = 64 / sizeof(uint32_t);
  if (llvm::has_single_bit(ports) && ports >= in_line)
    extensions.port_lines = ports / in_line;
  std::vector<std::byte> bytes(sizeof extensions);
  std::memcpy(bytes.data(), &extensions, sizeof extensions);
  return bytes;
}

std::string Server::unwritten_output() const {
  const uint64_t word = __atomic_load_n(&impl->output->used, __ATOMIC_ACQUIRE);
  const auto used = uint32_t(word), last = uint32_t(word >> 32);
  if (used > RPC_OUTPUT_BYTES)
    return {}; // the device has overwritten `used`
  // A copy: a kernel that cannot be stopped may go on writing.
  const std::string bytes(reinterpret_cast<const char *>(impl->output->text),
                          used);
  Buffer text;
  impl->services->format_records(bytes, last, text); // up to what is damaged
  return text.text().str();
}

void Server::set_lanes(uint32_t lanes) {
  impl->table.set_lanes(std::min(lanes, impl->layout.lanes));
}

void Server::start() { impl->pool.start(); }
bool Server::turn(uint64_t step, bool idle, uint64_t &ticks) {
  return impl->pool.turn(step, idle, ticks);
}
void Server::halt() { impl->pool.halt(); }
bool Server::serve_here() { return impl->pool.serve_here(); }
void Server::drain() { impl->pool.drain(); }

void Server::stop() {
  std::lock_guard lock(impl->ending);
  if (impl->ended)
    return;
  impl->pool.drain();
  impl->pool.stop();
  llvm::Error error = impl->write_out();
  impl->ended = true;
  if (error)
    impl->outcome.output_was_lost(llvm::toString(std::move(error)));
}

void Server::abandon() {
  impl->abandoned = true;
  impl->pool.give_up();
  std::lock_guard lock(impl->ending);
  if (impl->ended)
    return;
  impl->pool.stop();
  llvm::consumeError(impl->services->flush_all_now(
      Poller::Clock::now() + std::chrono::milliseconds(100)));
  impl->ended = true;
}

std::optional<Outcome> Server::outcome() const { return impl->outcome.get(); }
void Server::set_notifier(std::function<void()> notifier) {
  impl->outcome.set_notifier(std::move(notifier));
}
void Server::flush() { llvm::consumeError(impl->write_out()); }
std::string Server::stats_table() const {
  return impl->pool.stats_table(impl->registry);
}
std::string Server::open_ports() const { return impl->table.open_ports(); }
