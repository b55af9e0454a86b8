//===-- loader/relay/frame.h - What two relays say --------------*- C++ -*-===//
// Everything between two relays is in frames: a kind, a size, a body. Numbers
// are little-endian. Either side treats what arrives as untrusted.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_RELAY_FRAME_H
#define GPUEXEC_LOADER_RELAY_FRAME_H

#include "loader/device/remote/channel.h"
#include <optional>

namespace gpuexec::relay {

/// Grows with every change of what follows. What the streams contain has a
/// version of its own, lent::PROTOCOL_VERSION.
inline constexpr uint32_t VERSION = 1;
inline constexpr uint32_t MAGIC = 0x79616c72;

/// C: the client's relay sends it, S: the server's.
enum class FrameKind : uint32_t {
  hello = 1, ///< CS, first: MAGIC, VERSION
  control,   ///< CS: more bytes of the connection between client and worker
  launches,  ///< CS: more bytes of the connection for launches
  /// S: begin, size. The next message in `control` comes with this part of the
  /// host's memory.
  part,
  /// C: MailboxPlace. The next kernel uses it so.
  mailbox,
  /// CS: address, bytes: what the host has written before a kernel; what the
  /// device has written, after it.
  memory,
  /// S: port, mailbox word, header, packets: the device has handed a port over.
  port_request,
  port_answer,  ///< C: port, mailbox word, packets
  fast_request, ///< S: slot, tag, opcode, data of the other cells
  fast_answer,  ///< C: slot, tag of the first cell, data of the cells
  output,       ///< S: used, from where on, bytes up to `used` (rpc_output)
  output_used,  ///< C: used
  ping,         ///< CS: nothing else was sent for a while
};

/// Larger ones are nonsense.
inline constexpr uint32_t LARGEST_FRAME = 1u << 20;
/// Bytes of a stream in one frame: what has arrived goes on before the rest is
/// there.
inline constexpr uint32_t LARGEST_PIECE = 128u << 10;

struct FrameHeader {
  FrameKind kind;
  uint32_t size;
};

/// Frames to be sent, in order.
class Outbox {
public:
  void frame(FrameKind kind, llvm::StringRef body) {
    const FrameHeader header{kind, uint32_t(body.size())};
    bytes.append(reinterpret_cast<const char *>(&header), sizeof(header));
    bytes.append(body.begin(), body.end());
  }
  void frame(FrameKind kind, const remote::Writer &body) {
    frame(kind, body.bytes());
  }
  llvm::StringRef unsent() const { return llvm::StringRef(bytes).substr(at); }
  void sent(size_t count) {
    at += count;
    if (at < bytes.size())
      return;
    bytes.clear();
    at = 0;
  }

private:
  std::string bytes;
  size_t at = 0; ///< what stands before has been sent
};

struct Frame {
  FrameKind kind;
  llvm::StringRef body; ///< until more bytes are put into the inbox
};

/// Bytes that arrive, as frames.
class Inbox {
public:
  /// Room for `most` bytes more; arrived() says how many there are.
  llvm::MutableArrayRef<char> room(size_t most) {
    bytes.erase(0, std::exchange(at, 0));
    bytes.resize(filled = bytes.size());
    bytes.resize(filled + most);
    return {bytes.data() + filled, most};
  }
  void arrived(size_t count) { bytes.resize(filled + count); }
  /// The next one that is whole. Nothing, too, when it is too large: is_bad().
  std::optional<Frame> next() {
    llvm::StringRef rest = llvm::StringRef(bytes).substr(at);
    FrameHeader header;
    if (rest.size() < sizeof(header))
      return std::nullopt;
    std::memcpy(&header, rest.data(), sizeof(header));
    bad |= header.size > LARGEST_FRAME;
    if (bad || rest.size() - sizeof(header) < header.size)
      return std::nullopt;
    at += sizeof(header) + header.size;
    return Frame{header.kind, rest.substr(sizeof(header), header.size)};
  }
  bool is_bad() const { return bad; }

private:
  std::string bytes;
  size_t at = 0, filled = 0;
  bool bad = false;
};

} // namespace gpuexec::relay

#endif
