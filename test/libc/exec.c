// exec without fork: the command has the program's descriptors, arguments, environment and directory; the program ends with its status,
// and what is buffered is lost. Each run of the program is one exec.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -w %s -o %t.host && %gpucc -O2 -w %s -o %t
// RUN: for how in v ve vp l le lp f closed none signal; do echo "$how:"; (cd %t.h && %t.host $how; echo $?); done > %t.expected
// RUN: for how in v ve vp l le lp f closed none signal; do echo "$how:"; (cd %t.d && %run %t $how; echo $?); done > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --sandbox %t refused > %t.refused && grep -q 'refused: 1' %t.refused
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char *environment[] = {"OWN=of the call", NULL};
  char *shell[] = {"sh", "-c", "echo \"$OWN\" $0 $1; cat <&5; exit 7", "zero", "one", NULL};
  const char *how = argv[1];
  setenv("OWN", "of the program", 1);
  if (strcmp(how, "refused")) {
    int fd = open("file", O_RDWR | O_CREAT | O_TRUNC | (strcmp(how, "closed") ? 0 : O_CLOEXEC), 0600);
    write(fd, "descriptor\n", 11);
    lseek(fd, 0, SEEK_SET);
    fcntl(fd, strcmp(how, "closed") ? F_DUPFD : F_DUPFD_CLOEXEC, 5);
    printf("lost");
  }
  if (!strcmp(how, "v") || !strcmp(how, "closed"))
    execv("/bin/sh", shell);
  else if (!strcmp(how, "ve"))
    execve("/bin/sh", shell, environment);
  else if (!strcmp(how, "vp"))
    execvp("sh", shell);
  else if (!strcmp(how, "l"))
    execl("/bin/sh", "sh", "-c", "echo list $0; pwd | sed 's,.*/,,;s,[hd]$,,'", "zero", NULL);
  else if (!strcmp(how, "le"))
    execle("/bin/sh", "sh", "-c", "echo $OWN", NULL, environment);
  else if (!strcmp(how, "lp"))
    execlp("echo", "echo", "found", NULL);
  else if (!strcmp(how, "f"))
    fexecve(open("/bin/sh", O_RDONLY), shell, environment);
  else if (!strcmp(how, "signal"))
    execlp("sh", "sh", "-c", "kill -ABRT $$", NULL);
  else if (!strcmp(how, "refused"))
    return !printf("refused: %d\n", execv("/bin/sh", shell) == -1 && errno == EPERM);
  const int result = execl("/no/such/command", "x", NULL);
  dprintf(1, "not started: %d %d\n", result, errno);
  _exit(3);
}
