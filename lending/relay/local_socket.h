//===-- lending/relay/local_socket.h - A socket of this machine -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A relay's socket to the client, the server or the worker on its machine. It
// carries messages of wire/requests.def. The relay passes their bytes on as
// they arrive and tracks only where each message begins. A message that the
// relay itself reads, or that brings descriptors, is kept until it is complete.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_RELAY_LOCAL_SOCKET_H
#define GPUEXEC_LENDING_RELAY_LOCAL_SOCKET_H

#include "lending/relay/frame.h"
#include <deque>

namespace gpuexec::relay {

/// Follows a stream of messages: where one ends and the next begins.
class Boundary {
public:
  void follow(llvm::StringRef bytes);
  bool is_between() const { return header_size == 0 && left == 0; }

private:
  char header[8];
  size_t header_size = 0;
  uint64_t left = 0; ///< of the body
};

class LocalSocket {
public:
  explicit LocalSocket(UniqueFd socket);
  LocalSocket() = default;

  struct Piece {
    std::string bytes;
    bool begins = false; ///< a message begins with this piece
    uint32_t kind = 0;   ///< of the message
    /// The piece is a complete message: one that came with descriptors, or one
    /// that a relay reads (wire::is_read_by_relay()).
    bool whole = false;
    std::vector<UniqueFd> descriptors;
    /// The body of a complete message.
    llvm::StringRef body() const { return llvm::StringRef(bytes).substr(8); }
  };
  enum class Got { piece, nothing, end };
  /// Never waits.
  Got receive(Piece &piece);

  void send(llvm::StringRef bytes) { send(bytes, {}); }
  /// Sends a complete message.
  void send(uint32_t kind, llvm::StringRef body,
            std::vector<int> descriptors = {}) {
    const FrameHeader header{kind, uint32_t(body.size())};
    std::string bytes(reinterpret_cast<const char *>(&header), sizeof(header));
    bytes.append(body.begin(), body.end());
    send(bytes, std::move(descriptors));
  }
  /// `descriptors` are sent with the first byte. They stay the caller's, who
  /// keeps them open until flush() has sent that byte.
  void send(llvm::StringRef bytes, std::vector<int> descriptors);
  /// Sends queued bytes until the socket takes no more. False when the other
  /// side has gone.
  bool flush();
  size_t unsent() const { return queued; }
  /// True when all messages are complete whose bytes were given to send().
  bool is_between_messages() const { return sent.is_between(); }

  int get() const { return socket.get(); }
  explicit operator bool() const { return bool(socket); }
  void close() { socket.close(); }

private:
  /// Reads some bytes; returns how many, 0: none are there yet, -1: the end, or
  /// an error.
  ssize_t read(char *to, size_t most);
  Got read_header();

  UniqueFd socket;
  Piece next; ///< what receive() has read and not yet returned
  char header[8];
  size_t header_size = 0;
  uint64_t left = 0; ///< bytes of the current body that were not read yet
  /// `keeps`: receive() returns the current message only when it is complete.
  bool in_body = false, keeps = false;

  struct Queued {
    std::string bytes;
    std::vector<int> descriptors;
    size_t at = 0;
  };
  std::deque<Queued> queue;
  size_t queued = 0;
  Boundary sent;
};

} // namespace gpuexec::relay

#endif
