#include "roman.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int convert(const char *text) {
  char numeral[ROMAN_LONGEST] = "";
  int number = atoi(text);
  if (number ? to_roman(number, numeral) : (number = from_roman(text)))
    return printf(atoi(text) ? "%s\n" : "%.0s%d\n", numeral, number) < 0;
  fprintf(stderr, "roman: %s: not a number from 1 to 3999\n", text);
  return 3;
}

int main(int argc, char **argv) {
  char line[80];
  int status = 0;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "-"))
      status |= convert(argv[i]);
    else
      while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        status |= convert(line);
      }
  return status;
}
