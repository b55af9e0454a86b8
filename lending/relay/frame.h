//===-- lending/relay/frame.h - What two relays say -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two relays send each other frames: messages of wire/requests.def, most of
// which are smaller than those of a client. Either side treats what arrives as
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

/// Larger ones are nonsense.
inline constexpr uint32_t LARGEST_FRAME = 1u << 20;
/// Bytes of a stream in one frame: what has arrived goes on before the rest is
/// there.
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
  /// A message that ends with Rest, which is `rest` and lies where it is until
  /// it was sent. It may change meanwhile.
  template <typename T> void frame(const T &message, llvm::StringRef rest) {
    const std::string head = wire::encode(message);
    const FrameHeader header{T::KIND, uint32_t(head.size() + rest.size())};
    std::string &bytes = own();
    bytes.append(reinterpret_cast<const char *>(&header), sizeof(header));
    bytes += head;
    pieces.push_back({{}, rest});
    left += sizeof(header) + header.size;
  }
  /// The next bytes that lie in one piece.
  llvm::StringRef unsent() const {
    return pieces.empty() ? llvm::StringRef() : pieces.front().all().substr(at);
  }
  bool empty() const { return !left; }
  /// Bytes that are to be sent in all.
  size_t size() const { return left; }
  /// So many of unsent().
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
    llvm::StringRef elsewhere; ///< when `own` is empty
    llvm::StringRef all() const { return own.empty() ? elsewhere : own; }
  };
  std::string &own() {
    if (pieces.empty() || pieces.back().own.empty())
      pieces.emplace_back();
    return pieces.back().own;
  }
  std::deque<Piece> pieces;
  size_t at = 0;   ///< what stands before in the first one has been sent
  size_t left = 0; ///< bytes
};

struct Frame {
  uint32_t kind;
  llvm::StringRef body; ///< until more bytes are put into the inbox
};

/// Bytes that arrive, as frames.
class Inbox {
public:
  /// Room for `most` bytes more; arrived() says how many there are.
  llvm::MutableArrayRef<char> room(size_t most) {
    if (at == end)
      at = end = 0;
    if (capacity - end < most)
      make_room(most);
    return {bytes.get() + end, most};
  }
  void arrived(size_t count) { end += count; }
  /// The next one that is whole. Nothing, too, when it is too large: is_bad().
  std::optional<Frame> next() {
    const std::optional<FrameHeader> header = next_header();
    if (!header || rest().size() - sizeof(*header) < header->size)
      return std::nullopt;
    const Frame frame{header->kind,
                      rest().substr(sizeof(*header), header->size)};
    at += sizeof(*header) + header->size;
    return frame;
  }
  /// A frame that has begun.
  struct Begun {
    llvm::StringRef head, bytes; ///< what has arrived; as Frame::body
    size_t missing;              ///< bytes
  };
  /// When next() gave nothing: takes out what there is of a frame of that kind,
  /// once so many bytes of its body are there. The caller takes the rest.
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
