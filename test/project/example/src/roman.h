/* Roman numerals from 1 to 3999. */
#ifndef ROMAN_H
#define ROMAN_H
enum { ROMAN_LONGEST = 16 };
/* Writes the numeral and returns its length, or 0 when there is none. */
int to_roman(int number, char numeral[ROMAN_LONGEST]);
/* The number, or 0 when the numeral is not the one that to_roman writes. */
int from_roman(const char *numeral);
#endif
