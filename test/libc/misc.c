// inttypes.h, locale.h, libgen.h, fnmatch.h, regex.h, getopt.h, signal.h, wide conversions, swprintf and swscanf.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <regex.h>
#include <wchar.h>
#include <wctype.h>

#define COUNT(array) (sizeof array / sizeof *array)

static void paths(struct test *t) {
  static const char *const all[] = {"/usr/lib", "/usr/", "usr", "/", ".", "..", "", "//a//b//", "a/b", "./x"};
  for (unsigned i = 0; i < COUNT(all); ++i) {
    char one[32], two[32];
    strcpy(one, all[i]);
    strcpy(two, all[i]);
    out(t, "%s: %s %s", all[i], dirname(one), basename(two));
  }
}

static void patterns(struct test *t) {
  static const char *const patterns[] = {"*", "*.c", "a?c", "[a-c]x", "[!a-c]x", "\\*", "a*b*c", "[]]", "[[:digit:]]*", "*/b", "[![:alpha:]-]*", "[[=a=]b]*", "*[c]", "[a", "?*", "\\a*"};
  static const char *const texts[] = {"", "x.c", "abc", "bx", "dx", "*", "aXXbYYc", "]", "7up", "a/b", ".c", ".hidden.c"};
  for (unsigned i = 0; i < COUNT(patterns); ++i)
    for (unsigned j = 0; j < COUNT(texts); ++j)
      out(t, "%s %s %d %d %d", patterns[i], texts[j], fnmatch(patterns[i], texts[j], 0) != 0,
          fnmatch(patterns[i], texts[j], FNM_PATHNAME) != 0, fnmatch(patterns[i], texts[j], FNM_PERIOD | FNM_NOESCAPE) != 0);
}

static void expressions(struct test *t) {
  static const struct {
    const char *expression;
    int flags;
  } all[] = {{"a*b", REG_EXTENDED}, {"^(a|b)+c?$", REG_EXTENDED}, {"\\(x\\)y", 0}, {"[0-9]{2,3}", REG_EXTENDED},
             {"HeLLo", REG_ICASE}, {"[[:alpha:]]+([0-9]*)", REG_EXTENDED}, {"(", REG_EXTENDED}, {"a.c$", REG_NEWLINE},
             {"[z-a]", 0}};
  static const char *const texts[] = {"aaab", "ababc", "xy", "12345", "hello world", "abc99", "a\nabc", "none", ""};
  for (unsigned i = 0; i < COUNT(all); ++i) {
    regex_t compiled;
    int error = regcomp(&compiled, all[i].expression, all[i].flags);
    out(t, "%s: %d", all[i].expression, error != 0);
    if (error)
      continue;
    for (unsigned j = 0; j < COUNT(texts); ++j) {
      regmatch_t match[3] = {{-1, -1}, {-1, -1}, {-1, -1}};
      error = regexec(&compiled, texts[j], 3, match, 0);
      if (error)
        out(t, "%s: none", texts[j]);
      else
        out(t, "%s: %d-%d %d-%d", texts[j], (int)match[0].rm_so, (int)match[0].rm_eo, (int)match[1].rm_so, (int)match[1].rm_eo);
    }
    regfree(&compiled);
  }
}

// In POSIX's order (+): with several threads, which share argv, operands are not moved behind the options.
static void options(struct test *t) {
  static char *lists[][8] = {{"prog", "-a", "-b", "value", "rest", NULL},      {"prog", "-abvalue", "--", "-a", NULL},
                             {"prog", "one", "-a", "two", "-bx", NULL},        {"prog", "--long", "--with=7", "--wi", "8", NULL},
                             {"prog", "-", "--flag", NULL}};
  for (unsigned i = 0; i < COUNT(lists); ++i) {
    char *copy[8];
    memcpy(copy, lists[i], sizeof copy);
    int count = 0, flag = 0;
    while (copy[count])
      ++count;
    const struct option longs[] = {{"long", no_argument, NULL, 'l'}, {"with", required_argument, NULL, 'w'}, {"flag", no_argument, &flag, 9}, {0}};
    optind = 0;
    opterr = 0;
    for (int c; (c = getopt_long(count, copy, "+ab:", longs, NULL)) != -1;)
      out(t, "option %d %s %d", c, c == 'b' || c == 'w' ? optarg : "-", flag);
    out(t, "rest from %d of %d: %s", optind, count, optind < count ? copy[optind] : "none");
  }
}

static void integers(struct test *t) {
  char text[128];
  snprintf(text, sizeof text, "%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRIo64 " %" PRIiMAX " %" PRIXPTR, (int8_t)-5, (uint16_t)65535,
           (uint32_t)0xdeadbeef, (uint64_t)0777, (intmax_t)-1, (uintptr_t)0xABC);
  out(t, "%s", text);
  int64_t a;
  uint16_t b;
  intmax_t c;
  int count = sscanf("-123 ffff 99", "%" SCNd64 " %" SCNx16 " %" SCNdMAX, &a, &b, &c);
  out(t, "%d %ld %d %jd", count, (long)a, b, c);
  imaxdiv_t split = imaxdiv(-17, 5);
  out(t, "%jd %jd %jd", imaxabs(-42), split.quot, split.rem);
  errno = 0;
  out(t, "%jd %d", strtoimax("99999999999999999999", NULL, 10), errno);
  errno = 0;
  out(t, "%ju %d", strtoumax("-1", NULL, 10), errno);
  wchar_t *end;
  errno = 0;
  out(t, "%jd %d", wcstoimax(L"  -0x7fz", &end, 0), *end == L'z');
  out(t, "%ju %lld %llu", wcstoumax(L"077", NULL, 0), wcstoll(L"-12", NULL, 10), wcstoull(L"12", NULL, 36));
}

static void locales(struct test *t) {
  const char *name = setlocale(LC_ALL, NULL);
  out(t, "%s %s %d", name, setlocale(LC_ALL, "C"), setlocale(LC_NUMERIC, "xx_YY") == NULL);
  const struct lconv *conventions = localeconv();
  out(t, "[%s] [%s] [%s] [%s] %d %d", conventions->decimal_point, conventions->thousands_sep, conventions->grouping,
      conventions->currency_symbol, conventions->frac_digits == CHAR_MAX, conventions->p_cs_precedes == CHAR_MAX);
}

static void wide(struct test *t) {
  wchar_t text[128];
  char narrow[256];
  int size = swprintf(text, COUNT(text), L"%d|%5s|%-6ls|%.3f|%lc|%x", 42, "ab", L"wide", 3.14159, L'w', 255);
  out(t, "%d %ls", size, text);
  out(t, "%d", swprintf(text, 4, L"%d", 1234567) < 0);
  int number = 0;
  wchar_t word[16];
  float real = 0;
  size = swscanf(L"17 word 2.5", L"%d %ls %f", &number, word, &real);
  out(t, "%d %d %ls %g", size, number, word, real);
  wcscpy(text, L"a,b;;c");
  wchar_t *state, *token = wcstok(text, L",;", &state);
  for (; token; token = wcstok(NULL, L",;", &state))
    out(t, "%ls", token);
  out(t, "%zu %zu %d %d", wcsspn(L"aabc", L"ab"), wcscspn(L"xyz,", L","), wcspbrk(L"hello", L"lo") != NULL, wcscoll(L"a", L"b") < 0);
  out(t, "%zu %zu", wcsxfrm(NULL, L"abc", 0), wcslen(wcsncat(wcscpy(text, L"12"), L"3456", 2)));
  mbstate_t shift = {0};
  const char *source = "multi";
  size_t made = mbsrtowcs(text, &source, COUNT(text), &shift);
  out(t, "%zu %d %d", made, source == NULL, mbsinit(&shift) != 0);
  const wchar_t *back = text;
  made = wcsrtombs(narrow, &back, sizeof narrow, &shift);
  out(t, "%zu %s %zu", made, narrow, mbrlen("x", 1, &shift));
  wctype_t alpha = wctype("alpha");
  wctrans_t upper = wctrans("toupper");
  out(t, "%d %d %lc %d", iswctype(L'q', alpha) != 0, iswctype(L'1', alpha) != 0, towctrans(L'q', upper), wctype("none") == 0);
  for (wint_t c = 0; c < 128; ++c)
    out(t, "%d%d%d%d%d%d%d%d%d%d%d%d", iswalnum(c) != 0, iswalpha(c) != 0, iswblank(c) != 0, iswcntrl(c) != 0, iswdigit(c) != 0,
        iswgraph(c) != 0, iswlower(c) != 0, iswprint(c) != 0, iswpunct(c) != 0, iswspace(c) != 0, iswupper(c) != 0, iswxdigit(c) != 0);
  wmemcpy(text, L"wmem", 5);
  wmemmove(text + 1, text, 4);
  out(t, "%.5ls %d", text, wmemchr(text, L'e', 5) == text + 3);
  out(t, "%g %g %ls", (double)wcstof(L"1.5", NULL), (double)wcstold(L"2.5", NULL), wcsrchr(L"abcabc", L'b'));
}

static void run(struct test *t) {
  paths(t);
  patterns(t);
  expressions(t);
  options(t);
  integers(t);
  locales(t);
  wide(t);
}
