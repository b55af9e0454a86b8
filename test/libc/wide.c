// wchar.h and wctype.h in the C locale.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#include "libc_test.h"
#include <wchar.h>
#include <wctype.h>

static void run(struct test *t) {
  wchar_t a[32], b[32];
  wcscpy(a, L"hello");
  wcscat(a, L" wide");
  out(t, "%zu %d %d", wcslen(a), wcscmp(a, L"hello") > 0, wcsncmp(a, L"help", 3));
  out(t, "%ls|%ls", wcschr(a, L'w'), wcsstr(a, L"lo"));
  wmemset(b, L'x', 5);
  b[5] = 0;
  out(t, "%ls %d", b, wmemcmp(b, L"xxxxx", 5));
  for (int c = 0; c < 128; ++c)
    out(t, "%d %d%d%d%d%d%d %d %d", c, !!iswalpha(c), !!iswdigit(c), !!iswspace(c), !!iswupper(c), !!iswpunct(c), !!iswprint(c),
        (int)towupper(c), (int)towlower(c));
  wchar_t *end;
  out(t, "%ld %g %lu", wcstol(L"-42x", &end, 10), wcstod(L"2.5e3", NULL), wcstoul(L"0xff", NULL, 0));
  out(t, "%d %d", btowc('a') == L'a', wctob(L'z'));
  mbstate_t state = {0};
  wchar_t one;
  out(t, "%zu %d", mbrtowc(&one, "q", 1, &state), (int)one);
  char narrow[8];
  out(t, "%zu", wcrtomb(narrow, L'k', &state));
  out(t, "%zu %s", wcstombs(narrow, L"abc", 8), narrow);
  wchar_t line[] = L"a b,c", *save, *word;
  for (word = wcstok(line, L" ,", &save); word; word = wcstok(NULL, L" ,", &save))
    out(t, "%ls", word);
}
