//===-- rpc/tests/plugin_test.cpp - Services from libraries, stats, trace -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/include/gpuexec_service.h"
#include "rpc/server/journal.h"
#include "rpc/server/trace.h"
#include "rpc/tests/fixture.h"
#include "llvm/Support/JSON.h"
#include "gmock/gmock.h"

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;
using testing::HasSubstr;

static Session::Setup with_service(const std::string &service) {
  Session::Setup setup;
  setup.lanes = 64;
  setup.options.services = {service};
  return setup;
}

TEST(Plugins, ErrorsNameTheLibrary) {
  EXPECT_THAT(Session(with_service("/nonexistent.so")).create_error,
              HasSubstr("service '/nonexistent.so': "));
  EXPECT_THAT(
      Session(with_service("/lib/x86_64-linux-gnu/libc.so.6")).create_error,
      HasSubstr("no function 'gpuexec_service'"));
}

#ifdef GPUEXEC_ZSTD_SERVICE
// Its operations have no flag that promises the same answer again.
TEST(Plugins, OnlyRepeatableOperationsAreRecorded) {
  struct : Journal {
    bool replays() const override { return false; }
  } journal;
  Session::Setup setup = with_service(GPUEXEC_ZSTD_SERVICE);
  setup.options.journal = borrowed(journal);
  EXPECT_THAT(Session(std::move(setup)).create_error,
              HasSubstr("is not recorded (GPUEXEC_REPEATABLE)"));
}

TEST(Plugins, ZstdForEveryLane) {
  Session session(with_service(GPUEXEC_ZSTD_SERVICE));
  ASSERT_TRUE(session.server) << session.create_error;
  auto text = [](unsigned lane) {
    std::string line = "lane " + std::to_string(lane) + " says hello; ", all;
    for (unsigned i = 0; i < 50 + lane; ++i)
      all += line;
    return all;
  };
  std::vector<std::string> frames;
  {
    auto port = session.open(GPUEXEC_USER_OPCODE(0x2d00));
    port.send_words(3);
    port.send_n(text);
    frames = port.recv_n();
    for (uint64_t error : port.recv_words())
      EXPECT_EQ(error, 0u);
  }
  EXPECT_LT(frames[9].size(), text(9).size() / 5);
  frames[5] = "no frame at all";
  auto port = session.open(GPUEXEC_USER_OPCODE(0x2d01));
  port.send_words(1 << 20);
  port.send_n([&](unsigned lane) { return frames[lane]; });
  auto back = port.recv_n();
  auto errors = port.recv_words();
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(errors[lane], lane == 5 ? uint64_t(EILSEQ) : 0u);
    EXPECT_EQ(back[lane], lane == 5 ? "" : text(lane));
  }
}
#endif

#ifdef GPUEXEC_FRAMEBUFFER_SERVICE
TEST(Plugins, FramebufferWritesPictures) {
  TemporaryDirectory pictures;
  EXPECT_THAT(Session(with_service(GPUEXEC_FRAMEBUFFER_SERVICE ",/nonexistent"))
                  .create_error,
              HasSubstr("'/nonexistent' is not a directory"));
  Session session(
      with_service(GPUEXEC_FRAMEBUFFER_SERVICE "," + pictures.path));
  ASSERT_TRUE(session.server) << session.create_error;
  auto malloc = session.open(RPC_MALLOC, 1);
  malloc.send_words(64 * 48 * 4);
  uint64_t memory = malloc.recv_words()[0];
  malloc.close();
  memset((void *)memory, 0x80, 64 * 48 * 4);
  for (uint64_t frame = 0; frame < 3; ++frame) {
    auto port = session.open(GPUEXEC_USER_OPCODE(0xfb00), 1);
    port.send_words(64, 48, memory);
    EXPECT_EQ(port.recv_words()[0], frame);
  }
  std::string png = read_file(pictures / "frame-0002.png");
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_THAT(png, HasSubstr("IEND"));
  // Sizes and addresses that are nonsense are refused, not believed.
  for (uint64_t width : {0ul, 1ul << 40, 100000ul, 128ul}) {
    auto port = session.open(GPUEXEC_USER_OPCODE(0xfb00), 1);
    port.send_words(width, 48, memory);
    EXPECT_EQ(int64_t(port.recv_words()[0]), -1);
  }
}
#endif

TEST(Stats, CountsCallsBytesAndTime) {
  Session::Setup setup;
  setup.options.stats = true;
  Session session(std::move(setup));
  for (int i = 0; i < 10; ++i) {
    auto port = session.open(RPC_WRITE_TO_STDOUT, 0xF);
    port.send_n(std::string(100, 'x'));
    port.recv_words();
  }
  session.server->stop();
  std::string table = session.server->stats_table();
  EXPECT_THAT(table, testing::ContainsRegex(
                         "WRITE_TO_STDOUT +40 +10 +4000 +[0-9.]+ +[0-9.]+\n"));
  EXPECT_THAT(table, HasSubstr("server threads "));
}

/// A session whose server writes its calls to `trace`, which outlives it.
Session traced(Trace &trace) {
  Session::Setup setup;
  setup.options.trace = borrowed(trace);
  return Session(std::move(setup));
}

TEST(TraceFile, IsJson) {
  TemporaryDirectory directory;
  std::string path = directory / "trace.json";
  {
    auto trace = llvm::cantFail(Trace::create(path));
    Session session = traced(*trace);
    for (int i = 0; i < 3; ++i) {
      auto port = session.open(RPC_TEST_INCREMENT, 0xF);
      port.send_words(1);
      port.recv_words();
    }
    session.server->stop();
    auto now = Trace::Clock::now();
    trace->event("phase", "quote \" and \xff", 1, now, now);
    trace->name_track(1, "phases");
    EXPECT_FALSE(bool(trace->close()));
  }
  auto json = llvm::json::parse(read_file(path));
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Array *events = json->getAsArray();
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 5u);
  const llvm::json::Object *event = (*events)[0].getAsObject();
  EXPECT_EQ(event->getString("name"), "TEST_INCREMENT");
  EXPECT_EQ(event->getString("ph"), "X");
  EXPECT_EQ(event->getObject("args")->getInteger("lanes"), 4);
  EXPECT_THAT(llvm::toString(Trace::create("/nonexistent/t").takeError()),
              HasSubstr("/nonexistent/t: No such file"));
}

TEST(TraceFile, NamesTheArguments) {
  TemporaryDirectory directory;
  std::string path = directory / "trace.json";
  {
    auto trace = llvm::cantFail(Trace::create(path));
    Session session = traced(*trace);
    auto open = session.open(RPC_OPEN, 1);
    open.send_path(directory / "quo\"te");
    open.send_words(O_RDWR | O_CREAT, 0600);
    open.recv_words();
    open.close();
    auto seek = session.open(RPC_LSEEK, 1);
    seek.send_words(3, uint64_t(-1), uint64_t(1) << 60);
    seek.recv_words();
    seek.close();
    auto write = session.open(RPC_WRITE, 1);
    write.send_words(3, 0, uint64_t(-1));
    write.send_n("text");
    write.recv_words();
    write.close();
    session.server->stop();
    EXPECT_FALSE(bool(trace->close()));
  }
  auto json = llvm::cantFail(llvm::json::parse(read_file(path)));
  auto arguments = [&](llvm::StringRef name) -> const llvm::json::Object & {
    for (const llvm::json::Value &event : *json.getAsArray())
      if (event.getAsObject()->getString("name") == name)
        return *event.getAsObject()->getObject("args");
    ADD_FAILURE() << "no event " << name.str();
    return *json.getAsArray()->front().getAsObject();
  };
  EXPECT_EQ(arguments("OPEN").getString("path"), directory / "quo\"te");
  EXPECT_EQ(arguments("OPEN").getInteger("flags"), O_RDWR | O_CREAT);
  EXPECT_EQ(arguments("OPEN").getInteger("mode"), 0600);
  EXPECT_EQ(arguments("LSEEK").getInteger("offset"), -1);
  EXPECT_EQ(arguments("LSEEK").getString("whence"), "0x1000000000000000");
  EXPECT_EQ(arguments("WRITE").getInteger("data"), 4); // its size
  EXPECT_EQ(arguments("WRITE").get("_"), nullptr);
}
