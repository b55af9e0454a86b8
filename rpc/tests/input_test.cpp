//===-- rpc/tests/input_test.cpp - Reading, files, descriptors, processes
//--===//
#include "rpc/tests/fixture.h"
#include "gmock/gmock.h"
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;

namespace {

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

} // namespace

TEST(Read, StandardInputByBytesLinesAndAll) {
  Session session({.input = std::string("ab\nsecond line\n\0binary\xff", 23) +
                            std::string(300000, 'q')});
  Caller c{session};
  EXPECT_EQ(c.fread(RPC_STREAM_STDIN, 1), "a");
  EXPECT_EQ(c.call(RPC_UNGETC, 'A', RPC_STREAM_STDIN), 'A');
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 100), std::string("Ab\n\0", 4));
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 4), std::string("sec\0", 4));
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 0), "");
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 1), std::string("\0", 1));
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 100), std::string("ond line\n\0", 10));
  EXPECT_EQ(c.fread(RPC_STREAM_STDIN, 7), std::string("\0binary", 7));
  EXPECT_EQ(c.fread(RPC_STREAM_STDIN, 1), "\xff");
  EXPECT_EQ(c.call(RPC_FEOF, RPC_STREAM_STDIN), 0);
  EXPECT_TRUE(c.fread(RPC_STREAM_STDIN, ~uint64_t(0)) ==
              std::string(300000, 'q'));
  EXPECT_EQ(c.call(RPC_FEOF, RPC_STREAM_STDIN), 1);
  EXPECT_EQ(c.fgets(RPC_STREAM_STDIN, 100), "");
  EXPECT_EQ(c.fread(RPC_STREAM_STDIN, 5), "");
  // The tag counts, the rest of the word is the device's.
  EXPECT_EQ(c.call(RPC_FEOF, 0x7f0012340000 | RPC_STREAM_STDIN), 1);
  c.call(RPC_CLEARERR, RPC_STREAM_STDIN);
  EXPECT_EQ(c.call(RPC_FEOF, RPC_STREAM_STDIN), 0);
}

TEST(Read, LanesTakeTurns) {
  Session session({.lanes = 64, .input = "0123456789abcdef"});
  auto port = session.open(RPC_READ_FROM_STREAM, 0xF0F);
  port.send_words(2, RPC_STREAM_STDIN);
  auto texts = port.recv_n();
  auto counts = port.recv_words();
  EXPECT_EQ(texts[0] + texts[1] + texts[2] + texts[3] + texts[8] + texts[11],
            "0123456789ef");
  EXPECT_EQ(counts[11], 2u);
}

TEST(Read, WaitingForAPipeHoldsUpNobody) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Session session({.stdin_fd = ends[0]});
  Caller c{session};
  {
    auto port = session.open(RPC_WRITE_TO_STDOUT, 1);
    port.send_n(std::string("prompt> "));
    port.recv_words();
  }
  EXPECT_EQ(session.output(), "");
  std::string got[3];
  for (int i = 0; i < 3; ++i)
    session.wave(
        [&, i] { got[i] = Caller{session}.fgets(RPC_STREAM_STDIN, 99); });
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(c.call(RPC_TEST_INCREMENT, uint64_t(i)), i + 1);
  for (int i = 0; i < 2000 && session.output().empty(); ++i)
    usleep(1000);
  EXPECT_EQ(session.output(), "prompt> ");
  for (const char *line : {"one\n", "two\n", "three\n"})
    ASSERT_GT(::write(ends[1], line, strlen(line)), 0);
  for (auto &wave : session.waves)
    wave.join();
  session.waves.clear();
  std::set<std::string> lines(got, got + 3);
  EXPECT_EQ(lines, (std::set<std::string>{std::string("one\n\0", 5),
                                          std::string("two\n\0", 5),
                                          std::string("three\n\0", 7)}));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Read, KernelThatDiesWhileItReadsIsForgotten) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Session session({.stdin_fd = ends[0]});
  auto port = session.open(RPC_READ_FROM_STREAM, 1);
  port.send_words(10, RPC_STREAM_STDIN);
  auto half = session.open(RPC_WRITE_TO_STDOUT, 1); // dies in the middle
  half.send([](unsigned, rpc_packet &p) { p.words[0] = 1000; });
  usleep(20000);
  session.server->drain();
  session.server->stop();
  EXPECT_FALSE(session.server->outcome());
  EXPECT_EQ(session.output(), "");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Files, WriteSeekReadBack) {
  Session session({});
  Caller c{session};
  std::string path = session.directory / "file";
  uint64_t f = c.fopen(path, "w+");
  ASSERT_NE(f, 0u);
  EXPECT_EQ(f & 3, 0u);
  EXPECT_EQ(c.fwrite(f, "hello world"), 11);
  EXPECT_EQ(c.call(RPC_FTELL, f), 11);
  EXPECT_EQ(c.call(RPC_FSEEK, f, 6, SEEK_SET), 0);
  EXPECT_EQ(c.fread(f, 100), "world");
  EXPECT_EQ(c.call(RPC_FSEEK, f, uint64_t(-5), SEEK_END), 0);
  EXPECT_EQ(c.call(RPC_FTELL, f), 6);
  EXPECT_EQ(c.fread(f, 1), "w");
  EXPECT_EQ(c.call(RPC_FSEEK, f, 1, SEEK_CUR), 0);
  EXPECT_EQ(c.fwrite(f, "RLD!"), 4);
  EXPECT_EQ(c.call(RPC_FSEEK, f, 0, 7), -1);
  EXPECT_EQ(c.error, EINVAL);
  EXPECT_EQ(c.call(RPC_CLOSE_FILE, f), 0);
  EXPECT_EQ(read_file(path), "hello woRLD!");
  // The handle is stale now, also for one that takes its slot.
  EXPECT_EQ(c.fwrite(f, "x"), 0);
  uint64_t g = c.fopen(path, "a");
  EXPECT_NE(g, f);
  EXPECT_EQ(c.fwrite(f, "x"), 0);
  EXPECT_EQ(c.fwrite(g, "more"), 4);
  EXPECT_EQ(c.fread(g, 4), ""); // opened for writing only
  EXPECT_EQ(c.call(RPC_FERROR, g), 1);
  session.server->stop();
  EXPECT_EQ(read_file(path), "hello woRLD!more");
}

TEST(Files, ErrorsHaveReasons) {
  Session session({});
  Caller c{session};
  EXPECT_EQ(c.fopen("/nonexistent/file", "r"), 0u);
  EXPECT_EQ(c.error, ENOENT);
  EXPECT_EQ(c.fopen(session.directory.path, "w"), 0u);
  EXPECT_EQ(c.error, EISDIR);
  EXPECT_EQ(c.fopen(session.directory / "in", "rubbish"), 0u);
  EXPECT_EQ(c.error, EINVAL);
  EXPECT_EQ(c.fopen(std::string(5000, 'x'), "r"), 0u);
  EXPECT_EQ(c.error, ENAMETOOLONG);
  EXPECT_EQ(c.path_call(RPC_OPEN, "/dev/null/x", O_RDONLY), -1);
  EXPECT_EQ(c.error, ENOTDIR);
  EXPECT_EQ(c.read(77, 1), "");
  EXPECT_EQ(c.error, EBADF);
}

TEST(Files, RenameAndRemove) {
  Session session({});
  Caller c{session};
  std::string a = session.directory / "a", b = session.directory / "b";
  write_file(a, "text");
  auto port = session.open(RPC_RENAME, 1);
  port.send_path(a);
  port.send_path(b);
  EXPECT_EQ(c.result(port), 0);
  EXPECT_EQ(read_file(b), "text");
  auto remove = [&](const std::string &path) {
    auto port = session.open(RPC_REMOVE, 1);
    port.send_path(path);
    return c.result(port);
  };
  EXPECT_EQ(remove(b), 0);
  EXPECT_EQ(remove(b), -1);
  EXPECT_EQ(c.error, ENOENT);
}

// The server raises the soft limit by itself; the hard one only root may raise,
// and not in every container.
TEST(Files, HundredThousandStreams) {
  constexpr size_t WANTED = 100000, OTHERS = 100;
  rlimit before, low;
  getrlimit(RLIMIT_NOFILE, &before);
  low = before;
  if (low.rlim_max < WANTED + OTHERS)
    low.rlim_max = WANTED + OTHERS;
  low.rlim_cur = std::min<rlim_t>(1024, low.rlim_max);
  if (setrlimit(RLIMIT_NOFILE, &low) != 0) {
    low.rlim_max = before.rlim_max;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  }
  size_t wanted = std::min<size_t>(WANTED, low.rlim_max - OTHERS);
  {
    Session session({.lanes = 64});
    std::vector<uint64_t> handles;
    while (handles.size() < wanted) {
      auto port = session.open(RPC_OPEN_FILE);
      port.send_path("/dev/null");
      port.send([](unsigned, rpc_packet &p) { memcpy(p.bytes, "w", 2); });
      auto results = port.recv_words();
      for (uint64_t handle : results)
        if (handle)
          handles.push_back(handle);
      ASSERT_NE(results[0], 0u) << handles.size();
    }
    std::set<uint64_t> unique(handles.begin(), handles.end());
    EXPECT_EQ(unique.size(), handles.size());
    Caller c{session};
    EXPECT_EQ(c.fwrite(handles.back(), "x"), 1);
    for (size_t i = 0; i < handles.size(); i += 97)
      EXPECT_EQ(c.call(RPC_CLOSE_FILE, handles[i]), 0);
    EXPECT_EQ(c.call(RPC_CLOSE_FILE, handles[0]), -1); // no more
  }
  setrlimit(RLIMIT_NOFILE, &before);
  // test/long/many-streams.test runs this where it may.
  if (wanted < WANTED)
    GTEST_SKIP() << "only " << wanted << " streams: the hard limit of open "
                 << "files is " << before.rlim_max << " and may not be raised";
}

// Where the limit cannot be raised, opening fails with a reason and all goes
// on.
TEST(Files, MoreThanTheLimitAllowsAreRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto run = [] {
    rlimit limit = {200, 200};
    setrlimit(RLIMIT_NOFILE, &limit);
    Session session({});
    Caller c{session};
    std::vector<uint64_t> handles;
    auto name = [&](size_t i) {
      return session.directory / "s" + std::to_string(i);
    };
    auto text = [](size_t i) { return "stream " + std::to_string(i) + "\n"; };
    auto write = [&](size_t i) {
      return c.fwrite(handles[i], text(i)) == int64_t(text(i).size());
    };
    while (uint64_t handle = c.fopen(name(handles.size()), "w")) {
      handles.push_back(handle);
      EXPECT_TRUE(write(handles.size() - 1));
    }
    EXPECT_EQ(c.error, EMFILE);
    EXPECT_GT(handles.size(), 100u);
    // Whoever asks is refused, each lane of a wave, again and again; those that
    // are open do not mind.
    for (int i = 0; i < 20; ++i) {
      auto port = session.open(RPC_OPEN_FILE);
      port.send_path("/dev/null");
      port.send([](unsigned, rpc_packet &p) { memcpy(p.bytes, "w", 2); });
      port.recv([](unsigned, rpc_packet &p) {
        EXPECT_EQ(p.words[0], 0u);
        EXPECT_EQ(p.words[RPC_ERRNO_WORD], uint64_t(EMFILE));
      });
      EXPECT_TRUE(write(size_t(i)));
    }
    // One goes, one comes.
    EXPECT_EQ(c.call(RPC_CLOSE_FILE, handles[0]), 0);
    EXPECT_NE(c.fopen("/dev/null", "w"), 0u);
    EXPECT_EQ(c.fopen("/dev/null", "w"), 0u);
    EXPECT_FALSE(session.server->outcome());
    // And nothing that was acknowledged is lost.
    session.server.reset();
    for (size_t i = 0; i < handles.size(); ++i)
      EXPECT_EQ(read_file(name(i)), i < 20 ? text(i) + text(i) : text(i));
    _exit(testing::Test::HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST(Files, ReadOnly) {
  TemporaryDirectory directory;
  std::string path = directory / "text";
  write_file(path, "Linux");
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(chmod(directory.path.c_str(), 0755), 0);
  // Root may write everything; the server's threads are to be somebody else.
  struct SomebodyElse {
    uid_t before = uid_t(setfsuid(geteuid() ? geteuid() : 65534));
    ~SomebodyElse() { setfsuid(before); }
  };
  {
    SomebodyElse now;
    Session session({});
    Caller c{session};
    for (const char *mode : {"w", "a", "r+", "w+"}) {
      EXPECT_EQ(c.fopen(path, mode), 0u);
      EXPECT_EQ(c.error, EACCES);
    }
    EXPECT_EQ(c.path_call(RPC_OPEN, path, O_RDWR), -1);
    EXPECT_EQ(c.error, EACCES);
    // A stream that was opened for reading.
    uint64_t f = c.fopen(path, "r");
    ASSERT_NE(f, 0u);
    EXPECT_EQ(c.fwrite(f, "x"), 0);
    EXPECT_EQ(c.error, EBADF);
    EXPECT_EQ(c.fread(f, 5), "Linux");
    int64_t fd = c.path_call(RPC_OPEN, path, O_RDONLY);
    ASSERT_GE(fd, 0);
    uint64_t memory = uint64_t(c.call(RPC_MALLOC, 4096));
    EXPECT_EQ(c.call(RPC_BULK_WRITE, uint64_t(fd), memory, 4096, ~0ul), -1);
    EXPECT_EQ(c.error, EBADF);
    EXPECT_EQ(c.call(RPC_BULK_WRITE_STREAM, f, memory, 4096), 0);
    EXPECT_EQ(c.error, EBADF);
  }
  EXPECT_EQ(read_file(path), "Linux");
}

TEST(Descriptors, ReadWriteSeekStat) {
  Session session({});
  Caller c{session};
  std::string path = session.directory / "data";
  int64_t fd = c.path_call(RPC_OPEN, path, O_RDWR | O_CREAT, 0640);
  EXPECT_EQ(fd, 3);
  EXPECT_EQ(c.write(fd, "0123456789"), 10);
  EXPECT_EQ(c.write(fd, "ab", 4), 2);
  EXPECT_EQ(c.call(RPC_LSEEK, uint64_t(fd), 2, SEEK_SET), 2);
  EXPECT_EQ(c.read(fd, 100), "23ab6789");
  EXPECT_EQ(c.read(fd, 3, 0), "012");
  EXPECT_EQ(c.call(RPC_FTRUNCATE, uint64_t(fd), 5), 0);
  {
    auto port = session.open(RPC_FSTAT, 1);
    port.send_words(uint64_t(fd));
    EXPECT_EQ(c.result(port), 0);
    rpc_stat found;
    for (unsigned half = 0; half < 2; ++half)
      port.recv([&](unsigned, rpc_packet &p) {
        memcpy((char *)&found + 64 * half, p.bytes, 64);
      });
    EXPECT_EQ(found.size, 5);
    EXPECT_TRUE(S_ISREG(found.mode));
  }
  EXPECT_EQ(c.call(RPC_ISATTY, uint64_t(fd)), 0);
  EXPECT_EQ(c.error, ENOTTY);
  int64_t copy = c.call(RPC_DUP, uint64_t(fd), uint64_t(-1));
  EXPECT_EQ(copy, 4);
  EXPECT_EQ(c.call(RPC_CLOSE, uint64_t(fd)), 0);
  EXPECT_EQ(c.call(RPC_CLOSE, uint64_t(fd)), -1);
  EXPECT_EQ(c.error, EBADF);
  EXPECT_EQ(c.read(copy, 9, 0), "0123a");
  EXPECT_EQ(c.write(1, "to stdout\n"), 10);
  EXPECT_EQ(session.output(), "to stdout\n");
}

TEST(Descriptors, PipeBetweenWaves) {
  Session session({});
  Caller c{session};
  uint64_t words[3] = {};
  {
    auto port = session.open(RPC_PIPE, 1);
    port.send_words();
    port.recv([&](unsigned, rpc_packet &p) { memcpy(words, p.words, 24); });
  }
  EXPECT_EQ(words[0], 0u);
  std::string got;
  session.wave([&] { got = Caller{session}.read(int64_t(words[1]), 100); });
  usleep(10000);
  EXPECT_EQ(c.write(int64_t(words[2]), "through"), 7);
  session.waves[0].join();
  session.waves.clear();
  EXPECT_EQ(got, "through");
}

TEST(Names, DirectoriesAndLinks) {
  Session session({});
  Caller c{session};
  std::string base = session.directory / "tree";
  EXPECT_EQ(c.path_call(RPC_MKDIR, base, 0755), 0);
  {
    auto port = session.open(RPC_CHDIR, 1);
    port.send_path(base);
    EXPECT_EQ(c.result(port), 0);
  }
  {
    auto port = session.open(RPC_GETCWD, 1);
    port.send_words(4096);
    EXPECT_STREQ(port.recv_n()[0].c_str(), base.c_str());
    EXPECT_EQ(c.result(port), 0);
  }
  char here[4096];
  EXPECT_STRNE(getcwd(here, sizeof here), base.c_str()); // ours has not moved
  std::set<std::string> expected = {".", ".."};
  for (int i = 0; i < 300; ++i) {
    std::string name = "file-" + std::to_string(i);
    int64_t fd = c.path_call(RPC_OPEN, name, O_WRONLY | O_CREAT, 0600);
    ASSERT_GE(fd, 0);
    c.call(RPC_CLOSE, uint64_t(fd));
    expected.insert(name);
  }
  EXPECT_EQ(c.two_paths(RPC_SYMLINK, "file-1", "link"), 0);
  EXPECT_EQ(c.two_paths(RPC_LINK, "file-2", "hard"), 0);
  EXPECT_EQ(c.two_paths(RPC_RENAME_PATH, "file-0", "moved"), 0);
  expected.insert({"link", "hard", "moved"});
  expected.erase("file-0");
  {
    auto port = session.open(RPC_READLINK, 1);
    port.send_path("link");
    port.send_words(100);
    EXPECT_EQ(port.recv_n()[0], "file-1");
    EXPECT_EQ(c.result(port), 6);
  }
  auto opendir = session.open(RPC_OPENDIR, 1);
  opendir.send_path(".");
  uint64_t handle = uint64_t(c.result(opendir));
  opendir.close();
  ASSERT_NE(handle, 0u);
  for (int round = 0; round < 2; ++round) {
    std::set<std::string> names;
    for (;;) {
      auto port = session.open(RPC_READDIR, 1);
      port.send_words(handle, 1000);
      std::string entries = port.recv_n()[0];
      if (c.result(port) <= 0)
        break;
      for (size_t at = 0; at < entries.size();) {
        auto *entry = reinterpret_cast<const rpc_dirent *>(&entries[at]);
        names.insert(&entries[at] + sizeof(rpc_dirent));
        at += entry->length;
      }
    }
    EXPECT_EQ(names, expected);
    EXPECT_EQ(c.call(RPC_REWINDDIR, handle), 0);
  }
  EXPECT_EQ(c.call(RPC_CLOSEDIR, handle), 0);
  EXPECT_EQ(c.call(RPC_CLOSEDIR, handle), -1);
  EXPECT_EQ(c.path_call(RPC_CHMOD, "file-3", 0400), 0);
  EXPECT_EQ(c.path_call(RPC_TRUNCATE, "file-4", 10), 0);
  EXPECT_EQ(c.path_call(RPC_ACCESS, "file-4", R_OK), 0);
  EXPECT_EQ(c.path_call(RPC_UNLINK, "file-4"), 0);
  EXPECT_EQ(c.path_call(RPC_ACCESS, "file-4", F_OK), -1);
  EXPECT_EQ(c.path_call(RPC_UNLINK, base, 1), -1);
  EXPECT_EQ(c.error, ENOTEMPTY);
  auto mkstemp = session.open(RPC_MKSTEMP, 1);
  mkstemp.send_path("tmp-XXXXXX");
  mkstemp.send_words(0);
  std::string name = mkstemp.recv_n()[0];
  int64_t fd = c.result(mkstemp);
  mkstemp.close();
  EXPECT_EQ(name.size(), 11u);
  EXPECT_EQ(c.write(fd, "temporary"), 9);
  EXPECT_EQ(read_file(base + "/" + name.c_str()), "temporary");
}

TEST(Process, SystemAndPopen) {
  Session session({.input = "line for cat\n"});
  Caller c{session};
  auto system = [&](const std::string &command) {
    auto port = session.open(RPC_SYSTEM, 1);
    port.send_path(command);
    return c.result(port);
  };
  EXPECT_EQ(system("exit 3"), 3 << 8);
  EXPECT_EQ(system("kill -9 $$"), 9);
  {
    auto port = session.open(RPC_WRITE_TO_STDOUT, 1);
    port.send_n(std::string("first "));
    port.recv_words();
  }
  EXPECT_EQ(system("echo second"), 0);
  EXPECT_EQ(session.output(), "first second\n"); // in order
  auto popen = [&](const std::string &command, const std::string &mode) {
    auto port = session.open(RPC_STREAM_POPEN, 1);
    port.send_path(command);
    port.send([&](unsigned, rpc_packet &p) {
      memcpy(p.bytes, mode.c_str(), mode.size() + 1);
    });
    return uint64_t(c.result(port));
  };
  uint64_t reader = popen("echo from child; exit 5", "r");
  ASSERT_NE(reader, 0u);
  EXPECT_EQ(c.fread(reader, 100), "from child\n");
  EXPECT_EQ(c.call(RPC_STREAM_PCLOSE, reader), 5 << 8);
  uint64_t writer = popen("cat > " + (session.directory / "copy"), "w");
  EXPECT_EQ(c.fwrite(writer, "to child"), 8);
  EXPECT_EQ(c.call(RPC_STREAM_PCLOSE, writer), 0);
  EXPECT_EQ(read_file(session.directory / "copy"), "to child");
}

TEST(Process, AbandonKillsChildren) {
  Session session({});
  std::string file = session.directory / "pid";
  session.wave([&] {
    auto port = session.open(RPC_SYSTEM, 1);
    port.send_path("echo $$ > " + file + "; exec sleep 1000");
    port.recv_words();
  });
  std::string text;
  for (int i = 0; i < 5000 && (text = read_file(file)).empty(); ++i)
    usleep(1000);
  session.device->dead = true;
  session.server->abandon();
  EXPECT_NE(kill(atoi(text.c_str()), 0), 0);
}

TEST(Memory, AlignedDistinctAndReleased) {
  Session session({.lanes = 64});
  auto port = session.open(RPC_MALLOC);
  port.send([](unsigned lane, rpc_packet &p) { p.words[0] = lane * 100000; });
  auto addresses = port.recv_words();
  std::set<uint64_t> unique;
  for (uint64_t address : addresses) {
    EXPECT_NE(address, 0u);
    EXPECT_EQ(address % (2 << 20), 0u);
    unique.insert(address);
  }
  EXPECT_EQ(unique.size(), 64u);
  EXPECT_EQ(session.memory.allocations, 1u); // one for the wave
  auto free = session.open(RPC_FREE, ~uint64_t(1));
  free.send(
      [&](unsigned lane, rpc_packet &p) { p.words[0] = addresses[lane]; });
  session.server->drain();
  EXPECT_EQ(session.memory.blocks.size(), 1u); // a lane still uses it
}

TEST(Memory, WhatCannotBeServedIsNull) {
  Session session({.lanes = 32});
  session.memory.limit = 100 << 20;
  for (uint64_t size : {~uint64_t(0), uint64_t(1) << 62, uint64_t(200) << 20}) {
    Caller c{session};
    EXPECT_EQ(c.call(RPC_MALLOC, size), 0);
    EXPECT_EQ(c.error, ENOMEM);
  }
  auto port = session.open(RPC_MALLOC); // 32 * 30 MiB: for three there is room
  port.send([](unsigned, rpc_packet &p) { p.words[0] = 30 << 20; });
  auto addresses = port.recv_words();
  EXPECT_EQ(std::count_if(addresses.begin(), addresses.end(),
                          [](uint64_t a) { return a != 0; }),
            3);
  Caller c{session};
  EXPECT_NE(c.call(RPC_ALLOCATE, 100, 64), 0);
  EXPECT_EQ(c.call(RPC_ALLOCATE, 100, 3), 0);
  c.call(RPC_TEST_INCREMENT, 0);
}

TEST(Memory, FreeOfNonsenseEndsTheProgram) {
  Session session({});
  auto port = session.open(RPC_FREE, 1);
  port.send_words(0x1234);
  auto outcome = session.wait_outcome();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, 134);
  EXPECT_THAT(outcome->message, testing::HasSubstr("free of 0x1234"));
}

enum class Way { views, copies, neither };
class Bulk : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, Bulk,
                         testing::Values(Way::views, Way::copies,
                                         Way::neither));

TEST_P(Bulk, ThereAndBack) {
  Session session({.input = "abc"});
  session.memory.views = GetParam() == Way::views;
  session.memory.copies = GetParam() == Way::copies;
  Caller c{session};
  constexpr uint64_t SIZE = (3 << 20) + 7;
  uint64_t memory = uint64_t(c.call(RPC_MALLOC, SIZE));
  ASSERT_NE(memory, 0u);
  std::string text(SIZE, 0);
  for (uint64_t i = 0; i < SIZE; ++i)
    text[i] = char(i * 31 >> 3);
  memcpy((void *)memory, text.data(), SIZE);
  std::string path = session.directory / "bulk";
  uint64_t f = c.fopen(path, "w+");
  EXPECT_EQ(c.fwrite(f, "head"), 4);
  EXPECT_EQ(c.call(RPC_BULK_WRITE_STREAM, f, memory, SIZE), int64_t(SIZE));
  EXPECT_EQ(c.fwrite(f, "tail"), 4);
  EXPECT_EQ(c.call(RPC_FSEEK, f, 0, SEEK_SET), 0);
  EXPECT_TRUE(read_file(path) == "head" + text + "tail");
  memset((void *)memory, 0, SIZE);
  EXPECT_EQ(c.fread(f, 4), "head");
  uint64_t done = 0, end = 0;
  while (done < SIZE) {
    int64_t got =
        c.call(RPC_BULK_READ_STREAM, f, memory + done, SIZE - done, 0, &end);
    ASSERT_GT(got, 0);
    done += uint64_t(got);
  }
  EXPECT_EQ(memcmp((void *)memory, text.data(), SIZE), 0);
  EXPECT_EQ(c.call(RPC_BULK_READ_STREAM, f, memory, 100, 0, &end), 4);
  EXPECT_EQ(c.call(RPC_BULK_READ_STREAM, f, memory, 100, 0, &end), 0);
  EXPECT_EQ(end, 1u);
  EXPECT_EQ(c.call(RPC_BULK_READ_STREAM, RPC_STREAM_STDIN, memory, 100), 3);
  EXPECT_EQ(memcmp((void *)memory, "abc", 3), 0);
  // Addresses that are nothing.
  for (uint64_t address :
       {uint64_t(0), uint64_t(64), ~uint64_t(0), memory + SIZE - 1}) {
    EXPECT_EQ(c.call(RPC_BULK_WRITE_STREAM, f, address, 4096), 0);
    EXPECT_EQ(c.error, EFAULT);
  }
  int64_t fd = c.path_call(RPC_OPEN, path, O_RDWR, 0);
  EXPECT_EQ(c.call(RPC_BULK_READ, uint64_t(fd), memory, 10, 0), 10);
  EXPECT_EQ(memcmp((void *)memory, "head", 4), 0);
  EXPECT_EQ(c.call(RPC_BULK_WRITE, uint64_t(fd), memory, 4, 4), 4);
  EXPECT_EQ(c.call(RPC_BULK_READ, 99, memory, 4), -1);
  EXPECT_EQ(c.error, EBADF);
}

// What the lanes of a wave write to one file comes behind one another, in lane
// order, whatever their sizes; a lane whose address is nothing is left out.
TEST_P(Bulk, LanesWriteBehindOneAnother) {
  Session session({.lanes = 64});
  session.memory.views = GetParam() == Way::views;
  session.memory.copies = GetParam() == Way::copies;
  Caller c{session};
  constexpr uint64_t SIZE = 200000;
  uint64_t memory = uint64_t(c.call(RPC_MALLOC, SIZE));
  ASSERT_NE(memory, 0u);
  for (uint64_t i = 0; i < SIZE; ++i)
    ((char *)memory)[i] = char('a' + i * 7 % 26);
  std::string paths[2] = {session.directory / "a", session.directory / "b"};
  uint64_t files[2] = {c.fopen(paths[0], "w"), c.fopen(paths[1], "w")};
  std::string expected[2];
  uint64_t sizes[64], addresses[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    sizes[lane] = lane % 5 == 3 ? 0 : lane * lane * 40;
    addresses[lane] = lane == 20 ? 4096 : memory + lane;
    if (lane != 20)
      expected[lane % 16 / 8] +=
          std::string((char *)memory + lane, sizes[lane]);
  }
  auto port = session.open(RPC_BULK_WRITE_STREAM);
  port.send([&](unsigned lane, rpc_packet &p) {
    p.words[0] = files[lane % 16 / 8];
    p.words[1] = addresses[lane];
    p.words[2] = sizes[lane];
  });
  port.recv([&](unsigned lane, rpc_packet &p) {
    EXPECT_EQ(p.words[0], lane == 20 ? 0 : sizes[lane]) << lane;
    EXPECT_EQ(p.words[RPC_ERRNO_WORD], lane == 20 ? uint64_t(EFAULT) : 0u)
        << lane;
  });
  port.close();
  for (int i : {0, 1}) {
    EXPECT_EQ(c.call(RPC_CLOSE_FILE, files[i]), 0);
    EXPECT_TRUE(read_file(paths[i]) == expected[i]) << i;
  }
  EXPECT_EQ(session.memory.copies_given > 0, GetParam() == Way::copies);
  EXPECT_FALSE(session.memory.copies_taken);
}

TEST_P(Bulk, NothingIsAcknowledgedThatAFullDiskDidNotTake) {
  Session session({});
  session.memory.views = GetParam() == Way::views;
  session.memory.copies = GetParam() == Way::copies;
  Caller c{session};
  constexpr uint64_t SIZE = 300000, LIMIT = 500000;
  uint64_t memory = uint64_t(c.call(RPC_MALLOC, SIZE));
  ASSERT_NE(memory, 0u);
  memset((void *)memory, 'x', SIZE);
  auto write = [&](uint64_t file, uint64_t &error) {
    uint64_t total = 0;
    error = 0;
    auto port = session.open(RPC_BULK_WRITE_STREAM, 0xf0);
    port.send_words(file, memory, SIZE);
    port.recv([&](unsigned, rpc_packet &p) {
      total += p.words[0];
      error = std::max(error, p.words[RPC_ERRNO_WORD]);
    });
    return total;
  };
  uint64_t error;
  EXPECT_EQ(write(c.fopen("/dev/full", "w"), error), 0u);
  EXPECT_EQ(error, uint64_t(ENOSPC));
  // A file that may not grow beyond LIMIT.
  std::string path = session.directory / "small";
  rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = LIMIT;
  auto handler = signal(SIGXFSZ, SIG_IGN);
  uint64_t file = c.fopen(path, "w");
  setrlimit(RLIMIT_FSIZE, &small);
  uint64_t total = write(file, error);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(total, LIMIT);
  EXPECT_EQ(error, uint64_t(EFBIG));
  EXPECT_EQ(read_file(path), std::string(LIMIT, 'x'));
}

TEST(Clock, TimeAndIds) {
  Session session({});
  Caller c{session};
  uint64_t seconds = 0;
  EXPECT_EQ(c.call(RPC_CLOCK_GETTIME, 0, 0, 0, 0, &seconds), 0);
  EXPECT_NEAR(double(seconds), double(time(nullptr)), 2);
  EXPECT_EQ(c.call(RPC_CLOCK_GETTIME, 9), -1);
  EXPECT_EQ(c.error, EINVAL);
  uint64_t pid = 0;
  EXPECT_EQ(c.call(RPC_GETPID, 0, 0, 0, 0, &pid), 0);
  EXPECT_EQ(pid, uint64_t(getpid()));
}
