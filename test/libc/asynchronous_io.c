// aio: files, a pipe that is read before anything is written to it, lists, events, cancelling and what fails.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -w %s -o %t.host -pthread -lrt && cd %t.h && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failed(int result) { return result == -1 ? errno : 0; }

static int finish(struct aiocb *request) {
  const struct aiocb *list[] = {NULL, request};
  while (aio_error(request) == EINPROGRESS)
    aio_suspend(list, 2, NULL);
  return aio_error(request);
}

static struct aiocb request_of(int fd, const char *text, size_t size, off_t offset) {
  struct aiocb request = {.aio_fildes = fd, .aio_buf = (void *)text, .aio_nbytes = size, .aio_offset = offset};
  request.aio_sigevent.sigev_notify = SIGEV_NONE;
  return request;
}

static void files(void) {
  char text[32] = "";
  int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
  struct aiocb write = request_of(fd, "0123456789", 10, 5), read = request_of(fd, text, 20, 8);
  printf("write: %d", aio_write(&write));
  printf(" %d", finish(&write));
  printf(" %zd\n", aio_return(&write));
  printf("read: %d", aio_read(&read));
  printf(" %d", finish(&read));
  printf(" %zd %s\n", aio_return(&read), text);
  struct aiocb sync = request_of(fd, NULL, 0, 0);
  printf("sync: %d", aio_fsync(O_DSYNC, &sync));
  printf(" %d", finish(&sync));
  printf(" %zd %d\n", aio_return(&sync), failed(aio_fsync(O_TRUNC, &sync)));
  printf("cancel: %d %d\n", aio_cancel(fd, NULL) == AIO_ALLDONE, failed(aio_cancel(99, NULL)));
  struct aiocb bad = request_of(fd, text, 4, -1), closed = request_of(99, text, 4, 0);
  printf("offset: %d %d\n", aio_read(&bad), finish(&bad));
  printf("closed: %d %d\n", aio_read(&closed), finish(&closed));
  bad.aio_reqprio = -1;
  printf("priority: %d\n", failed(aio_read(&bad)));
  close(fd);
}

static void pipes(void) {
  int ends[2];
  char text[8] = "";
  const struct timespec short_time = {0, 1000000};
  pipe(ends);
  struct aiocb read = request_of(ends[0], text, sizeof text, 0);
  const struct aiocb *list[] = {&read};
  printf("early: %d", aio_read(&read));
  printf(" %d", aio_error(&read) == EINPROGRESS);
  printf(" %d\n", failed(aio_suspend(list, 1, &short_time)));
  write(ends[1], "late", 4);
  printf("late: %d", finish(&read));
  printf(" %zd %s\n", aio_return(&read), text);
}

/// Large transfers of a descriptor with O_NONBLOCK do not wait; those of aio do, for as long as it takes.
static void large(void) {
  enum { SIZE = 200000 };
  static char out[SIZE], in[SIZE];
  int ends[2];
  pipe(ends);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  printf("large: %d", failed(read(ends[0], in, SIZE)));
  printf(" %zd", write(ends[1], out, SIZE));
  printf(" %d", failed(write(ends[1], out, SIZE)));
  printf(" %zd\n", read(ends[0], in, SIZE));
  fcntl(ends[1], F_SETFL, 0);
  memset(out, 7, SIZE);
  struct aiocb request = request_of(ends[1], out, SIZE, 0);
  printf("aio: %d", aio_write(&request));
  size_t done = 0;
  for (ssize_t got; done < SIZE; done += got > 0 ? got : 0) {
    got = read(ends[0], in + done, SIZE - done);
    aio_error(&request);
  }
  printf(" %d", finish(&request));
  printf(" %zd %d\n", aio_return(&request), memcmp(in, out, SIZE));
}

static volatile sig_atomic_t told;
static void tell(int number, siginfo_t *info, void *context) { told += info->si_value.sival_int; }

static void lists(void) {
  char first[4] = "", second[4] = "";
  int fd = open("file", O_RDONLY);
  struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, NULL);
  struct aiocb a = request_of(fd, first, 3, 5), b = request_of(fd, second, 3, 7), none = {.aio_lio_opcode = LIO_NOP};
  struct aiocb *list[] = {&a, NULL, &none, &b};
  printf("list: %d %s %s\n", lio_listio(LIO_WAIT, list, 4, NULL), first, second);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 100};
  a.aio_sigevent = (struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 1};
  printf("later: %d", lio_listio(LIO_NOWAIT, list, 4, &event));
  finish(&a), finish(&b);
  for (int i = 0; i < 1000 && told < 101; ++i)
    usleep(1000);
  printf(" told %d\n", (int)told);
  a.aio_sigevent.sigev_notify = SIGEV_NONE;
  b.aio_fildes = 99;
  printf("failed: %d", failed(lio_listio(LIO_WAIT, list, 4, NULL)));
  printf(" %d %d\n", aio_error(&a), aio_error(&b));
  printf("mode: %d\n", failed(lio_listio(7, list, 4, NULL)));
}

int main(void) {
  files();
  pipes();
  large();
  lists();
}
