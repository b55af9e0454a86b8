//===-- rpc/services/stream.cpp - An open file of the program -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/stream.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace gpuexec::rpc;

// The most bytes of a stream that wait in memory for a slow reader.
static constexpr size_t MAX_PENDING = size_t(1) << 30;
// Characters that ungetc() can put back. C promises one; scanners need a few.
static constexpr size_t UNGET_ROOM = 64;

bool OpenMode::parse(llvm::StringRef text, OpenMode &mode) {
  if (text.empty())
    return false;
  switch (text[0]) {
  case 'r':
    mode = {O_RDONLY, true, false};
    break;
  case 'w':
    mode = {O_WRONLY | O_CREAT | O_TRUNC, false, true};
    break;
  case 'a':
    mode = {O_WRONLY | O_CREAT | O_APPEND, false, true};
    break;
  default:
    return false;
  }
  for (char c : text.drop_front()) {
    if (c == ',')
      break; // glibc: ",ccs=..." follows
    if (c == '+') {
      mode.flags = (mode.flags & ~O_ACCMODE) | O_RDWR;
      mode.readable = mode.writable = true;
    } else if (c == 'x') {
      mode.flags |= O_EXCL;
    } else if (c != 'b' && c != 'e' && c != 't' && c != 'c' && c != 'm') {
      return false;
    }
  }
  return true;
}

//===-- Reads and writes that do not wait ---------------------------------===//

static bool ready_now(int fd, short events) {
  pollfd file = {fd, events, 0};
  return poll(&file, 1, 0) > 0;
}

static bool cannot(int error) {
  return error == EOPNOTSUPP || error == EINVAL || error == ENOSYS;
}

HostFile::~HostFile() {
  if (owned && fd >= 0)
    ::close(fd);
}

void HostFile::inspect() {
  struct stat info;
  regular = interactive = false;
  nowait = true;
  if (fd < 0 || fstat(fd, &info) != 0)
    return;
  unconnected = owned && S_ISFIFO(info.st_mode) &&
                (fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY;
  bool character = S_ISCHR(info.st_mode);
  interactive = character && isatty(fd);
  // poll() reports these as always ready: files, and devices such as /dev/null.
  regular = S_ISREG(info.st_mode) || S_ISBLK(info.st_mode) ||
            S_ISDIR(info.st_mode) || (character && !interactive);
}

off_t HostFile::seek(off_t offset, int whence) {
  if (allowed == Use::writing && (offset != 0 || whence != SEEK_CUR)) {
    errno = ESPIPE;
    return -1;
  }
  return lseek(fd, offset, whence);
}

ssize_t HostFile::try_read(char *to, size_t size, int64_t offset) {
  if (allowed == Use::writing) {
    errno = EBADF;
    return -1;
  }
  size = std::min<size_t>(size, SSIZE_MAX);
  // read() of a FIFO that was opened without waiting for a writer returns 0, as
  // at the end, before there was a writer; poll() tells the two cases apart.
  if (unconnected && offset < 0 && !ready_now(fd, POLLIN)) {
    errno = EAGAIN;
    return -1;
  }
  unconnected &= offset >= 0;
  for (;;) {
    ssize_t count;
    // pread() never waits: on a pipe or a terminal it fails with ESPIPE.
    if (offset >= 0) {
      count = pread(fd, to, size, offset);
    } else if (!regular && nowait) {
      iovec part = {to, size};
      count = preadv2(fd, &part, 1, offset, RWF_NOWAIT);
      if (count < 0 && cannot(errno)) {
        nowait = false;
        continue;
      }
    } else {
      if (!regular && !ready_now(fd, POLLIN)) {
        errno = EAGAIN;
        return -1;
      }
      count = ::read(fd, to, size);
    }
    if (count >= 0 || errno != EINTR)
      return count;
  }
}

ssize_t HostFile::try_write(const char *from, size_t size, int64_t offset) {
  const ssize_t count = write_now(from, size, offset);
  if (count > 0 && observer.journal)
    observer.journal->output(observer.stream, {from, size_t(count)});
  return count;
}

ssize_t HostFile::write_now(const char *from, size_t size, int64_t offset) {
  if (allowed == Use::reading || (allowed == Use::writing && offset >= 0)) {
    errno = allowed == Use::reading ? EBADF : ESPIPE;
    return -1;
  }
  size = std::min<size_t>(size, SSIZE_MAX);
  for (;;) {
    ssize_t count;
    if (offset >= 0) {
      count = pwrite(fd, from, size, offset);
    } else if (!regular && nowait) {
      iovec part = {const_cast<char *>(from), size};
      count = pwritev2(fd, &part, 1, offset, RWF_NOWAIT);
      if (count < 0 && cannot(errno)) {
        nowait = false;
        continue;
      }
    } else {
      if (!regular && !ready_now(fd, POLLOUT)) {
        errno = EAGAIN;
        return -1;
      }
      // A pipe or terminal that is ready takes PIPE_BUF bytes without waiting.
      size_t part = regular ? size : std::min<size_t>(size, PIPE_BUF);
      count = ::write(fd, from, part);
    }
    if (count >= 0 || errno != EINTR)
      return count;
  }
}

int HostFile::close() {
  int old = std::exchange(fd, -1);
  // Linux closes the descriptor whatever close() says.
  if (owned && old >= 0 && ::close(old) != 0 && errno != EINTR)
    return errno;
  return 0;
}

void HostFile::replace(int new_fd, bool new_owned, Use use, FileObserver by) {
  close();
  fd = new_fd;
  owned = new_owned;
  allowed = use;
  observer = by;
  inspect();
}

//===-- Opening and closing -----------------------------------------------===//

Stream::Stream(int fd, bool owned, OpenMode mode, Buffering buffering, Use use)
    : file(fd, owned, use), readable(mode.readable), writable(mode.writable),
      mode_of_buffer(buffering) {}

int Stream::close() {
  int error = file.close();
  readable = writable = false;
  dirty.store(false, std::memory_order_release);
  in.clear();
  out.clear();
  in_done = out_done = 0;
  return error ? error : lost;
}

void Stream::replace(int new_fd, bool new_owned, OpenMode mode) {
  close();
  file.replace(new_fd, new_owned);
  readable = mode.readable;
  writable = mode.writable;
  end_of_file = false;
  note_lost(0);
}

int Stream::follow(const HostFile &source) {
  const int copy = fcntl(source.descriptor(), F_DUPFD_CLOEXEC, 3);
  if (copy < 0)
    return errno;
  file.replace(copy, true, source.use(), source.observed_by());
  in_is_of_file = !available();
  return 0;
}

//===-- Writing -----------------------------------------------------------===//

// Moves the file's position back to the first byte that the program has not
// read, and empties the buffer.
void Stream::drop_read_ahead() {
  if (available() && in_is_of_file)
    (void)lseek(descriptor(), -off_t(available()), SEEK_CUR);
  in.clear();
  in_done = 0;
}

void Stream::give_back() {
  if (available() && in_is_of_file &&
      lseek(descriptor(), -off_t(available()), SEEK_CUR) >= 0) {
    in.clear();
    in_done = 0;
  }
}

int Stream::begin_write() {
  if (!writable) {
    error_flag = EBADF;
    return EBADF;
  }
  if (!in.empty())
    drop_read_ahead();
  return 0;
}

int Stream::append(llvm::StringRef text) {
  if (text.size() > MAX_PENDING - std::min(MAX_PENDING, pending()))
    return error_flag = EFBIG;
  total_written = total_accepted - pending();
  out.append(text.data(), text.size());
  total_accepted += text.size();
  dirty.store(pending() != 0, std::memory_order_release);
  if (mode_of_buffer == Buffering::line && !saw_newline)
    saw_newline = text.contains('\n');
  return 0;
}

bool Stream::wants_flush() const {
  if (!pending())
    return false;
  return mode_of_buffer == Buffering::none || pending() >= BUFFER_SIZE ||
         (mode_of_buffer == Buffering::line && saw_newline);
}

Progress Stream::flush(int &error) {
  error = 0;
  while (pending()) {
    ssize_t count = file.try_write(out.data() + out_done, pending());
    if (count >= 0) {
      out_done += size_t(count);
      total_written += uint64_t(count);
      continue;
    }
    if (errno == EAGAIN)
      return Progress::wait_write;
    note_lost(error = errno);
    break;
  }
  out.clear();
  out_done = 0;
  saw_newline = false;
  dirty.store(false, std::memory_order_release);
  return Progress::done;
}

Progress Stream::write_direct(llvm::StringRef data, uint64_t &done,
                              int &error) {
  error = 0;
  while (done < data.size()) {
    ssize_t count = file.try_write(data.data() + done, data.size() - done);
    if (count >= 0) {
      done += uint64_t(count);
      continue;
    }
    if (errno == EAGAIN)
      return Progress::wait_write;
    error = error_flag = errno;
    break;
  }
  return Progress::done;
}

//===-- Reading -----------------------------------------------------------===//

Progress Stream::fill(int &error) {
  // Without a buffer nothing is read ahead: others may read the descriptor.
  in.resize(mode_of_buffer == Buffering::none ? 1 : BUFFER_SIZE);
  in_done = 0;
  in_is_of_file = true;
  ssize_t count = file.try_read(in.data(), in.size());
  int reason = errno;
  in.resize(count > 0 ? size_t(count) : 0);
  if (count == 0)
    end_of_file = true;
  if (count < 0) {
    if (reason == EAGAIN)
      return Progress::wait_read;
    error = error_flag = reason;
  }
  return Progress::done;
}

Progress Stream::read_into(char *to, uint64_t size, uint64_t &done, bool greedy,
                           int &error) {
  error = 0;
  if (!readable) {
    error = error_flag = EBADF;
    return Progress::done;
  }
  while (done < size) {
    if (available()) {
      size_t count = std::min<uint64_t>(available(), size - done);
      memcpy(to + done, in.data() + in_done, count);
      in_done += count;
      done += count;
      continue;
    }
    if (done && !greedy)
      break;
    // As in C, the end of a terminal's or pipe's input stays until clearerr().
    if (end_of_file)
      break;
    if (size - done >= BUFFER_SIZE ||
        mode_of_buffer == Buffering::none) { // no detour through the buffer
      ssize_t count = file.try_read(to + done, size - done);
      if (count < 0 && errno == EAGAIN)
        return Progress::wait_read;
      if (count < 0) {
        error = error_flag = errno;
        break;
      }
      end_of_file = count == 0;
      done += uint64_t(count);
      continue;
    }
    if (fill(error) == Progress::wait_read)
      return Progress::wait_read;
    if (error)
      break;
  }
  return Progress::done;
}

Progress Stream::read(Buffer &to, uint64_t size, uint64_t &done, bool greedy,
                      int &error) {
  error = 0;
  while (done < size) {
    // Grow as bytes arrive: `size` comes from the device.
    uint64_t step = std::min<uint64_t>(
        size - done, std::max<uint64_t>(BUFFER_SIZE, to.size()));
    if (!to.reserve(step)) {
      error = error_flag = ENOMEM;
      return Progress::done;
    }
    uint64_t got = 0;
    Progress progress =
        read_into(to.data() + to.size(), step, got, greedy, error);
    to.grow(got);
    done += got;
    if (progress != Progress::done)
      return progress;
    if (got < step)
      break;
  }
  return Progress::done;
}

Progress Stream::read_line(Buffer &to, uint64_t size, int &error) {
  error = 0;
  if (!readable) {
    error = error_flag = EBADF;
    return Progress::done;
  }
  while (to.size() < size) {
    if (!available()) {
      if (end_of_file)
        break;
      if (fill(error) == Progress::wait_read)
        return Progress::wait_read;
      if (error || !available())
        break;
    }
    llvm::StringRef rest(in.data() + in_done, available());
    size_t newline = rest.find('\n');
    uint64_t count =
        newline == llvm::StringRef::npos ? rest.size() : newline + 1;
    bool whole = newline != llvm::StringRef::npos && count <= size - to.size();
    count = std::min<uint64_t>(count, size - to.size());
    if (!to.append(rest.data(), count)) {
      error = error_flag = ENOMEM;
      break;
    }
    in_done += count;
    if (whole)
      break;
  }
  return Progress::done;
}

int Stream::unget(int character) {
  if (character == -1 || !readable)
    return -1;
  if (in_done == 0) {
    if (in.size() > BUFFER_SIZE + UNGET_ROOM)
      return -1;
    in.insert(0, UNGET_ROOM, '\0');
    in_done = UNGET_ROOM;
  }
  in[--in_done] = char(character);
  end_of_file = false;
  return (unsigned char)character;
}

//===-- Positions ---------------------------------------------------------===//

int Stream::seek(int64_t offset, int whence) {
  if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END)
    return EINVAL;
  if (whence == SEEK_CUR && available() &&
      __builtin_sub_overflow(offset, int64_t(available()), &offset))
    return EOVERFLOW;
  if (file.seek(offset, whence) < 0)
    return errno;
  in.clear();
  in_done = 0;
  end_of_file = false;
  return 0;
}

int64_t Stream::tell(int &error) {
  off_t position = file.seek(0, SEEK_CUR);
  error = position < 0 ? errno : 0;
  if (error)
    return -1;
  // In append mode the pending bytes will go to the end of the file.
  if (pending() && (fcntl(descriptor(), F_GETFL) & O_APPEND)) {
    off_t end = file.seek(0, SEEK_END);
    if (end >= 0)
      position = end;
  }
  return position - int64_t(available()) + int64_t(pending());
}
