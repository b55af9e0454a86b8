//===-- rpc/services/bulk.cpp - BULK_...: address and length --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host copies a lane's data between file and device memory. If the host
// sees device memory, the file is read and written there; else the device's
// copy engine fills one half of a buffer while the other half is written to the
// file. Neighbouring lanes that write to the same file share that buffer.
//===----------------------------------------------------------------------===//
#include "rpc/services/replay.h"
#include "rpc/services/serve.h"
#include "llvm/ADT/SmallVector.h"
#include <poll.h>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

namespace {

// Bytes that are copied at a time if the host cannot see device memory and
// there is no copy engine.
constexpr uint64_t CHUNK = 1 << 20;
// Smaller reads go through ordinary memory, so that a call that waits for a
// terminal does not keep the copy engine's buffer meanwhile.
constexpr uint64_t SMALL_COPY = 16 << 10;
// Requests of this size and more run in a background thread; smaller ones are
// done before such a thread would have woken up.
constexpr uint64_t SLOW = 4 << 20;

struct Request {
  uint64_t handle;
  DeviceAddress address;
  uint64_t length;
  int64_t offset;
  void *view; // of the whole range, or null
};

enum class ShortRead : uint64_t { none = 0, end = 1, error = 2 };

/// One lane's file: a stream or a descriptor.
struct Target {
  std::shared_ptr<Stream> stream;
  std::shared_ptr<Descriptor> descriptor;
  int fd() const {
    return stream ? stream->descriptor() : descriptor->file.descriptor();
  }
};

/// The bytes that a transfer has moved, and the errno that ended it early. Not
/// initialised, because most calls use few of 64 lanes.
struct Moved {
  uint64_t done;
  int error;
};

Task<Moved> write_piece(Services &services, Port &port, Target &target,
                        llvm::StringRef data, int64_t offset) {
  Moved moved = {};
  while (moved.done < data.size() && !moved.error) {
    if (target.stream) {
      if (target.stream->write_direct(data, moved.done, moved.error) ==
          Progress::done)
        break;
    } else {
      ssize_t count = target.descriptor->file.try_write(
          data.data() + moved.done, data.size() - moved.done,
          offset < 0 ? -1 : offset + int64_t(moved.done));
      if (count >= 0) {
        moved.done += uint64_t(count);
        continue;
      }
      if (errno != EAGAIN || target.descriptor->nonblocking) {
        moved.error = errno;
        break;
      }
    }
    co_await port.wait_for(target.fd(), POLLOUT);
  }
  if (moved.error == EPIPE)
    services.pipe_broke();
  co_return moved;
}

/// Writes from memory that the host sees.
Task<Moved> write_view(Services &services, Port &port, Target &target,
                       const Request &request) {
  Moved moved = co_await write_piece(
      services, port, target,
      {static_cast<char *>(request.view), request.length}, request.offset);
  if (services.output && request.view == services.output->text) {
    if (!moved.error) // or unwritten_output() would have the text again
      __atomic_store_n(&services.output->used, 0, __ATOMIC_RELAXED);
    else if (target.stream) // the C library had reported success to the program
      target.stream->note_lost(moved.error);
  }
  co_return moved;
}

/// Writes from memory that only the device sees, by copies.
Task<Moved> write_copied(Services &services, Port &port, Target &target,
                         const Request &request) {
  Moved moved = {};
  Buffer chunk(port.budget());
  while (moved.done < request.length && !moved.error) {
    const uint64_t size = std::min(request.length - moved.done, CHUNK);
    chunk.clear();
    moved.error = !chunk.reserve(size)
                      ? ENOMEM
                      : to_errno(services.memory.read(
                            chunk.data(), request.address + moved.done, size));
    if (moved.error)
      break;
    Moved piece = co_await write_piece(
        services, port, target, {chunk.data(), size},
        request.offset < 0 ? -1 : request.offset + int64_t(moved.done));
    moved = {moved.done + piece.done, piece.error};
    if (piece.done < size)
      break;
  }
  co_return moved;
}

/// The lanes that write to one file, and the progress of each.
struct Group {
  Target &target;
  const Request *requests; // by lane
  Moved *moved;            // by lane
  uint64_t left;           // lanes whose data is still to be fetched
  uint64_t at = 0;         // of the first of them
};

struct Part {
  unsigned lane;
  uint64_t size;
};
using Parts = llvm::SmallVector<Part, 64>;

// Starts copies to one half of the buffer: all that is left, or as much as
// fits.
Parts fetch(Group &group, CopyBuffer &copies, unsigned half) {
  Parts parts;
  size_t used = 0;
  while (group.left && used < copies.size()) {
    unsigned lane = unsigned(llvm::countr_zero(group.left));
    const Request &request = group.requests[lane];
    uint64_t size =
        std::min<uint64_t>(request.length - group.at, copies.size() - used);
    if (int error = to_errno(
            copies.start_read(half, used, request.address + group.at, size))) {
      group.moved[lane].error = error;
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
  group.left ? copies.go(half) : copies.no_more(half);
  return parts;
}

Task<> write_group(Services &services, Port &port, Group &group,
                   CopyBuffer &copies) {
  Parts parts[2];
  parts[0] = fetch(group, copies, 0);
  for (unsigned half = 0; !parts[half].empty(); half ^= 1) {
    parts[half ^ 1] = fetch(group, copies, half ^ 1);
    uint64_t size = 0;
    for (const Part &part : parts[half])
      size += part.size;
    Moved written = {0, to_errno(copies.finish(half))};
    if (!written.error)
      written = co_await write_piece(services, port, group.target,
                                     {copies.data(half), size}, -1);
    // The first error of a lane counts.
    auto note_error = [&](unsigned lane) {
      int &error = group.moved[lane].error;
      error = error ? error : written.error;
    };
    for (const Part &part : parts[half]) {
      uint64_t theirs = std::min(part.size, written.done);
      group.moved[part.lane].done += theirs;
      written.done -= theirs;
      if (theirs < part.size)
        note_error(part.lane);
    }
    if (!written.error)
      continue;
    // No byte may be written behind one that is missing.
    for (const Part &part : parts[half ^ 1])
      note_error(part.lane);
    for (; group.left; group.left &= group.left - 1)
      note_error(unsigned(llvm::countr_zero(group.left)));
    co_return;
  }
}

/// Waits until the file has bytes, then reads what is there, as read(2) does.
Task<Moved> read_some(Services &services, Port &port, Target &target, char *to,
                      uint64_t size, int64_t offset) {
  Moved moved = {};
  const ProgramSignals::Wait wait(services.signals);
  for (;;) {
    if (target.stream) {
      if (target.stream->read_into(to, size, moved.done, false, moved.error) ==
          Progress::done)
        co_return moved;
      co_await services.flush_prompt(port, *target.stream);
    } else {
      ssize_t count = target.descriptor->file.try_read(to, size, offset);
      if (count >= 0)
        co_return Moved{uint64_t(count), 0};
      if (errno != EAGAIN || target.descriptor->nonblocking)
        co_return Moved{0, errno};
    }
    if (wait.is_over())
      co_return Moved{0, EINTR};
    co_await port.wait_for(target.fd(), POLLIN);
  }
}

Task<Moved> read_view(Services &services, Port &port, Target &target,
                      const Request &request) {
  return read_some(services, port, target, static_cast<char *>(request.view),
                   request.length, request.offset);
}

Task<Moved> read_copied(Services &services, Port &port, Target &target,
                        const Request &request) {
  std::unique_ptr<CopyBuffer> copies;
  if (request.length >= SMALL_COPY)
    copies = services.memory.copy_buffer();
  Buffer chunk(port.budget());
  const uint64_t size =
      std::min<uint64_t>(request.length, copies ? copies->size() : CHUNK);
  if (!copies && !chunk.reserve(size))
    co_return Moved{0, ENOMEM};
  char *const to = copies ? copies->data(0) : chunk.data();
  Moved moved =
      co_await read_some(services, port, target, to, size, request.offset);
  if (!moved.done)
    co_return moved;
  int error;
  if (copies) {
    error = to_errno(copies->start_write(0, request.address, moved.done));
    copies->no_more(0);
    if (!error)
      error = to_errno(copies->finish(0));
  } else {
    error = to_errno(services.memory.write(request.address, to, moved.done));
  }
  co_return error ? Moved{0, error} : moved;
}

/// The lanes of one call. The opcodes of streams and of descriptors differ in
/// the table for the handle and in the result of a failure.
template <rpc_opcode CODE> struct Transfer {
  static constexpr bool ON_STREAM =
      CODE == RPC_BULK_WRITE_STREAM || CODE == RPC_BULK_READ_STREAM;
  static constexpr bool WRITES =
      CODE == RPC_BULK_WRITE_STREAM || CODE == RPC_BULK_WRITE;

  Transfer(Services &services, Port &port)
      : services(services), port(port), call(port) {}

  Services &services;
  Port &port;
  Call<CODE, ResultWords<1>> call;
  Request requests[64];
  Moved moved[64];
  uint64_t bad = 0; // lanes whose memory is not the program's

  /// Reads the requests; returns the bytes to copy, counting at most SLOW of
  /// each lane.
  uint64_t decode() {
    uint64_t total = 0;
    port.for_each_lane([&](unsigned lane) {
      uint64_t handle;
      int64_t offset = -1;
      if constexpr (ON_STREAM) {
        handle = call.word("stream", lane);
      } else {
        handle = call.word("descriptor", lane);
        offset = int64_t(call.word("offset", lane));
      }
      requests[lane] = {handle, DeviceAddress(call.word("address", lane)),
                        call.word("length", lane), offset, nullptr};
      moved[lane] = {};
      total += std::min(requests[lane].length, SLOW);
    });
    return total;
  }
  /// Checks all lanes' ranges, before anything is read from or written to a
  /// file.
  void check_ranges() {
    port.for_each_lane([&](unsigned lane) {
      Request &request = requests[lane];
      if (!request.length)
        return;
      request.view =
          services.host_view(request.address, request.length, !WRITES);
      if (!request.view &&
          !services.memory.holds(request.address, request.length, !WRITES))
        bad |= uint64_t(1) << lane;
    });
  }
  /// For a journal: notes the bytes. Call it before a write or after a read.
  void note_bytes() {
    if (!port.notes())
      return;
    CallNotes &notes = *port.notes();
    port.for_each_lane([&](unsigned lane) {
      const Request &request = requests[lane];
      const uint64_t size = bad >> lane & 1 ? 0
                            : WRITES        ? request.length
                                            : moved[lane].done;
      note_memory(services, WRITES ? notes.request : notes.answer,
                  request.address, size);
    });
  }
  bool find(unsigned lane, Target &target) {
    if constexpr (ON_STREAM)
      target.stream = services.tagged(requests[lane].handle);
    else
      target.descriptor = services.descriptors.find(requests[lane].handle);
    return target.stream || target.descriptor;
  }
  void set(unsigned lane, Result result, ShortRead end) {
    call.results[lane] = {result, end};
  }
  /// Answers EBADF.
  void refuse(unsigned lane) {
    set(lane, ON_STREAM ? Result(0, EBADF) : Result::failure(EBADF),
        ShortRead::error);
  }
  void finish(unsigned lane, const Target &target) {
    const uint64_t done = moved[lane].done, length = requests[lane].length;
    const int error = moved[lane].error;
    port.count_bytes(done);
    bool at_end = target.stream && length && !error && target.stream->at_end();
    ShortRead end = WRITES || done == length ? ShortRead::none
                    : error                  ? ShortRead::error
                    : !done || at_end        ? ShortRead::end
                                             : ShortRead::none;
    bool failed = !ON_STREAM && error && !done;
    set(lane, failed ? Result::failure(error) : Result(int64_t(done), error),
        end);
  }
  /// The lanes directly behind `first` that write to the same file at its
  /// current position.
  uint64_t followers(unsigned first, uint64_t left) const {
    uint64_t found = 0;
    for (; left; left &= left - 1) {
      const Request &other = requests[llvm::countr_zero(left)];
      if (other.handle != requests[first].handle || other.offset >= 0 ||
          !other.length)
        break;
      found |= left & -left;
    }
    return found;
  }
};

template <rpc_opcode CODE> Task<> transfer(Services &services, Port &port) {
  using Lanes = Transfer<CODE>;
  Lanes lanes(services, port);
  co_await lanes.call.request();
  if (lanes.decode() >= SLOW)
    co_await port.background();
  DeviceHeap::Hold hold(services.heap); // against a free() from another wave
  lanes.check_ranges();
  if (Lanes::WRITES)
    lanes.note_bytes();
  for (uint64_t left = port.mask(), now; left; left &= ~now) {
    const unsigned first = unsigned(llvm::countr_zero(left));
    const Request &request = lanes.requests[first];
    now = uint64_t(1) << first;
    Target target;
    if (!lanes.find(first, target)) {
      lanes.refuse(first);
      continue;
    }
    if (lanes.bad & now) {
      lanes.moved[first].error = EFAULT;
      lanes.finish(first, target);
      continue;
    }
    int error = 0;
    ServiceLock::Guard guard(nullptr);
    if constexpr (Lanes::ON_STREAM) {
      guard = co_await target.stream->lock.acquire(port);
      if (Lanes::WRITES)
        error = target.stream->begin_write();
      if (!error && target.stream->pending())
        error = co_await services.flush(port, *target.stream);
    }
    std::unique_ptr<CopyBuffer> copies;
    if (Lanes::WRITES && !error && request.length && request.offset < 0 &&
        !request.view)
      copies = services.memory.copy_buffer();
    if (copies) {
      now |= lanes.followers(first, left & (left - 1));
      Group group{target, lanes.requests, lanes.moved, now & ~lanes.bad};
      co_await write_group(services, port, group, *copies);
    } else if (!error && request.length) {
      // Chosen without another coroutine, which would cost an allocation.
      auto *move = Lanes::WRITES  ? request.view ? write_view : write_copied
                   : request.view ? read_view
                                  : read_copied;
      lanes.moved[first] = co_await move(services, port, target, request);
    } else {
      lanes.moved[first].error = error;
    }
    for (uint64_t each = now & lanes.bad; each; each &= each - 1)
      lanes.moved[llvm::countr_zero(each)].error = EFAULT;
    for (uint64_t each = now; each; each &= each - 1)
      lanes.finish(unsigned(llvm::countr_zero(each)), target);
  }
  if (!Lanes::WRITES)
    lanes.note_bytes();
  co_await lanes.call.answer();
}

} // namespace

RPC_SERVE(BULK_WRITE_STREAM, transfer<RPC_BULK_WRITE_STREAM>)
RPC_SERVE(BULK_READ_STREAM, transfer<RPC_BULK_READ_STREAM>)
RPC_SERVE(BULK_WRITE, transfer<RPC_BULK_WRITE>)
RPC_SERVE(BULK_READ, transfer<RPC_BULK_READ>)
