//===-- lending/peer/handler.h - Who answers requests -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function for each request of wire/requests.def. A process that has a
// device overrides those that it answers; the others are nonsense to it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_PEER_HANDLER_H
#define GPUEXEC_LENDING_PEER_HANDLER_H

#include "lending/wire/channel.h"
#include <deque>
#include <functional>

namespace gpuexec::lending {

/// What goes with the fields of a reply.
struct Response {
  /// A part of the host's memory that the client has not mapped yet.
  struct Part {
    wire::Part place;
    int file; ///< stays the peer's
  };
  std::optional<Part> part;
  /// Has a relay send memory at once, before the reply (wire::Carry); empty
  /// without a channel.
  std::function<void(DeviceAddress address, uint64_t size)> carry;
  /// The file that came with the request, which stays the caller's; -1: none.
  int file = -1;
  /// Nobody waits for a reply.
  bool is_silent = false;
  /// Keeps what Bytes of the reply refer to.
  std::string &keep(std::string bytes) {
    return kept.emplace_back(std::move(bytes));
  }
  std::string body; ///< the fields of the reply

private:
  std::deque<std::string> kept;
};

class Handler {
public:
  /// `role`: the only one whose requests are answered.
  explicit Handler(wire::Role role) : role(role) {}
  virtual ~Handler() = default;
  /// Replies to one request; false when the channel is closed.
  bool answer(const wire::Message &asked, wire::Channel &channel);
  /// The same without a channel. Errors: as the reply would say; Failure for
  /// nonsense.
  llvm::Error carry_out(const wire::Message &asked, Response &response);

protected:
  static llvm::Error nonsense();
  /// Is called before a request is taken apart. Errors: why none of that kind
  /// is answered now.
  virtual llvm::Error check(uint32_t kind) { return llvm::Error::success(); }

  // Carries out a request and fills in its reply. Bytes of the request are
  // valid during the call.
#define FIELD(TYPE, NAME, ...)
#define FOREIGN(TYPE, FIELDS)
#define RECORD(NAME, FIELDS)
#define MESSAGE(NAME, NUMBER, SENT_BY, READ_BY, FIELDS)
#define REQUEST(NAME, NUMBER, READ_BY, FIELDS, REPLY)                          \
  virtual llvm::Error serve(const wire::NAME &request,                         \
                            wire::NAME::Reply &reply, Response &response) {    \
    return nonsense();                                                         \
  }
#include "lending/wire/requests.def"

private:
  template <typename R>
  llvm::Error carry_out_as(llvm::StringRef body, Response &response);
  const wire::Role role;
};

} // namespace gpuexec::lending

#endif
