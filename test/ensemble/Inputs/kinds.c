// Ends in the way that the first argument names. Prints its arguments first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char *word, const char *name) { return !strcmp(word, name); }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  const int number = argc > 2 ? atoi(argv[2]) : 0;
  for (int i = 1; i < argc; ++i)
    printf("%s[%s]", i > 1 ? " " : "", argv[i]);
  printf("\n");
  if (is(what, "fault"))
    *(volatile int *)8 = 1;
  if (is(what, "endless"))
    for (;;)
      ;
  if (is(what, "abort"))
    abort();
  if (is(what, "exit"))
    exit(number);
  if (is(what, "error"))
    fprintf(stderr, "said %d\n", number);
  if (is(what, "variable"))
    printf("SEED=%s\n", getenv("SEED"));
  if (is(what, "place")) {
    FILE *file = fopen("here", "w");
    fprintf(file, "%d\n", number);
    fclose(file);
  }
  for (int c; is(what, "input") && (c = getchar()) != EOF;)
    putchar(c);
  if (is(what, "sleep"))
    usleep(number * 1000);
  for (int i = 0; is(what, "lines") && i < number; ++i) {
    printf("%s line %d\n", argv[3], i);
    fflush(stdout);
  }
  return 0;
}
