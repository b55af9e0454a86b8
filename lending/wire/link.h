//===-- lending/wire/link.h - The way to another process --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a device of another process is reached: an isolated process that this one
// has started, or a worker of `gpuexec serve`.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_LINK_H
#define GPUEXEC_LENDING_WIRE_LINK_H

#include "lending/wire/errors.h"
#include <memory>

namespace gpuexec::wire {

/// A part of the host's memory, and the file that holds it.
struct SharedPart {
  Part place;
  UniqueFd file;
};

/// The fields of a reply, as bytes.
struct Answer {
  std::string body;
  std::optional<SharedPart> part; ///< that came with the reply
};

/// The fields of the reply to a request of type R.
template <typename R> struct Replied : R::Reply {
  std::unique_ptr<std::string> body; ///< that fields of type Bytes refer to
  std::optional<SharedPart> part;
};

class Link {
public:
  using Limit = std::optional<std::chrono::milliseconds>;

  virtual ~Link() = default;
  /// Asks and waits for the reply; one thread at a time, others wait. Errors:
  /// Failure or DeviceFault as the other side says; Failure when it has ended,
  /// has no answer within `limit`, or replies nonsense.
  template <typename R>
  llvm::Expected<Replied<R>> ask(const R &request, Limit limit = std::nullopt) {
    return replied<R>(exchange(R::KIND, encode(request), limit));
  }
  /// As ask(), for Launch, which takes as long as the kernel runs.
  llvm::Expected<Replied<Launch>> launch(const Launch &request) {
    return replied<Launch>(exchange_launch(encode(request)));
  }
  /// Sends a request whose reply has no fields. Over some links it does not
  /// wait for the reply: then the next ask() or launch() may return the
  /// request's error. Returns the number of the request, for settle().
  template <typename R> llvm::Expected<uint64_t> post(const R &request) {
    static_assert(std::is_empty_v<typename R::Reply>);
    return post_bytes(R::KIND, encode(request));
  }
  /// Waits for the replies to all requests up to this number. Returns the first
  /// error; or a Failure, if another call has returned an error of an earlier
  /// post().
  virtual llvm::Error settle(uint64_t number) { return llvm::Error::success(); }
  /// Sends a message that has no reply. If the other side has gone, the next
  /// ask() fails.
  template <typename T> void notify(const T &message) {
    notify_bytes(T::KIND, encode(message));
  }
  /// Ends the other process, or its work for this one, so that whoever waits
  /// for its reply gets an error.
  virtual void kill() = 0;
  /// True when both processes have mapped the memory that AllocateHost gives.
  /// False when this process has a copy, which is updated only when HostBuffer
  /// (loader/device/device.h) says so.
  virtual bool shares_memory() const { return true; }
  /// The most bytes that one request copies; at most LARGEST_SOCKET_COPY.
  virtual uint32_t largest_copy() const { return LARGEST_PIPE_COPY; }
  /// The name of the other side in texts for the user: "the emulator's
  /// process".
  virtual const char *name() const = 0;
  /// Failure that says that the other side has sent an invalid reply.
  llvm::Error nonsense() const { return nonsense_of(name()); }

protected:
  // The same as the functions above, for a message's kind and body.
  virtual llvm::Expected<Answer> exchange(uint32_t kind, llvm::StringRef body,
                                          Limit limit) = 0;
  virtual llvm::Expected<Answer> exchange_launch(llvm::StringRef body) = 0;
  virtual llvm::Expected<uint64_t> post_bytes(uint32_t kind,
                                              llvm::StringRef body) {
    if (llvm::Error error = exchange(kind, body, std::nullopt).takeError())
      return std::move(error);
    return 0;
  }
  virtual void notify_bytes(uint32_t kind, llvm::StringRef body) {
    llvm::consumeError(exchange(kind, body, std::nullopt).takeError());
  }

  template <typename R>
  llvm::Expected<Replied<R>> replied(llvm::Expected<Answer> answer) {
    if (!answer)
      return answer.takeError();
    auto body = std::make_unique<std::string>(std::move(answer->body));
    std::optional<typename R::Reply> fields = decode<typename R::Reply>(*body);
    if (!fields)
      return nonsense();
    return Replied<R>{std::move(*fields), std::move(body),
                      std::move(answer->part)};
  }
};

} // namespace gpuexec::wire

#endif
