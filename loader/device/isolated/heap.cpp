//===-- loader/device/isolated/heap.cpp - The program's heap --------------===//
#include "loader/device/isolated/device.h"
#include "loader/device/isolated/facts.h"

namespace gpuexec::isolated {

DeviceAddress Heap::allocate(uint64_t size, uint64_t alignment) {
  size = std::max<uint64_t>(size, 1);
  llvm::Expected<std::string> body = process.ask(
      Request::heap_allocate, Writer().put(size).put(alignment).bytes());
  if (!body) {
    llvm::consumeError(body.takeError()); // the launch says why
    return {};
  }
  Reader reader(*body);
  DeviceAddress address = reader.take<DeviceAddress>();
  if (!reader.done() || !address || address.value % alignment ||
      !arena.holds(address, size))
    return {};
  std::lock_guard lock(mutex);
  ranges[address] = {address, size, true};
  return address;
}

void Heap::free(DeviceAddress address) {
  {
    std::lock_guard lock(mutex);
    ranges.erase(address);
  }
  llvm::consumeError(
      process.ask(Request::heap_free, Writer().put(address).bytes())
          .takeError());
}

/// All of [address, address + size) lies in it and may be written to if asked.
static bool fits(const MemoryRange &range, DeviceAddress address, uint64_t size,
                 bool writable) {
  return lies_in(address, size, range.begin, range.size) &&
         (range.writable || !writable);
}

bool Heap::known(DeviceAddress address, uint64_t size, bool writable) {
  if (!arena.holds(address, size))
    return false;
  {
    std::lock_guard lock(mutex);
    auto after = ranges.upper_bound(address);
    if (after != ranges.begin() &&
        fits(std::prev(after)->second, address, size, writable))
      return true;
  }
  // Code and its globals stay where they are: what is learnt of them is kept.
  // What the program allocates was entered by allocate().
  llvm::Expected<std::string> body =
      process.ask(Request::range, Writer().put(address).bytes());
  if (!body) {
    llvm::consumeError(body.takeError());
    return false;
  }
  Reader reader(*body);
  MemoryRange range = take_range(reader);
  if (reader.done() && arena.holds(range.begin, range.size) &&
      fits(range, address, size, writable)) {
    std::lock_guard lock(mutex);
    ranges.emplace(range.begin, range);
    return true;
  }
  return asked(address, size, writable);
}

/// For a range of several parts.
bool Heap::asked(DeviceAddress address, uint64_t size, bool writable) {
  llvm::Expected<std::string> body = process.ask(
      Request::holds,
      Writer().put(address).put(size).put(uint8_t(writable)).bytes());
  if (!body) {
    llvm::consumeError(body.takeError());
    return false;
  }
  Reader reader(*body);
  bool holds = reader.take<uint8_t>() != 0;
  return reader.done() && holds;
}

static llvm::Error not_the_devices(DeviceAddress address, uint64_t size) {
  return failure(Reason::failed, "{0} bytes at {1:x16} are not the device's",
                 size, address.value);
}

llvm::Error Heap::read(void *to, DeviceAddress from, uint64_t size) {
  if (size == 0)
    return llvm::Error::success();
  if (!known(from, size, /*writable=*/false))
    return not_the_devices(from, size);
  std::memcpy(to, from.shared(), size);
  return llvm::Error::success();
}

llvm::Error Heap::write(DeviceAddress to, const void *from, uint64_t size) {
  if (size == 0)
    return llvm::Error::success();
  if (!known(to, size, /*writable=*/true))
    return not_the_devices(to, size);
  if (!telling) {
    std::memcpy(to.shared(), from, size);
    return llvm::Error::success();
  }
  for (uint64_t done = 0; done < size;) {
    uint64_t part = std::min<uint64_t>(size - done, LARGEST_COPY);
    llvm::Expected<std::string> told = process.ask(
        Request::heap_write,
        Writer()
            .put(to + done)
            .text({static_cast<const char *>(from) + done, size_t(part)})
            .bytes());
    if (!told)
      return told.takeError();
    done += part;
  }
  return llvm::Error::success();
}

void *Heap::host_view(DeviceAddress address, uint64_t size, bool writable) {
  if ((writable && telling) || !known(address, size, writable))
    return nullptr;
  return address.shared();
}

} // namespace gpuexec::isolated
