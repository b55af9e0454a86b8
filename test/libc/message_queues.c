// Message queues of the host: order, priorities, attributes, errors, times, a process of the host at the other end; and that a
// sandbox has none.
// RUN: %hostcc -w %s -o %t.host -lrt && %t.host %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t %t.host > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --sandbox %t refused > %t.refused && grep -q 'refused: 1' %t.refused
#include <errno.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char name[64];

static int failed(long result) { return result == -1 ? errno : 0; }

static void show(const char *what, mqd_t queue) {
  struct mq_attr attributes;
  printf("%s: %d", what, mq_getattr(queue, &attributes));
  printf(" %ld %ld %ld %d\n", attributes.mq_maxmsg, attributes.mq_msgsize, attributes.mq_curmsgs,
         (attributes.mq_flags & O_NONBLOCK) != 0);
}

static void order(mqd_t queue) {
  char text[32];
  unsigned priority;
  mq_send(queue, "low", 3, 1);
  mq_send(queue, "high", 4, 30000);
  mq_send(queue, "", 0, 7);
  mq_send(queue, "low2", 4, 1);
  show("four", queue);
  for (int i = 0; i < 4; ++i) {
    const ssize_t size = mq_receive(queue, text, sizeof text, &priority);
    printf("%zd %.*s %u\n", size, (int)size, text, priority);
  }
}

static void errors(mqd_t queue) {
  char text[64] = "";
  const struct timespec past = {1, 0}, none = {1, 2000000000}, negative = {-1, 0};
  printf("names: %d %d %d %d\n", failed(mq_open("noslash", O_RDWR)), failed(mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, NULL)),
         failed(mq_open("/gpuexec-no-such-queue", O_RDWR)), failed(mq_unlink("/gpuexec-no-such-queue")));
  printf("sizes: %d %d %d\n", failed(mq_send(queue, text, 33, 0)), failed(mq_send(queue, text, 1, 32768)),
         failed(mq_receive(queue, text, 31, NULL)));
  printf("times: %d %d %d\n", failed(mq_timedreceive(queue, text, 64, NULL, &past)), failed(mq_timedreceive(queue, text, 64, NULL, &none)),
         failed(mq_timedreceive(queue, text, 64, NULL, &negative)));
  printf("descriptors: %d %d %d\n", failed(mq_send(99, text, 1, 0)), failed(mq_getattr(1, &(struct mq_attr){0})), failed(mq_close(99)));
  struct mq_attr attributes = {.mq_flags = O_NONBLOCK}, before;
  printf("set: %d %d\n", mq_setattr(queue, &attributes, &before), (before.mq_flags & O_NONBLOCK) != 0);
  show("nonblocking", queue);
  printf("empty: %d\n", failed(mq_receive(queue, text, 64, NULL)));
  for (int i = 0; i < 5; ++i)
    mq_send(queue, "x", 1, 0);
  printf("full: %d\n", failed(mq_send(queue, "x", 1, 0)));
  attributes.mq_flags = 0;
  mq_setattr(queue, &attributes, NULL);
  printf("full until: %d\n", failed(mq_timedsend(queue, "x", 1, 0, &past)));
  struct pollfd file = {.fd = queue, .events = POLLIN | POLLOUT};
  printf("poll: %d %d\n", poll(&file, 1, 0), file.revents == POLLIN);
  for (int i = 0; i < 5; ++i)
    mq_receive(queue, text, 64, NULL);
}

static volatile sig_atomic_t told;
static void tell(int number) { told += number == SIGUSR1; }

static void notice(mqd_t queue) {
  char text[64];
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  signal(SIGUSR1, tell);
  printf("notify: %d", mq_notify(queue, &event));
  printf(" %d", failed(mq_notify(queue, &event)));
  mq_send(queue, "a", 1, 0);
  mq_send(queue, "b", 1, 0);
  printf(" told %d", (int)told);
  mq_receive(queue, text, 64, NULL);
  mq_receive(queue, text, 64, NULL);
  mq_send(queue, "c", 1, 0);
  mq_receive(queue, text, 64, NULL);
  printf(" %d\n", (int)told);
}

/// The other end is a native program, which answers with what it gets.
static void other_process(mqd_t queue, const char *native) {
  char command[512], text[64];
  snprintf(command, sizeof command, "%s answer %s &", native, name);
  mq_send(queue, "question", 8, 3);
  system(command);
  // Two may stand in the queue: wait until the question is gone.
  for (struct mq_attr now = {.mq_curmsgs = 1}; now.mq_curmsgs;)
    mq_getattr(queue, &now);
  const ssize_t size = mq_receive(queue, text, sizeof text, NULL);
  printf("answer: %.*s\n", (int)size, text);
}

static int answer(const char *queue_name) {
  char text[64];
  mqd_t queue = mq_open(queue_name, O_RDWR);
  ssize_t size = mq_receive(queue, text, sizeof text, NULL);
  usleep(50000);
  strcpy(text + size, "!");
  return mq_send(queue, text, size + 1, 0);
}

int main(int argc, char **argv) {
  struct mq_attr attributes = {.mq_maxmsg = 5, .mq_msgsize = 32};
  if (argc > 2)
    return answer(argv[2]);
  snprintf(name, sizeof name, "/gpuexec-%d", getpid());
  if (!strcmp(argv[1], "refused"))
    return !printf("refused: %d\n", mq_open(name, O_CREAT | O_RDWR, 0600, NULL) == -1 && errno == EPERM);
  mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
  show("new", queue);
  order(queue);
  errors(queue);
  notice(queue);
  other_process(queue, argv[1]);
  printf("unlink: %d %d\n", mq_unlink(name), failed(mq_unlink(name)));
  printf("close: %d %d\n", mq_close(queue), failed(mq_receive(queue, name, 64, NULL)));
}
