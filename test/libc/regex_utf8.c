// Regular expressions in C.UTF-8: characters of several bytes, lists, classes, case, borders of words, bytes that are no character.
// RUN: %hostcc -fno-builtin %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
#include <locale.h>
#include <regex.h>
#include <stdio.h>

static const struct {
  const char *expression;
  int flags;
  const char *texts[4];
} rows[] = {
    {"^.$", 0, {"é", "中", "😀", "\xc3"}},
    {"a.b", 0, {"aéb", "a\xc3"
                       "b",
                "ab", "a中b"}},
    {"[éà]+", REG_EXTENDED, {"xéàé", "e"}},
    {"[^a]", 0, {"é", "aé", "a", "\xff"}},
    {"[[:alpha:]]+", REG_EXTENDED, {"1Жук2", "ß", "€"}},
    {"[[:upper:]]", 0, {"жЖ", "é"}},
    {"ЖУК", REG_ICASE, {"жук", "жуЖ"}},
    {"[[:lower:]]+", REG_EXTENDED | REG_ICASE, {"ЖжÉé"}},
    {"\\<ж\\w*\\>", 0, {"а жук", "ажук", "жé."}},
    {"\\W+", REG_EXTENDED, {"é€ x"}},
    {"(é|ж)*(中?)", REG_EXTENDED, {"éжé中", "中"}},
    {"(.)\\1", REG_EXTENDED, {"aéé", "ЖЖ", "éè"}},
    {"é{2,3}", REG_EXTENDED, {"éééé"}},
    {"x*", 0, {"é"}},
    {"😀$", 0, {"a😀", "😀b"}},
};

int main(void) {
  if (!setlocale(LC_ALL, "C.UTF-8"))
    return 1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    regex_t compiled;
    const int error = regcomp(&compiled, rows[i].expression, rows[i].flags);
    printf("'%s' %d: %d\n", rows[i].expression, rows[i].flags, error);
    for (int j = 0; j < 4 && rows[i].texts[j] && !error; ++j) {
      regmatch_t m[3] = {{-2, -2}, {-2, -2}, {-2, -2}};
      const int result = regexec(&compiled, rows[i].texts[j], 3, m, 0);
      printf("  %d: %d %d-%d %d-%d %d-%d\n", j, result, (int)m[0].rm_so, (int)m[0].rm_eo, (int)m[1].rm_so, (int)m[1].rm_eo, (int)m[2].rm_so, (int)m[2].rm_eo);
    }
    if (!error)
      regfree(&compiled);
  }
  return 0;
}
