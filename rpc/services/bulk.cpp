//===-- rpc/services/bulk.cpp - BULK_...: address and length
//----------------===//
// The host copies a lane's data by itself, straight between file and device
// memory where it can see that memory, else through a buffer. Sequences:
// opcodes.def.
//===----------------------------------------------------------------------===//
#include "rpc/services/services.h"
#include <errno.h>
#include <poll.h>

using namespace gpuexec::rpc;

namespace {

// Where the host cannot see device memory, so much is copied at a time.
constexpr uint64_t CHUNK = 1 << 20;
// Requests of this size and more leave the thread to other ports.
constexpr uint64_t SLOW = 256 << 10;

struct Request {
  uint64_t handle, address, length;
  int64_t offset;
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
  if (void *view =
          services.memory.host_view(request.address, request.length, false)) {
    llvm::StringRef data(static_cast<char *>(view), request.length);
    co_await write_piece(services, port, target, data, request.offset, done,
                         error);
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
  if (void *view =
          services.memory.host_view(request.address, request.length, true)) {
    co_await read_some(services, port, target, static_cast<char *>(view),
                       request.length, request.offset, done, error);
    co_return;
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
    requests[lane] = {port.word(lane, 0), port.word(lane, 1),
                      port.word(lane, 2),
                      on_stream ? -1 : int64_t(port.word(lane, 3))};
    total += std::min(requests[lane].length, SLOW);
  });
  if (total >= SLOW)
    co_await services.engine.background(port);

  DeviceHeap::Hold hold(services.heap); // against a free() from another wave
  Results results;
  ShortRead ends[64] = {};
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    const Request &request = requests[lane];
    Target target;
    if (on_stream)
      target.stream = services.tagged(request.handle);
    else
      target.descriptor = services.descriptors.find(request.handle);
    if (!target.stream && !target.descriptor) {
      results.set(lane, on_stream ? 0 : -1, EBADF);
      ends[lane] = ShortRead::error;
      continue;
    }
    uint64_t done = 0;
    int error = 0;
    ServiceLock::Guard guard(nullptr);
    if (target.stream) {
      guard = co_await target.stream->lock.acquire(port);
      if (writes)
        error = target.stream->begin_write();
      if (!error && target.stream->pending())
        error = co_await services.flush(port, *target.stream);
    }
    if (!error && request.length) {
      if (writes)
        co_await write_lane(services, port, target, request, done, error);
      else
        co_await read_lane(services, port, target, request, done, error);
    }
    port.count_bytes(done);
    if (!on_stream && error && !done)
      results.set(lane, -1, error);
    else
      results.set(lane, int64_t(done), error);
    if (!writes && done < request.length)
      ends[lane] = error       ? ShortRead::error
                   : done == 0 ? ShortRead::end
                               : ShortRead::none;
    if (!writes && target.stream && done < request.length && !error &&
        target.stream->at_end())
      ends[lane] = ShortRead::end;
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
