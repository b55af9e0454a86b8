//===-- lending/wire/channel.h - Messages between two processes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One end of a connection that carries messages of requests.def, one at a time.
// Either side treats what arrives as untrusted: a message has a limited size,
// and decode() checks every field. All numbers are little-endian, as on every
// host that gpuexec runs on.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_CHANNEL_H
#define GPUEXEC_LENDING_WIRE_CHANNEL_H

#include "lending/wire/messages.h"
#include "support/descriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <vector>

namespace gpuexec::wire {

struct Message {
  uint32_t kind = 0;
  std::string body;
  /// Files that the other side has sent with this message; over sockets only.
  std::vector<UniqueFd> descriptors;
};

/// True where this process has processors enough that one thread may poll while
/// it waits for another process: the two do not take them from each other.
bool has_processors_to_poll();

/// Descriptors that one message can carry.
inline constexpr size_t MOST_DESCRIPTORS = 4;

/// Moves to `to` the descriptors that recvmsg() has received in `message`.
void take_descriptors(msghdr &message, std::vector<UniqueFd> &to);

class Channel {
public:
  /// Ends of two pipes, which stay the caller's. The caller ignores SIGPIPE: a
  /// write to a pipe that nobody reads must not end the process.
  Channel(int in, int out) : in(in), out(out) {}
  /// A connected stream socket, which stays the caller's. `is_far`: the other
  /// side is on another machine, so that polling for its replies is of no use.
  explicit Channel(int socket, bool is_far = false)
      : in(socket), out(socket), is_socket(true), is_far(is_far) {}

  /// From now on no message may bring descriptors: several messages can be
  /// taken from the socket with one call. Descriptors that come nevertheless
  /// are closed.
  void take_no_descriptors() { takes_descriptors = false; }

  /// Makes receive() refuse larger messages: for a sender that has no reason
  /// yet to send many bytes.
  void limit_messages(uint32_t bytes) { largest = bytes; }

  /// False when the other side is gone or the message is too large.
  template <typename T>
  bool send(const T &message, llvm::ArrayRef<int> descriptors = {}) {
    return send(T::KIND, encode(message), descriptors);
  }
  bool send(uint32_t kind, llvm::StringRef body,
            llvm::ArrayRef<int> descriptors = {});
  /// The next message. Nothing when the other side is gone or has sent an
  /// invalid message: then the channel cannot be used any more. Nothing, too,
  /// when the whole message has not come within `limit`: the bytes that have
  /// come are kept for the next call. A limit of 0 never waits.
  std::optional<Message>
  receive(std::optional<std::chrono::milliseconds> limit = std::nullopt);
  /// True when the last receive() returned nothing because of its limit.
  bool has_timed_out() const { return timed_out; }

private:
  bool read_some(size_t most,
                 std::optional<std::chrono::steady_clock::time_point> deadline);
  bool take_what_is_there(size_t most);
  void look_for_a_while();
  bool look_and_take();
  int in, out;
  bool is_socket = false, is_far = false, timed_out = false;
  bool takes_descriptors = true;
  uint32_t largest = LARGEST_MESSAGE;
  std::string pending; ///< bytes that have come and that no message had yet
  std::vector<UniqueFd> descriptors;
};

} // namespace gpuexec::wire

#endif
