// wchar.h's streams, uchar.h, and the rest of wchar.h in the C locale, where what is not ASCII is an error.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host && cd %t.h && env LC_ALL=C %t.host < %s > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: cd %t.d && %run %t < %s > %t.out
// RUN: diff %t.expected %t.out
// RUN: %t.host wide > %t.expected-wide && %run %t wide > %t.wide
// RUN: diff %t.expected-wide %t.wide
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run --threads 256 --blocks 16 %t $(tail -1 %t.expected) && test -z "$(ls)"
#define _GNU_SOURCE
#define SLICES 4
#define OWN_MAIN
#include "libc_test.h"
#include <stdlib.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static int wide_out(FILE *file, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfwprintf(file, format, list);
  va_end(list);
  return result;
}
static int wide_in(FILE *file, const wchar_t *text, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int result = file ? vfwscanf(file, format, list) : vswscanf(text, format, list);
  va_end(list);
  return result;
}
static int wide_text(wchar_t *to, size_t size, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vswprintf(to, size, format, list);
  va_end(list);
  return result;
}

static void streams(struct test *t, const char *name) {
  wchar_t line[64];
  FILE *file = fopen(name, "w+");
  out(t, "%d", fwide(file, 1) > 0);
  out(t, "%d %d", (int)fputwc(L'a', file), (int)putwc(L'\n', file));
  out(t, "%d", fputws(L"a line of text\nand more 42 2.5\n", file) >= 0);
  out(t, "%d", fwprintf(file, L"%d|%5ls|%s|%c\n", 42, L"abc", "narrow", 'x'));
  out(t, "%d", wide_out(file, L"%.3f %x\n", 1.0 / 3, 255));
  rewind(file);
  wint_t c = fgetwc(file);
  out(t, "%d %d", (int)c, (int)getwc(file));
  out(t, "%ls", fgetws(line, 64, file));
  out(t, "%ls", fgetws(line, 5, file));
  out(t, "%d %d", (int)ungetwc(L'Z', file), (int)fgetwc(file));
  int number = 0;
  double real = 0;
  out(t, "%d", fwscanf(file, L"more %d %lf", &number, &real));
  out(t, "%d %g", number, real);
  out(t, "%d", wide_in(file, NULL, L"%d|%ls", &number, line));
  out(t, "%d %ls", number, line);
  while (fgetws(line, 64, file))
    ;
  out(t, "%d %d %d", feof(file) != 0, fgetwc(file) == WEOF, ferror(file) != 0);
  fclose(file);
  remove(name);
}

static void texts(struct test *t) {
  wchar_t to[64], from[] = L"Some Text";
  out(t, "%d %ls", wide_text(to, 64, L"%ls-%04d", L"abc", 7), to);
  out(t, "%d", wide_text(to, 3, L"%d", 12345) < 0);
  int a = 0, b = 0;
  out(t, "%d %d %d", wide_in(NULL, L"12;0x1f", L"%d;%i", &a, &b), a, b);
  out(t, "%zu %zu %td", wcsnlen(from, 4), wcsnlen(from, 40), wcpcpy(to, from) - to);
  out(t, "%td %ls", wcpncpy(to, L"xy", 2) - to, to);
  out(t, "%td", wcpncpy(to, L"xy", 6) - to);
  out(t, "%d %d %d", wcscasecmp(from, L"sOME tEXT"), wcsncasecmp(from, L"SOMEone", 4), wcscasecmp(L"a", L"B") < 0);
  wchar_t *copy = wcsdup(from);
  out(t, "%ls %td", copy, wmempcpy(to, from, 3) - to);
  free(copy);
  wcsncpy(to, L"abc", 6);
  out(t, "%d %d %ls", (int)to[4], (int)to[5], wcsncpy(to, L"xyz123", 3));
  struct tm at = {.tm_year = 124, .tm_mon = 1, .tm_mday = 29, .tm_hour = 13, .tm_wday = 4, .tm_yday = 59};
  out(t, "%zu %ls", wcsftime(to, 64, L"%Y-%m-%d %A %H", &at), to);
  out(t, "%zu", wcsftime(to, 5, L"%Y-%m-%d", &at));
  char narrow[16];
  wchar_t wide;
  out(t, "%d %d %d", mbtowc(NULL, NULL, 0), mbtowc(&wide, "q", 1), (int)wide);
  out(t, "%d %d", mbtowc(&wide, "", 1), mbtowc(&wide, "x", 0));
  errno = 0;
  out(t, "%d %d", mbtowc(&wide, "\377", 1), errno);
  out(t, "%d %d %d", wctomb(NULL, 0), wctomb(narrow, L'w'), narrow[0]);
  errno = 0;
  out(t, "%d %d", wctomb(narrow, 0x3b1), errno);
  errno = 0;
  out(t, "%zd %d", (ssize_t)mbstowcs(to, "a\377", 10), errno);
  errno = 0;
  out(t, "%zd %d", (ssize_t)wcstombs(narrow, L"a\x3b1", 10), errno);
  out(t, "%zu %zu", mbstowcs(NULL, "count", 0), wcstombs(NULL, L"count me", 0));
  mbstate_t state;
  memset(&state, 0, sizeof state);
  errno = 0;
  out(t, "%zd %d", (ssize_t)mbrtowc(&wide, "\300\200", 2, &state), errno);
  memset(&state, 0, sizeof state);
  out(t, "%zd %zd", (ssize_t)mbrtowc(&wide, "x", 0, &state), (ssize_t)mbrtowc(NULL, "x", 1, &state));
  out(t, "%d %d %d", btowc(EOF) == WEOF, btowc(200) == WEOF, wctob(WEOF));
  static const wchar_t *const numbers[] = {L"  -12x", L"0x1F", L"99999999999999999999", L"077", L"", L"zz", L"1e400", L"nan", L" .5e1", L"2.5\x20ac"};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    wchar_t *end;
    errno = 0;
    long value = wcstol(numbers[i], &end, 0);
    out(t, "%ld %td %d", value, end - numbers[i], errno);
    errno = 0;
    double real = wcstod(numbers[i], &end);
    out(t, "%g %td %d", real, end - numbers[i], errno);
    errno = 0;
    unsigned long long large = wcstoull(numbers[i], &end, 36);
    out(t, "%llu %td %d", large, end - numbers[i], errno);
  }
}

static void unicode(struct test *t) {
  mbstate_t state;
  char16_t sixteen = 7;
  char32_t thirty_two = 7;
  char bytes[16];
  memset(&state, 0, sizeof state);
  out(t, "%zu %d", mbrtoc16(&sixteen, "a", 1, &state), (int)sixteen);
  out(t, "%zu %d", mbrtoc16(&sixteen, "", 1, &state), (int)sixteen);
  out(t, "%zd", (ssize_t)mbrtoc16(&sixteen, "b", 0, &state));
  out(t, "%zu", mbrtoc16(NULL, NULL, 0, &state));
  out(t, "%zu %d", mbrtoc32(&thirty_two, "xyz", 3, &state), (int)thirty_two);
  out(t, "%zu", mbrtoc32(NULL, "x", 1, NULL));
  out(t, "%zu %c", c16rtomb(bytes, u'k', &state), bytes[0]);
  out(t, "%zu %c", c32rtomb(bytes, U'm', &state), bytes[0]);
  out(t, "%zu %zu %d", c16rtomb(NULL, u'x', &state), c32rtomb(bytes, 0, &state), bytes[0]);
  errno = 0;
  out(t, "%zd %d", (ssize_t)c32rtomb(bytes, 0x1f600, &state), errno);
  memset(&state, 0, sizeof state);
  errno = 0;
  out(t, "%zd %d", (ssize_t)mbrtoc32(&thirty_two, "\377", 1, &state), errno);
  out(t, "%zu %zu", sizeof(u"ab"), sizeof(U"ab"));
}

// Wide strings in memory hold any character, whatever the locale; multibyte strings in them must be the locale's.
static void any_character(struct test *t) {
  wchar_t to[64], more[64];
  char narrow[32];
  int number = 0, result = swprintf(to, 64, L"%lc|%ls|%5ls|%-4lc|%.1ls", 0x20ac, L"\x3b1\x3b2", L"\x3b1", 0x1f600, L"\x3b1\x3b2");
  for (int i = 0; i <= result; ++i)
    out(t, "%x", (unsigned)to[i]);
  result = swprintf(to, 64, L"\x20ac%d\x1f600%%%s|%c", 5, "abc", 'x');
  for (int i = 0; i <= result; ++i)
    out(t, "%x", (unsigned)to[i]);
  errno = 0;
  result = swprintf(to, 64, L"%s", "a\377");
  out(t, "%d %d", result < 0, errno);
  out(t, "%d", swprintf(to, 64, L"%c", 200) < 0);
  out(t, "%d %d", swprintf(to, 4, L"%ls", L"abcd") < 0, swprintf(to, 5, L"%ls", L"abcd"));
  result = swscanf(L"\x3b1\x3b2 12", L"%ls %d", to, &number);
  out(t, "%d %d %zu %x", result, number, wcslen(to), (unsigned)to[1]);
  result = swscanf(L"\x20ac" L"5", L"\x20ac%d", &number);
  out(t, "%d %d", result, number);
  out(t, "%d", swscanf(L"$5", L"\x20ac%d", &number));
  more[0] = 7;
  result = swscanf(L"ab\x3b1 z", L"%l[^z]%lc", to, more);
  out(t, "%d %zu %x %x", result, wcslen(to), (unsigned)to[2], (unsigned)more[0]);
  errno = 0;
  result = swscanf(L"ab\x3b1", L"%s", narrow);
  out(t, "%d %d", result, errno);
  out(t, "%d %s", swscanf(L"narrow", L"%31s", narrow), narrow);
}

// What a stream is, and what stays of a byte that is no character.
static void orientation(struct test *t, const char *name) {
  wchar_t line[32];
  FILE *file = fopen(name, "w+");
  out(t, "%d", fwide(file, 0));
  out(t, "%d %d %d", fwide(file, 1) > 0, fwide(file, -1) > 0, fwide(file, 0) > 0);
  fclose(file);
  file = fopen(name, "w+");
  fputwc(L'x', file);
  out(t, "%d", fwide(file, 0) > 0);
  fclose(file);
  file = fopen(name, "w+");
  out(t, "%d", fwprintf(file, L"%d", 3));
  out(t, "%d", fwide(file, -1) > 0);
  fclose(file);
  file = fopen(name, "w+");
  out(t, "%d %d", fwide(file, -1) < 0, fwide(file, 1) < 0);
  fclose(file);
  file = fopen(name, "w");
  fputs("ab\377cd\nline two\n", file);
  out(t, "%d", fwide(file, 1) < 0);
  fclose(file);
  file = fopen(name, "r");
  errno = 0;
  const int none = fgetws(line, 20, file) == NULL;
  out(t, "%d %d %d %d", none, errno, ferror(file) != 0, feof(file) != 0);
  fclose(file);
  file = fopen(name, "r");
  for (int i = 0; i < 5; ++i) {
    errno = 0;
    const wint_t c = fgetwc(file);
    out(t, "%d %d %d", (int)c, errno, ferror(file) != 0);
  }
  fclose(file);
  file = fopen(name, "r");
  out(t, "%d %d", fgetc(file), fwide(file, 0) < 0);
  fclose(file);
  file = fopen(name, "r");
  out(t, "%d %d", ungetwc(WEOF, file) == WEOF, (int)ungetwc(L'q', file));
  out(t, "%d %d", (int)fgetwc(file), (int)fgetwc(file));
  out(t, "%d", fgetws(line, 1, file) == line && !*line);
  fclose(file);
  remove(name);
}

// A standard output of wide characters, and nothing else.
static int all_wide(void) {
  static const wchar_t text[] = L"a line\n";
  int number = 0, result = wprintf(L"%d %ls %s %c%lc %5.2f%n\n", 42, L"wide", "narrow", 'c', L'w', 1.5, &number);
  wprintf(L"%d %d\n", result, number);
  for (const wchar_t *at = text; *at; ++at)
    if (putwchar(*at) != (wint_t)*at)
      return 1;
  putwc(L'#', stdout);
  fputws(text, stdout);
  return fwide(stdout, 0) <= 0 || wprintf(L"") != 0;
}

static int vwscanf_of(const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vwscanf(format, list);
  va_end(list);
  return result;
}
static int vwprintf_of(const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vwprintf(format, list);
  va_end(list);
  return result;
}

// Standard input and output, in one thread: this text itself is read.
static void standard(void) {
  wchar_t word[32];
  int result;
  fgets((char[200]){0}, 200, stdin); // a byte stream from now on, for glibc as well
  FILE *file = freopen("numbers", "w+", stdin);
  fputws(L"12 word\nrest 5", file);
  rewind(file);
  result = wscanf(L"%d", &(int){0});
  fwprintf(stderr, L"%d\n", result);
  result = vwscanf_of(L"%31ls", word);
  wint_t c = getwchar();
  FILE *wide = fopen("wide", "w");
  fwprintf(wide, L"%d %ls %d\n", result, word, (int)c);
  fclose(wide);
  remove("numbers");
  remove("wide");
}

static void run(struct test *t) {
  char name[32];
  snprintf(name, sizeof name, "wide%u", t->thread);
  if (section(t))
    streams(t, name);
  if (section(t))
    texts(t);
  if (section(t))
    unicode(t);
  if (section(t)) {
    any_character(t);
    orientation(t, name);
  }
  if (t->mine < 0)
    standard();
}

int main(int argc, char **argv) { return argc == 2 && !strcmp(argv[1], "wide") ? all_wide() : test_main(argc, argv); }
