//===-- loader/device/isolated/device.cpp - A device in a process apart ---===//
#include "loader/device/isolated/device.h"
#include "loader/device/isolated/facts.h"

namespace gpuexec::isolated {

/// Where waves are and what was counted is told at once or not at all: whoever
/// asks may be about to end the program because it hangs.
static constexpr std::chrono::seconds PATIENCE(5);
/// The largest page of the emulator's; an address that is none is nonsense.
static constexpr uint64_t SMALLEST_ALIGNMENT = 4096;

static llvm::Error nonsense() {
  return failure(Reason::failed, "the emulator's process replies nonsense");
}

llvm::Expected<DeviceAddress> IsolatedDevice::ask_for_memory(Request request,
                                                             uint64_t size) {
  llvm::Expected<std::string> body =
      process->ask(request, Writer().put(size).bytes());
  if (!body)
    return body.takeError();
  Reader reader(*body);
  DeviceAddress address = reader.take<DeviceAddress>();
  if (!reader.done() || address.value % SMALLEST_ALIGNMENT ||
      !arena->holds(address, size))
    return nonsense();
  return address;
}

llvm::Expected<HostBuffer> IsolatedDevice::allocate_host(uint64_t size) {
  llvm::Expected<DeviceAddress> address =
      ask_for_memory(Request::allocate_host, size);
  if (!address)
    return address.takeError();
  return HostBuffer{address->shared<std::byte>(), *address, size};
}

llvm::Expected<DeviceAddress> IsolatedDevice::allocate_device(uint64_t size) {
  return ask_for_memory(Request::allocate_device, size);
}

// What is freed when the program has ended goes with the process.
void IsolatedDevice::free_host(const HostBuffer &buffer) {}
void IsolatedDevice::free_device(DeviceAddress address) {}

llvm::Error IsolatedDevice::copy_to_device(DeviceAddress to,
                                           llvm::ArrayRef<std::byte> from) {
  if (!arena->holds(to, from.size()))
    return nonsense();
  if (!must_tell_of_writes) {
    std::memcpy(to.shared(), from.data(), from.size());
    return llvm::Error::success();
  }
  while (!from.empty()) {
    llvm::ArrayRef<std::byte> part =
        from.take_front(std::min<size_t>(from.size(), LARGEST_COPY));
    llvm::Expected<std::string> done = process->ask(
        Request::write,
        Writer()
            .put(to)
            .text({reinterpret_cast<const char *>(part.data()), part.size()})
            .bytes());
    if (!done)
      return done.takeError();
    to = to + part.size();
    from = from.drop_front(part.size());
  }
  return llvm::Error::success();
}

llvm::Error
IsolatedDevice::copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                 DeviceAddress from) {
  if (!arena->holds(from, to.size()))
    return nonsense();
  std::memcpy(to.data(), from.shared(), to.size());
  return llvm::Error::success();
}

llvm::Error
IsolatedDevice::confine(llvm::function_ref<llvm::Error()> confine_thread) {
  // It goes on by itself, while we are busy with the same. The first launch
  // fails when it did not come about.
  process->tell(Request::confine);
  return process->on_keeper(confine_thread);
}

std::string IsolatedDevice::where() {
  llvm::Expected<std::string> body = process->ask(Request::where, {}, PATIENCE);
  if (!body)
    return "  " + llvm::toString(body.takeError()) + "\n";
  return printable_lines(Reader(*body).text());
}

std::string IsolatedDevice::statistics(bool json) {
  llvm::Expected<std::string> body = process->ask(
      Request::statistics, Writer().put(uint8_t(json)).bytes(), PATIENCE);
  if (!body) {
    llvm::consumeError(body.takeError());
    return {};
  }
  return printable_lines(Reader(*body).text());
}

llvm::Error IsolatedDevice::set_option(llvm::StringRef name,
                                       llvm::StringRef value) {
  if (name == "check") {
    must_tell_of_writes = true;
    device_heap.tell_of_writes();
  }
  return process
      ->ask(Request::set_option, Writer().text(name).text(value).bytes())
      .takeError();
}

/// The image on the device of the other process.
class IsolatedModule final : public Module {
public:
  IsolatedModule(IsolatedDevice &device, const Image &image)
      : device(device), image(image) {}
  llvm::Expected<std::optional<DeviceAddress>>
  find_global(llvm::StringRef name) override;
  llvm::Error launch(const Kernel &kernel, const Grid &grid,
                     llvm::ArrayRef<std::byte> arguments) override;

private:
  IsolatedDevice &device;
  const Image &image;
  /// From an address in the image to that on the device. Found out once: a code
  /// object is loaded in one piece.
  std::optional<uint64_t> delta;
};

llvm::Expected<std::unique_ptr<Module>>
IsolatedDevice::load(const Image &image, const LaunchSettings &settings) {
  llvm::Expected<std::string> done =
      process->ask(Request::load, Writer().put(settings).bytes());
  if (!done)
    return done.takeError();
  return std::make_unique<IsolatedModule>(*this, image);
}

llvm::Expected<std::optional<DeviceAddress>>
IsolatedModule::find_global(llvm::StringRef name) {
  const Global *global = image.find_global(name);
  if (!global || !global->defined)
    return std::nullopt;
  if (!delta) {
    llvm::Expected<std::string> body =
        device.process->ask(Request::find_global, Writer().text(name).bytes());
    if (!body)
      return body.takeError();
    Reader reader(*body);
    bool found = reader.take<uint8_t>();
    DeviceAddress address = reader.take<DeviceAddress>();
    if (!reader.done())
      return nonsense();
    if (!found)
      return std::nullopt;
    delta = address.value - global->address;
  }
  DeviceAddress address(global->address + *delta);
  if (!device.arena->holds(address, global->size))
    return nonsense();
  return address;
}

llvm::Error IsolatedModule::launch(const Kernel &kernel, const Grid &grid,
                                   llvm::ArrayRef<std::byte> arguments) {
  uint32_t index = uint32_t(&kernel - image.kernels().data());
  Writer request;
  request.put(index).put(grid).text(
      {reinterpret_cast<const char *>(arguments.data()), arguments.size()});
  return device.process->ask_launch(request.bytes()).takeError();
}

llvm::Expected<OpenedDevice> open_device(llvm::ArrayRef<Image> images,
                                         const Opener &open) {
  llvm::Expected<std::unique_ptr<Arena>> arena = Arena::reserve();
  if (!arena)
    return arena.takeError();
  auto work = [&, memory = (*arena)->memory()](Channel control,
                                               Channel launches) {
    serve(std::move(control), std::move(launches), images, open, memory);
  };
  llvm::Expected<std::unique_ptr<Process>> process = Process::start(work);
  if (!process)
    return process.takeError();
  llvm::Expected<std::string> body = (*process)->ask(Request::open, {});
  if (!body)
    return body.takeError();
  Reader reader(*body);
  DeviceInfo facts = take_info(reader);
  uint32_t index = reader.take<uint32_t>();
  uint64_t hertz = reader.take<uint64_t>();
  if (!reader.done() || index >= images.size())
    return nonsense();
  auto device = std::make_unique<IsolatedDevice>(
      std::move(*arena), std::move(*process), std::move(facts), hertz);
  return OpenedDevice{std::move(device), &images[index]};
}

} // namespace gpuexec::isolated
