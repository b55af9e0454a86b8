//===-- lending/relay/frame.h - What two relays say -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two relays send each other frames: messages of wire/requests.def whose body
// has at most LARGEST_FRAME bytes. Each relay treats the bytes that arrive as
// untrusted.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_RELAY_FRAME_H
#define GPUEXEC_LENDING_RELAY_FRAME_H

#include "lending/wire/channel.h"
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>

namespace gpuexec::relay {

/// The most bytes of a frame's body. Inbox refuses a larger one.
inline constexpr uint32_t LARGEST_FRAME = 1u << 20;
/// The most bytes that a relay reads from a local socket at once. It sends them
/// before the rest of a longer message has arrived.
inline constexpr uint32_t LARGEST_PIECE = 128u << 10;

struct FrameHeader {
  uint32_t kind, size;
};

/// Frames to be sent, in order.
class Outbox {
public:
  template <typename T> void frame(const T &message) {
    frame(T::KIND, wire::encode(message));
  }
  void frame(uint32_t kind, llvm::StringRef body) {
    const FrameHeader header{kind, uint32_t(body.size())};
    std::string &bytes = own();
    bytes.append(reinterpret_cast<const char *>(&header), sizeof(header));
    bytes.append(body.begin(), body.end());
    left += sizeof(header) + body.size();
  }
  /// Adds a message whose last field, a Rest, is `rest`. Those bytes are not
  /// copied: they must stay valid until they are sent, with the content that
  /// they have then.
  template <typename T> void frame(const T &message, llvm::StringRef rest) {
    const std::string head = wire::encode(message);
    const FrameHeader header{T::KIND, uint32_t(head.size() + rest.size())};
    std::string &bytes = own();
    bytes.append(reinterpret_cast<const char *>(&header), sizeof(header));
    bytes += head;
    pieces.push_back({{}, rest});
    left += sizeof(header) + header.size;
  }
  /// The next bytes to send that are contiguous in memory; empty: none are
  /// left.
  llvm::StringRef unsent() const {
    return pieces.empty() ? llvm::StringRef() : pieces.front().all().substr(at);
  }
  bool empty() const { return !left; }
  /// How many bytes are still to be sent.
  size_t size() const { return left; }
  /// Removes the first `count` bytes of unsent(), which the caller has sent.
  void sent(size_t count) {
    at += count;
    left -= count;
    while (!pieces.empty() && at == pieces.front().all().size()) {
      pieces.pop_front();
      at = 0;
    }
  }

private:
  struct Piece {
    std::string own;
    llvm::StringRef elsewhere; ///< the caller's bytes, when `own` is empty
    llvm::StringRef all() const { return own.empty() ? elsewhere : own; }
  };
  std::string &own() {
    if (pieces.empty() || pieces.back().own.empty())
      pieces.emplace_back();
    return pieces.back().own;
  }
  std::deque<Piece> pieces;
  size_t at = 0;   ///< bytes of the first piece that were sent
  size_t left = 0; ///< bytes still to be sent
};

struct Frame {
  uint32_t kind;
  llvm::StringRef body; ///< valid until the next call of Inbox::room()
};

/// Collects the bytes that arrive and takes frames out of them.
class Inbox {
public:
  /// Returns room for `most` more bytes. The caller writes some there and says
  /// with arrived() how many.
  llvm::MutableArrayRef<char> room(size_t most) {
    if (at == end)
      at = end = 0;
    if (capacity - end < most)
      make_room(most);
    return {bytes.get() + end, most};
  }
  void arrived(size_t count) { end += count; }
  /// The next frame that has arrived completely. Nothing when there is none, or
  /// when the next frame is too large: then is_bad() is true.
  std::optional<Frame> next() {
    const std::optional<FrameHeader> header = next_header();
    if (!header || rest().size() - sizeof(*header) < header->size)
      return std::nullopt;
    const Frame frame{header->kind,
                      rest().substr(sizeof(*header), header->size)};
    at += sizeof(*header) + header->size;
    return frame;
  }
  /// The bytes that have arrived of an incomplete frame.
  struct Begun {
    llvm::StringRef head, bytes; ///< of its body; valid as Frame::body
    size_t missing;              ///< bytes that have not arrived yet
  };
  /// To be called after next() has returned nothing. If the next frame is of
  /// this kind and at least `head` bytes of its body have arrived, takes all of
  /// it that has arrived out of the inbox; the caller receives the missing
  /// bytes itself.
  std::optional<Begun> take_begun(uint32_t kind, size_t head) {
    const std::optional<FrameHeader> header = next_header();
    if (!header || header->kind != kind || header->size < head ||
        rest().size() - sizeof(*header) < head)
      return std::nullopt;
    const llvm::StringRef body = rest().drop_front(sizeof(*header));
    at = end;
    return Begun{body.take_front(head), body.drop_front(head),
                 header->size - body.size()};
  }
  bool is_bad() const { return bad; }

private:
  llvm::StringRef rest() const { return {bytes.get() + at, end - at}; }
  std::optional<FrameHeader> next_header() {
    FrameHeader header;
    if (bad || rest().size() < sizeof(header))
      return std::nullopt;
    std::memcpy(&header, rest().data(), sizeof(header));
    bad = header.size > LARGEST_FRAME;
    return bad ? std::nullopt : std::optional(header);
  }
  void make_room(size_t most) {
    const size_t size = end - at;
    if (capacity - size < most || size > capacity / 2) {
      capacity = std::max(2 * capacity, size + most);
      std::unique_ptr<char[]> larger(new char[capacity]);
      std::copy_n(bytes.get() + at, size, larger.get());
      bytes = std::move(larger);
    } else {
      std::memmove(bytes.get(), bytes.get() + at, size);
    }
    at = 0;
    end = size;
  }
  std::unique_ptr<char[]> bytes;
  size_t capacity = 0, at = 0, end = 0;
  bool bad = false;
};

} // namespace gpuexec::relay

#endif
