//===-- debug-info/confined.cpp - Work that may crash ---------------------===//
// fork() without exec(): the child needs no file of its own, and it works where
// the process may not start programs. glibc makes malloc usable after fork() in
// a process with threads. Sanitizers make system calls and mappings of their
// own: under them there is neither filter nor limit of memory.
//===----------------------------------------------------------------------===//
#include "debug-info/confined.h"

#include "llvm/Support/Errno.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GPUEXEC_UNFILTERED_CHILD
#endif
#endif

namespace gpuexec::debug_info {

namespace {

using Clock = std::chrono::steady_clock;

/// Before the answer: a child that ends early has not written it.
constexpr char ANSWER_FOLLOWS[] = "answer";

// --- The child's side ---

void close_others(int kept) {
#ifdef SYS_close_range
  long below = kept ? syscall(SYS_close_range, 0, kept - 1, 0) : 0;
  if (below == 0 && syscall(SYS_close_range, kept + 1, ~0U, 0) == 0)
    return;
#endif
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  for (rlim_t fd = 0; fd < files.rlim_cur && fd < (1 << 20); ++fd)
    if (int(fd) != kept)
      close(int(fd));
}

bool limit_to(int resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(__rlimit_resource(resource), &limit))
    return false;
  limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_max, value);
  return setrlimit(__rlimit_resource(resource), &limit) == 0;
}

#ifdef GPUEXEC_UNFILTERED_CHILD
bool limit_memory(size_t) { return true; }
bool allow_computing_only() { return true; }
#else

/// Address space may grow by so many bytes. What there is now is found by
/// trying, because /proc may be out of reach.
bool limit_memory(size_t more) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit))
    return false;
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  rlim_t low = 0, high = rlim_t(1) << 57;
  while (high - low > page) {
    rlim_t middle = low + (high - low) / 2;
    rlimit tried{std::min(middle, limit.rlim_max), limit.rlim_max};
    if (setrlimit(RLIMIT_AS, &tried))
      return false;
    void *probe =
        mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) {
      low = middle;
    } else {
      munmap(probe, page);
      high = middle;
    }
  }
  limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_max, high + more);
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

#if defined(__x86_64__)
constexpr uint32_t ARCHITECTURE = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t ARCHITECTURE = AUDIT_ARCH_AARCH64;
#else
#error "which AUDIT_ARCH_ is it?"
#endif

constexpr sock_filter load(size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset));
}
constexpr sock_filter give(uint32_t verdict) {
  return BPF_STMT(BPF_RET | BPF_K, verdict);
}
constexpr sock_filter unless_equal(uint32_t value, uint8_t skipped) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}
constexpr sock_filter if_any_bit(uint32_t bits, uint8_t skipped) {
  return BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, skipped, 0);
}
constexpr size_t argument(unsigned index) {
  return offsetof(seccomp_data, args) + 8 * index; // little-endian: low half
}

/// From here on: computing, anonymous memory that is not executed, writing to
/// the one descriptor there is, and the end. Everything else fails.
bool allow_computing_only() {
  constexpr uint32_t NO = SECCOMP_RET_ERRNO | EPERM, YES = SECCOMP_RET_ALLOW;
  const sock_filter program[] = {
      load(offsetof(seccomp_data, arch)),
      unless_equal(ARCHITECTURE, 1),
      BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
      give(SECCOMP_RET_KILL_PROCESS),
      load(offsetof(seccomp_data, nr)),
#define PERMIT(NAME) unless_equal(__NR_##NAME, 1), give(YES)
      PERMIT(write),
      PERMIT(exit),
      PERMIT(exit_group),
      PERMIT(brk),
      PERMIT(munmap),
      PERMIT(mremap),
      PERMIT(madvise),
      PERMIT(futex),
      PERMIT(clock_gettime),
      PERMIT(rt_sigreturn),
#undef PERMIT
      unless_equal(__NR_mprotect, 3),
      load(argument(2)),
      if_any_bit(PROT_EXEC, 1),
      give(YES),
      load(offsetof(seccomp_data, nr)),
      unless_equal(__NR_mmap, 5),
      load(argument(2)),
      if_any_bit(PROT_EXEC, 3),
      load(argument(3)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1),
      give(YES),
      give(NO),
  };
  sock_fprog filter{uint16_t(std::size(program)),
                    const_cast<sock_filter *>(program)};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
#endif // GPUEXEC_UNFILTERED_CHILD

enum ChildStatus { done = 0, no_limits = 1, no_filter = 2 };

[[noreturn]] void be_the_child(int out, const Limits &limits,
                               llvm::function_ref<std::string()> work) {
  for (int signal = 1; signal < NSIG; ++signal) // a crash is just an end here
    if (signal != SIGKILL && signal != SIGSTOP)
      std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0); // no core file, nobody attaches
  alarm(limits.seconds + 1); // should the parent not be able to end it
  close_others(out);
  if (!limit_memory(limits.memory) || !limit_to(RLIMIT_CPU, limits.seconds) ||
      !limit_to(RLIMIT_CORE, 0))
    _exit(no_limits);
  if (!allow_computing_only())
    _exit(no_filter);
  std::string answer = ANSWER_FOLLOWS + work();
  for (size_t at = 0; at < answer.size();) {
    ssize_t written = write(out, answer.data() + at, answer.size() - at);
    if (written <= 0)
      break;
    at += size_t(written);
  }
  _exit(done);
}

// --- The parent's side ---

enum class Reading { ended, too_much, too_late, failed };

Reading read_all(int in, std::string &answer, const Limits &limits) {
  const auto end = Clock::now() + std::chrono::seconds(limits.seconds);
  char chunk[16384];
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - Clock::now());
    pollfd waited{in, POLLIN, 0};
    int ready = left.count() > 0 ? poll(&waited, 1, int(left.count())) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return ready ? Reading::failed : Reading::too_late;
    ssize_t got = read(in, chunk, sizeof(chunk));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got ? Reading::failed : Reading::ended;
    if (answer.size() + size_t(got) >
        limits.max_answer + strlen(ANSWER_FOLLOWS))
      return Reading::too_much;
    answer.append(chunk, size_t(got));
  }
}

/// How it ended, as waitpid() has it; 0 when somebody else has taken that.
int end_child(pid_t child) {
  kill(child, SIGKILL); // most often it has ended already
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return 0;
  return status;
}

} // namespace

llvm::Expected<std::string> run_confined(llvm::function_ref<std::string()> work,
                                         const Limits &limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return llvm::createStringError("no pipe: " + llvm::sys::StrError());
  // The child must not run a handler of this process.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0)
    be_the_child(ends[1], limits, work);
  int why = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return llvm::createStringError("no process: " + llvm::sys::StrError(why));
  }
  std::string answer;
  Reading reading = read_all(ends[0], answer, limits);
  close(ends[0]);
  int status = end_child(child);
  switch (reading) {
  case Reading::failed:
    return llvm::createStringError("nothing can be read from its process");
  case Reading::too_late:
    return llvm::createStringError("its process took more than %u s",
                                   limits.seconds);
  case Reading::too_much:
    return llvm::createStringError(
        "its process answered with more than %zu bytes", limits.max_answer);
  case Reading::ended:
    break;
  }
  llvm::StringRef text(answer);
  bool finished = !WIFSIGNALED(status) || WTERMSIG(status) == SIGKILL;
  if (finished && text.consume_front(ANSWER_FOLLOWS))
    return text.str();
  if (WIFSIGNALED(status))
    return llvm::createStringError("its process was ended by signal %d",
                                   WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) == no_limits)
    return llvm::createStringError("its process cannot be given limits");
  if (WIFEXITED(status) && WEXITSTATUS(status) == no_filter)
    return llvm::createStringError(
        "its process cannot be confined: no seccomp filter");
  return llvm::createStringError("its process gave no answer");
}

} // namespace gpuexec::debug_info
