//===-- lending/wire/messages.h - Messages as types -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each row of requests.def as a type, with encode() and decode(). A body that
// decode() accepts has all fields and nothing behind them, and no number, size
// or count above its limit in the table. What a number means is for the caller
// to check.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_MESSAGES_H
#define GPUEXEC_LENDING_WIRE_MESSAGES_H

#include "lending/wire/bytes.h"
#include "loader/device/device.h"
#include "rpc/protocol/protocol.h"
#include <array>
#include <optional>
#include <vector>

namespace gpuexec::wire {

/// Grows with every change of requests.def or of the meaning of a message. A
/// server and its client tell each other their versions; so do two relays.
inline constexpr uint32_t VERSION = 12;
/// The first field of Greeting, and of Hello between relays.
inline constexpr uint32_t MAGIC = 0x75706765;

/// The most bytes in the body of one message; larger copies take several
/// requests.
inline constexpr uint32_t LARGEST_MESSAGE = 4u << 20;
/// The most bytes that one request over sockets copies.
inline constexpr uint32_t LARGEST_SOCKET_COPY = 1u << 20;
/// The most bytes that one request over pipes copies: such a request fits into
/// a pipe, so that sending it never waits for the other side.
inline constexpr uint32_t LARGEST_PIPE_COPY = 32u << 10;
/// The most bytes of a report.
inline constexpr uint32_t LARGEST_TEXT = 1u << 20;
/// The most variables whose addresses one Load asks for.
inline constexpr uint32_t MOST_NAMES = 128;
/// Bytes of device memory that the reply to Load brings, for the program's
/// status.
inline constexpr uint32_t SMALL_AHEAD = 64;
/// The most kernels of one Launch.
inline constexpr uint32_t MOST_LAUNCHES = 64;
/// The most parts of one CopyRead.
inline constexpr uint32_t MOST_COPY_PARTS = 4096;
/// The most bytes of a half of the memory for large copies.
inline constexpr uint64_t LARGEST_HALF = uint64_t(1) << 30;
/// The most bytes of an image.
inline constexpr uint64_t LARGEST_IMAGE = uint64_t(4) << 30;
/// The most devices that a server lends.
inline constexpr uint32_t MOST_DEVICES = 64;
/// Borrow::suspicion of a program that is to have no other beside it.
inline constexpr uint8_t RUNS_ALONE = 255;
/// Whether a Borrow::suspicion is that of a program which may have ended others
/// by its fault.
inline bool is_suspect(uint8_t suspicion) {
  return suspicion && suspicion != RUNS_ALONE;
}
/// The most bytes in a message of a client that has no device yet: a Borrow
/// that names all devices has fewer.
inline constexpr uint32_t LARGEST_OF_STRANGER = 1024;

/// Who sends a message and who reads it, as bits; requests.def explains them.
enum Role : unsigned {
  CLIENT = 1,
  ISOLATED = 2,
  LENT = 4,
  SERVER = 8,
  WORKER = 16,
  CLIENT_RELAY = 32,
  SERVER_RELAY = 64,
  RELAY = CLIENT_RELAY | SERVER_RELAY,
};

// The types of fields. Those that refer to bytes are valid as long as the body
// that they were taken from.
using Bytes = llvm::StringRef;
inline Bytes bytes_of(llvm::ArrayRef<std::byte> memory) {
  return {reinterpret_cast<const char *>(memory.data()), memory.size()};
}
using Text = std::string;
using Name = const char *; ///< one of this program's own texts, never freed
struct Rest {
  llvm::StringRef bytes;
};

/// What a relay has to know of a mailbox, whose content it carries.
struct MailboxPlace {
  DeviceAddress address;
  uint32_t first_version = 0; ///< of rpc::Layout, as the next three
  uint32_t client_size = 0;
  uint32_t ports = 0;
  uint16_t lanes = 0;  ///< of the largest waves
  uint16_t stride = 0; ///< lanes of the next kernel's waves
  bool operator==(const MailboxPlace &) const = default;
};
static_assert(sizeof(MailboxPlace) == 24, "sent as it is");
using FastCells = std::array<uint32_t, 8>;
static_assert(sizeof(FastCells) == sizeof(rpc_fast_slot::answer) / 2);

#define FIELD(TYPE, NAME, ...) TYPE NAME{};
#define FOREIGN(TYPE, FIELDS)
#define RECORD(NAME, FIELDS)                                                   \
  struct NAME {                                                                \
    FIELDS                                                                     \
  };
#define REQUEST(NAME, NUMBER, READ_BY, FIELDS, REPLY)                          \
  struct NAME {                                                                \
    static constexpr uint32_t KIND = NUMBER;                                   \
    static constexpr unsigned SENDERS = CLIENT, READERS = READ_BY;             \
    struct Reply {                                                             \
      REPLY                                                                    \
    };                                                                         \
    FIELDS                                                                     \
  };
#define MESSAGE(NAME, NUMBER, SENT_BY, READ_BY, FIELDS)                        \
  struct NAME {                                                                \
    static constexpr uint32_t KIND = NUMBER;                                   \
    static constexpr unsigned SENDERS = SENT_BY, READERS = READ_BY;            \
    FIELDS                                                                     \
  };
#include "lending/wire/requests.def"

/// The text of this program that equals `name`. If there is none,
/// known_backend() returns "" and known_units() the usual units of DeviceInfo.
const char *known_backend(llvm::StringRef name);
const char *known_units(llvm::StringRef name);

// walk(codec, message) calls codec.field() for each field in order.
#define FIELD(TYPE, NAME, ...) codec.field(of.NAME __VA_OPT__(, ) __VA_ARGS__);
#define WALK(TYPE, FIELDS)                                                     \
  template <typename Codec, typename T>                                        \
  requires std::is_same_v<std::remove_const_t<T>, TYPE>                        \
  void walk([[maybe_unused]] Codec &codec, [[maybe_unused]] T &of) { FIELDS }
#define FOREIGN(TYPE, FIELDS) WALK(TYPE, FIELDS)
#define RECORD(NAME, FIELDS) WALK(NAME, FIELDS)
#define REQUEST(NAME, NUMBER, READ_BY, FIELDS, REPLY)                          \
  WALK(NAME, FIELDS)                                                           \
  WALK(NAME::Reply, REPLY)
#define MESSAGE(NAME, NUMBER, SENT_BY, READ_BY, FIELDS) WALK(NAME, FIELDS)
#include "lending/wire/requests.def"
#undef WALK

/// Writes fields to a body. Only Decoder checks limits.
class Encoder {
public:
  template <typename T, typename... Limit>
  void field(const T &value, Limit... limit) {
    if constexpr (requires { walk(*this, value); })
      walk(*this, value);
    else
      body.put(value);
  }
  template <typename... Limit> void field(const bool &value, Limit...) {
    body.put(uint8_t(value));
  }
  template <typename... Limit> void field(const Bytes &value, Limit...) {
    body.text(value);
  }
  template <typename... Limit> void field(const Text &value, Limit...) {
    body.text(value);
  }
  void field(const Name &value, const char *(*)(llvm::StringRef)) {
    body.text(value);
  }
  void field(const Rest &value) { body.raw(value.bytes); }
  template <typename T> void field(const std::optional<T> &value) {
    field(value.has_value());
    field(value.value_or(T()));
  }
  template <typename T, typename Limit>
  void field(const std::vector<T> &values, Limit) {
    body.put(uint32_t(values.size()));
    for (const T &value : values)
      field(value);
  }
  Writer body;
};

/// Reads fields from a body; `from` tells whether all were there and valid.
class Decoder {
public:
  explicit Decoder(llvm::StringRef body) : from(body) {}
  template <typename T> void field(T &value) {
    if constexpr (requires { walk(*this, value); })
      walk(*this, value);
    else
      value = from.take<T>();
  }
  template <typename T> void field(T &number, uint64_t limit) {
    static_assert(std::is_unsigned_v<T>);
    number = from.take<T>();
    limit_to(number, limit);
  }
  void field(bool &value) { value = from.take_flag(); }
  void field(Bytes &value, uint64_t limit = UINT64_MAX) {
    value = from.text();
    limit_to(value.size(), limit);
  }
  void field(Text &value, uint64_t limit = UINT64_MAX);
  void field(Name &value, const char *(*known)(llvm::StringRef)) {
    value = known(from.text());
  }
  void field(Rest &value) { value.bytes = from.take_rest(); }
  template <typename T> void field(std::optional<T> &value) {
    const bool there = from.take_flag();
    T content{};
    field(content);
    if (there)
      value = content;
  }
  template <typename T> void field(std::vector<T> &values, uint64_t limit) {
    const auto count = from.take<uint32_t>();
    limit_to(count, limit);
    while (from.ok() && values.size() < count)
      field(values.emplace_back());
  }
  Reader from;

private:
  void limit_to(uint64_t number, uint64_t limit) {
    if (number > limit)
      from.refuse();
  }
};

/// The body of a message.
template <typename T> std::string encode(const T &message) {
  Encoder encoder;
  walk(encoder, message);
  return encoder.body.take();
}

/// A message's fields, or those of a reply. Nothing when one is missing or
/// above its limit, or something follows. Bytes and Rest refer to `body`.
template <typename T> std::optional<T> decode(llvm::StringRef body) {
  T message;
  Decoder decoder(body);
  walk(decoder, message);
  if (!decoder.from.done())
    return std::nullopt;
  return message;
}

/// Must a relay understand messages of that kind?
inline bool is_read_by_relay(uint32_t kind) {
  switch (kind) {
#define FIELD(TYPE, NAME, ...)
#define FOREIGN(TYPE, FIELDS)
#define RECORD(NAME, FIELDS)
#define REQUEST(NAME, NUMBER, READ_BY, FIELDS, REPLY)                          \
  case NUMBER:                                                                 \
    return (READ_BY)&RELAY;
#define MESSAGE(NAME, NUMBER, SENT_BY, READ_BY, FIELDS)                        \
  case NUMBER:                                                                 \
    return (READ_BY)&RELAY;
#include "lending/wire/requests.def"
  default:
    return false;
  }
}

} // namespace gpuexec::wire

#endif
