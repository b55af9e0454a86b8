//===-- lending/client/lent_link.h - A connection to a server ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First a connection to the server, or to a relay; then, once a device was
// lent, to its worker. Launches have a connection of their own.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CLIENT_LENT_LINK_H
#define GPUEXEC_LENDING_CLIENT_LENT_LINK_H

#include "lending/wire/link.h"
#include <mutex>

namespace gpuexec::lending {

class LentLink final : public wire::Link {
public:
  /// `is_far`: a relay is at the other end.
  LentLink(UniqueFd connection, bool is_far)
      : is_far(is_far), connection(std::move(connection)),
        control(this->connection.get(), is_far) {}
  ~LentLink() override {
    if (load_answer)
      llvm::consumeError(load_answer->takeError());
  }

  llvm::Error settle(uint64_t number) override;
  /// Closes both connections: the worker sees that, and ends if it runs a
  /// kernel for this process.
  void kill() override {
    ::shutdown(connection.get(), SHUT_RDWR);
    if (launch_socket)
      ::shutdown(launch_socket.get(), SHUT_RDWR);
  }
  bool shares_memory() const override { return !is_far; }
  uint32_t largest_copy() const override { return wire::LARGEST_SOCKET_COPY; }
  const char *name() const override { return "the server"; }
  /// Receives the next message while there is no device yet; it must be of this
  /// kind. Errors: Failure when the server has gone or refuses.
  llvm::Expected<wire::Message> receive(uint32_t kind, Limit limit);
  template <typename T> bool send(const T &message) {
    return control.send(message);
  }
  /// As post(), with a file.
  template <typename R>
  llvm::Expected<uint64_t> post_with_file(const R &request, int file) {
    return post_bytes(R::KIND, wire::encode(request), {file});
  }
  /// Sends a Load whose reply take_loaded() waits for. Once.
  void send_load(const wire::Load &request) {
    std::lock_guard lock(mutex);
    control.send(request); // if it fails, no reply comes
    load_number = ++asked;
  }
  llvm::Expected<wire::Replied<wire::Load>> take_loaded();
  /// Takes the Part that came before the last message, if one did.
  std::optional<wire::SharedPart> take_part() {
    return std::exchange(part, std::nullopt);
  }
  /// The other side closed the connection before it lent a device.
  bool has_ended() const { return ended; }
  void set_launches(UniqueFd socket) {
    launch_socket = std::move(socket);
    launches.emplace(launch_socket.get());
    launches->take_no_descriptors();
  }

private:
  llvm::Expected<wire::Answer> exchange(uint32_t kind, llvm::StringRef body,
                                        Limit limit) override;
  llvm::Expected<wire::Answer> exchange_launch(llvm::StringRef body) override;
  llvm::Expected<uint64_t> post_bytes(uint32_t kind,
                                      llvm::StringRef body) override {
    return post_bytes(kind, body, {});
  }
  llvm::Expected<uint64_t> post_bytes(uint32_t kind, llvm::StringRef body,
                                      llvm::ArrayRef<int> files);
  void notify_bytes(uint32_t kind, llvm::StringRef body) override {
    std::lock_guard lock(mutex);
    control.send(kind, body); // if it fails, so does the next ask()
  }
  llvm::Error taken_back();
  std::optional<wire::Message> next_message(Limit limit);
  llvm::Expected<wire::Answer> next_answer(Limit limit);
  llvm::Error read_until(uint64_t number, Limit limit);

  const bool is_far;
  const UniqueFd connection;
  UniqueFd launch_socket;
  bool ended = false;
  std::timed_mutex mutex; // guards what follows
  wire::Channel control;
  uint64_t asked = 0;       ///< requests sent that have a reply
  uint64_t read = 0;        ///< replies to them received
  uint64_t load_number = 0; ///< of send_load(); 0: none
  /// The reply to send_load(), once it has come.
  std::optional<llvm::Expected<wire::Answer>> load_answer;
  bool posts_failed = false;            ///< a post(), since the last settle()
  std::optional<wire::SharedPart> part; ///< for take_part()
  std::optional<wire::Channel> launches;
};

/// Failure: the other side has sent an invalid message.
llvm::Error invalid_reply();

} // namespace gpuexec::lending

#endif
