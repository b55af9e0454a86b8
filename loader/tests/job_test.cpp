//===-- loader/tests/job_test.cpp - Jobs on the emulated device -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One process runs several jobs, at the same time and one after the other, and
// has afterwards what it had before.
#include "loader/job/execution.h"
#include "loader/sandbox/sandbox.h"
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gpuexec;
using testing::HasSubstr;
using Kind = Result::Kind;

namespace {

/// The emulator's compiler starts when a program has run for some time: what it
/// holds would be counted in some runs and not in others.
const int without_compiler = ::setenv("GPUEXEC_EMULATOR_JIT", "off", 1);

/// A file without a name that a program writes to.
class Output {
public:
  Output() : fd(::memfd_create("output", MFD_CLOEXEC)) {}
  ~Output() { ::close(fd); }
  std::string text() const {
    char buffer[4096];
    ssize_t size = ::pread(fd, buffer, sizeof(buffer), 0);
    return std::string(buffer, size_t(std::max<ssize_t>(size, 0)));
  }
  const int fd;
};

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    ::close(read_end);
    ::close(write_end);
  }
  /// Waits for that many bytes.
  std::string read(size_t size) const {
    std::string text(size, ' ');
    for (size_t done = 0; done < size;) {
      ssize_t got = ::read(read_end, text.data() + done, size - done);
      if (got <= 0)
        return text.substr(0, done);
      done += size_t(got);
    }
    return text;
  }
  int read_end = -1, write_end = -1;
};

Job job(std::vector<std::string> arguments) {
  Job job;
  job.image = TEST_IMAGES "/job";
  llvm::Expected<DeviceRequest> device = DeviceRequest::parse("emulator");
  EXPECT_TRUE(bool(device));
  job.device = *device;
  job.arguments = std::move(arguments);
  return job;
}

Job job(std::vector<std::string> arguments, const Output &output) {
  Job given = job(std::move(arguments));
  given.server.stdout_fd = output.fd;
  return given;
}

/// How many entries a folder of /proc has: descriptors, threads.
size_t count(const char *folder) {
  std::filesystem::directory_iterator entries(folder), end;
  return size_t(std::distance(entries, end));
}

void expect_exit(const Result &result, int value) {
  EXPECT_EQ(result.kind, Kind::exited) << result.message;
  EXPECT_EQ(result.value, value);
}

TEST(Job, SaysWhatTheProgramReturned) {
  Output output;
  Result result = run(job({"phello"}, output));
  expect_exit(result, 2);
  EXPECT_TRUE(result.settled);
  EXPECT_EQ(result.message, "");
  EXPECT_EQ(output.text(), "hello");
}

TEST(Job, SaysWhatTheProgramExitedWith) {
  Output output;
  expect_exit(run(job({"pa", "pb", "e", "pnever"}, output)), 5);
  EXPECT_THAT(output.text(), testing::StartsWith("ab"));
}

TEST(Job, HasTheEnvironmentThatItIsGiven) {
  Output output;
  Job given = job({"v"}, output);
  given.environment = {"ONLY=this"};
  expect_exit(run(std::move(given)), 2);
  EXPECT_EQ(output.text(), "ONLY=this");
}

TEST(Job, TakesAnImageFromMemory) {
  Output output;
  Job given = job({"pfrom memory"}, output);
  auto file = llvm::MemoryBuffer::getFile(given.image);
  ASSERT_TRUE(bool(file));
  given.bytes = std::move(*file);
  given.image = "a name only";
  expect_exit(run(std::move(given)), 2);
  EXPECT_EQ(output.text(), "from memory");
}

TEST(Job, WorksInTheDirectoryThatItIsGiven) {
  Output output;
  char path[] = "/tmp/gpuexec-job-XXXXXX";
  ASSERT_TRUE(::mkdtemp(path));
  Job given = job({"minside"}, output);
  given.server.working_directory =
      ::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  expect_exit(run(given), 2);
  EXPECT_TRUE(std::filesystem::is_directory(std::string(path) + "/inside"));
  ::close(given.server.working_directory);
  std::filesystem::remove_all(path);
}

TEST(Job, ReportsAFault) {
  Output output;
  Result result = run(job({"pbefore", "f"}, output));
  EXPECT_EQ(result.kind, Kind::faulted);
  EXPECT_THAT(result.message, HasSubstr("0x0000123456789000"));
  EXPECT_THAT(result.report, HasSubstr("thread (0,0,0)"));
  EXPECT_EQ(output.text(), "before");
}

TEST(Job, EndsWhenItsTimeIsOver) {
  Output output;
  Job given = job({"pbefore", "h"}, output);
  given.time_limit = std::chrono::seconds(1);
  Result result = run(std::move(given));
  EXPECT_EQ(result.kind, Kind::timed_out);
  EXPECT_THAT(result.message, HasSubstr("timed out after 1.00 s"));
  EXPECT_THAT(result.report, HasSubstr("_start"));
  EXPECT_EQ(output.text(), "before");
}

/// Runs 'h', which prints and never ends, for one second with its machine code
/// in a process of its own. `whole` also confines this process, as --sandbox
/// does.
static void end_isolated_device(bool whole) {
  Output output;
  Job given = job({"pbefore", "h"}, output);
  given.device_settings.isolate = true;
  given.time_limit = std::chrono::seconds(1);
  // Machine code runs only in a process that is confined.
  struct Confining final : Observer {
    explicit Confining(bool whole) : whole(whole) {}
    llvm::Error loaded(Device &device, const Program &program) override {
      sandbox::Grants grants;
      grants.ends_children = true;
      llvm::Expected<sandbox::Sandbox> sandbox =
          sandbox::Sandbox::prepare(grants);
      if (!sandbox)
        return sandbox.takeError();
      auto confine_thread = [&] {
        return whole ? sandbox->confine_thread() : llvm::Error::success();
      };
      if (llvm::Error error = device.confine(confine_thread))
        return error;
      if (llvm::Error error = confine_thread())
        return error;
      return whole ? sandbox->confine_process() : llvm::Error::success();
    }
    const bool whole;
  };
  given.observer = std::make_shared<Confining>(whole);
  Result result = run(std::move(given));
  EXPECT_EQ(result.kind, Kind::timed_out) << result.message;
  EXPECT_TRUE(result.settled);
  EXPECT_EQ(output.text(), "before");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1)
      << "its process is still there";
}

TEST(Job, EndsAnIsolatedDeviceWhenItsTimeIsOver) {
  end_isolated_device(/*whole=*/false);
}

TEST(Job, EndsAnIsolatedDeviceFromAConfinedProcess) {
  if (!sandbox::missing_layers().empty())
    GTEST_SKIP() << "the kernel lacks " << sandbox::missing_layers();
  // What confines a process cannot be undone: in a copy of this one.
  pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(20);
    end_isolated_device(/*whole=*/true);
    ::_exit(HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the job did not end when its time was over";
}

TEST(Job, RefusesWhatIsNoImage) {
  Output output;
  Job given = job({}, output);
  given.image = "/dev/null";
  EXPECT_EQ(run(given).kind, Kind::refused);
  given.image = "/there/is/no/such/image";
  Result result = run(given);
  EXPECT_EQ(result.kind, Kind::not_found);
  EXPECT_THAT(result.message, HasSubstr("/there/is/no/such/image"));
}

TEST(Job, FailsWithoutADevice) {
  Output output;
  Job given = job({}, output);
  given.device.index = 99;
  Result result = run(std::move(given));
  EXPECT_EQ(result.kind, Kind::failed);
  EXPECT_THAT(result.message, HasSubstr("no device emulator:99"));
}

TEST(Job, TwoRunAtTheSameTime) {
  // The first cannot print more than its pipe holds before somebody reads it:
  // the second begins and ends while the first runs.
  Pipe pipe;
  const std::string much(256 << 10, 'x');
  Job first = job({"p" + much});
  first.server.stdout_fd = pipe.write_end;
  Result first_result;
  std::thread thread([&] { first_result = run(first); });
  std::string read = pipe.read(1);
  Output output;
  expect_exit(run(job({"psecond", "pjob"}, output)), 3);
  EXPECT_EQ(output.text(), "secondjob");
  read += pipe.read(much.size() - 1);
  thread.join();
  expect_exit(first_result, 2);
  EXPECT_EQ(read, much);
}

/// What a process has that jobs might leave behind.
struct Holdings {
  size_t descriptors = count("/proc/self/fd");
  size_t threads = count("/proc/self/task");
  /// 0 under a sanitizer. What other threads have freed counts until they give
  /// it back: some kilobytes, more or less.
  size_t bytes = ::mallinfo2().uordblks;
  bool bytes_over(const Holdings &before, size_t times) const {
    return bytes > before.bytes + times * 1024;
  }
};

/// Runs a job many times. Threads and libraries keep some memory when they are
/// first used, at any moment; a leak grows in every round.
void expect_nothing_left(const std::function<void()> &once) {
  constexpr int ROUNDS = 4, TIMES = 20;
  bool grows = true;
  for (int round = 0; round < ROUNDS && grows; ++round) {
    once();
    Holdings before;
    for (int i = 0; i < TIMES; ++i)
      once();
    // A thread that was joined or left takes a moment to leave the list.
    for (int i = 0; i < 1000 && count("/proc/self/task") > before.threads; ++i)
      ::usleep(1000);
    Holdings after;
    grows = after.descriptors > before.descriptors ||
            after.threads > before.threads || after.bytes_over(before, TIMES);
    if (grows && round + 1 == ROUNDS)
      ADD_FAILURE() << "descriptors " << before.descriptors << " -> "
                    << after.descriptors << ", threads " << before.threads
                    << " -> " << after.threads << ", bytes " << before.bytes
                    << " -> " << after.bytes;
  }
}

TEST(Job, ManyLeaveNothingBehind) {
  expect_nothing_left([] {
    Output output;
    expect_exit(run(job({"pone of many"}, output)), 2);
  });
}

TEST(Job, ManyThatExitLeaveNothingBehind) {
  expect_nothing_left([] {
    Output output;
    expect_exit(run(job({"e"}, output)), 2);
  });
}

TEST(Job, ManyThatFaultLeaveNothingBehind) {
  expect_nothing_left([] {
    Output output;
    Result result = run(job({"f"}, output));
    EXPECT_EQ(result.kind, Kind::faulted);
    EXPECT_TRUE(result.settled);
  });
}

TEST(Job, ManyThatAreEndedLeaveNothingBehind) {
  expect_nothing_left([] {
    Pipe pipe;
    Job given = job({"wruns", "h"});
    given.server.stderr_fd = pipe.write_end;
    auto execution = Execution::start(std::move(given), [] {});
    ASSERT_TRUE(bool(execution));
    EXPECT_EQ(pipe.read(4), "runs");
    EXPECT_FALSE((*execution)->is_over());
    EXPECT_TRUE((*execution)->end());
  });
}

TEST(Job, ManyThatCannotRunLeaveNothingBehind) {
  expect_nothing_left([] {
    Output output;
    Job given = job({}, output);
    given.kernels = {"nowhere"};
    EXPECT_EQ(run(std::move(given)).kind, Kind::refused);
  });
}

} // namespace
