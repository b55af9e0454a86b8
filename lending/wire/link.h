//===-- lending/wire/link.h - The way to another process --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a device of another process is reached: an isolated process that this one
// has started, or a worker of `gpuexec serve`.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_LINK_H
#define GPUEXEC_LENDING_WIRE_LINK_H

#include "lending/wire/channel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace gpuexec::remote {

/// What another process has replied.
struct Answer {
  std::string body;
  std::vector<UniqueFd> descriptors;
};

class Link {
public:
  virtual ~Link() = default;
  /// Asks and waits for the reply; one thread at a time, others wait. Errors:
  /// Failure or DeviceFault as the other side says; Failure when it has ended
  /// or has no answer within `limit`.
  virtual llvm::Expected<Answer>
  ask(Request request, llvm::StringRef body,
      std::optional<std::chrono::milliseconds> limit = std::nullopt) = 0;
  /// Asks for something that replies nothing but errors, which may be told by
  /// the next ask() or ask_launch(): over some links nobody waits for them. The
  /// number of the request, for settle().
  virtual llvm::Expected<uint64_t> post(Request request, llvm::StringRef body) {
    if (llvm::Error error = ask(request, body).takeError())
      return std::move(error);
    return 0;
  }
  /// Waits for the replies to post() up to that number. Errors: the first of
  /// theirs, and of those that another thread has been told of.
  virtual llvm::Error settle(uint64_t number) { return llvm::Error::success(); }
  /// Says something that has no reply at all. If the other side has gone, the
  /// next ask() tells.
  virtual void notify(Request request, llvm::StringRef body) {
    llvm::consumeError(ask(request, body).takeError());
  }
  /// As ask(), for Request::launch, which takes as long as the kernel runs.
  virtual llvm::Expected<Answer> ask_launch(llvm::StringRef body) = 0;
  /// Ends the other process, or its work for this one, so that whoever waits
  /// for its reply gets an error.
  virtual void kill() = 0;
  /// Both sides see the memory that Request::allocate_host gives. Else it is a
  /// copy, and nothing goes through it but what Device::allocate_host() says.
  virtual bool shares_memory() const { return true; }
  /// Bytes that one request copies; at most LARGEST_SOCKET_COPY.
  virtual uint32_t largest_copy() const { return LARGEST_COPY; }
  /// How messages name the other side: "the emulator's process".
  virtual const char *name() const = 0;
};

/// What a reply says. Errors: as Link::ask(); `name` as Link::name().
llvm::Expected<Answer> answer_of(Message message, const char *name);

} // namespace gpuexec::remote

#endif
