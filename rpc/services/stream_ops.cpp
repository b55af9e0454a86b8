//===-- rpc/services/stream_ops.cpp - Opening, closing and moving streams
//---===//
// LLVM's opcodes of spec section 3.8 and our own of class 'G' that give a
// reason when they fail.
//===----------------------------------------------------------------------===//
#include "rpc/services/services.h"
#include "rpc/services/text.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gpuexec::rpc;

namespace {

// A FIFO cannot be opened for writing before it has a reader; others are served
// meanwhile.
Task<int> open_file(Services &services, Port &port, std::string path, int flags,
                    mode_t mode, int &error) {
  for (;;) {
    int fd = services.files.open(path, flags, mode, error);
    struct stat status;
    if (fd >= 0 || error != ENXIO || (flags & O_NONBLOCK) ||
        services.files.status(path, true, status) ||
        !S_ISFIFO(status.st_mode)) {
      if (fd < 0)
        error = fd < 0 ? error : 0;
      co_return fd;
    }
    co_await services.engine.sleep(port, std::chrono::milliseconds(2));
  }
}

Stream::Buffering buffering_of(int fd) {
  return isatty(fd) ? Stream::Buffering::line : Stream::Buffering::full;
}

Task<> open_stream(Services &services, Port &port) {
  LaneBytes paths = co_await port.receive_bytes();
  bool bytes = port.opcode() != RPC_OPEN_FILE;
  std::string modes[64];
  if (bytes) {
    LaneBytes texts = co_await port.receive_bytes();
    port.for_each_lane(
        [&](unsigned lane) { modes[lane] = c_string(texts[lane]); });
  } else {
    co_await port.receive();
    port.for_each_lane([&](unsigned lane) {
      char text[RPC_PACKET_BYTES];
      port.read(lane, text, 0, sizeof text);
      modes[lane] = c_string({text, sizeof text});
    });
  }
  std::shared_ptr<Stream> reopened[64];
  if (port.opcode() == RPC_STREAM_REOPEN) {
    co_await port.receive();
    port.for_each_lane([&](unsigned lane) {
      reopened[lane] = services.tagged(port.word(lane, 0));
    });
  }
  uint64_t old_handles[64] = {};
  if (port.opcode() == RPC_STREAM_REOPEN)
    port.for_each_lane(
        [&](unsigned lane) { old_handles[lane] = port.word(lane, 0); });

  Results results;
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    OpenMode mode;
    int error = 0, fd = -1;
    if (!OpenMode::parse(modes[lane], mode))
      error = EINVAL;
    else if (!paths.complete(lane))
      error = ENOMEM;
    else
      fd = co_await open_file(services, port, c_string(paths[lane]), mode.flags,
                              0666, error);
    // What only appends says at once where that is, as with glibc.
    if (fd >= 0 && (mode.flags & O_APPEND) && !mode.readable)
      lseek(fd, 0, SEEK_END);
    if (port.opcode() != RPC_STREAM_REOPEN) {
      if (fd < 0)
        results.set(lane, 0, error);
      else
        results.set(lane, int64_t(services.streams.add(std::make_shared<Stream>(
                              fd, true, mode, buffering_of(fd)))));
      continue;
    }
    Stream *stream = reopened[lane].get();
    if (!stream) {
      if (fd >= 0)
        close(fd);
      results.set(lane, 0, EBADF);
      continue;
    }
    auto guard = co_await stream->lock.acquire(port);
    co_await services.flush(port, *stream);
    if (fd < 0) {
      stream->close();
      results.set(lane, 0, error);
    } else {
      stream->replace(fd, true, mode);
      stream->set_buffering(stream == services.standard[2].get()
                                ? Stream::Buffering::none
                                : buffering_of(fd));
      results.set(lane, int64_t(old_handles[lane]));
    }
  }
  co_await port.reply(results.values, results.errors);
}

Task<> close_stream(Services &services, Port &port) {
  co_await port.receive();
  uint64_t handles[64];
  port.for_each_lane(
      [&](unsigned lane) { handles[lane] = port.word(lane, 0); });
  Results results;
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    std::shared_ptr<Stream> stream = services.streams.remove(handles[lane]);
    if (!stream) { // standard streams stay, but what is in them goes out
      stream = services.raw(handles[lane]);
      if (!stream) {
        results.set_error(lane, EBADF);
        continue;
      }
    }
    auto guard = co_await stream->lock.acquire(port);
    int flush_error = co_await services.flush(port, *stream);
    bool standard = handles[lane] <= RPC_STREAM_STDERR;
    if (stream->number >= 0 && !standard)
      services.descriptors.remove(uint64_t(stream->number));
    int error = stream->close();
    error = flush_error ? flush_error : error;
    if (standard || port.opcode() != RPC_STREAM_PCLOSE) {
      results.set_error(lane, error);
      continue;
    }
    if (!stream->child) {
      results.set_error(lane, ECHILD);
      continue;
    }
    int status;
    while ((status = stream->child->take_status()) == -1)
      co_await services.engine.wait_for(port, stream->child->descriptor(),
                                        POLLIN);
    results.set(lane, status);
  }
  co_await port.reply(results.values, results.errors);
}

// One packet in, one result out, on one stream per lane.
Task<> stream_state(Services &services, Port &port) {
  co_await port.receive();
  uint64_t words[64][3];
  bool second = port.opcode() == RPC_UNGETC;
  port.for_each_lane([&](unsigned lane) {
    for (unsigned i = 0; i < 3; ++i)
      words[lane][i] = port.word(lane, i);
  });
  Results results;
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    uint64_t word = words[lane][second ? 1 : 0];
    std::shared_ptr<Stream> stream = services.tagged(word);
    if (port.opcode() == RPC_FFLUSH && word == 0) {
      results.set_error(lane, co_await services.flush_all(port));
      continue;
    }
    if (!stream) {
      results.set_error(lane, EBADF);
      continue;
    }
    // What only looks must not wait for one who reads from a terminal: no lock.
    if (port.opcode() == RPC_STREAM_FILENO) {
      int64_t number = stream == services.standard[0]   ? 0
                       : stream == services.standard[1] ? 1
                       : stream == services.standard[2] ? 2
                                                        : -1;
      if (number < 0) {
        auto guard = co_await stream->lock.acquire(port);
        int fd = fcntl(stream->descriptor(), F_DUPFD_CLOEXEC, 3);
        if (fd >= 0 && stream->number < 0)
          stream->number = services.descriptors.add(
              std::make_shared<Descriptor>(fd, true, stream->use()));
        else if (fd >= 0)
          close(fd);
        number = stream->number;
      }
      results.set(lane, number, number < 0 ? EBADF : 0);
      continue;
    }
    auto guard = co_await stream->lock.acquire(port);
    int error = 0;
    switch (port.opcode()) {
    case RPC_FEOF:
      results.set(lane, stream->at_end());
      break;
    case RPC_FERROR:
      results.set(lane, stream->error() != 0);
      break;
    case RPC_CLEARERR:
      stream->clear_error();
      break;
    case RPC_FSEEK:
      error = co_await services.flush(port, *stream);
      if (!error)
        error = stream->seek(int64_t(words[lane][1]),
                             words[lane][2] <= 2 ? int(words[lane][2]) : -1);
      results.set_error(lane, error);
      break;
    case RPC_FTELL: {
      int64_t position = stream->tell(error);
      results.set(lane, position, error);
      break;
    }
    case RPC_FFLUSH: {
      error = co_await services.flush(port, *stream);
      int earlier = stream->take_untold();
      results.set_error(lane, error ? error : earlier);
      break;
    }
    case RPC_UNGETC: {
      if (stream->pending())
        co_await services.flush(port, *stream);
      int character = stream->unget(int(int32_t(words[lane][0])));
      results.set(lane, character);
      break;
    }
    case RPC_STREAM_SETVBUF:
      if (words[lane][1] > 2) {
        results.set_error(lane, EINVAL);
        break;
      }
      co_await services.flush(port, *stream);
      stream->set_buffering(Stream::Buffering(words[lane][1]));
      break;
    default:
      break;
    }
  }
  co_await port.reply(results.values, results.errors);
}

// Streams that do not begin with a path.
Task<> make_stream(Services &services, Port &port) {
  bool popen = port.opcode() == RPC_STREAM_POPEN;
  LaneBytes commands;
  if (popen)
    commands = co_await port.receive_bytes();
  co_await port.receive();
  std::string modes[64];
  uint64_t numbers[64] = {};
  port.for_each_lane([&](unsigned lane) {
    numbers[lane] = port.word(lane, 0);
    char text[RPC_PACKET_BYTES] = {};
    if (popen) {
      port.read(lane, text, 0, sizeof text);
    } else { // a call's words may come in columns, not as a packet's bytes
      const uint64_t words[] = {port.word(lane, 1), port.word(lane, 2)};
      memcpy(text, words, sizeof words);
    }
    modes[lane] = c_string({text, sizeof text});
  });
  if (popen)
    co_await services.flush_all(port);
  Results results;
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    const unsigned lane = unsigned(llvm::countr_zero(left));
    OpenMode mode;
    int fd = -1, error = 0;
    Use use = Use::any;
    std::unique_ptr<Child> child;
    if (port.opcode() == RPC_STREAM_TEMPORARY) {
      OpenMode::parse("w+", mode);
      fd = services.files.sandboxed()
               ? -1
               : ::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
      if (services.files.sandboxed())
        fd = services.files.open(".", O_TMPFILE | O_RDWR, 0600, error);
      else if (fd < 0)
        error = errno;
    } else if (port.opcode() == RPC_STREAM_FROM_DESCRIPTOR) {
      auto found = services.descriptors.find(numbers[lane]);
      if (!OpenMode::parse(modes[lane], mode))
        error = EINVAL;
      else if (!found)
        error = EBADF;
      else if ((fd = fcntl(found->file.descriptor(), F_DUPFD_CLOEXEC, 3)) < 0)
        error = errno;
      else
        use = found->file.use();
    } else if (services.files.sandboxed()) {
      error = EPERM;
    } else if (!commands.complete(lane)) {
      error = ENOMEM;
    } else if (modes[lane] != "r" && modes[lane] != "w") {
      error = EINVAL;
    } else {
      OpenMode::parse(modes[lane], mode);
      int ends[2];
      if (pipe2(ends, O_CLOEXEC)) {
        error = errno;
      } else {
        const bool reads = mode.readable;
        UniqueFd ours(ends[reads ? 0 : 1]), theirs(ends[reads ? 1 : 0]);
        const ServerOptions &o = services.options;
        child =
            co_await start_child(services, port, c_string(commands[lane]),
                                 {reads ? o.stdin_fd : theirs.get(),
                                  reads ? theirs.get() : o.stdout_fd,
                                  o.stderr_fd},
                                 error);
        if (child)
          fd = ours.release();
      }
    }
    if (fd < 0) {
      results.set(lane, 0, error);
      continue;
    }
    auto stream =
        std::make_shared<Stream>(fd, true, mode, Stream::Buffering::full, use);
    stream->child = std::move(child);
    // fdopen(): the number is the stream's from now on, and ends with it.
    if (port.opcode() == RPC_STREAM_FROM_DESCRIPTOR)
      stream->number = int64_t(numbers[lane]);
    results.set(lane, int64_t(services.streams.add(std::move(stream))));
  }
  co_await port.reply(results.values, results.errors);
}

Task<> rename_or_remove(Services &services, Port &port) {
  LaneBytes old_paths = co_await port.receive_bytes();
  LaneBytes new_paths;
  bool rename = port.opcode() == RPC_RENAME;
  if (rename)
    new_paths = co_await port.receive_bytes();
  Results results;
  port.for_each_lane([&](unsigned lane) {
    if (!old_paths.complete(lane) || (rename && !new_paths.complete(lane)))
      return results.set_error(lane, ENOMEM);
    std::string path = c_string(old_paths[lane]);
    if (rename)
      return results.set_error(
          lane, services.files.rename(path, c_string(new_paths[lane])));
    // remove() of C takes files and empty directories.
    int error = services.files.remove(path, false);
    if (error == EISDIR || error == EPERM) {
      int as_directory = services.files.remove(path, true);
      error = as_directory == ENOTDIR ? error : as_directory;
    }
    results.set_error(lane, error);
  });
  co_await port.reply(results.values, results.errors);
}

} // namespace

void gpuexec::rpc::add_stream_services(Services &services) {
  RPC_SERVE(services, OPEN_FILE, open_stream);
  RPC_SERVE(services, CLOSE_FILE, close_stream);
  RPC_SERVE(services, FEOF, stream_state);
  RPC_SERVE(services, FERROR, stream_state);
  RPC_SERVE(services, CLEARERR, stream_state);
  RPC_SERVE(services, FSEEK, stream_state);
  RPC_SERVE(services, FTELL, stream_state);
  RPC_SERVE(services, FFLUSH, stream_state);
  RPC_SERVE(services, UNGETC, stream_state);
  if (!(services.options.disabled_features & RPC_FEATURE_POSIX)) {
    RPC_SERVE(services, STREAM_OPEN, open_stream);
    RPC_SERVE(services, STREAM_REOPEN, open_stream);
    RPC_SERVE(services, STREAM_PCLOSE, close_stream);
    RPC_SERVE(services, STREAM_FILENO, stream_state);
    RPC_SERVE(services, STREAM_SETVBUF, stream_state);
    RPC_SERVE(services, STREAM_FROM_DESCRIPTOR, make_stream);
    RPC_SERVE(services, STREAM_TEMPORARY, make_stream);
    RPC_SERVE(services, STREAM_POPEN, make_stream);
  }
  RPC_SERVE(services, REMOVE, rename_or_remove);
  RPC_SERVE(services, RENAME, rename_or_remove);
}
