//===-- lending/wire/channel.h - Messages between two processes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One end of a connection over which one side asks and the other replies, one
// message at a time.
// Either side treats what arrives as untrusted: a message has a limited size,
// and Reader checks every field. A message is a kind, a size and a body; all
// numbers are little-endian, as on every host that gpuexec runs on.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_CHANNEL_H
#define GPUEXEC_LENDING_WIRE_CHANNEL_H

#include "support/descriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <type_traits>
#include <vector>

namespace gpuexec::remote {

/// What the process that has the device is asked for. Its reply has the kind
/// Reply.
enum class Request : uint32_t {
  open,            ///< -> the device's facts
  set_option,      ///< name, value
  load,            ///< LaunchSettings, names of globals -> address of
                   ///< SMALL_AHEAD bytes of zeros on the device, addresses
  find_global,     ///< name -> found, address
  resources,       ///< kernel -> registers, private memory
  allocate_host,   ///< size -> address, region: begin, size, offset in a file
  allocate_device, ///< size -> address
  free_device,     ///< address
  read,            ///< address, size -> bytes: between kernels
  write,           ///< address, bytes: between kernels
  heap_allocate,   ///< size, alignment -> address, 0 when there is none
  heap_free,       ///< address
  heap_read,       ///< address, size -> bytes: while a kernel runs
  heap_write,      ///< address, bytes: while a kernel runs
  range,           ///< address -> begin, size, writable; size 0: not known
  holds,           ///< address, size, writable -> yes or no
  copies,          ///< host memory of allocate_host, of copy_memory_size(),
                   ///< bytes of a half -> are there end words? For what
                   ///< follows; of a lent device
  copy_read,       ///< half, parts: offset, address, size. Begins; of a device
                   ///< of this machine without a reply: copy_finish has the
                   ///< errors. Else the reply comes behind the bytes (carry)
  copy_write,      ///< half, address, size: the same
  copy_finish,     ///< half: what was begun with it has ended
  where,           ///< -> text
  statistics,      ///< as JSON? -> text
  confine,         ///< no reply: nothing can be opened or started any more
  launch, ///< how many, kernels, grids, arguments; how many, addresses and
          ///< sizes of what is read behind them -> bytes of each; on the
          ///< channel for launches. An isolated process serves it once it is
          ///< confined
  image,  ///< name, size, then that many bytes in messages of the kind `bytes`
  bytes,
  mailbox, ///< MailboxPlace, no reply: for the relay of a device that another
           ///< machine lends (lent/mailbox_place.h)
  carry,   ///< address, size, no reply: for such a relay, of the client's or
           ///< of the worker's. It sends the bytes, in memory of `copies`
  ended,   ///< -> how many of the kernels that were launched last have ended
};

enum class Reply : uint32_t {
  done,    ///< what the request says
  failure, ///< Failure: reason, text
  fault,   ///< DeviceFault: message, report, signal
};

/// The most that one message may hold; a request for a copy is split.
inline constexpr uint32_t LARGEST_MESSAGE = 4u << 20;
/// A request fits a pipe, so that asking never waits for the other side.
inline constexpr uint32_t LARGEST_COPY = 32u << 10;
/// The most that a request over sockets copies.
inline constexpr uint32_t LARGEST_SOCKET_COPY = 1u << 20;

/// Variables whose addresses one request to load asks for.
inline constexpr uint32_t MOST_NAMES = 128;
/// Bytes that are allocated with it, most often for a program's status.
inline constexpr uint32_t SMALL_AHEAD = 64;
/// Kernels of one request to launch.
inline constexpr uint32_t MOST_LAUNCHES = 64;

/// Puts a body together.
class Writer {
public:
  template <typename T> Writer &put(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    body.append(reinterpret_cast<const char *>(&value), sizeof(value));
    return *this;
  }
  /// With its length in front.
  Writer &text(llvm::StringRef text) {
    put(uint32_t(text.size()));
    body.append(text.begin(), text.end());
    return *this;
  }
  /// Without a length.
  Writer &raw(llvm::StringRef bytes) {
    body.append(bytes.begin(), bytes.end());
    return *this;
  }
  llvm::StringRef bytes() const { return body; }

private:
  std::string body;
};

/// Takes a body apart. Once a field is missing everything is zero or empty and
/// ok() is false.
class Reader {
public:
  explicit Reader(llvm::StringRef body) : rest(body) {}
  template <typename T> T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (good && rest.size() >= sizeof(value)) {
      std::memcpy(&value, rest.data(), sizeof(value));
      rest = rest.drop_front(sizeof(value));
    } else {
      good = false;
    }
    return value;
  }
  /// A byte that is 0 for false: any other value is a true that bool can hold.
  bool take_flag() { return take<uint8_t>() != 0; }
  llvm::StringRef text() {
    uint32_t size = take<uint32_t>();
    good &= size <= rest.size();
    if (!good)
      return {};
    llvm::StringRef text = rest.take_front(size);
    rest = rest.drop_front(size);
    return text;
  }
  /// What was not taken yet; nothing once a field is missing.
  llvm::StringRef left() const { return good ? rest : llvm::StringRef(); }
  /// Every field was there.
  bool ok() const { return good; }
  /// And nothing else.
  bool done() const { return good && rest.empty(); }

private:
  llvm::StringRef rest;
  bool good = true;
};

struct Message {
  uint32_t kind = 0;
  std::string body;
  /// What the other side has opened for this one; over sockets only.
  std::vector<UniqueFd> descriptors;
};

/// Descriptors that one message can carry.
inline constexpr size_t MOST_DESCRIPTORS = 4;

/// Adds the descriptors that came with what recvmsg() has put into `message`.
/// They belong to `to` then.
void take_descriptors(msghdr &message, std::vector<UniqueFd> &to);

class Channel {
public:
  /// Two pipes' ends, which stay the caller's. A write to a pipe that nobody
  /// reads must not end the process.
  Channel(int in, int out) : in(in), out(out) {}
  /// A connected stream socket, which stays the caller's. `is_far`: the other
  /// side is another machine's, and no reply comes at once.
  explicit Channel(int socket, bool is_far = false)
      : in(socket), out(socket), is_socket(true), is_far(is_far) {}

  /// No message brings descriptors: several can be taken from the socket with
  /// one call. What comes all the same is closed.
  void take_no_descriptors() { takes_descriptors = false; }

  /// Larger messages are nonsense to receive(): of somebody who has no reason
  /// yet to send many bytes.
  void limit_messages(uint32_t bytes) { largest = bytes; }

  /// False when the other side is gone or the message is too large.
  bool send(uint32_t kind, llvm::StringRef body,
            llvm::ArrayRef<int> descriptors = {});
  /// The next message; nothing when the other side is gone or sends nonsense:
  /// the channel is of no use any more then. Or when a whole message has not
  /// come within `limit`: what has come is kept for the next call. A limit of 0
  /// never waits.
  std::optional<Message>
  receive(std::optional<std::chrono::milliseconds> limit = std::nullopt);
  /// Why the last receive() gave nothing.
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
  std::string pending; ///< of the message that is being received, and of others
  std::vector<UniqueFd> descriptors;
};

} // namespace gpuexec::remote

#endif
