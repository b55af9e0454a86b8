//===-- rpc/services/services.cpp - Host code behind the opcodes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/services.h"
#include "rpc/server/signals.h"
#include "rpc/services/plugins.h"
#include "rpc/services/replay.h"
#include "rpc/services/serve.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

Services::Services(OutcomeRecord &outcome, DeviceMemory &memory,
                   std::function<void()> interrupt, ServerOptions options,
                   FileSystem files)
    : outcome(outcome), memory(memory), options(std::move(options)),
      files(std::move(files)), heap(memory), alarm(outcome),
      signals(this->options.journal ? nullptr : this->options.signals,
              std::move(interrupt)),
      commands(this->options.journal.get(), this->options.stdout_fd,
               this->options.stderr_fd) {
  auto line = Stream::Buffering::line, full = Stream::Buffering::full,
       none = Stream::Buffering::none;
  const ServerOptions &o = this->options;
  const Use input = o.sandbox ? Use::reading : Use::any,
            output = o.sandbox ? Use::writing : Use::any;
  const OpenMode read = {O_RDONLY, true, false},
                 write = {O_WRONLY, false, true};
  standard[0] = std::make_shared<Stream>(o.stdin_fd, false, read, full, input);
  standard[1] = std::make_shared<Stream>(
      o.stdout_fd, false, write, isatty(o.stdout_fd) ? line : full, output);
  standard[2] =
      std::make_shared<Stream>(o.stderr_fd, false, write, none, output);
  descriptors.add(std::make_shared<Descriptor>(o.stdin_fd, false, input));
  for (int fd : {o.stdout_fd, o.stderr_fd})
    descriptors.add(std::make_shared<Descriptor>(fd, false, output));
  if (o.journal && !o.journal->replays())
    for (int number : {1, 2}) {
      standard[number]->host_file().observe({o.journal.get(), number});
      descriptors.find(uint64_t(number))
          ->file.observe({o.journal.get(), number});
    }
  struct sigaction action;
  pipe_signal_ignored =
      sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

Services::~Services() = default;

llvm::Expected<std::unique_ptr<Services>>
Services::create(Registry &registry, OutcomeRecord &outcome,
                 DeviceMemory &memory, std::function<void()> interrupt,
                 ServerOptions options) {
  auto files = FileSystem::create(options.sandbox, options.directories,
                                  options.working_directory);
  if (!files)
    return files.takeError();
  std::unique_ptr<Services> services(
      new Services(outcome, memory, std::move(interrupt), std::move(options),
                   std::move(*files)));
  static const Service SERVICES[] = {
#define RPC_OPCODE(NAME, VALUE, FEATURE, SEQUENCE) SERVICE_##NAME,
#include "rpc/protocol/opcodes.def"
  };
  const Journal *journal = services->options.journal.get();
  for (size_t i = 0; i < std::size(OPCODES); ++i) {
    const OpcodeInfo &info = OPCODES[i];
    if (info.feature & services->withheld_features())
      continue;
    Operation operation = {std::string(info.name), SERVICES[i], services.get()};
    if (journal && journal->replays() && !has_own_replay(info)) {
      operation.service = {replay_call, nullptr};
      operation.context =
          services->replayed
              .emplace_back(new ReplayedOperation{*services, info})
              .get();
    }
    registry.add(info.opcode, std::move(operation));
  }
  auto plugins = Plugins::load(*services, registry);
  if (!plugins)
    return plugins.takeError();
  services->plugins = std::move(*plugins);
  return services;
}

void *Services::host_view(DeviceAddress address, uint64_t size, bool writable) {
  uint64_t offset = address - output_text;
  if (output && offset < RPC_OUTPUT_BYTES && size <= RPC_OUTPUT_BYTES - offset)
    return output->text + offset;
  return memory.host_view(address, size, writable);
}

std::shared_ptr<Stream> Services::tagged(uint64_t word) {
  unsigned tag = word & RPC_STREAM_TAG_MASK;
  return tag == RPC_STREAM_FILE ? streams.find(word) : standard[tag - 1];
}

std::shared_ptr<Stream> Services::raw(uint64_t handle) {
  if (handle >= RPC_STREAM_STDIN && handle <= RPC_STREAM_STDERR)
    return standard[handle - 1];
  return streams.find(handle);
}

std::vector<std::shared_ptr<Stream>> Services::all_streams() {
  std::vector<std::shared_ptr<Stream>> all = streams.all();
  all.insert(all.begin(), std::begin(standard), std::end(standard));
  return all;
}

Task<int> Services::open_file(Port &port, std::string path, int flags,
                              mode_t mode, int &error) {
  for (;;) {
    int fd = files.open(path, flags, mode, error);
    struct stat status;
    // ENXIO: a FIFO without a reader. Other ports are served meanwhile.
    if (fd >= 0 || error != ENXIO || (flags & O_NONBLOCK) ||
        files.status(path, true, status) || !S_ISFIFO(status.st_mode))
      co_return fd;
    co_await port.sleep(std::chrono::milliseconds(2));
  }
}

Task<int> Services::follow_descriptor(Port &port, uint64_t number) {
  if (number >= std::size(standard))
    co_return 0;
  Stream &stream = *standard[number];
  auto guard = co_await stream.lock.acquire(port);
  auto descriptor = descriptors.find(number);
  co_return descriptor ? stream.follow(descriptor->file) : EBADF;
}

int Services::descriptor_for_child(uint64_t number) {
  auto descriptor = descriptors.find(number);
  if (!descriptor)
    return -1;
  const int stream = descriptor->file.observed_by().stream;
  return stream ? commands.descriptor(stream) : descriptor->file.descriptor();
}

//===-- Writing out -------------------------------------------------------===//

void Services::pipe_broke() {
  if (pipe_signal_ignored)
    return; // the program only gets EPIPE
  outcome.finish({Outcome::Kind::closed_pipe});
}

Task<int> Services::flush(Port &port, Stream &stream) {
  int error = 0;
  while (stream.flush(error) == Progress::wait_write)
    co_await port.wait_for(stream.descriptor(), POLLOUT);
  if (error == EPIPE)
    pipe_broke();
  co_return error;
}

Task<int> Services::flush_all(Port &port) {
  int first = 0;
  co_await commands.write_on(port);
  for (const std::shared_ptr<Stream> &stream : all_streams()) {
    // Take the lock only if there is output: its holder may wait for a
    // terminal.
    int error = 0;
    if (stream->may_have_pending()) {
      auto guard = co_await stream->lock.acquire(port);
      error = co_await flush(port, *stream);
    }
    int earlier = stream->take_untold();
    first = first ? first : error ? error : earlier;
  }
  co_return first;
}

Task<> Services::flush_prompt(Port &port, Stream &reading) {
  if (&reading != standard[0].get())
    co_return;
  if (!standard[1]->may_have_pending())
    co_return;
  auto guard = co_await standard[1]->lock.acquire(port);
  co_await flush(port, *standard[1]);
}

llvm::Error Services::flush_all_now(Poller::Clock::time_point deadline) {
  NoPipeSignal no_signal;
  commands.write_on_now(deadline);
  llvm::Error result = llvm::Error::success();
  auto note = [&](const Stream &stream, int error) {
    // Lost output of standard error is no error, as for a native program.
    if (!error || result || &stream == standard[2].get())
      return;
    const char *name =
        stream.descriptor() == options.stdout_fd   ? "standard output"
        : stream.descriptor() == options.stderr_fd ? "standard error"
                                                   : "an open file";
    result =
        llvm::createStringError(std::error_code(error, std::generic_category()),
                                "cannot write %s: %s", name, strerror(error));
  };
  for (const std::shared_ptr<Stream> &stream : all_streams()) {
    if (!stream->may_have_pending() && !stream->lost_output())
      continue;
    // The lock's holder may wait for the file's reader: wait for the lock until
    // the deadline.
    bool locked;
    while (!(locked = stream->lock.try_lock()) &&
           Poller::Clock::now() < deadline)
      usleep(100);
    if (!locked)
      continue;
    int error = 0;
    while (stream->flush(error) == Progress::wait_write &&
           Poller::Clock::now() < deadline) {
      pollfd file = {stream->descriptor(), POLLOUT, 0};
      poll(&file, 1, 20);
    }
    if (error == EPIPE)
      pipe_broke();
    // A closed pipe is an error only for standard output of a program that
    // ignores SIGPIPE; in other cases the outcome says it already.
    const bool is_standard = stream.get() == standard[1].get();
    if (!error)
      error = stream->lost_output();
    if (error != EPIPE || (pipe_signal_ignored && is_standard))
      note(*stream, error);
    stream->lock.unlock();
  }
  return result;
}

std::shared_ptr<const Format> Services::format(llvm::StringRef text,
                                               Format::Packing packing) {
  // Programs use few formats, and use them often. MOST bounds the memory of a
  // device that sends new formats all the time.
  static constexpr size_t MOST = 256, LONGEST = 512;
  if (text.size() > LONGEST)
    return std::make_shared<const Format>(text, packing);
  std::lock_guard lock(formats_mutex);
  auto &known = formats[size_t(packing)];
  if (known.size() >= MOST)
    known.clear();
  std::shared_ptr<const Format> &slot = known[text];
  if (!slot)
    slot = std::make_shared<const Format>(text, packing);
  return slot;
}

bool Services::has_pending_output() {
  for (const std::shared_ptr<Stream> &stream : all_streams())
    if (stream->may_have_pending())
      return true;
  return false;
}

Task<> Services::write_lanes(Port &port, uint64_t lanes, Write (&writes)[64],
                             Result (&results)[64]) {
  uint64_t left = lanes;
  while (left) {
    // Take the neighbouring lanes that write to the same stream.
    unsigned first = unsigned(llvm::countr_zero(left));
    Stream *stream = writes[first].stream;
    if (!stream) {
      results[first] = Result(0, EBADF);
      left &= left - 1;
      continue;
    }
    auto guard = co_await stream->lock.acquire(port);
    uint64_t ends[64], run = 0;
    int refused = stream->begin_write();
    while (left) {
      unsigned lane = unsigned(llvm::countr_zero(left));
      if (writes[lane].stream != stream)
        break;
      left &= left - 1;
      int error = refused ? refused : stream->append(writes[lane].text);
      if (error) {
        results[lane] = Result(0, error);
        continue;
      }
      uint64_t size = writes[lane].text.size();
      if (writes[lane].newline && !stream->append("\n"))
        ++size;
      results[lane] = Result(int64_t(size));
      ends[lane] = stream->accepted();
      run |= uint64_t(1) << lane;
    }
    if (!stream->wants_flush())
      continue;
    int error = co_await flush(port, *stream);
    if (!error)
      continue;
    // Lanes whose texts were lost, wholly or in part, get fewer bytes and the
    // error.
    for (; run; run &= run - 1) {
      unsigned lane = unsigned(llvm::countr_zero(run));
      uint64_t lost = ends[lane] - std::min(ends[lane], stream->written());
      int64_t size = results[lane].value;
      if (lost)
        results[lane] = Result(size - std::min(size, int64_t(lost)), error);
    }
  }
}
