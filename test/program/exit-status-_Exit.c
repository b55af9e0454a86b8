// Every status from 0 to 255 through _Exit; larger ones keep their low 8 bits, as a process's do.
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %inputs/statuses.py %run %t
#include <stdlib.h>

int main(int argc, char **argv) {
  int status = atoi(argv[1]);
  _Exit(status);
}
