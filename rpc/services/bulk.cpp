//===-- rpc/services/bulk.cpp - BULK_...: address and length
//----------------===//
// The host copies a lane's data by itself, straight between file and device
// memory where it can see that memory, else through the device's copy engine:
// while one half of its buffer is written, the other is filled, with what
// several lanes write to the same file behind one another. Sequences:
// opcodes.def.
//===----------------------------------------------------------------------===//
#include "rpc/services/services.h"
#include "llvm/ADT/SmallVector.h"
#include <errno.h>
#include <poll.h>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

namespace {

// Where the host cannot see device memory, so much is copied at a time.
constexpr uint64_t CHUNK = 1 << 20;
// Reads of less go through ordinary memory: who waits for a terminal shall not
// have the copy engine's buffer meanwhile.
constexpr uint64_t SMALL_COPY = 16 << 10;
// Requests of this size and more leave the thread to other ports: smaller ones
// are done before another thread would have woken up.
constexpr uint64_t SLOW = 4 << 20;

struct Request {
  uint64_t handle;
  DeviceAddress address;
  uint64_t length;
  int64_t offset;
  void *view = nullptr; // of the whole range, or null
};

enum class ShortRead : uint64_t { none = 0, end = 1, error = 2 };

/// One lane's file, whatever kind it is.
struct Target {
  std::shared_ptr<Stream> stream;
  std::shared_ptr<Descriptor> descriptor;
  int fd() const {
    return stream ? stream->descriptor() : descriptor->file.descriptor();
  }
};

// A piece of a write: how much went, and why not all.
Task<> write_piece(Services &services, Port &port, Target &target,
                   llvm::StringRef data, int64_t offset, uint64_t &done,
                   int &error) {
  done = 0;
  error = 0;
  while (done < data.size() && !error) {
    if (target.stream) {
      if (target.stream->write_direct(data, done, error) == Progress::done)
        break;
    } else {
      ssize_t count = target.descriptor->file.try_write(
          data.data() + done, data.size() - done,
          offset < 0 ? -1 : offset + int64_t(done));
      if (count >= 0) {
        done += uint64_t(count);
        continue;
      }
      if (errno != EAGAIN) {
        error = errno;
        break;
      }
    }
    co_await services.engine.wait_for(port, target.fd(), POLLOUT);
  }
  if (error == EPIPE)
    services.pipe_broke();
}

Task<> write_lane(Services &services, Port &port, Target &target,
                  Request request, uint64_t &done, int &error) {
  done = 0;
  error = 0;
  if (void *view = request.view) {
    llvm::StringRef data(static_cast<char *>(view), request.length);
    co_await write_piece(services, port, target, data, request.offset, done,
                         error);
    if (services.output && view == services.output->text) {
      if (!error) // the program will say the same, unless it dies before
        __atomic_store_n(&services.output->used, 0, __ATOMIC_RELAXED);
      else if (target.stream) // its library had accepted it
        target.stream->note_lost(error);
    }
    co_return;
  }
  Buffer chunk(port.budget());
  while (done < request.length && !error) {
    uint64_t size = std::min(request.length - done, CHUNK), written = 0;
    chunk.clear();
    if (!chunk.reserve(size)) {
      error = ENOMEM;
      co_return;
    }
    if (llvm::Error bad =
            services.memory.read(chunk.data(), request.address + done, size)) {
      llvm::consumeError(std::move(bad));
      error = EFAULT;
      co_return;
    }
    co_await write_piece(services, port, target, {chunk.data(), size},
                         request.offset < 0 ? -1
                                            : request.offset + int64_t(done),
                         written, error);
    done += written;
    if (written < size)
      co_return;
  }
}

/// What some lanes write to one file, and how far each has come.
struct Group {
  Target &target;
  const Request *requests; // by lane
  uint64_t *done;          // by lane
  int *errors;             // by lane
  uint64_t left;           // lanes whose data is still to be fetched
  uint64_t at = 0;         // of the first of them
};

struct Part {
  unsigned lane;
  uint64_t size;
};
using Parts = llvm::SmallVector<Part, 64>;

// Has as much copied to a half as there is and as fits.
Parts fetch(Group &group, CopyBuffer &copies, unsigned half) {
  Parts parts;
  size_t used = 0;
  while (group.left && used < copies.size()) {
    unsigned lane = unsigned(llvm::countr_zero(group.left));
    const Request &request = group.requests[lane];
    uint64_t size =
        std::min<uint64_t>(request.length - group.at, copies.size() - used);
    if (llvm::Error bad =
            copies.start_read(half, used, request.address + group.at, size)) {
      llvm::consumeError(std::move(bad));
      group.errors[lane] = EFAULT;
      size = request.length - group.at; // the rest of it is skipped
    } else {
      parts.push_back({lane, size});
      used += size;
    }
    group.at += size;
    if (group.at == request.length) {
      group.left &= group.left - 1;
      group.at = 0;
    }
  }
  if (!group.left)
    copies.no_more(half);
  return parts;
}

Task<> write_group(Services &services, Port &port, Group &group,
                   CopyBuffer &copies) {
  Parts parts[2];
  parts[0] = fetch(group, copies, 0);
  for (unsigned half = 0; !parts[half].empty(); half ^= 1) {
    parts[half ^ 1] = fetch(group, copies, half ^ 1);
    uint64_t size = 0, written = 0;
    for (const Part &part : parts[half])
      size += part.size;
    int error = 0;
    if (llvm::Error bad = copies.finish(half)) {
      llvm::consumeError(std::move(bad));
      error = EFAULT;
    } else {
      co_await write_piece(services, port, group.target,
                           {copies.data(half), size}, -1, written, error);
    }
    for (const Part &part : parts[half]) {
      uint64_t theirs = std::min(part.size, written);
      group.done[part.lane] += theirs;
      written -= theirs;
      if (theirs < part.size && !group.errors[part.lane])
        group.errors[part.lane] = error;
    }
    if (!error)
      continue;
    // No byte may be written behind one that is missing.
    for (const Part &part : parts[half ^ 1])
      if (!group.errors[part.lane])
        group.errors[part.lane] = error;
    for (; group.left; group.left &= group.left - 1)
      if (int &theirs = group.errors[llvm::countr_zero(group.left)]; !theirs)
        theirs = error;
    co_return;
  }
}

// As soon as there is something, as read(2) does.
Task<> read_some(Services &services, Port &port, Target &target, char *to,
                 uint64_t size, int64_t offset, uint64_t &done, int &error) {
  done = 0;
  error = 0;
  for (;;) {
    if (target.stream) {
      if (target.stream->read_into(to, size, done, false, error) ==
          Progress::done)
        co_return;
      co_await services.flush_prompt(port, *target.stream);
    } else {
      ssize_t count = target.descriptor->file.try_read(to, size, offset);
      if (count >= 0) {
        done = uint64_t(count);
        co_return;
      }
      if (errno != EAGAIN) {
        error = errno;
        co_return;
      }
    }
    co_await services.engine.wait_for(port, target.fd(), POLLIN);
  }
}

Task<> read_lane(Services &services, Port &port, Target &target,
                 Request request, uint64_t &done, int &error) {
  done = 0;
  error = 0;
  if (request.view) {
    co_await read_some(services, port, target,
                       static_cast<char *>(request.view), request.length,
                       request.offset, done, error);
    co_return;
  }
  if (request.length >= SMALL_COPY) {
    if (std::unique_ptr<CopyBuffer> copies = services.memory.copy_buffer()) {
      co_await read_some(services, port, target, copies->data(0),
                         std::min<uint64_t>(request.length, copies->size()),
                         request.offset, done, error);
      if (!done)
        co_return;
      llvm::Error bad = copies->start_write(0, request.address, done);
      copies->no_more(0);
      if (!bad)
        bad = copies->finish(0);
      if (bad) {
        llvm::consumeError(std::move(bad));
        done = 0;
        error = EFAULT;
      }
      co_return;
    }
  }
  Buffer chunk(port.budget());
  uint64_t size = std::min(request.length, CHUNK);
  if (!chunk.reserve(size)) {
    error = ENOMEM;
    co_return;
  }
  co_await read_some(services, port, target, chunk.data(), size, request.offset,
                     done, error);
  if (!done)
    co_return;
  if (llvm::Error bad =
          services.memory.write(request.address, chunk.data(), done)) {
    llvm::consumeError(std::move(bad));
    done = 0;
    error = EFAULT;
  }
}

Task<> transfer(Services &services, Port &port) {
  co_await port.receive();
  bool on_stream = port.opcode() == RPC_BULK_WRITE_STREAM ||
                   port.opcode() == RPC_BULK_READ_STREAM;
  bool writes =
      port.opcode() == RPC_BULK_WRITE_STREAM || port.opcode() == RPC_BULK_WRITE;
  Request requests[64];
  uint64_t total = 0;
  port.for_each_lane([&](unsigned lane) {
    requests[lane] = {port.word(lane, 0), DeviceAddress(port.word(lane, 1)),
                      port.word(lane, 2),
                      on_stream ? -1 : int64_t(port.word(lane, 3)), nullptr};
    total += std::min(requests[lane].length, SLOW);
  });
  if (total >= SLOW)
    co_await services.engine.background(port);

  DeviceHeap::Hold hold(services.heap); // against a free() from another wave
  // All of a range, before anything is read from or written to a file.
  uint64_t bad = 0;
  port.for_each_lane([&](unsigned lane) {
    Request &request = requests[lane];
    if (!request.length)
      return;
    request.view = services.host_view(request.address, request.length, !writes);
    if (!request.view &&
        !services.memory.holds(request.address, request.length, !writes))
      bad |= uint64_t(1) << lane;
  });
  Results results;
  ShortRead ends[64] = {};
  uint64_t dones[64] = {};
  int errors[64] = {};
  auto finish_lane = [&](unsigned lane, Target &target) {
    uint64_t done = dones[lane], length = requests[lane].length;
    int error = errors[lane];
    port.count_bytes(done);
    if (!on_stream && error && !done)
      results.set(lane, -1, error);
    else
      results.set(lane, int64_t(done), error);
    if (writes || done == length)
      return;
    bool at_end = target.stream && length && !error && target.stream->at_end();
    ends[lane] = error                 ? ShortRead::error
                 : done == 0 || at_end ? ShortRead::end
                                       : ShortRead::none;
  };
  for (uint64_t left = port.mask(), now; left; left &= ~now) {
    unsigned first = unsigned(llvm::countr_zero(left));
    const Request &request = requests[first];
    now = uint64_t(1) << first;
    Target target;
    if (on_stream)
      target.stream = services.tagged(request.handle);
    else
      target.descriptor = services.descriptors.find(request.handle);
    if (!target.stream && !target.descriptor) {
      results.set(first, on_stream ? 0 : -1, EBADF);
      ends[first] = ShortRead::error;
      continue;
    }
    if (bad >> first & 1) {
      errors[first] = EFAULT;
      finish_lane(first, target);
      continue;
    }
    int error = 0;
    ServiceLock::Guard guard(nullptr);
    if (target.stream) {
      guard = co_await target.stream->lock.acquire(port);
      if (writes)
        error = target.stream->begin_write();
      if (!error && target.stream->pending())
        error = co_await services.flush(port, *target.stream);
    }
    std::unique_ptr<CopyBuffer> copies;
    if (writes && !error && request.length && request.offset < 0 &&
        !request.view)
      copies = services.memory.copy_buffer();
    if (copies) {
      // Lanes behind this one that write to the same file come along.
      for (uint64_t more = left & (left - 1); more; more &= more - 1) {
        const Request &other = requests[llvm::countr_zero(more)];
        if (other.handle != request.handle || other.offset >= 0 ||
            !other.length)
          break;
        now |= more & -more;
      }
      Group group{target, requests, dones, errors, now & ~bad};
      co_await write_group(services, port, group, *copies);
    } else if (!error && request.length) {
      if (writes)
        co_await write_lane(services, port, target, request, dones[first],
                            error);
      else
        co_await read_lane(services, port, target, request, dones[first],
                           error);
    }
    if (error)
      errors[first] = error;
    for (uint64_t lanes = now & bad; lanes; lanes &= lanes - 1)
      errors[llvm::countr_zero(lanes)] = EFAULT;
    for (uint64_t lanes = now; lanes; lanes &= lanes - 1)
      finish_lane(unsigned(llvm::countr_zero(lanes)), target);
  }
  co_await port.send([&](unsigned lane, rpc_packet &packet) {
    packet.words[0] = uint64_t(results.values[lane]);
    packet.words[1] = uint64_t(ends[lane]);
    packet.words[RPC_ERRNO_WORD] = uint64_t(results.errors[lane]);
  });
}

} // namespace

void gpuexec::rpc::add_bulk_services(Services &services) {
  RPC_SERVE(services, BULK_WRITE_STREAM, transfer);
  RPC_SERVE(services, BULK_READ_STREAM, transfer);
  RPC_SERVE(services, BULK_WRITE, transfer);
  RPC_SERVE(services, BULK_READ, transfer);
}
