// REQUIRES: amdgpu
// On AMDGPU constructors are called with main's arguments (spec 4.4); NVPTX's function types forbid it.
// RUN: %gpucc -O2 %s -o %t
// RUN: env COUNTRY=Peru %run %t one two
#include <assert.h>
#include <string.h>

static int seen;

__attribute__((constructor)) static void look(int argc, char **argv, char **envp) {
  assert(argc == 3 && !strcmp(argv[1], "one") && !strcmp(argv[2], "two"));
  for (; *envp; envp++)
    seen |= !strcmp(*envp, "COUNTRY=Peru");
}

int main(void) { return seen ? 0 : 1; }
