//===-- rpc/services/read.cpp - READ_FROM_STREAM, READ_FGETS (section 3.7)
//--===//
// Lanes read one after another, in lane order; lanes of one stream under one
// lock.
//===----------------------------------------------------------------------===//
#include "rpc/services/services.h"
#include <poll.h>

using namespace gpuexec::rpc;

static Task<> read_data(Services &services, Port &port) {
  bool line = port.opcode() == RPC_READ_FGETS;
  co_await port.receive();
  std::shared_ptr<Stream> streams[64];
  uint64_t sizes[64];
  port.for_each_lane([&](unsigned lane) {
    sizes[lane] = port.word(lane, 0);
    streams[lane] = services.tagged(port.word(lane, 1));
  });

  auto data = std::make_unique<Buffer[]>(64);
  llvm::StringRef texts[64];
  Results results;
  ServiceLock::Guard guard(nullptr);
  Stream *locked = nullptr;
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    Stream *stream = streams[lane].get();
    if (!stream) {
      results.set(lane, 0, EBADF);
      continue;
    }
    if (stream != locked) {
      guard.release();
      guard = co_await stream->lock.acquire(port);
      locked = stream;
    }
    data[lane] = Buffer(port.budget());
    Buffer &bytes = data[lane];
    uint64_t done = 0;
    int error = 0;
    if (line && sizes[lane] == 0)
      continue;
    if (stream->pending()) // what was written comes before what is read
      co_await services.flush(port, *stream);
    if (stream->is_interactive())
      co_await services.flush_prompt(port, *stream);
    for (;;) {
      Progress progress =
          line ? stream->read_line(bytes, sizes[lane] - 1, error)
               : stream->read(bytes, sizes[lane] - done, done, true, error);
      if (progress == Progress::done)
        break;
      co_await services.flush_prompt(port, *stream);
      co_await services.engine.wait_for(port, stream->descriptor(), POLLIN);
    }
    results.set(lane, int64_t(bytes.size()), error);
    // fgets: the NUL counts; nothing at all means end of file or an error. A
    // buffer of one byte holds the empty line that was asked for.
    if (line && (bytes.size() || (sizes[lane] == 1 && !error)))
      if (!bytes.append("", 1))
        bytes.clear();
    texts[lane] = bytes.text();
  }
  guard.release();
  co_await port.send_bytes(texts);
  if (!line)
    co_await port.reply(results.values, results.errors);
}

void gpuexec::rpc::add_read_services(Services &services) {
  RPC_SERVE(services, READ_FROM_STREAM, read_data);
  RPC_SERVE(services, READ_FGETS, read_data);
}
