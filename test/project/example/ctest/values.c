#include "../src/roman.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  static const struct {
    int number;
    const char *numeral;
  } known[] = {{1, "I"}, {4, "IV"}, {9, "IX"}, {14, "XIV"}, {1994, "MCMXCIV"}, {3888, "MMMDCCCLXXXVIII"}};
  char numeral[ROMAN_LONGEST];
  int wrong = 0;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!to_roman(known[i].number, numeral) || strcmp(numeral, known[i].numeral))
      wrong |= printf("%d: %s, expected %s\n", known[i].number, numeral, known[i].numeral) > 0;
  return wrong || to_roman(0, numeral) || to_roman(4000, numeral) || from_roman("IIII") || from_roman("");
}
