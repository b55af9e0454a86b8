#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  const char *text = "born 1815-12-10, died 1852-11-27";
  int error;
  PCRE2_SIZE at, length;
  pcre2_code *code = pcre2_compile((PCRE2_SPTR) "(?<year>\\d{4})-(\\d\\d)(?=-2)", PCRE2_ZERO_TERMINATED, 0, &error, &at, NULL);
  pcre2_match_data *match = pcre2_match_data_create_from_pattern(code, NULL);
  int groups = pcre2_match(code, (PCRE2_SPTR)text, strlen(text), 0, 0, match, NULL);
  PCRE2_UCHAR *year;
  pcre2_substring_get_byname(match, (PCRE2_SPTR) "year", &year, &length);
  printf("%d.%d %d %s\n", PCRE2_MAJOR, PCRE2_MINOR, groups, year);
  return 0;
}
