//===-- debug-info/enter.cpp - First step of a confined child -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sanitizers make system calls and mappings of their own. Builds with them load
// no filter and set no limit of memory.
//===----------------------------------------------------------------------===//
#include "debug-info/enter.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GPUEXEC_UNFILTERED_CHILD
#endif
#endif

namespace gpuexec::debug_info {

namespace {

void close_between(unsigned first, unsigned last) {
  if (first > last)
    return;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, last, 0) == 0)
    return;
#endif
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  for (rlim_t fd = first; fd <= last && fd < files.rlim_cur; ++fd)
    close(int(fd));
}

/// Closes all descriptors but these two, which may be the same.
void close_others(int one, int two) {
  const unsigned low = unsigned(std::min(one, two)),
                 high = unsigned(std::max(one, two));
  if (low)
    close_between(0, low - 1);
  close_between(low + 1, high - (high > low));
  close_between(high + 1, ~0U);
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

/// Sets RLIMIT_AS to the present size of the address space and `more` bytes. A
/// binary search finds the present size, because /proc may not be readable.
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

/// Loads a seccomp filter that allows reading and writing open files (one pipe
/// or two), anonymous memory that is not executable, and exit. Other system
/// calls fail.
bool allow_computing_only() {
  constexpr uint32_t NO = SECCOMP_RET_ERRNO | EPERM, YES = SECCOMP_RET_ALLOW;
  const sock_filter program[] = {
      load(offsetof(seccomp_data, arch)),
      unless_equal(ARCHITECTURE, 1),
      BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
      give(SECCOMP_RET_KILL_PROCESS),
      load(offsetof(seccomp_data, nr)),
#define PERMIT(NAME) unless_equal(__NR_##NAME, 1), give(YES)
      PERMIT(read),
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

} // namespace

void enter_confinement(int one, int two, const Limits &limits) {
  for (int signal = 1; signal < NSIG; ++signal) // a crash is just an end here
    if (signal != SIGKILL && signal != SIGSTOP)
      // Ctrl-\ asks our parent where its program is: for that it needs us.
      std::signal(signal, signal == SIGQUIT ? SIG_IGN : SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_DUMPABLE, 0); // no core file, nobody attaches
  close_others(one, two);
  if (!limit_memory(limits.memory) || !limit_to(RLIMIT_CPU, limits.seconds) ||
      !limit_to(RLIMIT_CORE, 0) || !limit_to(RLIMIT_NOFILE, 0))
    _exit(NO_LIMITS);
  if (!allow_computing_only())
    _exit(NO_FILTER);
}

} // namespace gpuexec::debug_info
