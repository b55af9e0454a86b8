//===-- rpc/tests/files_test.cpp - Streams, descriptors, names -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/tests/caller.h"
#include "gmock/gmock.h"
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;

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

// A zone's file comes whatever the sandbox grants; no other file does.
TEST(Files, TimeZones) {
  ServerOptions options;
  options.sandbox = true;
  Session session({.options = options});
  Caller c{session};
  const auto zone = [&](const std::string &name) {
    auto port = session.open(RPC_ZONE_FILE, 1);
    port.send_path(name);
    const std::string bytes = port.recv_n()[0];
    return c.result(port) == 0 ? bytes : std::string();
  };
  if (access("/usr/share/zoneinfo/Europe/Berlin", R_OK) == 0)
    EXPECT_EQ(zone("Europe/Berlin").substr(0, 4), "TZif");
  for (const char *name :
       {"/etc/passwd", "../../../etc/passwd", "Europe/../../../../etc/passwd",
        "/usr/share/zoneinfo/Europe/Berlin", "Europe", "zone.tab",
        "No/Such_Zone", "."})
    EXPECT_EQ(zone(name), "") << name;
  EXPECT_EQ(zone(std::string(5000, 'a')), "");
  EXPECT_FALSE(session.server->outcome());
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
  EXPECT_EQ(c.path_call(RPC_CHOWN, "file-3", getuid(), getgid()), 0);
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
