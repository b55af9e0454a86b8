// The start-up contract, arguments: as LLVM's libc checks it of its own start-up code (spec 6.3).
// RUN: %gpucc -O2 %s -o %t
// RUN: env FRANCE=Paris GERMANY=Berlin %run %t 1 2 3
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int found(char **envp, const char *what) {
  for (; *envp; envp++)
    if (!strcmp(*envp, what))
      return 1;
  return 0;
}

int main(int argc, char **argv, char **envp) {
  assert(argc == 4);
  assert(!strcmp(argv[1], "1") && !strcmp(argv[2], "2") && !strcmp(argv[3], "3") && !argv[4]);
  assert(found(envp, "FRANCE=Paris") && found(envp, "GERMANY=Berlin"));
  assert(!strcmp(getenv("FRANCE"), "Paris") && !strcmp(getenv("GERMANY"), "Berlin"));
  return 0;
}
