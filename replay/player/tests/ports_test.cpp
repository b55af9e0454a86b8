//===-- replay/player/tests/ports_test.cpp - Waves share one thread -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of many packets keeps nobody waiting: the server goes on with another
// port's call between any two of them. The tests are the clients: after each
// packet the server looks once.
//===----------------------------------------------------------------------===//
#include "gtest/gtest.h"
#include <cstdarg>
#include <unistd.h>
#include <vector>

#define _Noreturn [[noreturn]]
extern "C" {
#include "replay/player/live.h"
#include "replay/player/server.h"
}

//===-- What the server needs ---------------------------------------------===//

/// Requests in the order in which they were there in full, as they are noted.
static std::vector<std::string> requests;

extern "C" {
void say(const char *text) { fputs(text, stderr); }
void fail(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  _exit(status);
}
void *allocate(uint64_t count, uint64_t size) { return calloc(count, size); }
void *reallocate(void *data, uint64_t size) { return realloc(data, size); }

/// Answers with the request: to READ_FGETS with 100 bytes of its `size`.
enum found answer_call(struct answers *, const struct recorded_call *call,
                       struct bytes *answer, struct end *) {
  static struct buffer kept; // overwritten by the next call, as answer_call() may
  const char *data = reinterpret_cast<const char *>(call->request.data);
  requests.emplace_back(data, call->request.size);
  kept.size = 0;
  if (call->opcode == RPC_READ_FGETS) {
    const std::string line(100, data[0]);
    append_number(&kept, line.size());
    append(&kept, line.data(), line.size());
  } else {
    append_number(&kept, call->request.size);
    append_number(&kept, 0); // errno
  }
  *answer = view(&kept);
  return FOUND_ANSWER;
}

void note_allocated(struct matcher *, uint64_t, uint64_t, uint64_t) {}
void note_freed(struct matcher *, uint64_t) {}
void finish_replay(struct answers *, struct end) {}
bool serve_live(struct live *, struct call *, struct buffer *) { return false; }
void print_live(struct live *, struct call *, struct buffer *) {}
bool flush_live(struct live *) { return true; }
}

static struct host_memory allocate_host(struct device *, uint64_t size) {
  auto *memory = static_cast<uint8_t *>(calloc(1, size));
  return {memory, reinterpret_cast<uint64_t>(memory)};
}

//===-- Clients -----------------------------------------------------------===//

/// A string as a recording has it.
static std::string noted(const std::string &text) {
  return char(text.size()) + text;
}

class Ports : public testing::Test {
protected:
  void SetUp() override {
    requests.clear();
    plan.program = "program";
    plan.client = "client";
    plan.client_size = sizeof client;
    plan.ports = 2;
    plan.lanes = 64;
    device.allocate_host = allocate_host;
    server.plan = &plan;
    server.host.device = &device;
    server.answers = &answers;
    create_server(&server);
    struct buffer object = client_object(&server.mailbox);
    memcpy(&client, object.data, sizeof client);
    free(object.data);
  }

  /// Lane 0 of the port calls; its packet is `call`'s first.
  void begin(unsigned port, uint32_t opcode) {
    auto *header = reinterpret_cast<rpc_header *>(client.headers) + port;
    *header = {1, opcode, 0};
  }
  rpc_packet *packet(unsigned port) const {
    return reinterpret_cast<rpc_packet *>(client.packets) + 64 * port;
  }
  bool is_clients(unsigned port) const {
    return reinterpret_cast<const uint32_t *>(client.inbox)[port] ==
           reinterpret_cast<const uint32_t *>(client.outbox)[port];
  }
  /// Hands the packet over; the server looks.
  void hand_over(unsigned port) {
    ASSERT_TRUE(is_clients(port));
    reinterpret_cast<uint32_t *>(client.outbox)[port] ^= 1;
    EXPECT_TRUE(serve(&server));
    EXPECT_TRUE(is_clients(port)) << "port " << port << " is kept waiting";
    EXPECT_FALSE(serve(&server)) << "there is nothing to do";
  }
  /// The first or second packet of a stream of up to 120 bytes.
  void send(unsigned port, const std::string &text, bool second = false) {
    rpc_packet *to = packet(port);
    if (!second)
      to->words[0] = text.size();
    const std::string part = text.substr(second ? 56 : 0, second ? 64 : 56);
    memcpy(to->bytes + (second ? 0 : 8), part.data(), part.size());
    hand_over(port);
  }

  struct plan plan = {};
  struct device device = {};
  struct answers answers = {};
  struct server server = {};
  rpc_client22 client;
};

TEST_F(Ports, TakeTurnsWithRequests) {
  const std::string texts[] = {std::string(100, 'a'), std::string(100, 'b')};
  for (unsigned port : {0, 1}) {
    begin(port, RPC_WRITE_TO_STDERR);
    send(port, texts[port]);
  }
  EXPECT_TRUE(requests.empty());
  for (unsigned port : {1, 0})
    send(port, texts[port], true);
  EXPECT_EQ(requests, (std::vector{noted(texts[1]), noted(texts[0])}));
  for (unsigned port : {0, 1})
    EXPECT_EQ(packet(port)->words[0], 101u);
}

TEST_F(Ports, TakeTurnsWithAnswers) {
  std::string lines[2];
  for (unsigned port : {0, 1}) {
    begin(port, RPC_READ_FGETS);
    packet(port)->words[0] = 'a' + port; // what match() answers with
    packet(port)->words[1] = RPC_STREAM_STDIN;
    hand_over(port);
    EXPECT_EQ(packet(port)->words[0], 100u);
    lines[port].assign(reinterpret_cast<char *>(packet(port)->bytes) + 8, 56);
  }
  for (unsigned port : {1, 0}) {
    hand_over(port);
    lines[port].append(reinterpret_cast<char *>(packet(port)->bytes), 44);
    EXPECT_EQ(lines[port], std::string(100, char('a' + port)));
  }
}

TEST_F(Ports, TakeTurnsWithStringsOfPrintf) {
  for (unsigned port : {0, 1}) {
    begin(port, RPC_PRINTF_TO_STDOUT_PACKED);
    send(port, "%s and %s!");
    EXPECT_EQ(packet(port)->words[0], 16u) << "the size of the arguments";
  }
  for (unsigned port : {1, 0}) {
    const uint64_t addresses[] = {0x100u + port, 0x200u + port};
    send(port, std::string(reinterpret_cast<const char *>(addresses), 16));
    EXPECT_EQ(packet(port)->words[1], addresses[0]);
  }
  for (unsigned port : {0, 1}) {
    send(port, port ? "one" : "another");
    EXPECT_EQ(packet(port)->words[1], 0x200u + port);
  }
  const std::string rest(70, 'x');
  for (bool second : {false, true})
    for (unsigned port : {1, 0})
      send(port, rest, second);
  const std::string head("\0\0", 2); // stream and errno
  EXPECT_EQ(requests, (std::vector{head + noted("one and " + rest + "!"),
                                   head + noted("another and " + rest + "!")}));
  for (unsigned port : {0, 1})
    EXPECT_EQ(packet(port)->words[1], 0u) << "no string is asked for";
}

TEST_F(Ports, EndInTheMiddleOfACall) {
  check_all_ended(&server);
  begin(1, RPC_WRITE_TO_STDERR);
  send(1, std::string(100, 'a'));
  EXPECT_EXIT(check_all_ended(&server), testing::ExitedWithCode(125),
              "a wave has ended in the middle of a call");
  send(1, std::string(100, 'a'), true);
  check_all_ended(&server);
}
