//===-- rpc/services/stream_ops.cpp - Opening, closing, moving streams ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's opcodes of spec section 3.8 and gpuexec's STREAM_*.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace gpuexec::rpc;

namespace {

//===-- Opening -----------------------------------------------------------===//

Stream::Buffering buffering_of(int fd) {
  return isatty(fd) ? Stream::Buffering::line : Stream::Buffering::full;
}

/// Opens a file for a stream of mode `mode_text`; -1 and `error` on failure.
Task<int> open_for_stream(Services &services, Port &port, std::string path,
                          const std::string &mode_text, OpenMode &mode,
                          int &error) {
  error = EINVAL;
  if (!OpenMode::parse(mode_text, mode))
    co_return -1;
  int fd = co_await services.open_file(port, std::move(path), mode.flags, 0666,
                                       error);
  // ftell() of a stream that only appends is the end at once, as with glibc.
  if (fd >= 0 && (mode.flags & O_APPEND) && !mode.readable)
    lseek(fd, 0, SEEK_END);
  co_return fd;
}

Result add_stream(Services &services, std::shared_ptr<Stream> stream) {
  return int64_t(services.streams.add(std::move(stream)));
}

Task<Result> open_stream(Services &services, Port &port, std::string path,
                         std::string mode_text) {
  OpenMode mode;
  int error;
  int fd = co_await open_for_stream(services, port, std::move(path), mode_text,
                                    mode, error);
  if (fd < 0)
    co_return Result::failure(error);
  co_return add_stream(
      services, std::make_shared<Stream>(fd, true, mode, buffering_of(fd)));
}

/// freopen() of a standard stream: its descriptor becomes the new file, too.
void move_descriptor(Services &services, uint64_t number, int fd) {
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (copy >= 0)
    services.descriptors.replace(number,
                                 std::make_shared<Descriptor>(copy, true));
}

Task<Result> reopen_stream(Services &services, Port &port, std::string path,
                           std::string mode_text, uint64_t handle) {
  std::shared_ptr<Stream> stream = services.tagged(handle);
  OpenMode mode;
  int error;
  int fd = co_await open_for_stream(services, port, std::move(path), mode_text,
                                    mode, error);
  if (!stream) {
    if (fd >= 0)
      close(fd);
    co_return Result::failure(EBADF);
  }
  auto guard = co_await stream->lock.acquire(port);
  co_await services.flush(port, *stream);
  if (fd < 0) {
    stream->close();
    co_return Result::failure(error);
  }
  stream->replace(fd, true, mode);
  stream->set_buffering(stream == services.standard[2] ? Stream::Buffering::none
                                                       : buffering_of(fd));
  for (uint64_t number = 0; number < 3; ++number)
    if (stream == services.standard[number])
      move_descriptor(services, number, fd);
  co_return int64_t(handle);
}

Result open_temporary(Services &services) {
  OpenMode mode;
  OpenMode::parse("w+", mode);
  int error = 0;
  int fd = services.files.sandboxed()
               ? services.files.open(".", O_TMPFILE | O_RDWR, 0600, error)
               : ::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0)
    return Result::failure(error ? error : errno);
  return add_stream(services, std::make_shared<Stream>(
                                  fd, true, mode, Stream::Buffering::full));
}

// fdopen(): closing the stream closes the descriptor `number`, too.
Result stream_of_descriptor(Services &services, uint64_t number,
                            const std::string &mode_text) {
  OpenMode mode;
  if (!OpenMode::parse(mode_text, mode))
    return Result::failure(EINVAL);
  auto found = services.descriptors.find(number);
  if (!found)
    return Result::failure(EBADF);
  const int flags = fcntl(found->file.descriptor(), F_GETFL);
  const int access = flags & O_ACCMODE;
  if ((mode.readable && access == O_WRONLY) ||
      (mode.writable && access == O_RDONLY))
    return Result::failure(EINVAL);
  int fd = fcntl(found->file.descriptor(), F_DUPFD_CLOEXEC, 3);
  if (fd < 0)
    return Result::failure(errno);
  // As with glibc, "a" makes the open file one that appends, also for its other
  // descriptors; not where other processes share it.
  if ((mode.flags & O_APPEND) && found->file.use() == Use::any) {
    if (!(flags & O_APPEND))
      fcntl(fd, F_SETFL, flags | O_APPEND);
    if (!mode.readable)
      lseek(fd, 0, SEEK_END);
  }
  auto stream = std::make_shared<Stream>(
      fd, true, mode, Stream::Buffering::full, found->file.use());
  stream->host_file().observe(found->file.observed_by());
  stream->number = int64_t(number);
  return add_stream(services, std::move(stream));
}

Task<Result> open_command(Services &services, Port &port, std::string command,
                          std::string mode_text) {
  co_await services.flush_all(port);
  if (services.files.sandboxed())
    co_return Result::failure(EPERM);
  const bool reads = mode_text == "r";
  if (!reads && mode_text != "w")
    co_return Result::failure(EINVAL);
  OpenMode mode;
  OpenMode::parse(mode_text, mode);
  int error = 0;
  gpuexec::Pipe pipe;
  if (!pipe.make())
    co_return Result::failure(errno);
  auto &ours = reads ? pipe.read : pipe.write;
  auto &theirs = reads ? pipe.write : pipe.read;
  auto child = co_await start_child(
      services, port, std::move(command),
      {reads ? services.descriptor_for_child(0) : theirs.get(),
       reads ? theirs.get() : services.descriptor_for_child(1),
       services.descriptor_for_child(2)},
      error);
  if (!child)
    co_return Result::failure(error);
  auto stream = std::make_shared<Stream>(ours.release(), true, mode,
                                         Stream::Buffering::full);
  stream->child = std::move(child);
  co_return add_stream(services, std::move(stream));
}

//===-- Closing -----------------------------------------------------------===//

/// fclose(), or pclose() if WAITS: waits for the stream's command, whose status
/// is the result.
template <bool WAITS>
Task<Result> close_stream(Services &services, Port &port, uint64_t handle) {
  std::shared_ptr<Stream> stream = services.streams.remove(handle);
  if (!stream) // a standard stream: its handle and the host's file stay open
    stream = services.raw(handle);
  if (!stream)
    co_return Result::failure(EBADF);
  auto guard = co_await stream->lock.acquire(port);
  int flush_error = co_await services.flush(port, *stream);
  bool standard = handle <= RPC_STREAM_STDERR;
  if (stream->number >= 0 && !standard)
    services.descriptors.remove(uint64_t(stream->number));
  int error = stream->close();
  if (standard || !WAITS)
    co_return Result::of(flush_error ? flush_error : error);
  if (!stream->child)
    co_return Result::failure(ECHILD);
  int status;
  while ((status = stream->child->take_status()) == -1)
    co_await port.wait_for(stream->child->descriptor(), POLLIN);
  co_await services.commands.write_on(port);
  co_return status;
}

//===-- An open stream ----------------------------------------------------===//

Result at_end(Services &, Stream &stream) { return stream.at_end(); }
Result has_failed(Services &, Stream &stream) { return stream.error() != 0; }
Result clear_error(Services &, Stream &stream) {
  stream.clear_error();
  return 0;
}

Result seek(Services &, Stream &stream, Flushed flushed, int64_t offset,
            uint64_t whence) {
  if (flushed.error)
    return Result::failure(flushed.error);
  return Result::of(stream.seek(offset, whence <= 2 ? int(whence) : -1));
}

Result tell(Services &, Stream &stream) {
  int error = 0;
  int64_t position = stream.tell(error);
  return Result(position, error);
}

Task<Result> flush(Services &services, Port &port, uint64_t handle) {
  if (handle == 0)
    co_return Result::of(co_await services.flush_all(port));
  std::shared_ptr<Stream> stream = services.tagged(handle);
  if (!stream)
    co_return Result::failure(EBADF);
  auto guard = co_await stream->lock.acquire(port);
  int error = stream->pending() ? co_await services.flush(port, *stream) : 0;
  int earlier = stream->take_untold();
  co_return Result::of(error ? error : earlier);
}

Result unget(Services &, int32_t character, Stream &stream, Flushed) {
  return stream.unget(character);
}

Result set_buffering(Services &, Stream &stream, Flushed, uint64_t mode,
                     uint64_t size) {
  if (mode > 2)
    return Result::failure(EINVAL);
  stream.set_buffering(Stream::Buffering(mode));
  return 0;
}

Task<Result> stream_number(Services &services, Port &port, uint64_t handle) {
  std::shared_ptr<Stream> stream = services.tagged(handle);
  if (!stream)
    co_return Result::failure(EBADF);
  // Before taking the lock, whose holder may wait for a terminal.
  for (int number = 0; number < 3; ++number)
    if (stream == services.standard[number])
      co_return number;
  auto guard = co_await stream->lock.acquire(port);
  int fd = fcntl(stream->descriptor(), F_DUPFD_CLOEXEC, 3);
  if (fd >= 0 && stream->number < 0) {
    auto descriptor = std::make_shared<Descriptor>(fd, true, stream->use());
    descriptor->file.observe(stream->host_file().observed_by());
    stream->number = services.descriptors.add(std::move(descriptor));
  } else if (fd >= 0) {
    close(fd);
  }
  const int64_t number = stream->number;
  co_return Result(number, number < 0 ? EBADF : 0);
}

} // namespace

RPC_SERVE(OPEN_FILE, open_stream)
RPC_SERVE(CLOSE_FILE, close_stream<false>)
RPC_SERVE(FEOF, at_end)
RPC_SERVE(FERROR, has_failed)
RPC_SERVE(CLEARERR, clear_error)
RPC_SERVE(FSEEK, seek)
RPC_SERVE(FTELL, tell)
RPC_SERVE(FFLUSH, flush)
RPC_SERVE(UNGETC, unget)
RPC_SERVE(STREAM_OPEN, open_stream)
RPC_SERVE(STREAM_REOPEN, reopen_stream)
RPC_SERVE(STREAM_FROM_DESCRIPTOR, stream_of_descriptor)
RPC_SERVE(STREAM_TEMPORARY, open_temporary)
RPC_SERVE(STREAM_POPEN, open_command)
RPC_SERVE(STREAM_PCLOSE, close_stream<true>)
RPC_SERVE(STREAM_FILENO, stream_number)
RPC_SERVE(STREAM_SETVBUF, set_buffering)
