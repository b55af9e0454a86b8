//===-- lending/cuda/client/session.cpp - Calls and replies ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/client/session.h"
#include "emulator/cuda/driver/visible.h"
#include "lending/transport/address.h"
#include "lending/transport/socket.h"
#include "lending/wire/channel.h"
#include "lending/wire/session.h"
#include "lending/wire/shared_memory.h"
#include "support/printable.h"

#include <cstdio>
#include <cstdlib>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace gpuexec::lent_cuda {

using std::chrono::milliseconds;

namespace {

void say(const std::string &text) {
  std::fprintf(stderr, "gpuexec cuda: %s\n", printable(text).c_str());
}

/// How long a thread looks for its reply before it sleeps.
std::chrono::microseconds look_for() {
  return std::chrono::microseconds(wire::has_processors_to_poll() ? 200 : 20);
}

/// A place for replies that the calling thread has while it lives.
class Slot {
public:
  Slot() {
    for (;; ::sched_yield())
      for (uint16_t i = 0; i < REPLY_SLOTS; ++i)
        if (!(taken.load() >> i & 1) &&
            !(taken.fetch_or(uint64_t(1) << i) >> i & 1)) {
          number = i;
          return;
        }
  }
  ~Slot() { taken.fetch_and(~(uint64_t(1) << number)); }
  uint16_t number = 0;

private:
  static_assert(REPLY_SLOTS == 64);
  static inline std::atomic<uint64_t> taken = 0;
};

/// True while the calling thread is the only one that has made calls.
bool note_thread() {
  static std::atomic<uint32_t> threads = 0;
  thread_local bool known = false;
  if (!known) {
    known = true;
    ++threads;
  }
  return threads.load(std::memory_order_relaxed) == 1;
}

uint16_t own_slot() {
  thread_local Slot slot;
  return slot.number;
}

bool has_size(const UniqueFd &file, uint64_t size) {
  struct stat facts {};
  return ::fstat(file.get(), &facts) == 0 && uint64_t(facts.st_size) >= size &&
         (::fcntl(file.get(), F_GET_SEALS) & F_SEAL_SHRINK);
}

} // namespace

Session &Session::get() {
  static Session *session = new Session; // threads may run to the very end
  return *session;
}

CUresult Session::open() {
  std::lock_guard guard(opening);
  if (is_ready || failure != CUDA_SUCCESS)
    return failure;
  if (!cuda::is_device_visible())
    return failure = CUDA_ERROR_NO_DEVICE;
  std::string problem;
  failure = connect(problem);
  if (!problem.empty())
    say(problem);
  if (failure != CUDA_SUCCESS)
    return failure;
  primary_context = reinterpret_cast<CUcontext>(add(Kind::context, 0));
  is_ready.store(true, std::memory_order_release);
  return CUDA_SUCCESS;
}

/// Borrows a device. `problem`: why that fails, in words.
CUresult Session::connect(std::string &problem) {
  const char *named = std::getenv("GPUEXEC_SERVER");
  const std::string path = named && *named ? named : lending::default_socket();
  if (lending::Address::is_one(path)) {
    problem = "the server at " + path +
              ": CUDA programs use servers of this machine only";
    return CUDA_ERROR_NO_DEVICE;
  }
  std::string why;
  socket = lending::connect_to(path, why);
  if (!socket) {
    problem = "no server at " + path + ": " + why;
    return CUDA_ERROR_NO_DEVICE;
  }
  wire::Channel channel(socket.get());
  auto fail = [&](const std::string &reason) {
    problem = "the server at " + path + ": " + reason;
    return CUDA_ERROR_NO_DEVICE;
  };
  std::optional<wire::Message> message = channel.receive(milliseconds(5000));
  if (!message || message->kind != wire::Greeting::KIND)
    return fail("it does not answer");
  llvm::Expected<wire::Greeting> greeting = wire::take_greeting(message->body);
  if (!greeting)
    return fail(llvm::toString(greeting.takeError()));
  wire::Borrow wish{};
  wish.version = wire::VERSION;
  wish.cuda = true;
  for (uint32_t i = 0; i < greeting->devices.size(); ++i)
    if (greeting->devices[i].arch().starts_with("sm_"))
      wish.devices.push_back(i);
  if (wish.devices.empty())
    return fail("it lends no NVIDIA GPU");
  if (!channel.send(wish))
    return fail("it has ended the connection");
  message = channel.receive();
  if (message && message->kind == wire::Refused::KIND) {
    std::optional<wire::Refused> refused =
        wire::decode<wire::Refused>(message->body);
    return fail(refused ? refused->why : "it makes no sense");
  }
  if (!message || message->kind != wire::CudaLent::KIND ||
      message->descriptors.size() != 3)
    return fail("it has ended the connection");
  std::optional<wire::CudaLent> lent =
      wire::decode<wire::CudaLent>(message->body);
  if (!lent || lent->size != sizeof(Shared) ||
      !has_size(message->descriptors[0], sizeof(Shared)))
    return fail("its driver is of another version of gpuexec");
  void *memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                        MAP_SHARED, message->descriptors[0].get(), 0);
  if (memory == MAP_FAILED)
    return fail("no address space for its memory");
  ::madvise(memory, sizeof(Shared), MADV_DONTDUMP);
  ::madvise(memory, sizeof(Shared), MADV_DONTFORK);
  shared = static_cast<Shared *>(memory);
  printed[0] = std::move(message->descriptors[1]);
  printed[1] = std::move(message->descriptors[2]);
  device = shared->facts;
  return CUDA_SUCCESS;
}

/// False when the worker has gone.
bool Session::goes_on() {
  pollfd watched{socket.get(), POLLRDHUP, 0};
  return !is_lost && (::poll(&watched, 1, 0) == 0 ||
                      !(watched.revents & (POLLRDHUP | POLLHUP | POLLERR)));
}

/// Says once that the device is lost.
CUresult Session::lost() {
  if (is_lost.exchange(true))
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
  std::string why = "the server's worker has ended";
  std::unique_lock lock(using_socket, std::try_to_lock);
  if (lock)
    if (std::optional<wire::Message> message =
            wire::Channel(socket.get()).receive(milliseconds(100)))
      if (message->kind == wire::Refused::KIND)
        if (std::optional<wire::Refused> refused =
                wire::decode<wire::Refused>(message->body))
          why = refused->why;
  say("the lent device is lost: " + why);
  return CUDA_ERROR_DEVICE_UNAVAILABLE;
}

CUresult Session::post(Call call, Writer &writer, uint16_t slot) {
  uint32_t context = 0;
  current_or_failed(context);
  if (!writer.fits)
    return CUDA_ERROR_INVALID_VALUE;
  if (is_lost.load(std::memory_order_relaxed))
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
  const uint32_t size = (writer.size + CALL_STEP - 1) / CALL_STEP * CALL_STEP;
  const bool alone = note_thread();
  const CallHeader header{size, uint16_t(call), slot, context, alone};
  std::memcpy(writer.bytes, &header, sizeof(header));
  std::lock_guard guard(ring);
  for (unsigned tries = 0;;) {
    const uint32_t place = uint32_t(head) & (RING_SIZE - 1);
    const uint32_t skip = RING_SIZE - place < size ? RING_SIZE - place : 0;
    if (head + skip + size - known_tail > RING_SIZE) {
      known_tail = shared->tail.load(std::memory_order_acquire);
      if (head + skip + size - known_tail <= RING_SIZE)
        continue;
      if (++tries % 64 == 0)
        ::usleep(tries > 4096 ? 100 : 0);
      if (tries % 65536 == 0 && !goes_on())
        return lost();
      pause_processor();
      continue;
    }
    if (skip) {
      const CallHeader nothing{skip, uint16_t(Call::none), NO_REPLY, 0, 0};
      std::memcpy(shared->ring + place, &nothing,
                  std::min<size_t>(sizeof(nothing), skip));
    }
    std::memcpy(shared->ring + (skip ? 0 : place), writer.bytes, size);
    head += skip + size;
    break;
  }
  shared->head.store(head, std::memory_order_seq_cst);
  if (shared->asleep.load(std::memory_order_seq_cst)) {
    shared->asleep.store(0, std::memory_order_relaxed);
    futex_wake(shared->asleep);
  }
  return CUDA_SUCCESS;
}

CUresult Session::ask(Call call, Writer &writer, void (*read)(Reader &, void *),
                      void *data) {
  const uint16_t slot = own_slot();
  ReplySlot &place = shared->replies[slot];
  place.state.store(REPLY_NONE, std::memory_order_relaxed);
  GPUEXEC_TRY(post(call, writer, slot));
  const bool there = wait_word(
      place.state, look_for(),
      [](uint32_t state) { return state == REPLY_THERE; },
      [&] { return goes_on(); });
  if (!there)
    return lost();
  if (read) {
    Reader from{place.bytes,
                place.bytes + std::min<uint32_t>(place.size, LARGEST_REPLY)};
    read(from, data);
  }
  if (call == Call::Wait)
    take_printed();
  return take_late(CUresult(place.result));
}

CUresult Session::wait(WaitFor what, uint64_t handle) {
  Writer writer;
  writer.put(uint32_t(what));
  writer.put(handle);
  return ask(Call::Wait, writer);
}

CUresult Session::take_late(CUresult result) {
  if (!shared->late_error.load(std::memory_order_relaxed))
    return result;
  const int32_t late = shared->late_error.exchange(0);
  return result == CUDA_SUCCESS ? CUresult(late) : result;
}

/// Writes what the device's driver has printed to the program's own streams.
void Session::take_printed() {
  for (int i : {0, 1}) {
    if (shared->printed[i].load(std::memory_order_acquire) ==
        shared->taken[i].load(std::memory_order_relaxed))
      continue;
    std::lock_guard guard(printing);
    char bytes[8192];
    uint64_t taken = shared->taken[i].load();
    for (;;) {
      const ssize_t count =
          ::pread(printed[i].get(), bytes, sizeof(bytes), off_t(taken));
      if (count <= 0)
        break;
      std::fwrite(bytes, 1, size_t(count), i ? stderr : stdout);
      taken += uint64_t(count);
    }
    shared->taken[i].store(taken);
  }
}

CUresult Session::allocate_host(size_t size, uint64_t &address) {
  Writer writer;
  writer.put(uint64_t(size));
  std::lock_guard guard(using_socket);
  address = 0;
  GPUEXEC_TRY(ask(Call::AllocateHost, writer,
                  [&](Reader &from) { address = from.take<uint64_t>(); }));
  std::optional<wire::Message> message =
      wire::Channel(socket.get()).receive(milliseconds(5000));
  std::optional<wire::CudaPinned> pinned;
  if (message && message->kind == wire::CudaPinned::KIND &&
      message->descriptors.size() == 1)
    pinned = wire::decode<wire::CudaPinned>(message->body);
  void *place = MAP_FAILED;
  if (pinned && pinned->address == address && pinned->size >= size &&
      has_size(message->descriptors[0], pinned->size))
    place = ::mmap(reinterpret_cast<void *>(address), pinned->size,
                   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
                   message->descriptors[0].get(), 0);
  if (reinterpret_cast<uint64_t>(place) == address)
    return CUDA_SUCCESS;
  Writer back; // something of the program's is there
  back.put(address);
  ask(Call::FreeHost, back);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult Session::free_host(uint64_t address, uint64_t size) {
  Writer writer;
  writer.put(address);
  const CUresult result = ask(Call::FreeHost, writer);
  ::munmap(reinterpret_cast<void *>(address), (size + 4095) / 4096 * 4096);
  return result;
}

CUresult Session::load(Writer &writer, const void *image, uint64_t size,
                       void (*read)(Reader &, void *), void *data) {
  UniqueFd file = wire::sealed_file(
      "gpuexec-image", {static_cast<const char *>(image), size_t(size)});
  if (!file)
    return CUDA_ERROR_OUT_OF_MEMORY;
  std::lock_guard guard(using_socket);
  if (!wire::Channel(socket.get()).send(wire::CudaImage{size}, {file.get()}))
    return lost();
  return ask(Call::LoadModule, writer, read, data);
}

std::vector<CUcontext> &context_stack() {
  thread_local std::vector<CUcontext> stack;
  return stack;
}

CUresult current_or_failed(uint32_t &number) {
  Session &session = Session::get();
  if (!session.ready())
    return CUDA_ERROR_NOT_INITIALIZED;
  auto &stack = context_stack();
  if (stack.empty() || !stack.back())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (stack.back() == session.primary()) { // its handle stays one
    number = 0;
    return session.has_primary ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
  }
  Session::Object object;
  if (!session.find(Kind::context, reinterpret_cast<uint64_t>(stack.back()),
                    object))
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  number = object.number;
  return CUDA_SUCCESS;
}

CUresult current(uint32_t &number) {
  GPUEXEC_TRY(current_or_failed(number));
  Shared &shared = Session::get().memory();
  const int32_t sticky = shared.sticky.load(std::memory_order_acquire);
  return sticky && shared.sticky_context.load() == number ? CUresult(sticky)
                                                          : CUDA_SUCCESS;
}

} // namespace gpuexec::lent_cuda
