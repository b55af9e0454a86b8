// posix_spawn, which the host carries out: file actions, environment, search in PATH, statuses, kill; and that a sandbox
// starts nothing.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --sandbox %t refused > %t.refused && grep -q 'refused: 1 1' %t.refused
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(pid_t child) {
  int status = -1;
  pid_t found = waitpid(child, &status, 0);
  printf("%d: %d %d %d %d\n", found == child, WIFEXITED(status), WIFEXITED(status) ? WEXITSTATUS(status) : -1,
         WIFSIGNALED(status), WIFSIGNALED(status) ? WTERMSIG(status) : -1);
}

static int refused(char **environment) {
  pid_t child;
  char *arguments[] = {"true", NULL};
  printf("refused: %d", posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environment) == EPERM);
  printf(" %d\n", waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
  return 0;
}

int main(int argc, char **argv) {
  char *environment[] = {"COLOUR=red", "SIZE=4", NULL};
  if (argc > 1)
    return refused(environment);
  pid_t child = -1;
  char *echo[] = {"sh", "-c", "echo \"$COLOUR $SIZE $0 $1\"; exit 7", "zero", "one two", NULL};
  printf("start\n");
  fflush(stdout);
  printf("%d %d\n", posix_spawn(&child, "/bin/sh", NULL, NULL, echo, environment), child > 1);
  end(child);
  printf("%d %d\n", waitpid(child, NULL, 0), errno == ECHILD);
  printf("%d\n", kill(child, 0) == -1 && errno == ESRCH);
  printf("%d\n", kill(1 << 29, 0) == -1 && errno == ESRCH);
  fflush(stdout);

  // A pipe to the child and a file from it.
  int ends[2], status;
  posix_spawn_file_actions_t actions;
  pipe(ends);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addopen(&actions, 1, "upper", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_adddup2(&actions, 1, 5);
  char *convert[] = {"sh", "-c", "tr a-z A-Z; echo to five >&5", NULL};
  printf("%d\n", posix_spawnp(&child, "sh", &actions, NULL, convert, environment));
  write(ends[1], "text for the child\n", 19);
  printf("%d\n", waitpid(child, &status, WNOHANG));
  close(ends[1]);
  end(child);
  posix_spawn_file_actions_destroy(&actions);
  char text[100] = "";
  int file = open("upper", O_RDONLY);
  printf("%d [%s]\n", (int)read(file, text, sizeof text), text);

  char *sleeper[] = {"sleep", "100", NULL};
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  printf("%d\n", posix_spawnp(&child, "sleep", NULL, &attributes, sleeper, environment));
  printf("%d %d\n", getpgid(child) == child, kill(child, 0));
  printf("%d\n", kill(child, SIGTERM));
  end(child);
  printf("%d\n", posix_spawn(&child, "/no/such/program", NULL, NULL, echo, environment));
  printf("%d\n", posix_spawn(&child, "/", NULL, NULL, echo, environment));
  posix_spawn_file_actions_init(&actions);
  printf("%d\n", posix_spawn_file_actions_addclose(&actions, -1));
  posix_spawn_file_actions_addopen(&actions, 3, "no/such/file", O_RDONLY, 0);
  printf("%d\n", posix_spawn(&child, "/bin/true", &actions, NULL, echo, environment));
  printf("%d %d\n", wait(&status), errno == ECHILD);
  return 0;
}
