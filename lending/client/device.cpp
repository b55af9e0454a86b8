//===-- lending/client/device.cpp - A device of another process -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/client/device.h"
#include "support/printable.h"
#include "llvm/ADT/StringMap.h"

namespace gpuexec::remote {

/// Where waves are and what was counted is told at once or not at all: whoever
/// asks may be about to end the program because it hangs.
static constexpr std::chrono::seconds PATIENCE(5);
/// Every device's memory begins at multiples of this; an address that does not
/// is nonsense.
static constexpr uint64_t SMALLEST_ALIGNMENT = 256;

llvm::Error read_by_asking(Link &link, Request request,
                           llvm::MutableArrayRef<std::byte> to,
                           DeviceAddress from) {
  while (!to.empty()) {
    const uint64_t size = std::min<uint64_t>(to.size(), link.largest_copy());
    llvm::Expected<Answer> answer =
        link.ask(request, Writer().put(from).put(size).bytes());
    if (!answer)
      return answer.takeError();
    Reader reader(answer->body);
    llvm::StringRef bytes = reader.text();
    if (!reader.done() || bytes.size() != size)
      return failure(Reason::failed, "{0} replies nonsense", link.name());
    std::memcpy(to.data(), bytes.data(), bytes.size());
    to = to.drop_front(size);
    from = from + size;
  }
  return llvm::Error::success();
}

llvm::Error write_by_asking(Link &link, Request request, DeviceAddress to,
                            llvm::ArrayRef<std::byte> from) {
  while (!from.empty()) {
    llvm::ArrayRef<std::byte> part =
        from.take_front(std::min<size_t>(from.size(), link.largest_copy()));
    Writer body;
    body.put(to).text(
        {reinterpret_cast<const char *>(part.data()), part.size()});
    // The last part of what is set up before a launch is not waited for.
    const bool waits = request != Request::write || from.size() > part.size();
    llvm::Error error = waits ? link.ask(request, body.bytes()).takeError()
                              : link.post(request, body.bytes()).takeError();
    if (error)
      return error;
    to = to + part.size();
    from = from.drop_front(part.size());
  }
  return llvm::Error::success();
}

llvm::Error RemoteDevice::nonsense() const {
  return failure(Reason::failed, "{0} replies nonsense", link.name());
}

/// The reply begins with an address of `size` bytes, which was checked.
llvm::Expected<Answer> RemoteDevice::ask_for_memory(Request request,
                                                    uint64_t size) {
  llvm::Expected<Answer> answer = link.ask(request, Writer().put(size).bytes());
  if (!answer)
    return answer;
  Reader reader(answer->body);
  DeviceAddress address = reader.take<DeviceAddress>();
  if (!reader.ok() || !is_memory(address, size))
    return nonsense();
  return answer;
}

/// What was allocated looks like that.
bool RemoteDevice::is_memory(DeviceAddress address, uint64_t size) const {
  return address && address.value % SMALLEST_ALIGNMENT == 0 &&
         (!facts.all_is_shared || memory.view(address, size));
}

llvm::Expected<HostBuffer> RemoteDevice::allocate_host(uint64_t size) {
  llvm::Expected<Answer> answer = ask_for_memory(Request::allocate_host, size);
  if (!answer)
    return answer.takeError();
  Reader reader(answer->body);
  DeviceAddress address = reader.take<DeviceAddress>();
  // A part of memory that this process has not mapped yet comes with it.
  DeviceAddress begin = reader.take<DeviceAddress>();
  uint64_t bytes = reader.take<uint64_t>(), offset = reader.take<uint64_t>();
  if (!reader.done() || offset || answer->descriptors.size() > 1)
    return nonsense();
  if (!answer->descriptors.empty())
    if (llvm::Error error =
            memory.map(begin, bytes, answer->descriptors.front()))
      return std::move(error);
  std::byte *host = memory.view(address, size);
  if (!host)
    return nonsense();
  return HostBuffer{host, address, size};
}

llvm::Expected<DeviceAddress> RemoteDevice::allocate_device(uint64_t size) {
  if (small_ahead && size <= SMALL_AHEAD)
    return std::exchange(small_ahead, {});
  llvm::Expected<Answer> answer =
      ask_for_memory(Request::allocate_device, size);
  if (!answer)
    return answer.takeError();
  return Reader(answer->body).take<DeviceAddress>();
}

// What is freed when the program has ended goes with the process, or with the
// device's next user.
void RemoteDevice::free_host(const HostBuffer &buffer) {}
void RemoteDevice::free_device(DeviceAddress address) {}

llvm::Error RemoteDevice::copy_to_device(DeviceAddress to,
                                         llvm::ArrayRef<std::byte> from) {
  std::byte *host = memory.view(to, from.size());
  if (!host && facts.all_is_shared)
    return nonsense();
  for (Awaited &each : awaited)
    each.bytes.clear();
  if (!host || must_tell_of_writes)
    return write_by_asking(link, Request::write, to, from);
  std::memcpy(host, from.data(), from.size());
  return llvm::Error::success();
}

llvm::Error RemoteDevice::copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                           DeviceAddress from) {
  const std::byte *host = memory.view(from, to.size());
  if (!host && facts.all_is_shared)
    return nonsense();
  for (const Awaited &each : awaited)
    if (lies_in(from, to.size(), each.address, each.bytes.size()))
      host = reinterpret_cast<const std::byte *>(each.bytes.data()) +
             (from - each.address);
  if (!host)
    return read_by_asking(link, Request::read, to, from);
  std::memcpy(to.data(), host, to.size());
  return llvm::Error::success();
}

void RemoteDevice::will_read(DeviceAddress address, uint64_t size) {
  if (awaited.size() < MOST_AWAITED && size <= LARGEST_AWAITED &&
      !memory.view(address, size))
    awaited.push_back({address, size, {}});
}

/// What the reply to a launch has of `awaited`; false: nonsense.
bool RemoteDevice::take_awaited(Reader reader) {
  llvm::StringRef bytes = reader.left();
  for (Awaited &each : awaited) {
    each.bytes = bytes.take_front(each.size);
    bytes = bytes.drop_front(std::min<size_t>(each.size, bytes.size()));
    if (each.bytes.size() != each.size)
      return false;
  }
  return bytes.empty();
}

std::string RemoteDevice::where() {
  llvm::Expected<Answer> answer = link.ask(Request::where, {}, PATIENCE);
  if (!answer)
    return "  " + llvm::toString(answer.takeError()) + "\n";
  return printable_lines(Reader(answer->body).text());
}

std::string RemoteDevice::statistics(bool json) {
  llvm::Expected<Answer> answer = link.ask(
      Request::statistics, Writer().put(uint8_t(json)).bytes(), PATIENCE);
  if (!answer) {
    llvm::consumeError(answer.takeError());
    return {};
  }
  return printable_lines(Reader(answer->body).text());
}

llvm::Error RemoteDevice::set_option(llvm::StringRef name,
                                     llvm::StringRef value) {
  if (name == "check") {
    must_tell_of_writes = true;
    device_heap.tell_of_writes();
  }
  return link.ask(Request::set_option, Writer().text(name).text(value).bytes())
      .takeError();
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
  /// From an address in the image to that on the device, where a code object is
  /// loaded in one piece. Found out once.
  std::optional<uint64_t> delta;
  /// Where it is not: what the reply to the request to load has told.
  llvm::StringMap<std::optional<DeviceAddress>> known;
};

/// A code object is loaded in one piece, and its symbol table says where
/// everything is in it, also what its driver has no names for.
static bool has_one_delta(const Image &image) {
  return image.format() == Image::Format::amdgpu;
}

/// Variables whose addresses the loader will want: those of start-up code and
/// C library, and constructors.
std::vector<llvm::StringRef> wanted_globals(const Image &image) {
  std::vector<llvm::StringRef> names;
  for (llvm::ArrayRef<InitObject> objects :
       {image.constructors(), image.destructors()})
    for (const InitObject &object : objects)
      names.push_back(object.symbol);
  for (const Global &global : image.globals())
    if (global.defined && llvm::StringRef(global.name).starts_with("__"))
      names.push_back(global.name);
  names.resize(std::min<size_t>(names.size(), MOST_NAMES));
  return names;
}

llvm::Expected<std::unique_ptr<Module>>
RemoteDevice::load(const Image &image, const LaunchSettings &settings) {
  std::vector<llvm::StringRef> names;
  if (!has_one_delta(image))
    names = wanted_globals(image);
  Writer request;
  put(request, settings);
  request.put(uint32_t(names.size()));
  for (llvm::StringRef name : names)
    request.text(name);
  llvm::Expected<Answer> answer = link.ask(Request::load, request.bytes());
  if (!answer)
    return answer.takeError();
  auto module = std::make_unique<RemoteModule>(*this, image);
  Reader reader(answer->body);
  small_ahead = reader.take<DeviceAddress>();
  if (!is_memory(small_ahead, SMALL_AHEAD))
    return nonsense();
  for (llvm::StringRef name : names)
    module->learn(name, take_optional<DeviceAddress>(reader));
  if (!reader.done())
    return nonsense();
  return std::unique_ptr<Module>(std::move(module));
}

llvm::Expected<std::optional<DeviceAddress>>
RemoteModule::ask(llvm::StringRef name) {
  llvm::Expected<Answer> answer =
      device.link.ask(Request::find_global, Writer().text(name).bytes());
  if (!answer)
    return answer.takeError();
  Reader reader(answer->body);
  std::optional<DeviceAddress> address = take_optional<DeviceAddress>(reader);
  if (!reader.done())
    return device.nonsense();
  return address;
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
    return device.nonsense();
  return address;
}

llvm::Error RemoteDevice::launch(Module &module,
                                 llvm::ArrayRef<KernelLaunch> kernels) {
  const auto &remote = static_cast<const RemoteModule &>(module);
  for (ended_before = 0; kernels.size() > MOST_LAUNCHES;
       kernels = kernels.drop_front(MOST_LAUNCHES)) {
    if (llvm::Error error =
            launch_together(remote, kernels.take_front(MOST_LAUNCHES)))
      return error;
    ended_before += MOST_LAUNCHES;
  }
  return launch_together(remote, kernels);
}

llvm::Error
RemoteDevice::launch_together(const RemoteModule &module,
                              llvm::ArrayRef<KernelLaunch> kernels) {
  Writer request;
  request.put(uint32_t(kernels.size()));
  for (const KernelLaunch &each : kernels)
    request.put(module.index_of(*each.kernel))
        .put(each.grid)
        .text({reinterpret_cast<const char *>(each.arguments.data()),
               each.arguments.size()});
  request.put(uint32_t(awaited.size()));
  for (Awaited &each : awaited) {
    request.put(each.address).put(each.size);
    each.bytes.clear();
  }
  llvm::Expected<Answer> answer = link.ask_launch(request.bytes());
  if (!answer)
    return answer.takeError();
  return take_awaited(Reader(answer->body)) ? llvm::Error::success()
                                            : nonsense();
}

size_t RemoteDevice::ended() {
  llvm::Expected<Answer> answer = link.ask(Request::ended, {}, PATIENCE);
  if (!answer) {
    llvm::consumeError(answer.takeError());
    return 0;
  }
  return ended_before + Reader(answer->body).take<uint32_t>();
}

Resources RemoteModule::resources(const Kernel &kernel) {
  Resources known = kernel.resources;
  if (device.facts.info.emulated)
    return known; // from the image
  llvm::Expected<Answer> answer = device.link.ask(
      Request::resources, Writer().put(index_of(kernel)).bytes());
  if (!answer) {
    llvm::consumeError(answer.takeError());
    return known;
  }
  Reader reader(answer->body);
  known.vgprs = take_optional<uint32_t>(reader);
  known.private_size = take_optional<uint64_t>(reader);
  return known;
}

} // namespace gpuexec::remote
