// An image that names the same bytes again and again, so that a small file would take hours or gigabytes, is refused with
// the limit's name.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %S/Inputs/repeat.py %t %t.bad loads 65
// RUN: %python %inputs/one_line.py 126 "%t.bad: more than 64 loadable segments" %gpuexec %t.bad
// RUN: %python %S/Inputs/repeat.py %t %t.bad notes 60000
// RUN: %python %inputs/one_line.py 126 "%t.bad: its notes have more bytes than the file: they overlap" %gpuexec %t.bad
// RUN: %python %S/Inputs/repeat.py %t %t.bad functions 2000
// RUN: not %bin/gpuexec-info %t.bad 2>&1 | grep "its functions overlap: their code has more than 16 times the bytes of the image"
#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 0; i < argc; ++i)
    printf("%s %d %g\n", argv[i], argc, argc * 0.5);
  return 0;
}
