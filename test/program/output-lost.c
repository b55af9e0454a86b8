// Output that was accepted and cannot be written: fflush and ferror say so as the host's do, also when a read has tried
// to write it first, and gpuexec says it where the program does not.
// RUN: %gpucc -O2 %s -o %t && %hostcc %s -o %t.host
// RUN: for steps in p s f w l rp rf pr fr lr pfr; do \
// RUN:   %t.host $steps < %s > /dev/full 2> %t.expected; test $? -eq 1 && \
// RUN:   { %run %t $steps < %s > /dev/full 2> %t.err; test $? -eq 1; } && \
// RUN:   head -n 1 %t.err | diff %t.expected - && \
// RUN:   grep -x "gpuexec: error: .*: cannot write standard output: No space left on device" %t.err || { echo "failed: steps=$steps" >&2; exit 1; }; done
// RUN: for steps in xp xs xf xw xpr xfr; do \
// RUN:   %run %t $steps < %s > /dev/full 2> %t.err; test $? -eq 125 && \
// RUN:   grep -x "gpuexec: error: .*: cannot write standard output: No space left on device" %t.err || { echo "failed: steps=$steps" >&2; exit 1; }; done
// RUN: sh -c '%run %t xp < %s >&-' 2> %t.err; test $? -eq 125
// RUN: grep -x "gpuexec: error: .*: cannot write standard output: Bad file descriptor" %t.err
// RUN: %run %t xpr < %s
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *steps = argv[1];
  for (const char *step = steps; *step; ++step)
    switch (*step) {
    case 'p':
      putchar('p');
      break;
    case 's':
      puts("a line");
      break;
    case 'f':
      printf("%s %d\n", "formatted", argc);
      break;
    case 'w':
      fwrite("three", 1, 5, stdout);
      break;
    case 'l':
      printf("%s", "no line");
      break;
    case 'r':
      while (getchar() != EOF)
        ;
      break;
    }
  if (*steps == 'x') // does not ask
    return 0;
  errno = 0;
  int result = fflush(stdout);
  fprintf(stderr, "%s: fflush %d: %s, ferror %d\n", steps, result,
          strerror(errno), !!ferror(stdout));
  return result != 0;
}
