// What SIGPIPE's action is holds for writes whose reader has gone: ignored, they fail with EPIPE; a handler runs before they do;
// and after signal(SIGPIPE, SIG_DFL) the next one ends the program. The oracle is the host.
// RUN: %hostcc %s -o %t.host
// RUN: %gpucc -O2 %s -o %t
// RUN: bash -c 'for what in ignored handled default; do %t.host $what | true; echo ${PIPESTATUS[0]}; done' > %t.expected 2>&1
// RUN: bash -c 'for what in ignored handled default; do %run %t $what | true; echo ${PIPESTATUS[0]}; done' > %t.out 2>&1
// RUN: diff %t.expected %t.out
// RUN: FileCheck %s < %t.out
// CHECK: pipe: -1 Broken pipe, stream: -1 Broken pipe, socket: -1 Broken pipe, 0 calls
// CHECK-NEXT: {{^0$}}
// CHECK: pipe: -1 Broken pipe, stream: -1 Broken pipe, socket: -1 Broken pipe, 3 calls
// CHECK-NEXT: {{^0$}}
// CHECK: {{^141$}}
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile sig_atomic_t calls;
static void count(int number) {
  (void)number;
  calls = calls + 1;
}

static void tell(const char *what, long result) {
  fprintf(stderr, "%s: %ld %s, ", what, result < 0 ? -1 : result, result < 0 ? strerror(errno) : "");
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  signal(SIGPIPE, strcmp(what, "handled") ? SIG_IGN : count);
  int ends[2];
  if (pipe(ends) != 0 || close(ends[0]) != 0)
    return 1;
  tell("pipe", write(ends[1], "x", 1));
  FILE *stream = fdopen(ends[1], "w");
  fputs("text", stream);
  tell("stream", fflush(stream));
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || close(ends[0]) != 0)
    return 1;
  send(ends[1], "x", 1, MSG_NOSIGNAL);
  tell("socket", send(ends[1], "x", 1, 0));
  fprintf(stderr, "%d calls\n", (int)calls);
  if (strcmp(what, "default") == 0) {
    signal(SIGPIPE, SIG_DFL);
    write(ends[1], "x", 1);
  }
  return 0;
}
