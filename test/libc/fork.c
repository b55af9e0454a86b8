// fork and exec with -D_GPUEXEC_FORK: both returns, statuses, pipes in both directions, what the child changes and the parent
// keeps, exec that fails, exit in the child, exec without fork; without the macro none of it links.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h/sub %t.d/sub
// RUN: %hostcc -w %s -o %t.host && cd %t.h && %t.host > %t.expected 2> %t.expected-errors
// RUN: %gpucc -O2 -w -D_GPUEXEC_FORK %s -o %t
// RUN: cd %t.d && %run %t > %t.out 2> %t.errors
// RUN: diff %t.expected %t.out && diff %t.expected-errors %t.errors
// RUN: for what in status signal missing; do %t.host $what; echo $?; done > %t.ends 2>/dev/null
// RUN: for what in status signal missing; do %run %t $what; echo $?; done > %t.own-ends 2>/dev/null
// RUN: diff %t.ends %t.own-ends
// A sandbox starts no process, and a child cannot outlive the function that forked it.
// RUN: %run --sandbox %t refused | grep 'refused: 1'
// RUN: not %run %t lost 2>&1 | grep 'a child of fork() returned from main'
// RUN: not %gpucc -O2 -w %s -o %t.no 2>&1 | grep 'fork'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void say_end(const char *what, pid_t child) {
  int status = -1;
  const int found = waitpid(child, &status, 0) == child;
  printf("%s: %d %d %d\n", what, found, WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : -1);
}

// As popen() is often written.
static void read_from(const char *command) {
  int ends[2];
  pipe(ends);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], 1);
    close(ends[1]);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE *stream = fdopen(ends[0], "r");
  char line[100];
  while (fgets(line, sizeof line, stream))
    printf("read: %s", line);
  fclose(stream);
  say_end("reader", child);
}

static void write_to_upper(const char *text) {
  int ends[2];
  pipe(ends);
  pid_t child;
  switch (child = fork()) {
  case -1:
    perror("fork");
    exit(1);
  case 0: {
    char *arguments[] = {"tr", "a-z", "A-Z", NULL};
    dup2(ends[0], 0);
    close(ends[0]);
    close(ends[1]);
    const int out = open("upper", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(out, 1);
    close(out);
    execvp(arguments[0], arguments);
    exit(127);
  }
  default:
    close(ends[0]);
    write(ends[1], text, strlen(text));
    close(ends[1]);
  }
  say_end("writer", child);
  char line[100] = "";
  FILE *upper = fopen("upper", "r");
  fgets(line, sizeof line, upper);
  fclose(upper);
  printf("upper: %s", line);
}

static void handler(int number) { printf("handler %d\n", number); }

static void keep_what_is_the_parents(void) {
  int files[8], closed = 0;
  for (int i = 0; i < 8; ++i)
    files[i] = open("/dev/null", O_RDONLY);
  char *environment[] = {"COLOUR=red", NULL};
  signal(SIGUSR1, handler);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 8; ++i)
      close(files[i]);
    close(0);
    chdir("sub");
    signal(SIGUSR1, SIG_IGN);
    execle("/bin/sh", "sh", "-c", "echo \"$COLOUR\"; pwd | grep -o '[a-z]*$'", (char *)NULL, environment);
    _exit(126);
  }
  say_end("changes", child);
  for (int i = 0; i < 8; ++i)
    closed += fcntl(files[i], F_GETFD) < 0 || close(files[i]);
  printf("closed: %d, input: %d, directory: %d\n", closed, fcntl(0, F_GETFD) < 0, access("sub", F_OK));
  raise(SIGUSR1);
  printf("next descriptor: %d\n", open("/dev/null", O_RDONLY));
}

static pid_t fork_in_loop(int i) {
  pid_t child = fork();
  if (child == 0) {
    if (i % 2)
      _exit(i);
    execl("/nonexistent/program", "program", (char *)NULL);
    fprintf(stderr, "child %d: %s\n", i, strerror(errno));
    exit(i);
  }
  return child;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "status"))
    execlp("sh", "sh", "-c", "exit 9", (char *)NULL);
  if (!strcmp(what, "signal"))
    execlp("sh", "sh", "-c", "kill -TERM $$", (char *)NULL);
  if (!strcmp(what, "missing"))
    return execlp("no-such-program", "no", (char *)NULL) == -1 && errno == ENOENT;
  if (!strcmp(what, "refused")) {
    pid_t child = fork();
    if (child == 0) {
      execl("/bin/true", "true", (char *)NULL);
      _exit(127);
    }
    printf("refused: %d\n", child == -1 && errno == EPERM);
    return 0;
  }
  if (!strcmp(what, "lost"))
    return fork() == 0 ? 3 : 4;
  printf("not flushed\n");
  read_from("echo one; echo two; exit 5");
  write_to_upper("some text\n");
  keep_what_is_the_parents();
  fflush(stdout);
  pid_t children[6];
  for (int i = 0; i < 6; ++i) {
    children[i] = fork_in_loop(i);
    if (i % 2 == 0) // it writes a message
      say_end("loop", children[i]);
    fflush(stdout);
  }
  for (int i = 1; i < 6; i += 2)
    say_end("loop", children[i]);
  printf("none left: %d\n", wait(NULL) == -1 && errno == ECHILD);
  return 0;
}
