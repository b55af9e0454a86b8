// Multibyte and wide characters in the locale C.UTF-8: conversions, texts with wide formats, and which characters are what.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#define SLICES 8
#define OWN_MAIN
#include "libc_test.h"
#include <ctype.h>
#include <iconv.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *hex(char to[64], const char *bytes, size_t size) {
  *to = 0;
  for (size_t i = 0; i < size && i < 20; ++i)
    sprintf(to + 3 * i, "%02x ", (unsigned char)bytes[i]);
  return to;
}

// Each as a whole, and as one call for each byte.
static void decoding(struct test *t) {
  static const char *const texts[] = {
      "", "a", "\177", "\x80", "\xbf", "\xc0", "\xc1\x80", "\xc2", "\xc2\x80", "\xc2\x41", "\xc3\xbc", "\xdf\xbf", "\xe0", "\xe0\x80", "\xe0\x80\x80",
      "\xe0\x9f\xbf", "\xe0\xa0\x80", "\xe2\x82\xac", "\xe2\x82x", "\xe2x", "\xed\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xee\x80\x80", "\xef\xbb\xbf",
      "\xef\xbf\xbe", "\xef\xbf\xbf", "\xf0", "\xf0\x80", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80\x80", "\xf0\x9f\x98\x80", "\xf0\x9f\x98",
      "\xf4\x8f\xbf\xbf", "\xfe", "\xff", "\xfe\xff"};
  for (unsigned i = 0; i < COUNT(texts); ++i) {
    char named[64];
    const size_t size = strlen(texts[i]) + !*texts[i];
    wchar_t wide = 0x7777;
    mbstate_t state = {0};
    errno = 0;
    const ssize_t whole = mbrtowc(&wide, texts[i], size, &state);
    out(t, "%s-> %zd %x %d %d", hex(named, texts[i], size), whole, (unsigned)wide, errno, mbsinit(&state) != 0);
    memset(&state, 0, sizeof state);
    for (size_t at = 0; at < size; ++at) {
      wide = 0x7777;
      out(t, "%zd %x", (ssize_t)mbrtowc(&wide, texts[i] + at, 1, &state), (unsigned)wide);
    }
    out(t, "%d %zd", mblen(texts[i], size), (ssize_t)mbrlen(texts[i], size, memset(&state, 0, sizeof state)));
  }
  wchar_t wide;
  mbstate_t state = {0};
  out(t, "%zd %zd %zd", (ssize_t)mbrtowc(&wide, "\xe2", 1, &state), (ssize_t)mbrtowc(&wide, "x", 0, &state), (ssize_t)mbrtowc(NULL, NULL, 0, &state));
  out(t, "%zd %zd", (ssize_t)mbrtowc(&wide, "x", 1, &state), (ssize_t)mbrtowc(&wide, "\x82\xac!", 3, &state));
  out(t, "%zd %zd %x", (ssize_t)mbrtowc(&wide, "\xf0\x9f", 2, NULL), (ssize_t)mbrtowc(&wide, "\x98\x80", 2, NULL), (unsigned)wide);
  out(t, "%zd %zd", (ssize_t)mbrlen("\xc3", 1, NULL), (ssize_t)mbrlen("\xbc", 1, NULL));
  out(t, "%d %d %d %d", mbtowc(&wide, "\xc3\xbc", 2), (int)wide, mbtowc(NULL, NULL, 0), mbtowc(NULL, "\xc3\xbc", 5));
  out(t, "%d %d %d %d", btowc('a'), btowc(0xc3) == WEOF, wctob(0xfc), wctob('z'));
}

static void encoding(struct test *t) {
  static const unsigned numbers[] = {0, 'a', 0x7f, 0x80, 0xfc, 0x7ff, 0x800, 0x20ac, 0xd7ff, 0xd800, 0xdbff, 0xdfff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x1f600, 0x10ffff, 0x80000000};
  for (unsigned i = 0; i < COUNT(numbers); ++i) {
    char bytes[16], named[64];
    mbstate_t state = {0};
    errno = 0;
    const ssize_t size = wcrtomb(bytes, (wchar_t)numbers[i], &state);
    const int error = errno;
    out(t, "%x -> %zd %d %s", numbers[i], size, error, hex(named, bytes, size < 0 ? 0 : size));
    out(t, "%d", wctomb(bytes, (wchar_t)numbers[i]));
  }
  mbstate_t state = {0};
  char bytes[16];
  wchar_t wide;
  mbrtowc(&wide, "\xe2", 1, &state);
  out(t, "%zd", (ssize_t)wcrtomb(bytes, L'x', &state));
  out(t, "%zd %d", (ssize_t)wcrtomb(NULL, L'x', &state), mbsinit(&state) != 0);
  out(t, "%d %d %d", (int)MB_CUR_MAX, MB_LEN_MAX, wctomb(NULL, 0));
}

static void strings(struct test *t) {
  static const struct {
    const char *text;
    size_t most, room;
  } narrow[] = {{"Gr\xc3\xbc\xc3\x9f", 7, 10}, {"Gr\xc3\xbc\xc3\x9f", 6, 10}, {"Gr\xc3\xbc\xc3\x9f", 3, 10}, {"Gr\xc3\xbc\xc3\x9f", 100, 3},
                {"a\xff", 2, 10}, {"a\xc3", 10, 10}, {"a\xc3", 2, 10}, {"", 1, 10}, {"abc", 0, 10}, {"a\xc3\xbc", 3, 0}, {"\xf0\x9f\x98\x80!", 99, 10}};
  for (unsigned i = 0; i < COUNT(narrow); ++i) {
    wchar_t wide[10];
    mbstate_t state = {0};
    const char *at = narrow[i].text;
    errno = 0;
    ssize_t count = mbsnrtowcs(wide, &at, narrow[i].most, narrow[i].room, &state);
    out(t, "%zd %td %d %d", count, at ? at - narrow[i].text : -1, errno, mbsinit(&state) != 0);
    for (ssize_t k = 0; k < count; ++k)
      out(t, "%x", (unsigned)wide[k]);
    memset(&state, 0, sizeof state);
    at = narrow[i].text;
    count = mbsnrtowcs(NULL, &at, narrow[i].most, narrow[i].room, &state);
    out(t, "%zd %td %d", count, at - narrow[i].text, mbsinit(&state) != 0);
  }
  static const struct {
    const wchar_t *text;
    size_t most, room;
  } wide[] = {{L"Gr\xfc\xdf", 5, 10}, {L"Gr\xfc\xdf", 3, 10}, {L"Gr\xfc\xdf", 5, 3}, {L"Gr\xfc\xdf", 5, 4}, {L"Gr\xfc\xdf", 5, 6}, {L"a\xd800", 5, 6}, {L"", 1, 4}, {L"a", 0, 4}, {L"\x1f600!", 5, 6}};
  for (unsigned i = 0; i < COUNT(wide); ++i) {
    char bytes[16], named[64];
    mbstate_t state = {0};
    const wchar_t *at = wide[i].text;
    errno = 0;
    ssize_t count = wcsnrtombs(bytes, &at, wide[i].most, wide[i].room, &state);
    const int error = errno;
    out(t, "%zd %td %d %s", count, at ? at - wide[i].text : -1, error, hex(named, bytes, count < 0 ? 0 : count));
    at = wide[i].text;
    out(t, "%zd %td", (ssize_t)wcsnrtombs(NULL, &at, wide[i].most, wide[i].room, &state), at - wide[i].text);
  }
  wchar_t to[16];
  char back[32];
  out(t, "%zu %zu %zu", mbstowcs(to, "Gr\xc3\xbc\xc3\x9f" "e", 16), wcstombs(back, to, 32), mbstowcs(NULL, "\xe2\x82\xac", 0));
  out(t, "%s %zd %zd", back, (ssize_t)mbstowcs(to, "\xff", 4), (ssize_t)wcstombs(back, L"\xdc00", 4));
}

static void utf16(struct test *t) {
  mbstate_t state = {0};
  char16_t unit = 7;
  char32_t number = 7;
  char bytes[16], named[64];
  ssize_t got = mbrtoc16(&unit, "\xf0\x9f\x98\x80", 4, &state);
  out(t, "%zd %x %d", got, unit, mbsinit(&state) != 0);
  got = mbrtoc16(&unit, "x", 1, &state);
  out(t, "%zd %x %d", got, unit, mbsinit(&state) != 0);
  got = mbrtoc16(&unit, "\xc3\xbc", 2, &state);
  out(t, "%zd %x", got, unit);
  got = mbrtoc16(&unit, "\xf0\x9f", 2, &state);
  out(t, "%zd %zd %x", got, (ssize_t)mbrtoc16(&unit, "\x98\x80", 2, &state), unit);
  got = mbrtoc16(&unit, "", 0, &state);
  out(t, "%zd %x", got, unit);
  errno = 0;
  got = mbrtoc16(&unit, "\xff", 1, &state);
  out(t, "%zd %d", got, errno);
  memset(&state, 0, sizeof state);
  got = mbrtoc32(&number, "\xf0\x9f\x98\x80", 4, &state);
  out(t, "%zd %x", got, (unsigned)number);
  out(t, "%zd %zd %x", (ssize_t)mbrtoc32(&number, "\xe2\x82", 2, NULL), (ssize_t)mbrtoc32(&number, "\xac", 1, NULL), (unsigned)number);
  got = c16rtomb(bytes, 0xd83d, &state);
  out(t, "%zd %zd", got, (ssize_t)c16rtomb(bytes, 0xde00, &state));
  out(t, "%s", hex(named, bytes, 4));
  c16rtomb(bytes, 0xd83d, &state);
  errno = 0;
  got = c16rtomb(bytes, u'x', &state);
  out(t, "%zd %d %d", got, errno, mbsinit(&state) != 0);
  memset(&state, 0, sizeof state);
  out(t, "%zd", (ssize_t)c16rtomb(bytes, 0xde00, &state));
  memset(&state, 0, sizeof state);
  out(t, "%zd %zd", (ssize_t)c16rtomb(bytes, 0xfc, &state), (ssize_t)c32rtomb(bytes, 0x1f600, &state));
  out(t, "%zd %zd", (ssize_t)c32rtomb(bytes, 0xd800, &state), (ssize_t)c16rtomb(NULL, 0, &state));
}

// Its units one by one, of whole and of broken characters, with the thread's own states too.
static void utf8_units(struct test *t) {
  static const char *const texts[] = {"a\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80z", "\xff", "\xe2\x82", "x\xc3x", ""};
  for (unsigned i = 0; i < COUNT(texts); ++i) {
    mbstate_t to = {0}, from = {0};
    const char *at = texts[i], *end = at + strlen(at) + 1;
    for (ssize_t used = 1; at < end && used && used != -1 && used != -2;) {
      char8_t unit = 0;
      char bytes[MB_LEN_MAX];
      errno = 0;
      used = mbrtoc8(&unit, at, end - at, i % 2 ? &to : NULL);
      out(t, "%zd %02x %d", used, unit, errno);
      if (used == -1 || used == -2)
        break;
      errno = 0;
      const ssize_t written = c8rtomb(bytes, unit, i % 2 ? &from : NULL);
      out(t, "%zd %d %.*s", written, errno, written > 0 ? (int)written : 0, bytes);
      at += used > 0 ? used : 0;
    }
  }
  mbstate_t state = {0};
  char bytes[MB_LEN_MAX];
  out(t, "%zd", (ssize_t)c8rtomb(bytes, 0xe2, &state));
  errno = 0;
  out(t, "%zd", (ssize_t)c8rtomb(bytes, 'x', &state));
  out(t, "%d", errno);
  memset(&state, 0, sizeof state);
  out(t, "%zd", (ssize_t)c8rtomb(NULL, 'x', &state));
  out(t, "%zd", (ssize_t)mbrtoc8(NULL, NULL, 0, &state));
  out(t, "%zd", (ssize_t)mbrtoc8(NULL, "\xc3\xbc", 1, &state));
  out(t, "%zd", (ssize_t)mbrtoc8(NULL, "\xbc", 1, &state));
}

// sprintf is formatted on the device. Width and precision count bytes.
static void formats(struct test *t) {
  char text[200];
  static const wchar_t *const words[] = {L"Gr\xfc\xdf", L"\xe4\xf6\xfc", L"", L"\x65e5\x672c\x8a9e", L"\x1f600!", L"plain"};
  static const char *const widths[] = {"[%ls]", "[%8ls]", "[%-8ls]", "[%.3ls]", "[%.4ls]", "[%7.5ls]", "[%-6.1ls]", "[%S]", "[%.0ls]"};
  for (unsigned i = 0; i < COUNT(words); ++i)
    for (unsigned k = 0; k < COUNT(widths); ++k) {
      const int size = snprintf(text, sizeof text, widths[k], words[i]);
      out(t, "%d %s", size, text);
    }
  static const wint_t letters[] = {'a', 0xfc, 0x20ac, 0x1f600, 0xd800};
  for (unsigned i = 0; i < COUNT(letters); ++i) {
    errno = 0;
    int size = snprintf(text, sizeof text, "[%lc][%5lc][%-5lc][%C]", letters[i], letters[i], letters[i], letters[i]);
    out(t, "%d %d %s", size, size < 0 ? errno : 0, size < 0 ? "" : text);
  }
  errno = 0;
  out(t, "%d %d", snprintf(text, sizeof text, "%ls", L"a\xd800"), errno);
  out(t, "%d", snprintf(text, sizeof text, "%.1ls", L"a\xd800"));
  out(t, "%d %s", snprintf(text, 6, "%ls|", L"\xe4\xf6\xfc"), "cut");
  out(t, "%d %s", snprintf(text, sizeof text, "%2$ls %1$s %3$lc", "gr\xc3\xb6\xc3\x9f" "er", L"\xfc" "ber", (wint_t)0xe9), text);
  out(t, "%d %s", snprintf(text, sizeof text, "%.3s|%6s|%c", "\xc3\xa4\xc3\xb6", "\xc3\xa4", 0xc3), "bytes");
}

static void wide_formats(struct test *t) {
  wchar_t text[100];
  char bytes[400];
#define SHOW(...) \
  do { \
    errno = 0; \
    const int size_ = swprintf(text, COUNT(text), __VA_ARGS__); \
    const int error_ = errno; \
    wcstombs(bytes, size_ < 0 ? L"" : text, sizeof bytes); \
    out(t, "%d %d %s", size_, size_ < 0 ? error_ : 0, bytes); \
  } while (0)
  SHOW(L"%ls|%5ls|%-5ls|%.2ls", L"Gr\xfc\xdf", L"\xfc\xdf", L"\xfc", L"\xe4\xf6\xfc");
  SHOW(L"%s|%5s|%-5s|%.2s|%5.1s|", "Gr\xc3\xbc\xc3\x9f", "\xc3\xa4", "\xc3\xa4", "\xc3\xa4\xc3\xb6\xc3\xbc", "\xc3\xa4\xc3\xb6");
  SHOW(L"%hs|%.0s|%s", "\xe2\x82\xac", "\xff", "");
  SHOW(L"%s", "a\xff");
  SHOW(L"%.1s", "a\xff");
  SHOW(L"%s", "a\xc3");
  out(t, "%d", swprintf(text, COUNT(text), L"%c", 0xc3) < 0);
  SHOW(L"%lc%lc%c", 0x20ac, 0x1f600, 'x');
  SHOW(L"\xe4%d\x20ac%%%6.2f\x1f600", 42, 2.5);
  SHOW(L"%2$s %1$ls", L"\xfc", "\xc3\xb6");
  struct tm at = {.tm_year = 124, .tm_mon = 1, .tm_mday = 29};
  out(t, "%zu", wcsftime(text, 100, L"%Y\x5e74%m\x6708%d\x65e5", &at));
  wcstombs(bytes, text, sizeof bytes);
  out(t, "%s", bytes);
}

static void scans(struct test *t) {
  wchar_t a[40], b[40];
  char one[40], two[40], three[40], bytes[200];
  int number = 0;
#define TEXT(wide) (wcstombs(bytes, wide, sizeof bytes), bytes)
#define CLEAR() (memset(a, 0, sizeof a), memset(b, 0, sizeof b), memset(one, 0, 40), memset(two, 0, 40), memset(three, 0, 40))
  CLEAR();
  out(t, "%d", sscanf("Gr\xc3\xbc\xc3\x9f" "e x", "%3ls%lc%l[^x]", a, b, b + 10));
  out(t, "%s %x", TEXT(a), (unsigned)b[0]);
  out(t, "%s", TEXT(b + 10));
  CLEAR();
  errno = 0;
  int got = sscanf("a\xff", "%ls", a);
  out(t, "%d %d", got, errno);
  errno = 0;
  got = sscanf("a\xc3", "%ls", a);
  out(t, "%d %d", got, errno);
  CLEAR();
  wchar_t *made = NULL;
  out(t, "%d", sscanf("\xe6\x97\xa5\xe6\x9c\xac 7", "%mls%d", &made, &number));
  out(t, "%d %s", number, made ? TEXT(made) : "none");
  free(made);
  got = swscanf(L"\xe4\xf6\xfc xyz", L"%2s%[\xfc]%s", one, two, three);
  out(t, "%d %s %s %s", got, one, two, three);
  CLEAR();
  got = swscanf(L"\xe4\xf6\xfc xyz", L"%[\xe0-\xf6]%c%[^z]", one, two, three);
  out(t, "%d %s %s %s", got, one, two, three);
  CLEAR();
  got = swscanf(L"a-b]\x20ac;", L"%l[]a\x20ac-]%ls", a, b);
  out(t, "%d %s", got, TEXT(a));
  got = swscanf(L"\x20ac" L"5\xa3", L"\x20ac%d\xa3%n", &number, &got);
  out(t, "%d %d", got, number);
  got = swscanf(L"\x2003\x2003" L"12\x2003z", L"%d %lc", &number, a);
  out(t, "%d %d %x", got, number, (unsigned)a[0]);
  out(t, "%d", swscanf(L"\x0661", L"%d", &number));
  out(t, "%d", swscanf(L"x\x2003y", L"x\x2003y%n", &number));
  wchar_t *end;
  out(t, "%ld %g", wcstol(L"\x2003-12\x0661", &end, 10), wcstod(L"\x2003" L"2.5\xfc", NULL));
  out(t, "%x", (unsigned)*end);
}

static void stream(struct test *t, const char *name) {
  wchar_t line[64];
  char bytes[200];
  int number = 0;
  FILE *file = fopen(name, "w+");
  out(t, "%d", fwprintf(file, L"%ls|%5s|%lc|%c\n", L"Gr\xfc\xdf", "\xc3\xa4", 0x20ac, 'c'));
  out(t, "%x %d", (unsigned)fputwc(0x1f600, file), fputws(L"\xe9t\xe9\n", file) >= 0);
  out(t, "%d %d %d", fprintf(file, "bytes"), fputs("bytes", file), (int)fwrite("bytes", 1, 5, file));
  // Characters across the ends of the buffers.
  for (int i = 0; i < 3000; ++i)
    fputwc(i % 3 ? 0x20ac : L'a', file);
  out(t, "%d", fwprintf(file, L"\n42 \x65e5\x672c;end\n"));
  rewind(file);
  out(t, "%d", fgetws(line, 64, file) == line);
  out(t, "%s", TEXT(line));
  wint_t c = fgetwc(file);
  out(t, "%x %x %x", (unsigned)c, (unsigned)ungetwc(c, file), (unsigned)fgetwc(file));
  out(t, "%x %x", (unsigned)ungetwc(0x10ffff, file), (unsigned)fgetwc(file));
  out(t, "%d", fgetws(line, 64, file) == line);
  out(t, "%s", TEXT(line));
  unsigned long sum = 0;
  for (int i = 0; i < 3000; ++i)
    sum = sum * 31 + fgetwc(file);
  out(t, "%lu", sum);
  out(t, "%d", fwscanf(file, L"%d %l[^;];%ls", &number, line, line + 30));
  out(t, "%d %s", number, TEXT(line));
  out(t, "%s", TEXT(line + 30));
  out(t, "%x %d %d", (unsigned)fgetwc(file), fgetwc(file) == WEOF, feof(file) != 0);
  fclose(file);
  wchar_t *memory = NULL;
  size_t length = 0;
  file = open_wmemstream(&memory, &length);
  for (int i = 0; i < 1000; ++i)
    fwprintf(file, L"%lc\x20ac%s", 0x1f600 + i % 7, "\xc3\xbc");
  fclose(file);
  out(t, "%zu %x %x %x", length, (unsigned)memory[2997], (unsigned)memory[2998], (unsigned)memory[2999]);
  free(memory);
  static const char bad[] = "Gr\xc3\xbc\xc3\x9f\xff" "cd\xe2\x82";
  file = fopen(name, "w+");
  fwrite(bad, 1, sizeof bad - 1, file);
  out(t, "%d %d %d", fwprintf(file, L"x"), fputwc(L'x', file) == WEOF, fputws(L"x", file));
  fclose(file);
  file = fopen(name, "r");
  for (int i = 0; i < 7; ++i) {
    errno = 0;
    const wint_t got = fgetwc(file);
    out(t, "%d %d", (int)got, got == WEOF ? errno : 0);
  }
  fclose(file);
  remove(name);
}

// Some characters of each kind; unicode_classes.c has them all.
static void classes(struct test *t) {
  static const wint_t some[] = {0, 7, ' ', '0', 'A', 'a', '_', 0x7f, 0x85, 0xa0, 0xaa, 0xad, 0xb2, 0xb5, 0xc4, 0xd7, 0xdf, 0xe4, 0xff, 0x130, 0x131, 0x17f, 0x1c4, 0x1c5,
      0x1c6, 0x300, 0x345, 0x391, 0x3c2, 0x430, 0x531, 0x5d0, 0x600, 0x61c, 0x661, 0x6dd, 0x900, 0xe33, 0xe46, 0x10a0, 0x10d0, 0x1160, 0x13a0, 0x1680, 0x1e9e,
      0x2003, 0x200b, 0x200d, 0x2028, 0x202f, 0x20ac, 0x20dd, 0x2126, 0x2160, 0x2460, 0x24b6, 0x2603, 0x2615, 0x3000, 0x3042, 0x3248, 0x4dc0, 0x4e00, 0x9fff, 0xa640, 0xac00, 0xd7b0,
      0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfb01, 0xfe0f, 0xfeff, 0xff21, 0xff41, 0xfffd, 0xfffe, 0xffff, 0x10400, 0x10428, 0x1d400, 0x1f1e6, 0x1f600, 0x20000, 0xe0001, 0xe01ef, 0xf0000, 0x10ffff, 0x110000, WEOF};
  static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit", "combining", "combining_level3", "none"};
  static const char *const mappings[] = {"toupper", "tolower", "totitle", "none"};
  for (unsigned i = 0; i < COUNT(some); ++i) {
    const wint_t c = some[i];
    char bits[20] = "";
    for (unsigned k = 0; k < COUNT(names); ++k)
      strcat(bits, iswctype(c, wctype(names[k])) ? "1" : "0");
    out(t, "%x %s %x %x %d", (unsigned)c, bits, (unsigned)towupper(c), (unsigned)towlower(c), wcwidth((wchar_t)c));
    out(t, "%d%d%d%d%d%d%d%d%d%d%d%d", !!iswalnum(c), !!iswalpha(c), !!iswblank(c), !!iswcntrl(c), !!iswdigit(c), !!iswgraph(c), !!iswlower(c), !!iswprint(c), !!iswpunct(c), !!iswspace(c),
        !!iswupper(c), !!iswxdigit(c));
    for (unsigned k = 0; k + 1 < COUNT(mappings); ++k)
      out(t, "%x", (unsigned)towctrans(c, wctrans(mappings[k])));
  }
  out(t, "%d %d", wctype("none") == 0, wctrans("none") == 0);
  out(t, "%d %d %d %d", wcswidth(L"\x65e5\x672c", 9), wcswidth(L"e\x301", 9), wcswidth(L"a\n", 9), wcswidth(L"abc", 2));
  out(t, "%d %d %d", wcscasecmp(L"GR\xdcN", L"gr\xfcn"), wcsncasecmp(L"\x391", L"\x3b1x", 1), wcscoll(L"\xe4", L"z") > 0);
  out(t, "%d %d %d", isalpha(0xe4) != 0, toupper(0xe4) == 0xe4, strcoll("\xc3\xa4", "z") > 0);
}

// Locales, and those of a thread. The global one stays what it is: other threads use it.
static void locales(struct test *t) {
  out(t, "%s %s", setlocale(LC_ALL, NULL), setlocale(LC_CTYPE, NULL));
  out(t, "%d %d %d", setlocale(LC_ALL, "xx_XX.none") == NULL, setlocale(99, "C") == NULL, setlocale(-1, NULL) == NULL);
  out(t, "%s %s %s", nl_langinfo(CODESET), nl_langinfo(RADIXCHAR), nl_langinfo(D_T_FMT));
  out(t, "%s [%s] %d", localeconv()->decimal_point, localeconv()->thousands_sep, localeconv()->frac_digits);
  errno = 0;
  out(t, "%d", newlocale(LC_ALL_MASK, "xx_XX.none", (locale_t)0) == (locale_t)0);
  out(t, "%d", errno);
  errno = 0;
  out(t, "%d", newlocale(1 << 20, "C", (locale_t)0) == (locale_t)0);
  out(t, "%d", errno);
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  out(t, "%d %d %s %s", !!iswalpha_l(0xe4, c), !!iswalpha_l(0xe4, utf8), nl_langinfo_l(CODESET, c), nl_langinfo_l(CODESET, utf8));
  out(t, "%x %x %d", (unsigned)towupper_l(0xe4, c), (unsigned)towupper_l(0xe4, utf8), wctype_l("combining", utf8) != 0);
  out(t, "%d", uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  out(t, "%d", uselocale(c) == LC_GLOBAL_LOCALE);
  mbstate_t state = {0};
  wchar_t wide = 0;
  out(t, "%d %zd %s %d", (int)MB_CUR_MAX, (ssize_t)mbrtowc(&wide, "\xc3\xa4", 2, &state), nl_langinfo(CODESET), !!iswalpha(0xe4));
  out(t, "%d %d", uselocale((locale_t)0) == c, uselocale(utf8) == c);
  memset(&state, 0, sizeof state);
  out(t, "%d %zd %s %d", (int)MB_CUR_MAX, (ssize_t)mbrtowc(&wide, "\xc3\xa4", 2, &state), nl_langinfo(CODESET), !!iswalpha(0xe4));
  locale_t copy = duplocale(utf8), global = duplocale(LC_GLOBAL_LOCALE);
  out(t, "%d %d", !!iswalpha_l(0x3b1, copy), !!iswalpha_l(0x3b1, global));
  copy = newlocale(LC_CTYPE_MASK, "C", copy);
  out(t, "%d", !!iswalpha_l(0x3b1, copy));
  out(t, "%d", uselocale(LC_GLOBAL_LOCALE) == utf8);
  out(t, "%d %s", (int)MB_CUR_MAX, nl_langinfo(CODESET));
  freelocale(copy), freelocale(global), freelocale(utf8), freelocale(c);
}

static void encodings(struct test *t) {
  static const struct {
    const char *to, *from, *text;
  } all[] = {{"", "UTF-8", "Gr\xc3\xbc\xe2\x82\xac"}, {"UTF-16LE", "", "\xf0\x9f\x98\x80"}, {"WCHAR_T", "UTF-8", "\xc3\xbc"},
      {"ASCII//TRANSLIT", "UTF-8", "Gr\xc3\xbc\xc3\x9f\xe2\x82\xac\xe2\x80\x9e\xe2\x80\x9c\xe2\x80\x93\xe2\x80\xa6\xef\xac\x81\xc2\xbd\xc3\x86\xe6\x97\xa5\xc2\xa9\xc5\x81\xc3\xb8\xe1\xb9\x85"},
      {"ISO-8859-1//TRANSLIT", "UTF-8", "\xe2\x82\xac\xc4\x81\xe2\x80\x99\xc3\xa4"}, {"ISO-8859-15", "UTF-8", "\xe2\x82\xac"},
      {"ASCII//IGNORE", "UTF-8", "a\xc3\xbc" "b"}, {"ASCII", "UTF-8", "a\xc3\xbc" "b"}, {"nonsense", "UTF-8", "a"}, {"UTF-8", "nonsense", "a"}};
  for (unsigned i = 0; i < COUNT(all); ++i) {
    char bytes[64] = "", named[64], *from = (char *)all[i].text, *to = bytes;
    size_t left = strlen(from), room = sizeof bytes - 1;
    errno = 0;
    const iconv_t conversion = iconv_open(all[i].to, all[i].from);
    if (conversion == (iconv_t)-1) {
      out(t, "%s %d", all[i].to, errno);
      continue;
    }
    const ssize_t result = iconv(conversion, &from, &left, &to, &room);
    out(t, "%s %zd %d %zu %zu", all[i].to, result, result < 0 ? errno : 0, left, room);
    out(t, "%s", hex(named, bytes, to - bytes));
    iconv_close(conversion);
  }
}

static void run(struct test *t) {
  char name[32];
  snprintf(name, sizeof name, "utf8-%u", t->thread);
  setlocale(LC_ALL, "C.UTF-8");
  if (section(t))
    decoding(t);
  if (section(t))
    encoding(t);
  if (section(t))
    strings(t), utf16(t), utf8_units(t);
  if (section(t))
    formats(t);
  if (section(t))
    wide_formats(t), scans(t);
  if (section(t))
    stream(t, name);
  if (section(t))
    classes(t);
  if (section(t))
    locales(t), encodings(t);
}

int main(int argc, char **argv) { return test_main(argc, argv); }
