#include "roman.h"
#include <string.h>

static const struct {
  int value;
  const char *text;
} steps[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
             {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};
enum { STEPS = sizeof steps / sizeof *steps };

int to_roman(int number, char numeral[ROMAN_LONGEST]) {
  char *end = numeral;
  if (number < 1 || number > 3999)
    return 0;
  for (int i = 0; i < STEPS; i++)
    for (; number >= steps[i].value; number -= steps[i].value)
      end = strcpy(end, steps[i].text) + strlen(steps[i].text);
  return (int)(end - numeral);
}

int from_roman(const char *numeral) {
  char check[ROMAN_LONGEST];
  const char *at = numeral;
  int number = 0;
  for (int i = 0; i < STEPS && number < 4000; i++)
    for (size_t length = strlen(steps[i].text); strncmp(at, steps[i].text, length) == 0; at += length)
      number += steps[i].value;
  return !*at && to_roman(number, check) && strcmp(check, numeral) == 0 ? number : 0;
}
