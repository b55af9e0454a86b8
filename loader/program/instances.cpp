//===-- loader/program/instances.cpp - See instances.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/program/instances.h"
#include "rpc/protocol/protocol.h"
#include "rpc/server/polling.h"
#include "support/thread.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cstring>
#include <thread>

namespace gpuexec {
namespace {

/// An instance has one wave, which uses a second port while the server has not
/// seen that the first is free.
constexpr uint32_t PORTS = 2;
constexpr uint64_t MAILBOX_ALIGNMENT = 64;
/// Of the variables of one instance; they begin at multiples of the alignment.
constexpr uint64_t MOST_VARIABLES = 1u << 30;
/// Between two looks at the mailboxes while nobody asks for anything.
constexpr std::chrono::microseconds IDLE(50);

llvm::ArrayRef<std::byte> as_bytes(const auto &value) {
  return {reinterpret_cast<const std::byte *>(&value), sizeof(value)};
}

template <typename T> llvm::MutableArrayRef<std::byte> bytes_of(T &value) {
  return {reinterpret_cast<std::byte *>(&value), sizeof(value)};
}

} // namespace

bool Instances::suit(const Image &image) {
  const Global *layout = image.find_global(GPUEXEC_INSTANCE_LAYOUT);
  return layout && layout->defined &&
         layout->size == sizeof(gpuexec_instance_layout);
}

llvm::Expected<std::unique_ptr<Instances>>
Instances::load(Device &device, const Image &image,
                const LaunchSettings &settings,
                std::vector<InstanceOptions> options) {
  std::unique_ptr<Instances> instances(new Instances(device, image));
  for (InstanceOptions &one : options)
    instances->all.push_back({std::move(one), nullptr});
  if (llvm::Error error = instances->load(settings))
    return std::move(error);
  return std::move(instances);
}

Instances::~Instances() {
  all.clear(); // their servers look at the mailboxes
  for (const HostBuffer *buffer : {&mailboxes, &table, &texts})
    if (buffer->host)
      device.free_host(*buffer);
  if (blocks)
    device.free_device(blocks);
}

llvm::Error Instances::load(const LaunchSettings &settings) {
  llvm::Expected<Contract> contract =
      find_contract(image, Constructors::automatic, {});
  if (!contract)
    return contract.takeError();
  startup = std::move(*contract);
  if (!startup.start || !image.rpc_client())
    return failure(Reason::not_runnable, "{0}: has no start-up code",
                   image.name());
  llvm::Expected<std::unique_ptr<Module>> loaded = device.load(image, settings);
  if (!loaded)
    return loaded.takeError();
  module = std::move(*loaded);
  if (llvm::Error error = read_layout())
    return error;
  if (llvm::Error error = allocate())
    return error;
  for (size_t place = 0; place < all.size(); ++place) {
    if (llvm::Error error = set_up(place))
      return error;
    left.push_back(place);
  }
  return fill_in();
}

llvm::Expected<DeviceAddress> Instances::find(llvm::StringRef name) const {
  llvm::Expected<std::optional<DeviceAddress>> found =
      module->find_global(name);
  if (!found)
    return found.takeError();
  if (!*found)
    return failure(Reason::not_runnable, "{0}: has no '{1}'", image.name(),
                   name);
  return **found;
}

llvm::Error Instances::read_layout() {
  llvm::Expected<DeviceAddress> address = find(GPUEXEC_INSTANCE_LAYOUT);
  if (!address)
    return address.takeError();
  if (llvm::Error error =
          device.queue().copy_from_device(bytes_of(layout), *address))
    return error;
  const uint64_t client_size = image.rpc_client()->size;
  auto fits = [&](uint64_t offset, uint64_t size) {
    return offset <= layout.size && size <= layout.size - offset;
  };
  if (layout.size > MOST_VARIABLES || !fits(layout.client, client_size) ||
      !fits(layout.extensions, sizeof(rpc_extensions)))
    return failure(Reason::not_runnable,
                   "{0}: '{1}' says {2} bytes, and {3} and {4} for the "
                   "mailbox's objects",
                   image.name(), GPUEXEC_INSTANCE_LAYOUT, layout.size,
                   layout.client, layout.extensions);
  llvm::Expected<rpc::Layout> mailbox = rpc::Layout::from_client_size(
      client_size, PORTS, startup.start->wave_size);
  if (!mailbox)
    return failure(Reason::not_runnable, "{0}: {1}", image.name(),
                   llvm::toString(mailbox.takeError()));
  mailbox_layout = *mailbox;
  objects_size = llvm::alignTo(client_size, 8) + sizeof(rpc_extensions);
  mailbox_size = llvm::alignTo(mailbox_layout.buffer_size(), MAILBOX_ALIGNMENT);
  return llvm::Error::success();
}

llvm::Error Instances::allocate() {
  uint64_t text = 0;
  for (const Instance &one : all) {
    text_offsets.push_back(text);
    text += llvm::alignTo(
        ArgumentBlock(one.options.argv, one.options.environment).size(), 8);
  }
  const std::pair<HostBuffer *, uint64_t> buffers[] = {
      {&mailboxes, mailbox_size * all.size()},
      {&table, (sizeof(gpuexec_instance) + objects_size) * all.size()},
      {&texts, text}};
  for (const auto &[buffer, size] : buffers) {
    llvm::Expected<HostBuffer> memory = device.allocate_host(size);
    if (!memory)
      return memory.takeError();
    *buffer = *memory;
  }
  llvm::Expected<DeviceAddress> memory =
      device.allocate_device(layout.size * all.size());
  if (!memory)
    return memory.takeError();
  blocks = *memory;
  return llvm::Error::success();
}

llvm::Error Instances::set_up(size_t place) {
  Instance &one = all[place];
  rpc::ServerOptions options = one.options.server;
  options.program_name = one.options.argv.front();
  options.device_name = device.info().name;
  options.max_threads = rpc::NO_POLLING_THREADS; // serve() looks
  const uint64_t offset = place * mailbox_size;
  llvm::Expected<std::unique_ptr<rpc::Server>> server = rpc::Server::create(
      mailbox_layout, mailboxes.host + offset, mailboxes.address + offset,
      device.heap(), std::move(options));
  if (!server)
    return server.takeError();
  one.server = std::move(*server);
  one.server->set_lanes(startup.start->wave_size);
  const ArgumentBlock text(one.options.argv, one.options.environment);
  const DeviceAddress at = texts.address + text_offsets[place];
  text.fill(texts.host + text_offsets[place], at);

  // The table's instances come first, then the mailboxes' objects.
  const uint64_t objects =
      all.size() * sizeof(gpuexec_instance) + place * objects_size;
  const uint64_t extensions = objects + objects_size - sizeof(rpc_extensions);
  const gpuexec_instance entry = {
      (at + text.argv_offset()).value, (at + text.envp_offset()).value,
      uint64_t(text.argc()), (table.address + objects).value,
      (table.address + extensions).value};
  std::memcpy(table.host + place * sizeof(entry), &entry, sizeof(entry));
  const std::vector<std::byte> client = one.server->client_object(),
                               more = one.server->extensions_object();
  std::memcpy(table.host + objects, client.data(), client.size());
  std::memcpy(table.host + extensions, more.data(), more.size());
  return llvm::Error::success();
}

llvm::Error Instances::fill_in() {
  const gpuexec_ensemble ensemble = {table.address.value, blocks.value};
  llvm::Expected<DeviceAddress> address = find(GPUEXEC_ENSEMBLE);
  if (!address)
    return address.takeError();
  if (llvm::Error error =
          device.queue().copy_to_device(*address, as_bytes(ensemble)))
    return error;
  const uint64_t hertz = device.clock_frequency();
  llvm::Expected<std::optional<DeviceAddress>> clock =
      module->find_global(GPUEXEC_CLOCK_FREQUENCY);
  if (!clock)
    return clock.takeError();
  return *clock && hertz
             ? device.queue().copy_to_device(**clock, as_bytes(hertz))
             : llvm::Error::success();
}

/// Looks once at the mailboxes of all that have not ended. True when one asked
/// for something.
bool Instances::serve() {
  std::unique_lock one(serving, std::try_to_lock);
  if (!one)
    return false;
  bool served = false;
  llvm::erase_if(left, [&](size_t place) {
    rpc::Server &server = *all[place].server;
    served |= server.serve_here();
    std::optional<rpc::Outcome> outcome = server.outcome();
    if (!outcome)
      return false;
    server.flush();
    on_end(place, *outcome);
    return true;
  });
  return served;
}

llvm::Error
Instances::run(std::function<void(size_t, const rpc::Outcome &)> ended) {
  on_end = std::move(ended);
  for (Instance &one : all)
    one.server->start();
  std::atomic<bool> is_over = false;
  Thread server;
  if (!server.start([&] {
        while (!is_over)
          if (!serve())
            std::this_thread::sleep_for(IDLE);
      }))
    return failure(Reason::failed, "no thread to serve the program's calls");
  if (SelfServing *self = device.self_serving())
    self->serve_calls([this] { return serve(); });
  const Grid grid{{1, 1, 1}, {uint32_t(all.size()), 1, 1}};
  StartArguments arguments;
  arguments.ret = blocks; // no instance uses it
  const std::vector<std::byte> bytes =
      arguments.bytes(StartArguments::START_SIZE);
  llvm::Error error = device.queue().launch(
      *module, {KernelLaunch{&*startup.start, grid, bytes}});
  is_over = true;
  server.join();
  if (SelfServing *self = device.self_serving())
    self->serve_calls({});
  serve(); // what the last ones have asked for
  return error;
}

} // namespace gpuexec
