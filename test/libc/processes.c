// stdio.h's popen and stdlib.h's system, which the host carries out: output and input through pipes, statuses, errors; then
// in 4096 threads at once, every one with a command of its own.
// RUN: %hostcc -fno-builtin %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// A command reads a file's standard input where the program has stopped, and the program where the command has.
// RUN: seq 5 > %t.in && %t.host input < %t.in > %t.expected && %run %t input < %t.in > %t.out && diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t many > %t.many
// RUN: test "$(sort -u %t.many | grep -c '^thread [0-9]* of its own$')" = 4096
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void status(int result) {
  printf("%d %d %d %d\n", WIFEXITED(result) != 0, WIFEXITED(result) ? WEXITSTATUS(result) : -1, WIFSIGNALED(result) != 0,
         WIFSIGNALED(result) ? WTERMSIG(result) : -1);
}

static int many(void) {
  static int threads;
  char command[64], line[64];
  const int thread = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  snprintf(command, sizeof command, "echo number %d; exit %d", thread, thread % 251);
  FILE *pipe = popen(command, "r");
  int number = -1;
  if (!pipe || fscanf(pipe, "number %d", &number) != 1 || number != thread)
    return 1;
  int result = pclose(pipe);
  if (!WIFEXITED(result) || WEXITSTATUS(result) != thread % 251)
    return 2;
  snprintf(command, sizeof command, "exit %d", (thread + 1) % 251);
  if (WEXITSTATUS(system(command)) != (thread + 1) % 251)
    return 3;
  pipe = popen("cat", "w");
  if (!pipe || fprintf(pipe, "thread %d of its own\n", thread) < 0 || pclose(pipe))
    return 4;
  return 0;
}

static int input(void) {
  char line[64];
  setvbuf(stdin, NULL, _IONBF, 0);
  printf("%s", fgets(line, sizeof line, stdin));
  fflush(stdout);
  status(system("read line; echo command $line"));
  printf("%s", fgets(line, sizeof line, stdin));
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return strcmp(argv[1], "input") ? many() : input();
  char line[100];
  printf("%d\n", system(NULL) != 0);
  printf("before, ");
  fflush(stdout);
  status(system("echo from the shell"));
  status(system("exit 7"));
  status(system("kill -9 $$"));
  status(system("no-such-command 2>/dev/null"));
  FILE *pipe = popen("printf 'one\\ntwo\\n'; exit 3", "r");
  while (fgets(line, sizeof line, pipe))
    printf("[%s]", line);
  printf("%d %d\n", feof(pipe) != 0, ferror(pipe));
  status(pclose(pipe));
  fflush(stdout);
  pipe = popen("tr a-z A-Z; exit 1", "w");
  fprintf(pipe, "to the %s\n", "command");
  status(pclose(pipe));
  errno = 0;
  printf("%d\n", popen("true", "x") == NULL);
  printf("%d\n", errno);
  pipe = popen("exec cat", "r+");
  printf("%d\n", pipe == NULL);
  pipe = popen("sleep 0; true", "r");
  printf("%d\n", fgetc(pipe));
  status(pclose(pipe));
  return 0;
}
