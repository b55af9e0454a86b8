// REQUIRES: emulator
// What commands print that the program starts is recorded, in its place between what the program prints, and replayed without them.
// RUN: rm -rf %t && mkdir -p %t %t/empty && cd %t && %gpucc -O1 -w %s -o p
// RUN: printf 'before\nfrom system\nbetween\nFROM POPEN\nfrom spawn\nafter\n' > expected && printf 'an error\n' > expected-errors
// RUN: %gpuexec --record r p > out 2> err && diff expected out
// RUN: grep -v "gpuexec: warning" err | diff expected-errors -
// RUN: for player in "%gpuexec --replay" "%build/bin/gpu-replay --device=emulator"; do env -i GPUEXEC_SERVER=off PATH=$PWD/empty \
// RUN:   $player $PWD/r > again 2> err-again && diff expected again && diff expected-errors err-again || { echo "failed: $player" >&2; exit 1; }; done
//
// Much of it, with a reader that is late; one that goes away ends the command as without a recording.
// RUN: %gpuexec --record r p much 2> err | { sleep 1; cksum; } > sum && %gpuexec p much | cksum | diff - sum
// RUN: %gpuexec --replay r | cksum | diff - sum
// RUN: %gpuexec --record r p endless 2> err | head -c 3 > out; test "$(cat out)" = "$(printf 'y\ny')" 
// RUN: grep "ended by signal 13" err
//
// A command that the program does not wait for: what it has printed when the program ends.
// RUN: %gpuexec --record r p left > out 2> err && %gpuexec --replay r | cmp - out && grep -x left out
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void all_ways(void) {
  char *say[] = {"sh", "-c", "echo from spawn", NULL}, *none[] = {NULL};
  pid_t child;
  printf("before\n");
  fflush(stdout);
  system("echo from system; echo an error >&2");
  printf("between\n");
  fflush(stdout);
  FILE *pipe = popen("tr a-z A-Z", "w");
  fprintf(pipe, "from popen\n");
  pclose(pipe);
  posix_spawn(&child, "/bin/sh", NULL, NULL, say, none);
  waitpid(child, NULL, 0);
  printf("after\n");
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp(how, "much")) {
    system("seq 100000");
  } else if (!strcmp(how, "endless")) {
    const int status = system("exec yes");
    fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
  } else if (!strcmp(how, "left")) {
    char *say[] = {"sh", "-c", "echo left; exec sleep 100", NULL}, *none[] = {NULL};
    pid_t child;
    posix_spawn(&child, "/bin/sh", NULL, NULL, say, none);
    usleep(500000);
  } else {
    all_ways();
  }
  return 0;
}
