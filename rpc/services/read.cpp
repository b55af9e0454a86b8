//===-- rpc/services/read.cpp - READ_FROM_STREAM, READ_FGETS (section 3.7) ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes read one after another, in lane order; neighbours that read from one
// stream do so under one lock.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include <poll.h>

using namespace gpuexec::rpc;

/// Reads as fgets() if LINE, else as fread().
template <rpc_opcode CODE, bool LINE>
static Task<> read_data(Services &services, Port &port) {
  Call<CODE, ResultBytes<Buffer>> call(port);
  co_await call.request();
  ServiceLock::Guard guard(nullptr);
  std::shared_ptr<Stream> locked;
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    unsigned lane = unsigned(llvm::countr_zero(left));
    auto &result = call.results[lane];
    std::shared_ptr<Stream> stream = services.tagged(call.word("stream", lane));
    result = Result(0, stream ? 0 : EBADF);
    if (!stream)
      continue;
    if (stream != locked) {
      guard.release();
      guard = co_await stream->lock.acquire(port);
      locked = stream;
    }
    const uint64_t size = call.word("size", lane);
    Buffer bytes(port.budget());
    uint64_t done = 0;
    int error = 0;
    const ProgramSignals::Wait wait(services.signals);
    if (LINE && size == 0)
      continue;
    if (stream->pending()) // what was written comes before what is read
      co_await services.flush(port, *stream);
    if (stream->is_interactive())
      co_await services.flush_prompt(port, *stream);
    for (;;) {
      Progress progress =
          LINE ? stream->read_line(bytes, size - 1, error)
               : stream->read(bytes, size - done, done, true, error);
      if (progress == Progress::done)
        break;
      if (!bytes.size() && wait.is_over()) {
        error = EINTR;
        break;
      }
      co_await services.flush_prompt(port, *stream);
      co_await port.wait_for(stream->descriptor(), POLLIN);
    }
    result = Result(int64_t(bytes.size()), error);
    // fgets: the NUL counts; nothing at all means end of file or an error. A
    // buffer of one byte holds the empty line that was asked for.
    if (LINE && (bytes.size() || (size == 1 && !error)))
      if (!bytes.append("", 1))
        bytes.clear();
    result.bytes = std::move(bytes);
  }
  guard.release();
  co_await call.answer();
}

RPC_SERVE(READ_FROM_STREAM, read_data<RPC_READ_FROM_STREAM, false>)
RPC_SERVE(READ_FGETS, read_data<RPC_READ_FGETS, true>)
