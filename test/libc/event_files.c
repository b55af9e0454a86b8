// eventfd, timerfd, epoll and inotify: descriptors of the host's kernel.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -w %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --sandbox %t refused > %t.refused && grep -q 'refused: 1' %t.refused
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int failed(long result) { return result == -1 ? errno : 0; }

static void counters(void) {
  uint64_t value = 0;
  int fd = eventfd(3, EFD_NONBLOCK);
  printf("eventfd: %d %d", eventfd_write(fd, 4), eventfd_read(fd, &value));
  printf(" %d %d\n", (int)value, failed(eventfd_read(fd, &value)));
  printf("flags: %d %d\n", fcntl(fd, F_GETFL) & O_NONBLOCK ? 1 : 0, failed(eventfd(0, 1 << 30)));
  int one = eventfd(2, EFD_SEMAPHORE | EFD_CLOEXEC);
  printf("semaphore: %d", eventfd_read(one, &value));
  printf(" %d %d\n", (int)value, fcntl(one, F_GETFD));
}

static void timers(void) {
  uint64_t times = 0;
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec wanted = {.it_interval = {0, 5000000}, .it_value = {0, 20000000}}, now;
  printf("timerfd: %d", timerfd_settime(fd, 0, &wanted, &now));
  printf(" %d", now.it_value.tv_nsec == 0);
  printf(" %d", timerfd_gettime(fd, &now));
  printf(" %d\n", now.it_interval.tv_nsec == 5000000 && now.it_value.tv_nsec > 0 && now.it_value.tv_nsec <= 20000000);
  printf("expired: %zd", read(fd, &times, sizeof times));
  printf(" %d\n", times >= 1);
  wanted.it_value.tv_nsec = 1000000000;
  printf("errors: %d %d\n", failed(timerfd_settime(fd, 0, &wanted, NULL)), failed(timerfd_create(99, 0)));
}

static void many_files(void) {
  int ends[2];
  char text[8];
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = 0x123456789abcdefull}, found[4];
  pipe(ends);
  int fd = epoll_create1(EPOLL_CLOEXEC);
  printf("epoll: %d %d %d\n", epoll_ctl(fd, EPOLL_CTL_ADD, ends[0], &event), failed(epoll_ctl(fd, EPOLL_CTL_ADD, ends[0], &event)),
         failed(epoll_ctl(fd, EPOLL_CTL_MOD, ends[1], &event)));
  event = (struct epoll_event){.events = EPOLLOUT | EPOLLONESHOT, .data.fd = ends[1]};
  epoll_ctl(fd, EPOLL_CTL_ADD, ends[1], &event);
  printf("ready: %d %d %d\n", epoll_wait(fd, found, 4, 1000), found[0].events == EPOLLOUT, found[0].data.fd == ends[1]);
  printf("none: %d %d\n", epoll_wait(fd, found, 4, 0), epoll_wait(fd, found, 4, 20));
  write(ends[1], "x", 1);
  printf("input: %d %d %d\n", epoll_wait(fd, found, 4, -1), found[0].events == EPOLLIN, found[0].data.u64 == 0x123456789abcdefull);
  struct pollfd file = {.fd = fd, .events = POLLIN};
  printf("poll: %d\n", poll(&file, 1, 0));
  close(ends[1]);
  read(ends[0], text, sizeof text);
  printf("closed: %d %d\n", epoll_wait(fd, found, 4, -1), (found[0].events & EPOLLHUP) != 0);
  printf("removed: %d %d\n", epoll_ctl(fd, EPOLL_CTL_DEL, ends[0], NULL), epoll_wait(fd, found, 4, 0));
  int plain = open("plain", O_RDWR | O_CREAT, 0600);
  printf("errors: %d %d %d %d\n", failed(epoll_ctl(fd, EPOLL_CTL_ADD, plain, &event)), failed(epoll_wait(fd, found, 0, 0)),
         failed(epoll_wait(99, found, 1, 0)), failed(epoll_create(0)));
}

static void changes(void) {
  union {
    struct inotify_event event;
    char bytes[1024];
  } got;
  mkdir("dir", 0700);
  int fd = inotify_init1(IN_NONBLOCK);
  int watch = inotify_add_watch(fd, "dir", IN_CREATE | IN_DELETE);
  printf("inotify: %d %d\n", watch, failed(read(fd, &got, sizeof got)));
  close(open("dir/made", O_CREAT | O_WRONLY, 0600));
  ssize_t size = read(fd, &got, sizeof got);
  printf("made: %d %d %s\n", got.event.wd == watch, got.event.mask == IN_CREATE, got.event.name);
  chdir("dir"); // names begin in the program's own directory
  printf("here: %d\n", inotify_add_watch(fd, "made", IN_ATTRIB | IN_DELETE_SELF) > 0);
  chdir("..");
  printf("removed: %d\n", inotify_rm_watch(fd, watch));
  printf("errors: %d %d %d\n", failed(inotify_add_watch(fd, "missing", IN_CREATE)), failed(inotify_rm_watch(fd, 77)),
         failed(inotify_add_watch(fd, "dir", 0)));
}

int main(int argc, char **argv) {
  if (argc > 1)
    return !printf("refused: %d\n", failed(inotify_init()) == EPERM && eventfd(0, 0) >= 0 && epoll_create1(0) >= 0 && timerfd_create(CLOCK_MONOTONIC, 0) >= 0);
  counters();
  timers();
  many_files();
  changes();
}
