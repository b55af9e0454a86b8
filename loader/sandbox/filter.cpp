//===-- loader/sandbox/filter.cpp - Seccomp filter ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/sandbox/filter.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <memory>
#include <linux/sockios.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec::sandbox {
namespace {

using Comparison = scmp_arg_cmp;

/// A filter under construction. Keeps the first error for load().
class Rules {
public:
  explicit Rules(uint32_t otherwise) : context(seccomp_init(otherwise)) {
    if (!context)
      result = -ENOMEM;
    // TSYNC: the filter applies to all threads.
    note(seccomp_attr_set(context, SCMP_FLTATR_CTL_TSYNC, 1));
    // OPTIMIZE 2: a binary search for the call's number. The kernel caches the
    // verdict only for calls whose arguments are not tested, and a GPU's driver
    // makes thousands of ioctl().
    note(seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2));
  }
  ~Rules() {
    if (context)
      seccomp_release(context);
  }
  Rules(const Rules &) = delete;

  void allow(int call, std::initializer_list<Comparison> when = {}) {
    add(SCMP_ACT_ALLOW, call, when);
  }
  void refuse(int call, std::initializer_list<Comparison> when = {},
              int with = EPERM) {
    add(SCMP_ACT_ERRNO(with), call, when);
  }
  /// 0 or an errno value.
  int load() {
    if (result == 0)
      note(seccomp_load(context));
    return -result;
  }

private:
  void add(uint32_t action, int call, std::initializer_list<Comparison> when) {
    note(seccomp_rule_add_array(context, action, call, unsigned(when.size()),
                                when.begin()));
  }
  void note(int error) {
    if (error < 0 && result == 0)
      result = error;
  }
  scmp_filter_ctx context;
  int result = 0;
};

constexpr uint64_t WORD = 0xffffffff; // the kernel reads these bits of an int

/// True if argument `index`, an int, equals `value`.
Comparison is(unsigned index, uint32_t value) {
  return {index, SCMP_CMP_MASKED_EQ, WORD, value};
}
/// True if argument `index` & mask equals `value`.
Comparison masked(unsigned index, uint32_t mask, uint32_t value) {
  return {index, SCMP_CMP_MASKED_EQ, mask, value};
}
/// True if all 64 bits of argument `index` equal `value`; the next: if not.
Comparison is_whole(unsigned index, uint64_t value) {
  return {index, SCMP_CMP_EQ, value, 0};
}
Comparison is_not_whole(unsigned index, uint64_t value) {
  return {index, SCMP_CMP_NE, value, 0};
}

constexpr uint32_t SPECIAL_BITS = S_ISUID | S_ISGID | S_ISVTX;
/// clone() makes a thread if it has all these flags; NAMESPACES are forbidden.
constexpr uint32_t THREAD = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
constexpr uint32_t NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                CLONE_NEWNET;
/// Debian 12's libseccomp does not know it. The same number on all
/// architectures.
constexpr int FCHMODAT2 = 452;

/// Allows threads, and signals to this process. Forbids fork(): a child could
/// outlive the process that started gpuexec.
void allow_threads(Rules &rules) {
  rules.allow(SCMP_SYS(clone), {masked(0, THREAD | NAMESPACES, THREAD)});
  // A filter cannot read clone3()'s flags, which are in memory. On ENOSYS the C
  // library calls clone() instead.
  rules.refuse(SCMP_SYS(clone3), {}, ENOSYS);
  const auto self = uint32_t(::getpid());
  rules.allow(SCMP_SYS(tgkill), {is(0, self)});
  rules.allow(SCMP_SYS(kill), {is(0, self)});
  rules.allow(SCMP_SYS(prlimit64), {is(0, 0)});
  for (uint32_t option : {PR_SET_NAME, PR_GET_NAME, PR_SET_TIMERSLACK})
    rules.allow(SCMP_SYS(prctl), {is(0, option)});
}

void allow_descriptors(Rules &rules) {
  for (uint32_t request : {TCGETS, TIOCGWINSZ, FIONREAD, SIOCATMARK})
    rules.allow(SCMP_SYS(ioctl), {is(1, request)});
  for (uint32_t command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL,
                           F_SETFL, F_GETLK, F_SETLK})
    rules.allow(SCMP_SYS(fcntl), {is(1, command)});
}

void allow_names(Rules &rules) {
  rules.allow(SCMP_SYS(openat), {masked(3, SPECIAL_BITS, 0)});
  rules.allow(SCMP_SYS(mkdirat), {masked(2, SPECIAL_BITS, 0)});
  rules.allow(SCMP_SYS(fchmod), {masked(1, SPECIAL_BITS, 0)});
  // Only on open files: with a name, the second argument is not null.
  rules.allow(SCMP_SYS(utimensat), {is_whole(1, 0)});
}

int load_relay_list() {
  Rules rules(SCMP_ACT_ERRNO(EPERM));
#define RELAY(name) rules.allow(SCMP_SYS(name));
#include "loader/sandbox/calls.def"
  for (uint32_t command : {F_GETFL, F_SETFL, F_ADD_SEALS, F_GET_SEALS})
    rules.allow(SCMP_SYS(fcntl), {is(1, command)});
  const auto self = uint32_t(::getpid());
  rules.allow(SCMP_SYS(tgkill), {is(0, self)});
  return rules.load();
}

int load_allow_list(bool server) {
  Rules rules(SCMP_ACT_ERRNO(EPERM));
#define MACHINE(name) rules.allow(SCMP_SYS(name));
#include "loader/sandbox/calls.def"
  allow_threads(rules);
  if (server) {
#define SERVER(name) rules.allow(SCMP_SYS(name));
#include "loader/sandbox/calls.def"
    allow_descriptors(rules);
    allow_names(rules);
  } else {
    rules.allow(SCMP_SYS(openat),
                {masked(2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY)});
  }
  return rules.load();
}

int load_deny_list() {
  Rules rules(SCMP_ACT_ALLOW);
#define REFUSED(name) rules.refuse(SCMP_SYS(name));
#include "loader/sandbox/calls.def"
  rules.refuse(FCHMODAT2);
  rules.refuse(SCMP_SYS(clone), {masked(0, CLONE_THREAD, 0)});
  rules.refuse(SCMP_SYS(clone3), {}, ENOSYS);
  const auto self = uint32_t(::getpid());
  rules.refuse(SCMP_SYS(tgkill), {is_not_whole(0, self)});
  rules.refuse(SCMP_SYS(kill), {is_not_whole(0, self)});
  rules.refuse(SCMP_SYS(prlimit64), {is_not_whole(0, 0)});
  rules.refuse(SCMP_SYS(utimensat), {is_not_whole(1, 0)});
  for (uint32_t bit : {S_ISUID, S_ISGID, S_ISVTX}) {
    rules.refuse(SCMP_SYS(fchmod), {masked(1, bit, bit)});
    rules.refuse(SCMP_SYS(mkdirat), {masked(2, bit, bit)});
    rules.refuse(SCMP_SYS(mkdir), {masked(1, bit, bit)});
  }
  // These push input to, or take over, a terminal that other processes use.
  for (uint32_t request : {TIOCSTI, TIOCLINUX, TIOCSETD, TIOCSCTTY, TIOCCONS})
    rules.refuse(SCMP_SYS(ioctl), {is(1, request)});
  return rules.load();
}

} // namespace

bool has_seccomp() {
  // EFAULT: the kernel accepted the flag and then read the filter at null.
  return ::syscall(SCMP_SYS(seccomp), SECCOMP_SET_MODE_FILTER,
                   SECCOMP_FILTER_FLAG_TSYNC, nullptr) != 0 &&
         errno == EFAULT;
}

llvm::Error load_filter(Calls calls) {
  int error = calls == Calls::driver  ? load_deny_list()
              : calls == Calls::relay ? load_relay_list()
                                      : load_allow_list(calls == Calls::server);
  if (error == 0)
    return llvm::Error::success();
  return llvm::createStringError("seccomp filter: %s", std::strerror(error));
}

} // namespace gpuexec::sandbox
