//===-- rpc/services/descriptors.cpp - open, read, write, stat ...
//----------===//
// RPC_FEATURE_POSIX, opcodes 0x470002xx. The program's descriptors are numbers
// in a table of ours; 0, 1 and 2 are there from the start.
//===----------------------------------------------------------------------===//
#include "rpc/services/services.h"
#include "rpc/services/stat.h"
#include "rpc/services/text.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace gpuexec::rpc;

namespace {

constexpr uint64_t MAX_READ = 1 << 20;
// What a program may set; not O_DIRECT, O_PATH and others that change how the
// server itself has to work.
constexpr int OPEN_FLAGS = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND |
                           O_NONBLOCK | O_DIRECTORY | O_NOFOLLOW | O_SYNC |
                           O_DSYNC | O_CLOEXEC | O_NOCTTY;

Task<> open_descriptor(Services &services, Port &port) {
  LaneBytes paths = co_await port.receive_bytes();
  co_await port.receive();
  uint64_t flags[64], modes[64];
  port.for_each_lane([&](unsigned lane) {
    flags[lane] = port.word(lane, 0);
    modes[lane] = port.word(lane, 1);
  });
  Results results;
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    int wanted = int(flags[lane]) & OPEN_FLAGS;
    int error = paths.complete(lane) ? 0 : ENOMEM, fd = -1;
    while (!error) {
      fd = services.files.open(c_string(paths[lane]), wanted,
                               mode_t(modes[lane]), error);
      // A FIFO without a reader; O_NONBLOCK asks for the error.
      struct stat status;
      if (fd >= 0 || error != ENXIO || (wanted & O_NONBLOCK) ||
          services.files.status(c_string(paths[lane]), true, status) ||
          !S_ISFIFO(status.st_mode))
        break;
      error = 0;
      co_await services.engine.sleep(port, std::chrono::milliseconds(2));
    }
    if (fd >= 0) {
      auto descriptor = std::make_shared<Descriptor>(fd, true);
      descriptor->nonblocking = wanted & O_NONBLOCK;
      int64_t number = services.descriptors.add(std::move(descriptor));
      results.set(lane, number, number < 0 ? EMFILE : 0);
    } else {
      results.set_error(lane, error);
    }
  }
  co_await port.reply(results.values, results.errors);
}

Task<> read_descriptor(Services &services, Port &port) {
  co_await port.receive();
  uint64_t numbers[64], sizes[64];
  int64_t offsets[64];
  port.for_each_lane([&](unsigned lane) {
    numbers[lane] = port.word(lane, 0);
    sizes[lane] = std::min(port.word(lane, 1), MAX_READ);
    offsets[lane] = int64_t(port.word(lane, 2));
  });
  auto data = std::make_unique<Buffer[]>(64);
  llvm::StringRef texts[64];
  Results results;
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    auto found = services.descriptors.find(numbers[lane]);
    data[lane] = Buffer(port.budget());
    Buffer &bytes = data[lane];
    if (!found || !bytes.reserve(sizes[lane])) {
      results.set_error(lane, found ? ENOMEM : EBADF);
      continue;
    }
    for (;;) {
      ssize_t count =
          found->file.try_read(bytes.data(), sizes[lane], offsets[lane]);
      int error = count < 0 ? errno : 0;
      if (error == EAGAIN && !found->nonblocking) {
        if (numbers[lane] == 0)
          co_await services.flush_prompt(port, *services.standard[0]);
        co_await services.engine.wait_for(port, found->file.descriptor(),
                                          POLLIN);
        continue;
      }
      if (count > 0)
        bytes.grow(uint64_t(count));
      results.set(lane, count, error);
      break;
    }
    texts[lane] = bytes.text();
  }
  co_await port.send_bytes(texts);
  co_await port.reply(results.values, results.errors);
}

Task<> write_descriptor(Services &services, Port &port) {
  co_await port.receive();
  uint64_t numbers[64];
  int64_t offsets[64];
  port.for_each_lane([&](unsigned lane) {
    numbers[lane] = port.word(lane, 0);
    offsets[lane] = int64_t(port.word(lane, 2));
  });
  LaneBytes data = co_await port.receive_bytes();
  Results results;
  uint64_t left = port.mask();
  while (left) {
    // A run of lanes that write on at the same place is one write.
    unsigned first = unsigned(llvm::countr_zero(left));
    uint64_t run = 0;
    Buffer joined(port.budget());
    bool fits = true;
    for (; left; left &= left - 1) {
      unsigned lane = unsigned(llvm::countr_zero(left));
      if (numbers[lane] != numbers[first] || (run && offsets[first] >= 0) ||
          offsets[lane] != offsets[first])
        break;
      run |= uint64_t(1) << lane;
      fits = fits && data.complete(lane) &&
             joined.append(data[lane].data(), data[lane].size());
    }
    auto found = services.descriptors.find(numbers[first]);
    uint64_t done = 0;
    int error = !found ? EBADF : fits ? 0 : ENOMEM;
    while (!error && done < joined.size()) {
      ssize_t count = found->file.try_write(
          joined.data() + done, joined.size() - done,
          offsets[first] < 0 ? -1 : offsets[first] + int64_t(done));
      if (count >= 0)
        done += uint64_t(count);
      else if (errno == EAGAIN && !found->nonblocking)
        co_await services.engine.wait_for(port, found->file.descriptor(),
                                          POLLOUT);
      else
        error = errno;
    }
    if (error == EPIPE)
      services.pipe_broke();
    // In lane order, the bytes that went; who got none of its own has the
    // error.
    for (; run; run &= run - 1) {
      unsigned lane = unsigned(llvm::countr_zero(run));
      uint64_t share = std::min<uint64_t>(done, data[lane].size());
      done -= share;
      if (error && (share == 0))
        results.set(lane, -1, error);
      else
        results.set(lane, int64_t(share));
    }
  }
  co_await port.reply(results.values, results.errors);
}

// fcntl(F_DUPFD): a number at or above `least`.
void duplicate_from(Services &services, Descriptor &from, uint64_t least,
                    unsigned lane, Results &results) {
  if (least >= uint64_t(decltype(services.descriptors)::LIMIT))
    return results.set_error(lane, EINVAL);
  int copy = fcntl(from.file.descriptor(), F_DUPFD_CLOEXEC, 3);
  if (copy < 0)
    return results.set_error(lane, errno);
  auto descriptor = std::make_shared<Descriptor>(copy, true, from.file.use());
  descriptor->nonblocking = from.nonblocking.load();
  int64_t number =
      services.descriptors.add(std::move(descriptor), int64_t(least));
  results.set(lane, number, number < 0 ? EMFILE : 0);
}

// What changes a file through its descriptor. In a sandbox one that may only be
// read may lie where nothing may be written.
int change_attributes(Services &services, const HostFile &file, uint32_t opcode,
                      const uint64_t (&words)[5]) {
  const int fd = file.descriptor();
  if (file.use() != Use::any)
    return EPERM;
  if (opcode == RPC_FTRUNCATE)
    return ftruncate(fd, int64_t(words[1])) ? errno : 0;
  if (services.files.sandboxed() &&
      (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
    return EROFS;
  int failed;
  if (opcode == RPC_FCHMOD) {
    if (services.files.refuses_mode(mode_t(words[1])))
      return EPERM;
    failed = fchmod(fd, mode_t(words[1]) & 07777);
  } else if (opcode == RPC_FCHOWN) {
    failed = fchown(fd, uid_t(words[1]), gid_t(words[2]));
  } else {
    const timespec times[2] = {{int64_t(words[1]), long(words[2])},
                               {int64_t(words[3]), long(words[4])}};
    failed = futimens(fd, times);
  }
  return failed ? errno : 0;
}

// Calls of one packet each way.
Task<> descriptor_call(Services &services, Port &port) {
  co_await port.receive();
  uint64_t words[64][5];
  port.for_each_lane([&](unsigned lane) {
    for (unsigned i = 0; i < 5; ++i)
      words[lane][i] = port.word(lane, i);
  });
  if (port.opcode() == RPC_FSYNC)
    co_await services.engine.background(port);
  Results results;
  port.for_each_lane([&](unsigned lane) {
    auto found = services.descriptors.find(words[lane][0]);
    if (!found)
      return port.opcode() == RPC_ISATTY ? results.set(lane, 0, EBADF)
                                         : results.set_error(lane, EBADF);
    int fd = found->file.descriptor();
    uint64_t argument = words[lane][1];
    switch (port.opcode()) {
    case RPC_CLOSE: {
      auto removed = services.descriptors.remove(words[lane][0]);
      // Somebody may still read from it; then it closes with the last use.
      found.reset();
      int error =
          removed && removed.use_count() == 1 ? removed->file.close() : 0;
      return results.set_error(lane, removed ? error : EBADF);
    }
    case RPC_LSEEK: {
      if (words[lane][2] > SEEK_END)
        return results.set_error(lane, EINVAL);
      off_t position = found->file.seek(int64_t(argument), int(words[lane][2]));
      return results.set(lane, position, position < 0 ? errno : 0);
    }
    case RPC_ISATTY:
      return results.set(lane, found->file.is_interactive(),
                         found->file.is_interactive() ? 0 : ENOTTY);
    case RPC_FSYNC:
      return results.set_error(lane, fsync(fd) ? errno : 0);
    case RPC_FTRUNCATE:
    case RPC_FCHMOD:
    case RPC_FCHOWN:
    case RPC_FUTIMENS:
      return results.set_error(
          lane,
          change_attributes(services, found->file, port.opcode(), words[lane]));
    case RPC_DUP: {
      int64_t wanted = int64_t(argument);
      if (wanted >= decltype(services.descriptors)::LIMIT)
        return results.set_error(lane, EBADF);
      if (wanted == int64_t(words[lane][0]))
        return results.set(lane, wanted);
      int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
      if (copy < 0)
        return results.set_error(lane, errno);
      auto descriptor =
          std::make_shared<Descriptor>(copy, true, found->file.use());
      descriptor->nonblocking = found->nonblocking.load();
      if (wanted < 0)
        wanted = services.descriptors.add(std::move(descriptor));
      else
        services.descriptors.replace(uint64_t(wanted), std::move(descriptor));
      return results.set(lane, wanted, wanted < 0 ? EMFILE : 0);
    }
    case RPC_FCNTL:
      switch (argument) {
      case F_GETFL: {
        int flags = fcntl(fd, F_GETFL);
        if (flags >= 0)
          flags = (flags & ~O_NONBLOCK) | (found->nonblocking ? O_NONBLOCK : 0);
        if (flags >= 0 && found->file.use() != Use::any)
          flags = (flags & ~O_ACCMODE) |
                  (found->file.use() == Use::reading ? O_RDONLY : O_WRONLY);
        return results.set(lane, flags, flags < 0 ? errno : 0);
      }
      case F_SETFL: {
        // Waiting is between us and the program; the rest is the file's.
        found->nonblocking = words[lane][2] & O_NONBLOCK;
        int flags = fcntl(fd, F_GETFL);
        int wanted = (flags & ~O_APPEND) | (int(words[lane][2]) & O_APPEND);
        if (flags != wanted && found->file.use() != Use::any)
          return results.set_error(lane, EPERM); // it is the user's, too
        if (flags != wanted && fcntl(fd, F_SETFL, wanted) < 0)
          return results.set_error(lane, errno);
        return results.set(lane, 0);
      }
      case F_GETFD:
      case F_SETFD:
        return results.set(lane, 0); // children never get a descriptor
      case F_DUPFD:
      case F_DUPFD_CLOEXEC:
        return duplicate_from(services, *found, words[lane][2], lane, results);
      default:
        return results.set_error(lane, EINVAL);
      }
    default:
      return results.set_error(lane, ENOSYS);
    }
  });
  co_await port.reply(results.values, results.errors);
}

Task<> make_pipe(Services &services, Port &port) {
  co_await port.receive();
  int64_t ends[64][2];
  Results results;
  port.for_each_lane([&](unsigned lane) {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC))
      return results.set_error(lane, errno);
    auto reader = std::make_shared<Descriptor>(fds[0], true);
    auto writer = std::make_shared<Descriptor>(fds[1], true);
    ends[lane][0] = services.descriptors.add(std::move(reader));
    ends[lane][1] = services.descriptors.add(std::move(writer));
    if (ends[lane][0] < 0 || ends[lane][1] < 0) {
      for (int64_t end : ends[lane])
        if (end >= 0)
          services.descriptors.remove(uint64_t(end));
      results.set_error(lane, EMFILE);
    }
  });
  co_await port.send([&](unsigned lane, rpc_packet &packet) {
    packet.words[0] = uint64_t(results.values[lane]);
    packet.words[1] = uint64_t(ends[lane][0]);
    packet.words[2] = uint64_t(ends[lane][1]);
    packet.words[RPC_ERRNO_WORD] = uint64_t(results.errors[lane]);
  });
}

Task<> descriptor_status(Services &services, Port &port) {
  co_await port.receive();
  Results results;
  rpc_stat found[64] = {};
  port.for_each_lane([&](unsigned lane) {
    auto descriptor = services.descriptors.find(port.word(lane, 0));
    struct stat status;
    if (!descriptor)
      return results.set_error(lane, EBADF);
    if (fstat(descriptor->file.descriptor(), &status))
      return results.set_error(lane, errno);
    found[lane] = to_wire(status);
  });
  co_await send_status(port, results, found);
}

} // namespace

void gpuexec::rpc::add_descriptor_services(Services &services) {
  RPC_SERVE(services, OPEN, open_descriptor);
  RPC_SERVE(services, CLOSE, descriptor_call);
  RPC_SERVE(services, READ, read_descriptor);
  RPC_SERVE(services, WRITE, write_descriptor);
  RPC_SERVE(services, LSEEK, descriptor_call);
  RPC_SERVE(services, FSTAT, descriptor_status);
  RPC_SERVE(services, ISATTY, descriptor_call);
  RPC_SERVE(services, FTRUNCATE, descriptor_call);
  RPC_SERVE(services, FSYNC, descriptor_call);
  RPC_SERVE(services, DUP, descriptor_call);
  RPC_SERVE(services, FCNTL, descriptor_call);
  RPC_SERVE(services, PIPE, make_pipe);
  RPC_SERVE(services, FCHMOD, descriptor_call);
  RPC_SERVE(services, FCHOWN, descriptor_call);
  RPC_SERVE(services, FUTIMENS, descriptor_call);
}
