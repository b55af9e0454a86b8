//===-- lending/client/device.cpp - A device of another process -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/client/device.h"
#include "llvm/ADT/StringMap.h"

namespace gpuexec::lending {

/// The time limit of requests for reports. The process replies at once or not
/// at all: whoever asks may be about to end a program that hangs.
static constexpr std::chrono::seconds REPORT_TIMEOUT(5);
/// Every device allocates memory at multiples of this; any other address in a
/// reply is invalid.
static constexpr uint64_t SMALLEST_ALIGNMENT = 256;

/// Writes device memory that is not shared, in parts. Nobody waits for the
/// reply to the last part where the link's post() does not.
static llvm::Error write_by_asking(wire::Link &link, DeviceAddress to,
                                   llvm::ArrayRef<std::byte> from) {
  while (!from.empty()) {
    llvm::ArrayRef<std::byte> part =
        from.take_front(std::min<size_t>(from.size(), link.largest_copy()));
    const wire::Write request{to, wire::bytes_of(part)};
    llvm::Error error = from.size() > part.size()
                            ? link.ask(request).takeError()
                            : link.post(request).takeError();
    if (error)
      return error;
    to = to + part.size();
    from = from.drop_front(part.size());
  }
  return llvm::Error::success();
}

/// False when the device cannot have allocated this range.
bool RemoteDevice::is_memory(DeviceAddress address, uint64_t size) const {
  return address && address.value % SMALLEST_ALIGNMENT == 0 &&
         (!facts.all_is_shared || memory.view(address, size));
}

llvm::Expected<HostBuffer> RemoteDevice::allocate_host(uint64_t size) {
  auto reply = link.ask(wire::AllocateHost{size});
  if (!reply)
    return reply.takeError();
  const DeviceAddress address = reply->address;
  if (!is_memory(address, size))
    return link.nonsense();
  // The reply may bring a part of memory that this process has not mapped yet.
  if (reply->part) {
    const wire::Part &place = reply->part->place;
    if (place.offset)
      return link.nonsense();
    if (llvm::Error error =
            memory.map(place.begin, place.size, reply->part->file))
      return std::move(error);
  }
  std::byte *host = memory.view(address, size);
  if (!host)
    return link.nonsense();
  return HostBuffer{host, address, size};
}

llvm::Expected<DeviceAddress> RemoteDevice::allocate_device(uint64_t size) {
  if (small_ahead && size <= wire::SMALL_AHEAD)
    return std::exchange(small_ahead, {});
  auto reply = link.ask(wire::AllocateDevice{size});
  if (!reply)
    return reply.takeError();
  if (!is_memory(reply->address, size))
    return link.nonsense();
  return reply->address;
}

// Nothing to do: memory is freed after the program's end only, when the other
// process ends or cleans up for the device's next user.
void RemoteDevice::free_host(const HostBuffer &buffer) {}
void RemoteDevice::free_device(DeviceAddress address) {}

llvm::Error RemoteDevice::copy_to_device(DeviceAddress to,
                                         llvm::ArrayRef<std::byte> from) {
  std::byte *host = memory.view(to, from.size());
  if (!host && facts.all_is_shared)
    return link.nonsense();
  for (Awaited &each : awaited)
    each.bytes.clear();
  if (!host || must_tell_of_writes)
    return write_by_asking(link, to, from);
  std::memcpy(host, from.data(), from.size());
  return llvm::Error::success();
}

llvm::Error RemoteDevice::copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                           DeviceAddress from) {
  const std::byte *host = memory.view(from, to.size());
  if (!host && facts.all_is_shared)
    return link.nonsense();
  for (const Awaited &each : awaited)
    if (lies_in(from, to.size(), each.address, each.bytes.size()))
      host = reinterpret_cast<const std::byte *>(each.bytes.data()) +
             (from - each.address);
  if (!host)
    return read_by_asking<wire::Read>(link, to, from);
  std::memcpy(to.data(), host, to.size());
  return llvm::Error::success();
}

void RemoteDevice::will_read(DeviceAddress address, uint64_t size) {
  if (awaited.size() < MOST_AWAITED && size <= LARGEST_AWAITED &&
      !memory.view(address, size))
    awaited.push_back({address, size, {}});
}

/// Takes the bytes of the awaited pieces, which are the reply to a launch;
/// false: nonsense.
bool RemoteDevice::take_awaited(llvm::StringRef bytes) {
  uint64_t size = 0;
  for (const Awaited &each : awaited)
    size += each.size;
  if (bytes.size() != size)
    return false;
  for (Awaited &each : awaited) {
    each.bytes = bytes.take_front(each.size).str();
    bytes = bytes.drop_front(each.size);
  }
  return true;
}

std::string RemoteDevice::where() {
  auto reply = link.ask(wire::Where{}, REPORT_TIMEOUT);
  return reply ? std::move(reply->text)
               : "  " + llvm::toString(reply.takeError()) + "\n";
}

std::string RemoteDevice::statistics(bool json) {
  auto reply = link.ask(wire::Statistics{json}, REPORT_TIMEOUT);
  if (reply)
    return std::move(reply->text);
  llvm::consumeError(reply.takeError());
  return {};
}

llvm::Error RemoteDevice::set_option(llvm::StringRef name,
                                     llvm::StringRef value) {
  if (name == "check") {
    must_tell_of_writes = true;
    device_heap.tell_of_writes();
  }
  return link.ask(wire::SetOption{name, value}).takeError();
}

/// The image on the device of the other process.
class RemoteModule final : public Module {
public:
  RemoteModule(RemoteDevice &device, const Image &image)
      : device(device), image(image) {}
  llvm::Expected<std::optional<DeviceAddress>>
  find_global(llvm::StringRef name) override;
  Resources resources(const Kernel &kernel) override;
  void learn(llvm::StringRef name, std::optional<DeviceAddress> address) {
    known[name] = address;
  }

  uint32_t index_of(const Kernel &kernel) const {
    return uint32_t(&kernel - image.kernels().data());
  }

private:
  llvm::Expected<std::optional<DeviceAddress>> ask(llvm::StringRef name);
  RemoteDevice &device;
  const Image &image;
  /// Address on the device less address in the image, of a code object that is
  /// loaded in one piece. Computed once.
  std::optional<uint64_t> delta;
  /// Of other images: the addresses that came with the reply to Load.
  llvm::StringMap<std::optional<DeviceAddress>> known;
};

/// True for AMD GPUs' code objects: each is loaded in one piece, and its symbol
/// table tells where everything is, also what the driver has no names for.
static bool has_one_delta(const Image &image) {
  return image.format() == Image::Format::amdgpu;
}

/// Variables whose addresses the loader will need: those of start-up code and C
/// library, constructors and destructors.
std::vector<llvm::StringRef> wanted_globals(const Image &image) {
  std::vector<llvm::StringRef> names;
  for (llvm::ArrayRef<InitObject> objects :
       {image.constructors(), image.destructors()})
    for (const InitObject &object : objects)
      names.push_back(object.symbol);
  for (const Global &global : image.globals())
    if (global.defined && llvm::StringRef(global.name).starts_with("__"))
      names.push_back(global.name);
  names.resize(std::min<size_t>(names.size(), wire::MOST_NAMES));
  return names;
}

wire::Load RemoteDevice::load_request(const Image &image,
                                      const LaunchSettings &settings) {
  wire::Load request{settings, {}};
  if (!has_one_delta(image))
    for (llvm::StringRef name : wanted_globals(image))
      request.names.push_back(name);
  return request;
}

llvm::Expected<std::unique_ptr<Module>>
RemoteDevice::load(const Image &image, const LaunchSettings &settings) {
  const wire::Load request = load_request(image, settings);
  return take_loaded(image, request, link.ask(request));
}

llvm::Expected<std::unique_ptr<Module>>
RemoteDevice::take_loaded(const Image &image, const wire::Load &request,
                          llvm::Expected<wire::Replied<wire::Load>> reply) {
  if (!reply)
    return reply.takeError();
  if (!is_memory(reply->small, wire::SMALL_AHEAD) ||
      reply->addresses.size() != request.names.size())
    return link.nonsense();
  small_ahead = reply->small;
  auto module = std::make_unique<RemoteModule>(*this, image);
  for (size_t i = 0; i < request.names.size(); ++i)
    module->learn(request.names[i], reply->addresses[i]);
  return std::unique_ptr<Module>(std::move(module));
}

llvm::Expected<std::optional<DeviceAddress>>
RemoteModule::ask(llvm::StringRef name) {
  auto reply = device.link.ask(wire::FindGlobal{name});
  if (!reply)
    return reply.takeError();
  return reply->address;
}

llvm::Expected<std::optional<DeviceAddress>>
RemoteModule::find_global(llvm::StringRef name) {
  if (auto entry = known.find(name); entry != known.end())
    return entry->second;
  if (!has_one_delta(image))
    return ask(name); // PTX: only the driver knows what is there
  const Global *global = image.find_global(name);
  if (!global || !global->defined)
    return std::nullopt;
  if (!delta) {
    llvm::Expected<std::optional<DeviceAddress>> found = ask(name);
    if (!found || !*found)
      return found;
    delta = (*found)->value - global->address;
  }
  DeviceAddress address(global->address + *delta);
  if (device.facts.all_is_shared && !device.memory.view(address, global->size))
    return device.link.nonsense();
  return address;
}

llvm::Error RemoteDevice::launch(Module &module,
                                 llvm::ArrayRef<KernelLaunch> kernels) {
  const auto &remote = static_cast<const RemoteModule &>(module);
  for (ended_before = 0; kernels.size() > wire::MOST_LAUNCHES;
       kernels = kernels.drop_front(wire::MOST_LAUNCHES)) {
    if (llvm::Error error =
            launch_together(remote, kernels.take_front(wire::MOST_LAUNCHES)))
      return error;
    ended_before += wire::MOST_LAUNCHES;
  }
  return launch_together(remote, kernels);
}

llvm::Error
RemoteDevice::launch_together(const RemoteModule &module,
                              llvm::ArrayRef<KernelLaunch> kernels) {
  wire::Launch request;
  for (const KernelLaunch &each : kernels)
    request.kernels.push_back({module.index_of(*each.kernel), each.grid,
                               wire::bytes_of(each.arguments)});
  for (Awaited &each : awaited) {
    request.awaited.push_back({each.address, each.size});
    each.bytes.clear();
  }
  auto reply = link.launch(request);
  if (!reply)
    return reply.takeError();
  return take_awaited(reply->bytes.bytes) ? llvm::Error::success()
                                          : link.nonsense();
}

size_t RemoteDevice::ended() {
  auto reply = link.ask(wire::CountEnded{}, REPORT_TIMEOUT);
  if (reply)
    return ended_before + reply->kernels;
  llvm::consumeError(reply.takeError());
  return 0;
}

Resources RemoteModule::resources(const Kernel &kernel) {
  Resources known = kernel.resources;
  if (device.facts.info.emulated)
    return known; // from the image
  auto reply = device.link.ask(wire::KernelResources{index_of(kernel)});
  if (reply) {
    known.vgprs = reply->vgprs;
    known.private_size = reply->private_size;
  } else {
    llvm::consumeError(reply.takeError());
  }
  return known;
}

} // namespace gpuexec::lending
