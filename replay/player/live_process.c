//===-- replay/player/live_process.c - Clocks and the process -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/live.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void read_clock(struct lane_values *lane,
                       int (*read)(clockid_t, struct timespec *)) {
  static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC,
                                     CLOCK_PROCESS_CPUTIME_ID};
  struct timespec time = {0};
  if (lane->in[0] >= sizeof clocks / sizeof *clocks)
    return set_error(lane, EINVAL);
  set_result(lane, read(clocks[lane->in[0]], &time));
  lane->words[0] = (uint64_t)time.tv_sec;
  lane->words[1] = (uint64_t)time.tv_nsec;
}
static void get_time(struct live *live, struct lane_values *lane) {
  (void)live;
  read_clock(lane, clock_gettime);
}
static void get_resolution(struct live *live, struct lane_values *lane) {
  (void)live;
  read_clock(lane, clock_getres);
}

static void local_time(struct live *live, struct lane_values *lane) {
  const time_t seconds = (time_t)lane->in[0];
  struct tm local = {0};
  (void)live;
  if (!localtime_r(&seconds, &local))
    return set_error(lane, EOVERFLOW);
  lane->words[0] = (uint64_t)local.tm_gmtoff;
  lane->words[1] = local.tm_isdst > 0;
  if (local.tm_zone)
    strncpy((char *)&lane->words[2], local.tm_zone, 4 * sizeof(uint64_t) - 1);
}

/// The same files as rpc/services/time_zones.cpp; a replay is not confined.
static void zone_file(struct live *live, struct lane_values *lane) {
  static const char database[] = "/usr/share/zoneinfo/";
  char path[PATH_MAX] = "/etc/localtime", bytes[64 * 1024];
  (void)live;
  const size_t length = strlen(lane->text[0]);
  if (strstr(lane->text[0], "..") || sizeof database + length > sizeof path)
    return set_error(lane, ENOENT);
  if (length) {
    memcpy(path, database, sizeof database);
    memcpy(path + sizeof database - 1, lane->text[0], length + 1);
  }
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return set_error(lane, errno);
  const ssize_t size = read(fd, bytes, sizeof bytes);
  close(fd);
  if (size < 4 || memcmp(bytes, "TZif", 4))
    return set_error(lane, EINVAL);
  append(&lane->out, bytes, (size_t)size);
}

static void process_ids(struct live *live, struct lane_values *lane) {
  (void)live;
  lane->words[0] = (uint64_t)getpid();
  lane->words[1] = (uint64_t)getppid();
  lane->words[2] = getuid();
  lane->words[3] = getgid();
}

static void host_name(struct live *live, struct lane_values *lane) {
  char name[HOST_NAME_MAX + 1] = "";
  (void)live;
  if (gethostname(name, sizeof name - 1))
    return set_error(lane, errno);
  append(&lane->out, name, strlen(name));
  lane->value = (int64_t)lane->out.size;
}

static void system_name(struct live *live, struct lane_values *lane) {
  struct utsname names;
  (void)live;
  if (uname(&names))
    return set_error(lane, errno);
  const char *const all[] = {names.sysname, names.nodename, names.release,
                             names.version, names.machine};
  for (int i = 0; i < 5; ++i)
    append(&lane->out, all[i], strlen(all[i]) + 1);
}

static void set_umask(struct live *live, struct lane_values *lane) {
  (void)live;
  lane->value = umask((mode_t)lane->in[0] & 0777);
}

static void set_pipe_signal(struct live *live, struct lane_values *lane) {
  (void)live;
  signal(SIGPIPE, lane->in[0] ? SIG_DFL : SIG_IGN);
}

live_service *process_service(uint32_t opcode) {
  switch (opcode) {
  case RPC_CLOCK_GETTIME:
    return get_time;
  case RPC_CLOCK_GETRES:
    return get_resolution;
  case RPC_LOCALTIME_OFFSET:
    return local_time;
  case RPC_ZONE_FILE:
    return zone_file;
  case RPC_GETPID:
    return process_ids;
  case RPC_GETHOSTNAME:
    return host_name;
  case RPC_UNAME:
    return system_name;
  case RPC_UMASK:
    return set_umask;
  case RPC_PIPE_SIGNAL:
    return set_pipe_signal;
  default:
    return NULL;
  }
}
