//===-- rpc/services/descriptors.cpp - open, read, write, stat ... --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes 0x470002xx. The program's descriptors are indices of a table of the
// server; 0, 1 and 2 are open from the start.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include "rpc/services/sockets.h"
#include "rpc/services/stat.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace gpuexec::rpc;

namespace {

constexpr uint64_t MAX_READ = 1 << 20;
// The flags that a program may set; not O_DIRECT, O_PATH and others that change
// how the server has to use the file.
constexpr int OPEN_FLAGS = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND |
                           O_NONBLOCK | O_DIRECTORY | O_NOFOLLOW | O_SYNC |
                           O_DSYNC | O_CLOEXEC | O_NOCTTY;

/// Adds a descriptor, at or above `least`. It may get the number of a standard
/// stream that the program has closed.
Task<Result> add_and_follow(Services &services, Port &port,
                            std::shared_ptr<Descriptor> descriptor,
                            int64_t least = 0) {
  const Result added = services.add_descriptor(std::move(descriptor), least);
  if (!added.failed)
    co_await services.follow_descriptor(port, uint64_t(added.value));
  co_return added;
}

Task<Result> open_descriptor(Services &services, Port &port, std::string path,
                             int flags, mode_t mode) {
  int error = 0;
  flags &= OPEN_FLAGS;
  int fd =
      co_await services.open_file(port, std::move(path), flags, mode, error);
  if (fd < 0)
    co_return Result::failure(error);
  auto descriptor = std::make_shared<Descriptor>(fd, true);
  descriptor->nonblocking = flags & O_NONBLOCK;
  descriptor->close_on_exec = flags & O_CLOEXEC;
  co_return co_await add_and_follow(services, port, std::move(descriptor));
}

Task<ResultBytes<Buffer>> read_descriptor(Services &services, Port &port,
                                          Descriptor &descriptor,
                                          uint64_t wanted, int64_t offset) {
  Buffer bytes(port.budget());
  const uint64_t size = std::min(wanted, MAX_READ);
  if (!bytes.reserve(size))
    co_return Result::failure(ENOMEM);
  std::optional<Poller::Clock::time_point> deadline;
  const ProgramSignals::Wait wait(services.signals);
  for (;;) {
    ssize_t count = descriptor.file.try_read(bytes.data(), size, offset);
    if (count < 0 && errno == EAGAIN && !descriptor.nonblocking) {
      const int fd = descriptor.file.descriptor();
      if (&descriptor == services.descriptors.find(0).get())
        co_await services.flush_prompt(port, *services.standard[0]);
      if (!deadline)
        deadline = socket_deadline(fd, SO_RCVTIMEO);
      if (Poller::Clock::now() >= *deadline)
        co_return Result::failure(EAGAIN);
      if (wait.is_over())
        co_return Result::failure(EINTR);
      co_await FileWait(port, fd, POLLIN, *deadline);
      continue;
    }
    if (count < 0)
      co_return Result::failure(errno);
    bytes.grow(uint64_t(count));
    co_return ResultBytes<Buffer>(count, std::move(bytes));
  }
}

Task<> write_descriptor(Services &services, Port &port) {
  Call<RPC_WRITE> call(port);
  co_await call.request();
  const LaneBytes &data = call.bytes("data");
  auto target = [&](unsigned lane) { return call.word("descriptor", lane); };
  auto offset = [&](unsigned lane) {
    return int64_t(call.word("offset", lane));
  };
  uint64_t left = port.mask();
  while (left) {
    // Neighbouring lanes that write to the current position of the same file
    // are joined to one write.
    unsigned first = unsigned(llvm::countr_zero(left));
    uint64_t run = 0;
    Buffer joined(port.budget());
    bool fits = true;
    for (; left; left &= left - 1) {
      unsigned lane = unsigned(llvm::countr_zero(left));
      if (target(lane) != target(first) || (run && offset(first) >= 0) ||
          offset(lane) != offset(first))
        break;
      run |= uint64_t(1) << lane;
      fits = fits && data.complete(lane) &&
             joined.append(data[lane].data(), data[lane].size());
    }
    auto found = services.descriptors.find(target(first));
    uint64_t done = 0;
    int error = !found ? EBADF : fits ? 0 : ENOMEM;
    while (!error && done < joined.size()) {
      ssize_t count = found->file.try_write(
          joined.data() + done, joined.size() - done,
          offset(first) < 0 ? -1 : offset(first) + int64_t(done));
      if (count >= 0)
        done += uint64_t(count);
      else if (errno == EAGAIN && !found->nonblocking)
        co_await port.wait_for(found->file.descriptor(), POLLOUT);
      else
        error = errno;
    }
    if (error == EPIPE)
      services.pipe_broke();
    // Divides the written bytes among the lanes, in their order; a lane of
    // which none were written gets the error.
    for (; run; run &= run - 1) {
      unsigned lane = unsigned(llvm::countr_zero(run));
      uint64_t share = std::min<uint64_t>(done, data[lane].size());
      done -= share;
      call.results[lane] =
          error && !share ? Result::failure(error) : Result(int64_t(share));
    }
  }
  co_await call.answer();
}

Result close_descriptor(Services &services, uint64_t number) {
  auto removed = services.descriptors.remove(number);
  if (!removed)
    return Result::failure(EBADF);
  // stdin has lost its file, unless a thread is reading it.
  if (number == 0 && services.standard[0]->lock.try_lock()) {
    ServiceLock::Guard guard(&services.standard[0]->lock);
    services.standard[0]->lose_file();
  }
  // Another call may still use the file; then the last user closes it.
  return Result::of(removed.use_count() == 1 ? removed->file.close() : 0);
}

Result seek(Services &, Descriptor &descriptor, int64_t offset,
            uint64_t whence) {
  if (whence > SEEK_END)
    return Result::failure(EINVAL);
  off_t position = descriptor.file.seek(offset, int(whence));
  return Result(position, position < 0 ? errno : 0);
}

ResultRecord<rpc_stat> descriptor_status(Services &, Descriptor &descriptor) {
  struct stat status;
  if (fstat(descriptor.file.descriptor(), &status))
    return Result::failure(errno);
  return {0, to_wire(status)};
}

ResultRecord<rpc_statvfs> descriptor_file_system(Services &,
                                                 Descriptor &descriptor) {
  struct statfs facts;
  if (fstatfs(descriptor.file.descriptor(), &facts))
    return Result::failure(errno);
  return {0, to_wire(facts)};
}

ResultBytes<> directory_path(Services &services, Descriptor &descriptor) {
  std::string path;
  if (int error =
          services.files.directory_of(descriptor.file.descriptor(), path))
    return Result::failure(error);
  path.push_back('\0');
  return {0, path};
}

ResultBytes<> terminal_name(Services &services, Descriptor &descriptor) {
  char name[64];
  if (services.files.sandboxed())
    return Result::failure(ENOTTY);
  if (int error = ttyname_r(descriptor.file.descriptor(), name, sizeof name))
    return Result::failure(error);
  return {0, std::string(name) + '\0'};
}

Result is_terminal(Services &, Descriptor &descriptor) {
  return descriptor.file.is_interactive() ? Result(1) : Result::failure(ENOTTY);
}

Result synchronize(Services &, Descriptor &descriptor) {
  return Result::of(fsync(descriptor.file.descriptor()) ? errno : 0);
}

//===-- What changes a file through its descriptor ------------------------===//

Result set_length(Services &, Descriptor &descriptor, int64_t length) {
  if (descriptor.file.use() != Use::any)
    return Result::failure(EPERM);
  return Result::of(ftruncate(descriptor.file.descriptor(), length) ? errno
                                                                    : 0);
}

/// errno or 0. In a sandbox a file that is open only for reading must not be
/// changed, because its directory may be granted only for reading.
int may_change(Services &services, const HostFile &file) {
  if (file.use() != Use::any)
    return EPERM;
  bool refused = services.files.sandboxed() &&
                 (fcntl(file.descriptor(), F_GETFL) & O_ACCMODE) == O_RDONLY;
  return refused ? EROFS : 0;
}

Result change_mode(Services &services, Descriptor &descriptor, mode_t mode) {
  if (int error = may_change(services, descriptor.file))
    return Result::failure(error);
  if (services.files.refuses_mode(mode))
    return Result::failure(EPERM);
  return Result::of(fchmod(descriptor.file.descriptor(), mode & 07777) ? errno
                                                                       : 0);
}

Result change_owner(Services &services, Descriptor &descriptor, uid_t owner,
                    gid_t group) {
  if (int error = may_change(services, descriptor.file))
    return Result::failure(error);
  return Result::of(fchown(descriptor.file.descriptor(), owner, group) ? errno
                                                                       : 0);
}

Result set_times(Services &services, Descriptor &descriptor, int64_t access_s,
                 int64_t access_ns, int64_t change_s, int64_t change_ns) {
  if (int error = may_change(services, descriptor.file))
    return Result::failure(error);
  const timespec times[2] = {{access_s, access_ns}, {change_s, change_ns}};
  return Result::of(futimens(descriptor.file.descriptor(), times) ? errno : 0);
}

Result allocate(Services &, Descriptor &descriptor, int64_t offset,
                int64_t length) {
  if (descriptor.file.use() != Use::any)
    return Result::failure(EPERM);
  return Result::of(
      posix_fallocate(descriptor.file.descriptor(), offset, length));
}

//===-- Copies and flags --------------------------------------------------===//

/// Another descriptor of the same open file; null with errno.
std::shared_ptr<Descriptor> copy_of(Descriptor &from) {
  int copy = fcntl(from.file.descriptor(), F_DUPFD_CLOEXEC, 3);
  if (copy < 0)
    return nullptr;
  auto descriptor = std::make_shared<Descriptor>(copy, true, from.file.use());
  descriptor->file.observe(from.file.observed_by());
  descriptor->nonblocking = from.nonblocking.load();
  return descriptor;
}

// dup() and dup2(). Takes the number, not a Descriptor, because dup2() of a
// number to itself must change nothing.
Task<Result> duplicate(Services &services, Port &port, uint64_t number,
                       int64_t wanted) {
  auto from = services.descriptors.find(number);
  if (!from || wanted >= services.descriptors.limit())
    co_return Result::failure(EBADF);
  if (wanted == int64_t(number))
    co_return wanted;
  auto copy = copy_of(*from);
  if (!copy)
    co_return Result::failure(errno);
  if (wanted < 0)
    co_return co_await add_and_follow(services, port, std::move(copy));
  services.descriptors.replace(uint64_t(wanted), std::move(copy));
  const int error = co_await services.follow_descriptor(port, uint64_t(wanted));
  co_return Result(wanted, error);
}

Result get_flags(Descriptor &descriptor) {
  int flags = fcntl(descriptor.file.descriptor(), F_GETFL);
  if (flags < 0)
    return Result::failure(errno);
  flags = (flags & ~O_NONBLOCK) | (descriptor.nonblocking ? O_NONBLOCK : 0);
  const Use use = descriptor.file.use();
  if (use != Use::any)
    flags = (flags & ~O_ACCMODE) | (use == Use::reading ? O_RDONLY : O_WRONLY);
  return flags;
}

Result set_flags(Descriptor &descriptor, int wanted) {
  // The server emulates O_NONBLOCK; O_APPEND is set on the host's file.
  descriptor.nonblocking = wanted & O_NONBLOCK;
  const int fd = descriptor.file.descriptor();
  const int flags = fcntl(fd, F_GETFL);
  wanted = (flags & ~O_APPEND) | (wanted & O_APPEND);
  if (flags != wanted && descriptor.file.use() != Use::any)
    return Result::failure(EPERM); // other processes share this open file
  return Result::of(flags != wanted && fcntl(fd, F_SETFL, wanted) < 0 ? errno
                                                                      : 0);
}

Task<Result> control(Services &services, Port &port, Descriptor &descriptor,
                     uint64_t command, uint64_t argument) {
  switch (command) {
  case F_GETFL:
    co_return get_flags(descriptor);
  case F_SETFL:
    co_return set_flags(descriptor, int(argument));
  case F_GETFD:
    co_return descriptor.close_on_exec ? FD_CLOEXEC : 0;
  case F_SETFD:
    descriptor.close_on_exec = argument & FD_CLOEXEC;
    co_return 0;
  case F_DUPFD:
  case F_DUPFD_CLOEXEC: {
    if (argument >= uint64_t(services.descriptors.limit()))
      co_return Result::failure(EINVAL);
    auto copy = copy_of(descriptor);
    if (!copy)
      co_return Result::failure(errno);
    copy->close_on_exec = command == F_DUPFD_CLOEXEC;
    co_return co_await add_and_follow(services, port, std::move(copy),
                                      int64_t(argument));
  }
  default:
    co_return Result::failure(EINVAL);
  }
}

Task<Result> keep_descriptors(Services &services, Port &port,
                              uint64_t restore) {
  if (!restore)
    co_return Result::of(services.descriptors.keep() ? 0 : EAGAIN);
  std::shared_ptr<Descriptor> before[3];
  for (uint64_t number = 0; number < 3; ++number)
    before[number] = services.descriptors.find(number);
  if (!services.descriptors.restore())
    co_return Result::failure(EINVAL);
  for (uint64_t number = 0; number < 3; ++number)
    if (before[number] != services.descriptors.find(number))
      co_await services.follow_descriptor(port, number);
  co_return 0;
}

ResultWords<2> make_pipe(Services &services) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC))
    return Result::failure(errno);
  auto reader = std::make_shared<Descriptor>(fds[0], true);
  auto writer = std::make_shared<Descriptor>(fds[1], true);
  Result ends[] = {services.add_descriptor(std::move(reader)),
                   services.add_descriptor(std::move(writer))};
  if (ends[0].failed || ends[1].failed) {
    for (Result end : ends)
      if (!end.failed)
        services.descriptors.remove(uint64_t(end.value));
    return Result::failure(EMFILE);
  }
  return {0, ends[0].value, ends[1].value};
}

} // namespace

RPC_SERVE(OPEN, open_descriptor)
RPC_SERVE(CLOSE, close_descriptor)
RPC_SERVE(READ, read_descriptor)
RPC_SERVE(WRITE, write_descriptor)
RPC_SERVE(LSEEK, seek)
RPC_SERVE(FSTAT, descriptor_status)
RPC_SERVE(FSTATVFS, descriptor_file_system)
RPC_SERVE(ISATTY, is_terminal)
RPC_SERVE(DIRECTORY_PATH, directory_path)
RPC_SERVE(TTYNAME, terminal_name)
RPC_SERVE_IN_BACKGROUND(FALLOCATE, allocate)
RPC_SERVE(FTRUNCATE, set_length)
RPC_SERVE_IN_BACKGROUND(FSYNC, synchronize)
RPC_SERVE(DUP, duplicate)
RPC_SERVE(FCNTL, control)
RPC_SERVE(KEEP_DESCRIPTORS, keep_descriptors)
RPC_SERVE(PIPE, make_pipe)
RPC_SERVE(FCHMOD, change_mode)
RPC_SERVE(FCHOWN, change_owner)
RPC_SERVE(FUTIMENS, set_times)
