//===-- libc-shim/posix/identity.c - Users, groups and priority -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program cannot change its user, groups or process group: a call that sets
// the value it has already succeeds, any other fails with EPERM. Process groups
// and sessions are those of the process that serves the calls on the host.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

//===-- Users and groups --------------------------------------------------===//

static const unsigned UNCHANGED = ~0u; // -1

static int same_user(uid_t wanted) {
  return wanted == UNCHANGED || wanted == getuid() ? 0 : fail_with(EPERM);
}
static int same_group(gid_t wanted) {
  return wanted == UNCHANGED || wanted == getgid() ? 0 : fail_with(EPERM);
}
static int set_user(uid_t wanted) {
  return wanted == UNCHANGED ? fail_with(EINVAL) : same_user(wanted);
}
static int set_group(gid_t wanted) {
  return wanted == UNCHANGED ? fail_with(EINVAL) : same_group(wanted);
}

int setuid(uid_t user) { return set_user(user); }
int seteuid(uid_t user) { return set_user(user); }
int setreuid(uid_t real, uid_t effective) {
  return same_user(real) | same_user(effective);
}
int setresuid(uid_t real, uid_t effective, uid_t saved) {
  return same_user(real) | same_user(effective) | same_user(saved);
}
int getresuid(uid_t *real, uid_t *effective, uid_t *saved) {
  *real = *effective = *saved = getuid();
  return 0;
}
int setgid(gid_t group) { return set_group(group); }
int setegid(gid_t group) { return set_group(group); }
int setregid(gid_t real, gid_t effective) {
  return same_group(real) | same_group(effective);
}
int setresgid(gid_t real, gid_t effective, gid_t saved) {
  return same_group(real) | same_group(effective) | same_group(saved);
}
int getresgid(gid_t *real, gid_t *effective, gid_t *saved) {
  *real = *effective = *saved = getgid();
  return 0;
}

int getgroups(int count, gid_t *to) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  if (count < 0)
    return fail_with(EINVAL);
  uint64_t received = 0;
  const uint64_t capacity = (uint64_t)count * sizeof *to;
  const int all = (int)__host_result(
      __host_receive(RPC_GETGROUPS, 0, 0, 0, to, capacity, &received));
  return count && all > count ? fail_with(EINVAL) : all;
}
int setgroups(size_t count, const gid_t *groups) {
  (void)count;
  (void)groups;
  return fail_with(EPERM);
}
int initgroups(const char *user, gid_t group) {
  (void)user;
  (void)group;
  return fail_with(EPERM);
}

//===-- Process groups ----------------------------------------------------===//

/// Returns word 1 (process group) or 2 (session) of the host's answer.
static pid_t ask(pid_t process, int word) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_reply reply = __host_call(RPC_PROCESS_GROUP, (uint64_t)process, 0, 0);
  return __host_result(reply) ? -1 : (pid_t)reply.words[word];
}
pid_t getpgid(pid_t process) { return ask(process, 1); }
pid_t getsid(pid_t process) { return ask(process, 2); }
pid_t getpgrp(void) { return getpgid(0); }
int setpgid(pid_t process, pid_t group) {
  if (process && process != getpid())
    return fail_with(ESRCH);
  return group == getpgrp() ? 0 : fail_with(EPERM);
}
int setpgrp(void) { return setpgid(0, getpid()); }
pid_t gettid(void) { return getpid(); }
pid_t setsid(void) { return fail_with(EPERM); }

//===-- Priority ----------------------------------------------------------===//

static int priority(uint64_t change, int value) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_reply reply = __host_call(RPC_PRIORITY, change, (uint64_t)value, 0);
  return __host_result(reply) ? -1 : (int)reply.words[1];
}
static int check_process(int which, id_t who) {
  if (which < PRIO_PROCESS || which > PRIO_USER)
    return EINVAL;
  return which == PRIO_PROCESS && (!who || who == (id_t)getpid()) ? 0 : EPERM;
}
int getpriority(int which, id_t who) {
  const int error = check_process(which, who);
  return error ? fail_with(error) : priority(0, 0);
}
int setpriority(int which, id_t who, int value) {
  const int error = check_process(which, who);
  if (error)
    return fail_with(error);
  const int before = errno;
  errno = 0;
  if (priority(1, value) == -1 && errno)
    return -1;
  errno = before;
  return 0;
}
int nice(int more) {
  const int before = errno;
  errno = 0;
  const int now = priority(0, 0);
  if (now == -1 && errno)
    return -1;
  if (setpriority(PRIO_PROCESS, 0, now + more))
    return fail_with(errno == EACCES ? EPERM : errno);
  errno = before;
  return priority(0, 0);
}

void sync(void) {
  if (HOST_HAS_POSIX())
    __host_call(RPC_SYNC, 0, 0, 0);
}
int syncfs(int fd) {
  (void)fd;
  sync();
  return 0;
}
