//===-- rpc/tests/caller.h - Calls of one lane ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_TESTS_CALLER_H
#define GPUEXEC_RPC_TESTS_CALLER_H

#include "rpc/tests/fixture.h"

namespace gpuexec::rpc::test {

/// Calls of one lane, as a C library would make them.
struct Caller {
  Session &session;
  uint64_t mask = 1;
  int64_t error = 0; // errno of the last call

  int64_t result(WavePort &port, uint64_t *second = nullptr) {
    int64_t value = 0;
    port.recv([&](unsigned, rpc_packet &p) {
      value = int64_t(p.words[0]);
      error = int64_t(p.words[RPC_ERRNO_WORD]);
      if (second)
        *second = p.words[1];
    });
    return value;
  }
  uint64_t fopen(const std::string &path, const std::string &mode) {
    auto port = session.open(RPC_OPEN_FILE, mask);
    port.send_path(path);
    port.send([&](unsigned, rpc_packet &p) {
      memcpy(p.bytes, mode.c_str(), mode.size() + 1);
    });
    return uint64_t(result(port));
  }
  int64_t fwrite(uint64_t handle, const std::string &text) {
    auto port = session.open(RPC_WRITE_TO_STREAM, mask);
    port.send_words(handle);
    port.send_n(text);
    return result(port);
  }
  std::string fread(uint64_t tagged, uint64_t size) {
    auto port = session.open(RPC_READ_FROM_STREAM, mask);
    port.send_words(size, tagged);
    std::string text = port.recv_n()[0];
    EXPECT_EQ(result(port), int64_t(text.size()));
    return text;
  }
  std::string fgets(uint64_t tagged, uint64_t size) {
    auto port = session.open(RPC_READ_FGETS, mask);
    port.send_words(size, tagged);
    return port.recv_n()[0];
  }
  int64_t call(uint32_t opcode, uint64_t a, uint64_t b = 0, uint64_t c = 0,
               uint64_t d = 0, uint64_t *second = nullptr) {
    auto port = session.open(opcode, mask);
    port.send_words(a, b, c, d);
    return result(port, second);
  }
  int64_t path_call(uint32_t opcode, const std::string &path, uint64_t a = 0,
                    uint64_t b = 0) {
    auto port = session.open(opcode, mask);
    port.send_path(path);
    port.send_words(a, b);
    return result(port);
  }
  int64_t two_paths(uint32_t opcode, const std::string &from,
                    const std::string &to) {
    auto port = session.open(opcode, mask);
    port.send_path(from);
    port.send_path(to);
    return result(port);
  }
  int64_t write(int64_t fd, const std::string &text, int64_t offset = -1) {
    auto port = session.open(RPC_WRITE, mask);
    port.send_words(uint64_t(fd), 0, uint64_t(offset));
    port.send_n(text);
    return result(port);
  }
  std::string read(int64_t fd, uint64_t size, int64_t offset = -1) {
    auto port = session.open(RPC_READ, mask);
    port.send_words(uint64_t(fd), size, uint64_t(offset));
    std::string text = port.recv_n()[0];
    result(port);
    return text;
  }
};

} // namespace gpuexec::rpc::test

#endif // GPUEXEC_RPC_TESTS_CALLER_H
