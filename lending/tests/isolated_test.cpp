//===-- lending/tests/isolated_test.cpp - A device in a process apart -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process does that was taken over: nonsense on its channels, and system
// calls that are not for it.
//===----------------------------------------------------------------------===//
#include "lending/isolated/child.h"
#include "lending/isolated/device.h"
#include "loader/sandbox/sandbox.h"
#include "support/printable.h"
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuexec;
using namespace gpuexec::isolated;
using namespace gpuexec::wire;
using testing::HasSubstr;

namespace {

using Work = std::function<void(Channel, Channel)>;

std::unique_ptr<Process> start(Work work) {
  llvm::Expected<std::unique_ptr<Process>> process =
      Process::start(std::move(work));
  if (!process) {
    ADD_FAILURE() << llvm::toString(process.takeError());
    return nullptr;
  }
  return std::move(*process);
}

/// Replies to every request with the same message.
Work always(uint32_t kind, std::string body) {
  return [=](Channel control, Channel) mutable {
    while (control.receive())
      control.send(kind, body);
  };
}

template <typename T> std::string error_of(llvm::Expected<T> reply) {
  return reply ? "no error" : llvm::toString(reply.takeError());
}

TEST(IsolatedProcess, HasItsChannelsAndAPipeAndNothingElse) {
  ASSERT_EQ(::setenv("SECRET", "of the user", 1), 0);
  int more = ::open("/dev/null", O_RDONLY);
  auto process = start([](Channel control, Channel) {
    std::string found;
    DIR *folder = ::opendir("/proc/self/fd");
    while (dirent *entry = ::readdir(folder))
      if (entry->d_name[0] != '.' && atoi(entry->d_name) != ::dirfd(folder))
        found += std::string(entry->d_name) + " ";
    for (char **entry = environ; entry && *entry; ++entry)
      found += *entry;
    control.receive();
    control.send(wire::Done::KIND, wire::encode(wire::Where::Reply{found}));
  });
  ::close(more);
  ASSERT_TRUE(process);
  auto reply = process->ask(wire::Where{});
  ASSERT_TRUE(bool(reply));
  EXPECT_EQ(reply->text, "2 3 4 5 6 ");
}

/// True when all of it failed for a reason of the sandbox's.
bool everything_is_refused(pid_t parent) {
  char path[] = "/usr/bin/id";
  char *arguments[] = {path, nullptr};
  bool refused = true;
  auto expect = [&](long result) {
    refused &= result == -1 && (errno == EPERM || errno == EACCES);
  };
  expect(::open("/etc/passwd", O_RDONLY));
  expect(::open("/tmp/gpuexec-forged", O_WRONLY | O_CREAT, 0600));
  expect(::open("/", O_RDONLY | O_DIRECTORY));
  expect(::socket(AF_INET, SOCK_STREAM, 0));
  expect(::socket(AF_UNIX, SOCK_STREAM, 0));
  expect(::execv(path, arguments));
  expect(::fork());
  expect(::kill(parent, SIGTERM));
  expect(::unlink("/tmp/gpuexec-forged"));
  return refused;
}

TEST(IsolatedProcess, CannotOpenOrStartAnythingOnceConfined) {
  if (!sandbox::missing_layers().empty())
    GTEST_SKIP() << "this kernel has no " << sandbox::missing_layers();
  auto process = start([parent = ::getpid()](Channel control, Channel) {
    sandbox::Grants grants;
    grants.calls = sandbox::Calls::machine;
    std::string answer = llvm::errorToBool(sandbox::confine(grants)) ? "free"
                         : everything_is_refused(parent)             ? "refused"
                                                         : "something went";
    control.receive();
    control.send(wire::Done::KIND, wire::encode(wire::Where::Reply{answer}));
  });
  ASSERT_TRUE(process);
  auto reply = process->ask(wire::Where{});
  ASSERT_TRUE(bool(reply));
  EXPECT_EQ(reply->text, "refused");
}

TEST(IsolatedProcess, CrashIsTold) {
  auto process = start([](Channel control, Channel) {
    control.receive();
    ::signal(SIGSEGV, SIG_DFL); // a sanitizer's
    ::raise(SIGSEGV);
  });
  ASSERT_TRUE(process);
  EXPECT_THAT(error_of(process->ask(wire::Where{})),
              HasSubstr("ended by signal 11"));
  EXPECT_THAT(error_of(process->launch({})), HasSubstr("ended by signal 11"));
}

TEST(IsolatedProcess, EndByItselfIsTold) {
  auto process = start([](Channel, Channel) {});
  ASSERT_TRUE(process);
  EXPECT_THAT(error_of(process->ask(wire::Where{})),
              HasSubstr("ended by itself"));
}

TEST(IsolatedProcess, SilenceIsTold) {
  auto process = start([](Channel, Channel) {
    for (;;)
      ::pause();
  });
  ASSERT_TRUE(process);
  EXPECT_THAT(
      error_of(process->ask(wire::Where{}, std::chrono::milliseconds(20))),
      HasSubstr("does not answer"));
} // its destructor ends the process

TEST(IsolatedProcess, RepliesThatMakeNoSenseAreErrors) {
  struct {
    uint32_t kind;
    std::string body;
  } replies[] = {{17, "x"},
                 {wire::Failed::KIND, ""},
                 {wire::Failed::KIND, "ab"},
                 {wire::Fault::KIND, std::string(8, '\xff')}};
  for (auto &[kind, body] : replies) {
    SCOPED_TRACE(kind);
    auto process = start(always(kind, body));
    ASSERT_TRUE(process);
    EXPECT_NE(error_of(process->ask(wire::Load{})), "no error");
  }
}

TEST(IsolatedProcess, MessageOfNonsenseSizeIsRefused) {
  auto process = start([](Channel control, Channel) {
    control.receive();
    uint32_t header[2] = {wire::Done::KIND, 0xfffffff0};
    (void)!::write(CONTROL_FD + 1, header, sizeof(header));
    ::pause();
  });
  ASSERT_TRUE(process);
  EXPECT_NE(error_of(process->ask(wire::Where{})), "no error");
}

TEST(IsolatedProcess, AnUnknownReasonIsAFailure) {
  auto process =
      start(always(wire::Failed::KIND,
                   wire::Writer().put(int32_t(7)).text("why").bytes().str()));
  ASSERT_TRUE(process);
  auto reply = process->ask(wire::Load{});
  ASSERT_FALSE(bool(reply));
  llvm::handleAllErrors(reply.takeError(), [](const Failure &failure) {
    EXPECT_EQ(failure.reason(), Reason::failed);
    EXPECT_EQ(failure.message(), "why");
  });
}

TEST(IsolatedProcess, TextIsMadePrintable) {
  EXPECT_EQ(printable_lines("a\x1b[31mb\nc\n"), "a\\x1b[31mb\nc\n");
  EXPECT_EQ(printable_lines("a"), "a");
}

/// A device whose process replies the same to everything.
std::unique_ptr<IsolatedDevice> device_that_says(std::string body) {
  llvm::Expected<std::unique_ptr<Arena>> arena = Arena::reserve();
  if (!arena) {
    ADD_FAILURE() << llvm::toString(arena.takeError());
    return nullptr;
  }
  auto process = start(always(wire::Done::KIND, std::move(body)));
  Facts facts;
  facts.all_is_shared = true;
  return process ? std::make_unique<IsolatedDevice>(
                       Parts(std::move(*arena), std::move(process)), facts)
                 : nullptr;
}

TEST(IsolatedDevice, AddressesOutsideOfTheArenaAreRefused) {
  static std::byte ours[4096];
  constexpr uint64_t PAGE = ~uint64_t(4095);
  for (DeviceAddress address :
       {DeviceAddress(DeviceAddress::of(ours).value & PAGE), DeviceAddress(),
        DeviceAddress(UINT64_MAX & PAGE)}) {
    SCOPED_TRACE(address.value);
    auto device =
        device_that_says(wire::encode(wire::AllocateHost::Reply{address}));
    ASSERT_TRUE(device);
    EXPECT_TRUE(llvm::errorToBool(device->allocate_host(64).takeError()));
    EXPECT_TRUE(llvm::errorToBool(device->allocate_device(64).takeError()));
    EXPECT_FALSE(device->heap().allocate(64, 4096));
    EXPECT_EQ(device->heap().host_view(address, 64, true), nullptr);
    char bytes[64];
    EXPECT_TRUE(llvm::errorToBool(device->heap().read(bytes, address, 64)));
    EXPECT_TRUE(llvm::errorToBool(device->heap().write(address, bytes, 64)));
  }
}

TEST(SharedMemory, RangesThatLeaveItAreNotSeen) {
  static std::byte ours[64];
  SharedMemory memory;
  const DeviceAddress begin(4096);
  memory.add(begin, ours, sizeof(ours));
  EXPECT_EQ(memory.view(begin, sizeof(ours)), ours);
  EXPECT_EQ(memory.view(begin + 1, 63), ours + 1);
  EXPECT_EQ(memory.view(begin, sizeof(ours) + 1), nullptr);
  EXPECT_EQ(memory.view(DeviceAddress(begin.value - 1), 1), nullptr);
  EXPECT_EQ(memory.view(begin + 1, UINT64_MAX), nullptr);
}

TEST(SharedMemory, AFileThatCanShrinkIsRefused) {
  UniqueFd file(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(file.get(), 4096), 0);
  SharedMemory memory;
  EXPECT_TRUE(llvm::errorToBool(memory.map(DeviceAddress(4096), 4096, file)));
  UniqueFd sealed = sealed_memory("test", 4096);
  ASSERT_TRUE(bool(sealed));
  EXPECT_NE(::ftruncate(sealed.get(), 0), 0);
  EXPECT_TRUE(llvm::errorToBool(memory.map(DeviceAddress(4096), 8192, sealed)));
  EXPECT_FALSE(
      llvm::errorToBool(memory.map(DeviceAddress(4096), 4096, sealed)));
}

TEST(Channel, CarriesDescriptorsOverASocket) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  UniqueFd one(ends[0]), other(ends[1]);
  Channel here(one.get()), there(other.get());
  Pipe pipe;
  ASSERT_TRUE(pipe.make());
  ASSERT_TRUE(here.send(1, "first"));
  ASSERT_TRUE(here.send(2, std::string(100000, 'x'), {pipe.write.get()}));
  ASSERT_TRUE(here.send(3, ""));
  std::optional<Message> first = there.receive(), second = there.receive(),
                         third = there.receive();
  ASSERT_TRUE(first && second && third);
  EXPECT_EQ(first->body, "first");
  EXPECT_TRUE(first->descriptors.empty());
  EXPECT_EQ(second->body.size(), 100000u);
  ASSERT_EQ(second->descriptors.size(), 1u);
  EXPECT_EQ(write_all(second->descriptors[0].get(), "through"), 0);
  char word[8] = {};
  EXPECT_EQ(::read(pipe.read.get(), word, 7), 7);
  EXPECT_STREQ(word, "through");
  EXPECT_EQ(third->kind, 3u);
  EXPECT_TRUE(third->descriptors.empty());
  EXPECT_FALSE(there.receive(std::chrono::milliseconds(1)));
  EXPECT_TRUE(there.has_timed_out());
}

TEST(Channel, WithoutDescriptorsTakesSeveralMessagesAtOnce) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  UniqueFd one(ends[0]), other(ends[1]);
  Channel here(one.get()), there(other.get());
  there.take_no_descriptors();
  auto body = [](uint32_t i) { return std::string(i * 37 % 1500, char(i)); };
  for (uint32_t round = 0; round < 5; ++round) {
    for (uint32_t i = 0; i < 60; ++i)
      ASSERT_TRUE(here.send(i, body(i)));
    for (uint32_t i = 0; i < 60; ++i) {
      std::optional<Message> message = there.receive();
      ASSERT_TRUE(message);
      EXPECT_EQ(message->kind, i);
      EXPECT_EQ(message->body, body(i));
    }
    EXPECT_FALSE(there.receive(std::chrono::milliseconds(1)));
    EXPECT_TRUE(there.has_timed_out());
  }
  // A descriptor that comes all the same is closed.
  Pipe pipe;
  ASSERT_TRUE(pipe.make());
  ASSERT_TRUE(here.send(1, "first", {pipe.write.get()}));
  std::optional<Message> message = there.receive();
  ASSERT_TRUE(message);
  EXPECT_TRUE(message->descriptors.empty());
  message.reset();
  pipe.write.close();
  char byte;
  EXPECT_EQ(::read(pipe.read.get(), &byte, 1), 0) << "nobody has it";
  // Half a message waits for its rest; then the end.
  ASSERT_EQ(::send(one.get(), "\7\0\0\0\2\0\0\0a", 9, 0), 9);
  EXPECT_FALSE(there.receive(std::chrono::milliseconds(1)));
  ASSERT_EQ(::send(one.get(), "b", 1, 0), 1);
  message = there.receive();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->body, "ab");
  one.close();
  EXPECT_FALSE(there.receive());
  EXPECT_FALSE(there.has_timed_out());
}

} // namespace
