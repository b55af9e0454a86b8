//===-- lending/relay/local_socket.h - To client or worker ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A socket of this machine that carries messages (wire/requests.def). They go
// on in pieces, as they come; only where a message begins is known, and those
// that the relay itself needs are kept until they are whole.
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
    bool begins = false; ///< a message
    uint32_t kind = 0;   ///< of the message
    /// It is the whole message: it came with descriptors, or the table says
    /// that a relay reads it.
    bool whole = false;
    std::vector<UniqueFd> descriptors;
    /// Of a whole message.
    llvm::StringRef body() const { return llvm::StringRef(bytes).substr(8); }
  };
  enum class Got { piece, nothing, end };
  /// Never waits.
  Got receive(Piece &piece);

  void send(llvm::StringRef bytes) { send(bytes, {}); }
  /// A whole message.
  void send(uint32_t kind, llvm::StringRef body,
            std::vector<int> descriptors = {}) {
    const FrameHeader header{kind, uint32_t(body.size())};
    std::string bytes(reinterpret_cast<const char *>(&header), sizeof(header));
    bytes.append(body.begin(), body.end());
    send(bytes, std::move(descriptors));
  }
  /// `descriptors` stay the caller's, and go with the first byte.
  void send(llvm::StringRef bytes, std::vector<int> descriptors);
  /// Sends what there is room for. False when the other side has gone.
  bool flush();
  size_t unsent() const { return queued; }
  /// All that was sent so far is whole messages.
  bool is_between_messages() const { return sent.is_between(); }

  int get() const { return socket.get(); }
  explicit operator bool() const { return bool(socket); }
  void close() { socket.close(); }

private:
  /// 0: nothing there; -1: the end.
  ssize_t read(char *to, size_t most);
  Got read_header();

  UniqueFd socket;
  Piece next; ///< as much of a message as is there, while it is needed whole
  char header[8];
  size_t header_size = 0;
  uint64_t left = 0; ///< of the body that has begun
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
