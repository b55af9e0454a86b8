//===-- loader/program/gcc.cpp - Programs that GCC made -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts are those of GCC 12 to 16 and its newlib.
//===----------------------------------------------------------------------===//
#include "loader/program/gcc.h"
#include "loader/program/arguments.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace gpuexec {

char Aborted::ID = 0;

std::error_code Aborted::convertToErrorCode() const {
  return std::make_error_code(std::errc::operation_canceled);
}

namespace {

/// The arguments of an AMD image's kernels. GCC 12 knows the first four.
struct GcnArguments {
  int32_t argc = 0, padding = 0;
  DeviceAddress argv, output, heap;
  DeviceAddress arena;  ///< of OpenMP's teams; 0: there are no teams
  DeviceAddress stacks; ///< of all threads
  uint32_t arena_size = 0, stack_size = 0; ///< of a team, of a thread
};
static_assert(sizeof(GcnArguments) == 56);

/// One call of the device's write(), or of a debugging function.
struct Message {
  int32_t written;
  char prefix[128];
  int32_t type;
  union {
    int64_t integer;
    double number;
    char text[128];
  };
};
static_assert(sizeof(Message) == 264);
enum MessageType { integer_line, number_line, text_line, text };
constexpr uint32_t QUEUE = 1024; ///< messages

/// `status` before the program sets it; the upper half that exit() sets.
constexpr uint32_t NEVER_SET = 0xcafe0000, SET_BY_EXIT = 0xffff;
constexpr uint32_t WAVE = 64;
/// Bytes of the heap, and of a lane's stack.
constexpr uint64_t HEAP = uint64_t(64) << 20, STACK = uint64_t(1) << 20;
/// What GCC's __main stores first on NVIDIA. It is the status of a program that
/// sets none, for nvptx-none-run and here: 255 may also be the program's own.
constexpr int32_t NVPTX_NEVER_SET = 255;

constexpr std::chrono::milliseconds PRINT_EVERY(1);

} // namespace

struct GccProcess::Output {
  uint32_t status;
  uint32_t next; ///< messages that were begun, ever
  Message queue[QUEUE];
  uint32_t consumed; ///< messages printed; the device waits for it
};

GccProcess::GccProcess(Device &device, const Image &image, int output)
    : device(device), image(image), descriptor(output) {}

llvm::Expected<std::unique_ptr<GccProcess>>
GccProcess::create(Device &device, const Image &image,
                   llvm::ArrayRef<std::string> argv, int output) {
  std::unique_ptr<GccProcess> process(new GccProcess(device, image, output));
  if (llvm::Error error = process->set_up(argv))
    return std::move(error);
  return std::move(process);
}

GccProcess::~GccProcess() {
  end_printing();
  for (const HostBuffer &buffer : host_memory)
    device.free_host(buffer);
  for (DeviceAddress address : device_memory)
    device.free_device(address);
}

llvm::Error GccProcess::set_up(llvm::ArrayRef<std::string> argv) {
  ArgumentBlock strings(argv, {});
  llvm::Expected<HostBuffer> memory = device.allocate_host(strings.size());
  if (!memory)
    return memory.takeError();
  host_memory.push_back(*memory);
  strings.fill(memory->host, memory->address);
  return image.format() == Image::Format::amdgpu
             ? set_up_gcn(*memory, strings.argc())
             : set_up_nvptx(*memory, strings.argc());
}

llvm::Error GccProcess::set_up_gcn(const HostBuffer &strings, int32_t argc) {
  // While the kernel runs, host and device take turns in the queue.
  if (device.host_memory_is_copy())
    return failure(
        Reason::failed,
        "{0}: a program that GCC made needs a device of this machine",
        image.name());
  llvm::Expected<HostBuffer> memory = device.allocate_host(sizeof(Output));
  if (!memory)
    return memory.takeError();
  host_memory.push_back(*memory);
  output = reinterpret_cast<Output *>(memory->host);
  output->status = NEVER_SET;

  GcnArguments arguments;
  arguments.argc = argc;
  arguments.argv = strings.address;
  arguments.output = memory->address;
  arguments.stack_size = STACK;
  for (auto [address, size] :
       {std::pair{&arguments.heap, HEAP}, {&arguments.stacks, STACK * WAVE}}) {
    llvm::Expected<DeviceAddress> found = device.allocate_device(size);
    if (!found)
      return found.takeError();
    device_memory.push_back(*found);
    *address = *found;
  }
  // The heap begins with its size.
  const auto *size = reinterpret_cast<const std::byte *>(&HEAP);
  if (llvm::Error error =
          device.queue().copy_to_device(arguments.heap, {size, sizeof HEAP}))
    return error;
  const auto *bytes = reinterpret_cast<const std::byte *>(&arguments);
  block.assign(bytes, bytes + sizeof arguments);
  threads.threads = {1, WAVE, 1}; // a wave, whose lanes are the y axis
  return llvm::Error::success();
}

void GccProcess::start() {
  if (!output)
    return;
  printer = std::thread([this] {
    while (!ended) {
      print(false);
      std::this_thread::sleep_for(PRINT_EVERY);
    }
  });
}

llvm::Error GccProcess::set_up_nvptx(const HostBuffer &strings, int32_t argc) {
  llvm::Expected<HostBuffer> memory = device.allocate_host(sizeof(int32_t));
  if (!memory)
    return memory.takeError();
  host_memory.push_back(*memory);
  status = reinterpret_cast<int32_t *>(memory->host);
  *status = NVPTX_NEVER_SET;
  struct {
    DeviceAddress status;
    int32_t argc, padding = 0;
    DeviceAddress argv;
  } arguments{memory->address, argc, 0, strings.address};
  const auto *bytes = reinterpret_cast<const std::byte *>(&arguments);
  block.assign(bytes, bytes + sizeof arguments);
  return llvm::Error::success();
}

void GccProcess::write(llvm::StringRef text) {
  while (!text.empty() && !write_error && !abandoned) {
    // A pipe that is ready takes a message without a wait.
    pollfd ready = {descriptor, POLLOUT, 0};
    if (::poll(&ready, 1, 100) <= 0)
      continue; // the reader is not ready
    ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0)
      text = text.drop_front(size_t(count));
    else if (errno != EAGAIN && errno != EINTR)
      write_error = errno;
  }
}

// The device may rewrite all of it: each word is read once, and texts are cut
// to their room.
void GccProcess::print(bool all) {
  const uint32_t next =
      std::atomic_ref(output->next).load(std::memory_order_acquire);
  for (uint32_t turn = 0; printed != next && turn < QUEUE; ++turn) {
    Message &shared = output->queue[printed % QUEUE];
    if (!std::atomic_ref(shared.written).load(std::memory_order_acquire) &&
        !all)
      return;
    const Message message = shared;
    const auto cut = [](const char(&from)[128]) {
      return llvm::StringRef(from, strnlen(from, sizeof from));
    };
    std::string line = cut(message.prefix).str();
    switch (message.type) {
    case integer_line:
      line += llvm::formatv("{0}\n", message.integer);
      break;
    case number_line:
      line += llvm::formatv("{0:f6}\n", message.number);
      break;
    case text_line:
      line += cut(message.text).str() + "\n";
      break;
    case text:
      line += cut(message.text).str();
      break;
    default:
      line += "\n"; // an unknown kind of message
      break;
    }
    write(line);
    std::atomic_ref(shared.written).store(0, std::memory_order_relaxed);
    std::atomic_ref(output->consumed)
        .store(++printed, std::memory_order_release);
  }
}

void GccProcess::end_printing() {
  ended = true;
  if (printer.joinable())
    printer.join();
}

llvm::Expected<int32_t> GccProcess::finish() {
  end_printing();
  if (!output)
    return std::atomic_ref(*status).load(std::memory_order_acquire) & 0xff;
  print(true);
  if (write_error)
    return failure(Reason::failed, "{0}: standard output: {1}", image.name(),
                   std::strerror(write_error));
  const uint32_t value =
      std::atomic_ref(output->status).load(std::memory_order_acquire);
  if (value >> 16 == NEVER_SET >> 16)
    return failure(Reason::failed,
                   "{0}: never set an exit status: main did not return, and "
                   "nobody called exit",
                   image.name());
  if (value >> 16 == SET_BY_EXIT)
    if (uint32_t signal = value >> 8 & 0xff) {
      if (signal == SIGABRT)
        return llvm::make_error<Aborted>(image.name().str() + ": aborted");
      return int32_t(128 + signal);
    }
  return int32_t(value & 0xff);
}

} // namespace gpuexec
