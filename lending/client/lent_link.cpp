//===-- lending/client/lent_link.cpp - A connection to a server -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/client/lent_link.h"
#include "lending/wire/errors.h"

namespace gpuexec::lending {

using wire::Answer;
using wire::Message;

/// How long to wait for the reason once the socket for launches is closed. The
/// server sends the reason before it closes that socket.
static constexpr std::chrono::milliseconds REASON_TIMEOUT(200);

llvm::Error invalid_reply() {
  return failure(Reason::failed, "it replies nonsense");
}

namespace {

llvm::Error refused(const Message &message) {
  std::optional<wire::Refused> refused =
      wire::decode<wire::Refused>(message.body);
  if (!refused)
    return invalid_reply();
  return failure(refused->again ? Reason::group_ended : Reason::failed, "{0}",
                 refused->why);
}

llvm::Error has_gone() {
  return failure(Reason::failed, "the server has taken the device back: its "
                                 "worker has ended");
}

llvm::Error no_answer() {
  return failure(Reason::failed, "the server does not answer");
}

} // namespace

/// Receives the next message. A Part that comes before it is kept for
/// take_part(). A second Part is returned as the message, which the caller
/// refuses.
std::optional<Message> LentLink::next_message(Limit limit) {
  std::optional<Message> message = control.receive(limit);
  if (!message || message->kind != wire::Part::KIND || part)
    return message;
  std::optional<wire::Part> place = wire::decode<wire::Part>(message->body);
  if (!place || message->descriptors.size() != 1)
    return message;
  part = wire::SharedPart{*place, std::move(message->descriptors.front())};
  return control.receive(limit);
}

llvm::Expected<Message> LentLink::receive(uint32_t kind, Limit limit) {
  std::optional<Message> message = next_message(limit);
  if (!message) {
    ended = !control.has_timed_out();
    return failure(Reason::failed, ended ? "it has ended the connection"
                                         : "it does not answer");
  }
  if (message->kind == wire::Refused::KIND)
    return refused(*message);
  if (message->kind != kind)
    return invalid_reply();
  return std::move(*message);
}

/// The error after the socket for launches was closed. The server may have sent
/// the reason over the other connection.
llvm::Error LentLink::taken_back() {
  std::unique_lock lock(mutex, REASON_TIMEOUT);
  if (lock)
    if (std::optional<Message> last = control.receive(REASON_TIMEOUT))
      if (last->kind == wire::Refused::KIND)
        return refused(*last);
  return has_gone();
}

/// Receives the reply to the oldest request that has none yet. The caller holds
/// the mutex.
llvm::Expected<Answer> LentLink::next_answer(Limit limit) {
  std::optional<Message> message = next_message(limit);
  if (!message && control.has_timed_out())
    return no_answer(); // the reply may still come
  ++read;
  std::optional<wire::SharedPart> its_part = take_part();
  if (!message)
    return has_gone();
  if (message->kind == wire::Refused::KIND)
    return refused(*message);
  if (llvm::Error error = wire::error_of(*message, name()))
    return std::move(error);
  return Answer{std::move(message->body), std::move(its_part)};
}

/// Receives the replies to all requests up to this number; returns the first
/// error. The caller holds the mutex.
llvm::Error LentLink::read_until(uint64_t number, Limit limit) {
  llvm::Error first = llvm::Error::success();
  for (bool in_time = true; in_time && read < number;) {
    const uint64_t before = read;
    llvm::Expected<Answer> answer = next_answer(limit);
    if (read != before && read == load_number) {
      load_answer.emplace(std::move(answer));
      continue;
    }
    llvm::Error error = answer.takeError();
    posts_failed |= bool(error);
    if (first)
      llvm::consumeError(std::move(error)); // usually caused by the first
    else
      first = std::move(error);
    in_time = read != before;
  }
  return first;
}

llvm::Expected<uint64_t> LentLink::post_bytes(uint32_t kind,
                                              llvm::StringRef body,
                                              llvm::ArrayRef<int> files) {
  // Replies that nobody reads must not fill the socket.
  constexpr unsigned MOST_UNREAD = 64;
  std::lock_guard lock(mutex);
  control.send(kind, body, files); // if it fails, no reply comes
  if (++asked - read > MOST_UNREAD)
    if (llvm::Error error = read_until(asked, std::nullopt))
      return std::move(error);
  return asked;
}

llvm::Error LentLink::settle(uint64_t number) {
  std::lock_guard lock(mutex);
  llvm::Error error = read_until(std::min(number, asked), std::nullopt);
  if (!std::exchange(posts_failed, false) || error)
    return error;
  return failure(Reason::failed, "a request before has failed");
}

llvm::Expected<wire::Replied<wire::Load>> LentLink::take_loaded() {
  std::lock_guard lock(mutex);
  if (llvm::Error error = read_until(load_number, std::nullopt))
    return std::move(error); // of a request before: usually the cause
  return replied<wire::Load>(*std::exchange(load_answer, std::nullopt));
}

llvm::Expected<Answer> LentLink::exchange(uint32_t kind, llvm::StringRef body,
                                          Limit limit) {
  std::unique_lock lock(mutex, std::defer_lock);
  if (!limit)
    lock.lock();
  else if (!lock.try_lock_for(*limit))
    return no_answer();
  control.send(kind, body); // if it fails, no reply comes
  const uint64_t number = ++asked;
  llvm::Error before = read_until(number - 1, limit);
  if (!before)
    return next_answer(limit);
  llvm::consumeError(read_until(number, limit)); // caused by `before`
  return std::move(before);
}

llvm::Expected<Answer> LentLink::exchange_launch(llvm::StringRef body) {
  {
    std::lock_guard lock(mutex);
    if (llvm::Error error = read_until(asked, std::nullopt))
      return std::move(error);
  }
  launches->send(wire::Launch::KIND, body); // if it fails, no reply comes
  std::optional<Message> message = launches->receive();
  if (!message)
    return taken_back();
  if (llvm::Error error = wire::error_of(*message, name()))
    return std::move(error);
  return Answer{std::move(message->body), std::nullopt};
}

} // namespace gpuexec::lending
