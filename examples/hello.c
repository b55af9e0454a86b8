/* Greets whoever is named on the command line. An ordinary C program: nothing in it knows of GPUs. */
#include <stdio.h>

int main(int argc, char **argv) {
  printf("Hello from %s!\n", argv[0]);
  for (int i = 1; i < argc; i++)
    printf("  argument %d: %s\n", i, argv[i]);
  return 0;
}
