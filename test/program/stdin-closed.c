// Closed standard streams are errors for the program to see, not for gpuexec to fall over.
// RUN: %gpucc -O2 %s -o %t
// RUN: bash -c '%run %t <&-'
// RUN: bash -c '%run %t >&- <&-' ; test $? -eq 4
// RUN: bash -c '%run %t full > /dev/full </dev/null' ; test $? -eq 4
// RUN: bash -c '%run %t 2>&- </dev/null'
#include <stdio.h>

int main(int argc, char **argv) {
  int c = getchar();
  if (c != EOF)
    return 2;
  fputs("to standard error\n", stderr);
  if (puts("some output") < 0 || fflush(stdout))
    return 4;
  return 0;
}
