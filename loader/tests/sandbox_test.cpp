//===-- loader/tests/sandbox_test.cpp - What the kernel forbids us --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code that has taken the process over would do, done in a child process
// that was confined: with both layers, and with each alone.
//===----------------------------------------------------------------------===//
#include "loader/sandbox/sandbox.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gpuexec::sandbox;

namespace {

class SandboxTest : public testing::Test {
protected:
  void SetUp() override {
    std::string missing = missing_layers();
    if (!missing.empty())
      GTEST_SKIP() << "this kernel has no " << missing;
    char name[] = "/tmp/gpuexec-sandbox-XXXXXX";
    ASSERT_TRUE(::mkdtemp(name));
    directory = name;
    for (const char *part : {"/read", "/write", "/other"})
      ASSERT_EQ(::mkdir((directory + part).c_str(), 0777), 0);
    write("/read/file");
    write("/write/file");
    write("/other/file");
    grants.directories = {{directory + "/read", false},
                          {directory + "/write", true}};
  }
  void TearDown() override {
    if (!directory.empty())
      (void)!std::system(("rm -rf " + directory).c_str());
  }
  void write(const char *name) { std::ofstream(directory + name) << "text\n"; }
  std::string at(const char *name) const { return directory + name; }

  /// Runs `work` in a child that was confined; true when it answered true.
  bool confined(Layers layers, const std::function<bool()> &work) {
    pid_t child = ::fork();
    if (child == 0) {
      if (llvm::Error error = confine(grants, layers)) {
        std::fprintf(stderr, "%s\n", llvm::toString(std::move(error)).c_str());
        ::_exit(2);
      }
      ::_exit(work() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 2) << status;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  std::string directory;
  Grants grants;
};

bool opens(const std::string &path, int flags) {
  int fd = ::open(path.c_str(), flags, 0600);
  if (fd >= 0)
    ::close(fd);
  return fd >= 0;
}

/// The call fails for a reason of the sandbox's.
bool refused(long result) {
  return result == -1 && (errno == EPERM || errno == EACCES);
}

constexpr Layers BOTH{true, true}, NO_LANDLOCK{false, true},
    NO_SECCOMP{true, false};

TEST_F(SandboxTest, EachLayerAloneStopsCommands) {
  for (Calls calls :
       {Calls::server, Calls::machine, Calls::relay, Calls::driver})
    for (Layers layers : {BOTH, NO_LANDLOCK, NO_SECCOMP}) {
      SCOPED_TRACE(testing::Message()
                   << int(calls) << layers.landlock << layers.seccomp);
      grants.calls = calls;
      std::string ran = at("/write/ran");
      std::string command = "/usr/bin/id > " + ran;
      // As a forged call of the C library's function would do it.
      EXPECT_TRUE(
          confined(layers, [&] { return std::system(command.c_str()) != 0; }));
      EXPECT_TRUE(confined(layers, [&] {
        char path[] = "/usr/bin/id";
        char *arguments[] = {path, nullptr};
        return refused(::execv(path, arguments));
      }));
      EXPECT_NE(::access(ran.c_str(), F_OK), 0);
    }
}

TEST_F(SandboxTest, WithoutTheLayersACommandRuns) { // the test can fail
  std::string ran = at("/write/ran");
  EXPECT_TRUE(confined({false, false}, [&] {
    return std::system(("/usr/bin/id > " + ran).c_str()) == 0;
  }));
  EXPECT_EQ(::access(ran.c_str(), F_OK), 0);
}

TEST_F(SandboxTest, ProgramsOfTheWritableDirectoryDoNotRun) {
  std::ofstream(at("/write/program")) << "#!/bin/sh\nexit 0\n";
  ::chmod(at("/write/program").c_str(), 0755);
  for (Layers layers : {NO_LANDLOCK, NO_SECCOMP})
    EXPECT_TRUE(confined(layers, [&] {
      std::string path = at("/write/program");
      char *arguments[] = {path.data(), nullptr};
      return refused(::execv(path.c_str(), arguments));
    }));
}

TEST_F(SandboxTest, LandlockGivesWhatWasGranted) {
  EXPECT_TRUE(confined(NO_SECCOMP, [&] {
    return opens(at("/read/file"), O_RDONLY) &&
           opens(at("/read"), O_RDONLY | O_DIRECTORY) &&
           opens(at("/write/file"), O_RDWR | O_TRUNC) &&
           opens(at("/write/new"), O_WRONLY | O_CREAT) &&
           ::mkdir(at("/write/folder").c_str(), 0777) == 0 &&
           ::rename(at("/write/new").c_str(),
                    at("/write/folder/moved").c_str()) == 0 &&
           ::symlink("folder", at("/write/link").c_str()) == 0 &&
           ::unlink(at("/write/folder/moved").c_str()) == 0 &&
           ::rmdir(at("/write/folder").c_str()) == 0;
  }));
}

TEST_F(SandboxTest, LandlockRefusesTheRest) {
  EXPECT_TRUE(confined(NO_SECCOMP, [&] {
    return !opens("/etc/passwd", O_RDONLY) && !opens("/", O_RDONLY) &&
           !opens("/proc/self/environ", O_RDONLY) &&
           !opens("/proc/self/mem", O_RDWR) &&
           !opens(at("/other/file"), O_RDONLY) &&
           !opens(at("/other/new"), O_WRONLY | O_CREAT) &&
           !opens(at("/read/file"), O_WRONLY) &&
           !opens(at("/read/new"), O_WRONLY | O_CREAT) &&
           ::unlink(at("/read/file").c_str()) != 0 &&
           ::link(at("/read/file").c_str(), at("/write/hard").c_str()) != 0 &&
           ::rename(at("/other/file").c_str(), at("/write/f").c_str()) != 0 &&
           ::mkfifo(at("/write/fifo").c_str(), 0600) != 0 &&
           ::mknod(at("/write/socket").c_str(), S_IFSOCK | 0600, 0) != 0;
  }));
}

TEST_F(SandboxTest, SeccompRefusesWhatLeadsOut) {
  for (Calls calls :
       {Calls::server, Calls::machine, Calls::relay, Calls::driver}) {
    grants.calls = calls;
    SCOPED_TRACE(int(calls));
    EXPECT_TRUE(confined(NO_LANDLOCK, [&] {
      struct {
        const char *what;
        std::function<long()> call;
      } attempts[] = {
          {"socket", [] { return ::socket(AF_UNIX, SOCK_STREAM, 0); }},
          {"fork", [] { return ::syscall(SYS_fork); }},
          {"vfork",
           [] { return ::syscall(SYS_clone, SIGCHLD | 0x4100, 0, 0, 0, 0); }},
          {"ptrace", [] { return ::ptrace(PTRACE_TRACEME, 0, 0, 0); }},
          {"mount", [] { return ::mount("a", "/", "tmpfs", 0, nullptr); }},
          {"unshare", [] { return ::unshare(CLONE_NEWUSER); }},
          {"bpf", [] { return ::syscall(SYS_bpf, 0, 0, 0); }},
          {"perf",
           [] { return ::syscall(SYS_perf_event_open, 0, 0, 0, 0, 0); }},
          {"io_uring", [] { return ::syscall(SYS_io_uring_setup, 1, 0); }},
          {"keyctl", [] { return ::syscall(SYS_keyctl, 0, 0, 0, 0, 0); }},
          {"process_vm_readv",
           [] {
             return ::syscall(SYS_process_vm_readv, ::getppid(), 0, 0, 0, 0, 0);
           }},
          {"setuid", [] { return ::syscall(SYS_setuid, 0); }},
          {"userfaultfd", [] { return ::syscall(SYS_userfaultfd, 0); }},
          {"open_by_handle_at",
           [] { return ::syscall(SYS_open_by_handle_at, 0, 0, 0); }},
          {"kill", [] { return ::kill(::getppid(), 0); }},
          {"tgkill",
           [] { return ::syscall(SYS_tgkill, ::getppid(), ::getppid(), 0); }},
          {"prlimit",
           [] { return ::syscall(SYS_prlimit64, ::getppid(), 0, 0, 0); }},
          {"ioctl TIOCSTI", [] { return ::ioctl(0, TIOCSTI, "x"); }},
          {"chmod", [&] { return ::chmod(at("/write/file").c_str(), 0777); }},
          {"fchmodat2", [&] { return ::syscall(452, 0, "", 0, 0); }},
          {"chown", [&] { return ::chown(at("/write/file").c_str(), 0, 0); }},
          {"utimensat",
           [&] {
             return ::utimensat(AT_FDCWD, at("/write/file").c_str(), nullptr,
                                0);
           }},
          {"truncate",
           [&] { return ::truncate(at("/write/file").c_str(), 0); }},
          {"fchmod set-uid", [] { return ::fchmod(1, 04755); }},
          {"fchmod set-gid", [] { return ::fchmod(1, 02755); }},
          {"module", [] { return ::syscall(SYS_init_module, 0, 0, 0); }},
      };
      bool all = true;
      for (auto &attempt : attempts)
        if (!refused(attempt.call())) {
          std::fprintf(stderr, "%s: %s\n", attempt.what, std::strerror(errno));
          all = false;
        }
      return all;
    }));
  }
}

TEST_F(SandboxTest, CallsOfTheI386InterfaceEndTheProcess) {
#ifdef __x86_64__
  pid_t child = ::fork();
  if (child == 0) {
    if (llvm::errorToBool(confine(grants, NO_LANDLOCK)))
      ::_exit(2);
    long result = 20; // getpid() there
    asm volatile("int $0x80" : "+a"(result) : : "memory");
    ::_exit(result == -ENOSYS ? 3 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 3) << status;
#endif
}

TEST_F(SandboxTest, TheProcessCannotCopyItself) {
  for (Calls calls :
       {Calls::server, Calls::machine, Calls::relay, Calls::driver}) {
    grants.calls = calls;
    SCOPED_TRACE(int(calls));
    EXPECT_TRUE(confined(NO_LANDLOCK, [] {
      pid_t child = ::fork();
      if (child == 0)
        ::_exit(0);
      return refused(child);
    }));
  }
}

TEST_F(SandboxTest, NoNewPrivilegesAndNoCore) {
  EXPECT_TRUE(confined({false, false}, [] {
    rlimit core;
    return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
           ::getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max == 0;
  }));
}

TEST_F(SandboxTest, ThreadsStartAndAreInIt) {
  EXPECT_TRUE(confined(BOTH, [] {
    bool inside = false;
    std::thread([&] { inside = !opens("/etc/passwd", O_RDONLY); }).join();
    return inside;
  }));
}

TEST_F(SandboxTest, ThreadsThatWereThereHaveTheFilter) {
  pid_t child = ::fork();
  if (child == 0) {
    std::atomic<int> go{0};
    bool inside = false;
    llvm::Expected<Sandbox> sandbox = Sandbox::prepare(grants);
    if (!sandbox)
      ::_exit(2);
    std::thread other([&] {
      while (!go)
        ::sched_yield();
      inside = refused(::socket(AF_INET, SOCK_STREAM, 0));
    });
    if (llvm::errorToBool(sandbox->confine_thread()) ||
        llvm::errorToBool(sandbox->confine_process()))
      ::_exit(3);
    go = 1;
    other.join();
    ::_exit(inside ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(SandboxTest, WhatIsOpenStaysOpen) {
  int fd = ::open("/etc/passwd", O_RDONLY);
  EXPECT_TRUE(confined(BOTH, [&] {
    char byte;
    return ::read(fd, &byte, 1) == 1;
  }));
  ::close(fd);
}

TEST_F(SandboxTest, AMissingDirectoryIsAnErrorAFileOfOursIsNot) {
  grants.readable = {"/no/such/library"};
  EXPECT_TRUE(confined(BOTH, [] { return true; }));
  grants.directories.push_back({"/no/such/directory", false});
  llvm::Expected<Sandbox> sandbox = Sandbox::prepare(grants, BOTH);
  ASSERT_FALSE(bool(sandbox));
  EXPECT_EQ(llvm::toString(sandbox.takeError()),
            "Landlock: /no/such/directory: No such file or directory");
}

} // namespace
