// stdin, stdout and stderr follow the descriptors 0, 1 and 2, and the descriptors follow freopen(), as on the host: after dup2(),
// close() and open(), in a child of fork(), and for commands.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w %s -o %t.host && cd %t.h && %t.host > output 2> errors
// RUN: %gpucc -O2 -w -D_GPUEXEC_FORK %s -o %t
// RUN: cd %t.d && %run %t > output 2> errors
// RUN: diff -r %t.h %t.d
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int create(const char *name) { return open(name, O_RDWR | O_CREAT | O_TRUNC, 0644); }

static void output_to_a_file(void) {
  const int screen = dup(1), file = create("file");
  printf("before\n"); // still in the buffer: it follows, too
  dup2(file, 1);
  printf("to the file\n");
  fflush(stdout);
  write(1, "raw\n", 4);
  system("echo from a command");
  FILE *command = popen("cat", "w");
  fputs("from another one\n", command);
  pclose(command);
  dup2(screen, 1);
  printf("on the screen again\n");
  fflush(stdout);
  close(file);
  close(screen);
}

static void errors_to_output(void) {
  const int errors = dup(2);
  dup2(1, 2);
  fprintf(stderr, "an error on standard output\n");
  dup2(errors, 2);
  fprintf(stderr, "an error\n");
  close(errors);
}

static void input_from_a_file(void) {
  const int file = create("input");
  write(file, "first\nsecond\n", 13);
  lseek(file, 0, SEEK_SET);
  dup2(file, 0);
  char line[20] = "";
  fgets(line, sizeof line, stdin);
  printf("%s", line);
  printf("%d\n", scanf("%19s", line));
  puts(line);
}

static void closed_and_opened(void) {
  fflush(stdout);
  const int screen = dup(1);
  close(1);
  printf("%d\n", create("opened") == 1);
  puts("in the new file");
  fflush(stdout);
  dup2(screen, 1);
  close(screen);
}

static void opened_again(void) {
  const int errors = dup(2);
  freopen("again", "w", stderr);
  fputs("by the stream\n", stderr);
  fflush(stderr);
  write(2, "by the descriptor\n", 18);
  system("echo by a command >&2");
  dup2(errors, 2);
  fputs("the second error\n", stderr);
  close(errors);
}

static void in_a_child(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(create("of-the-child"), 1);
    puts("the child's");
    fflush(stdout);
    execl("/bin/echo", "echo", "its command's", (char *)NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
  puts("the parent's");
}

int main(void) {
  output_to_a_file();
  errors_to_output();
  input_from_a_file();
  closed_and_opened();
  opened_again();
  in_a_child();
  return 0;
}
