// Standard streams in the locale C.UTF-8: printf, which the host formats, wide streams, and locales that the environment names.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host
// RUN: %gpucc -O2 -w -I%source/test/libc %s -o %t
// RUN: for mode in print print-long wide; do %t.host $mode > %t.expected; %run %t $mode > %t.out; cmp %t.expected %t.out || { echo "failed: mode=$mode"; exit 1; }; done
// RUN: printf 'Gr\303\274\303\237e 12 \342\202\254\nx\360\237\230\200\n' > %t.in
// RUN: for mode in read scan; do %t.host $mode < %t.in > %t.expected; %run %t $mode < %t.in > %t.out; diff %t.expected %t.out || { echo "failed: mode=$mode"; exit 1; }; done
// RUN: for set in X= LANG=C.UTF-8 LC_CTYPE=C.utf8 LC_ALL=C.UTF-8 LC_ALL=POSIX "LC_ALL=C LANG=C.UTF-8" "LC_ALL= LC_CTYPE=C.UTF-8" "LC_NUMERIC=C.UTF-8" \
// RUN:   "LANG=C.UTF-8 LC_CTYPE=C"; do \
// RUN:   env -u LC_ALL -u LC_CTYPE -u LANG $set %t.host environment > %t.expected; env -u LC_ALL -u LC_CTYPE -u LANG $set %run %t environment > %t.out; \
// RUN:   diff %t.expected %t.out || { echo "with $set"; exit 1; }; done
// RUN: env -u LC_ALL LC_CTYPE=de_AT.UTF-8 LANG=fr_FR %run %t environment | FileCheck %s
// Names that no Debian has by itself: with UTF-8 in their codeset they are C.UTF-8, others are C.
// CHECK: LC_CTYPE=de_AT.UTF-8;LC_NUMERIC=C;
// CHECK-NEXT: de_AT.UTF-8 C UTF-8
// RUN: %run %t names | FileCheck %s --check-prefix=NAMES
// NAMES: en_US.UTF-8: en_US.UTF-8 UTF-8
// NAMES-NEXT: es_419.utf8@x: es_419.utf8@x UTF-8
// NAMES-NEXT: C.utf-8: C.utf-8 UTF-8
// NAMES-NEXT: en_US: none
// NAMES-NEXT: en_US.ISO-8859-1: none
// NAMES-NEXT: english.UTF-8: none
// NAMES-NEXT: .UTF-8: none
// NAMES-NEXT: C.UTF-81: none
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static const wchar_t GREETING[] = L"Gr\xfc\xdf" L"e, \x65e5\x672c \x1f600";

static void print(void) {
  int count = 0;
  printf("%d\n", printf("%ls\n", GREETING));
  printf("%d\n", printf("[%20ls][%-9.4ls][%.3ls][%lc][%5lc][%-5lc][%S][%C]\n", L"\xfc\xdf", L"\xe4\xf6\xfc", L"\xe4\xf6", (wint_t)0x20ac, (wint_t)0xfc, (wint_t)0x1f600, L"\xe9", 0xe9));
  printf("%d %s %ls %d %lc %s\n", 1, "gr\xc3\xbcn", L"", 2, (wint_t)'x', "end");
  errno = ENOENT;
  printf("%m: %ls\n", L"\xfc");
  printf("%ls%n|", L"\x20ac", &count);
  printf("%d\n", count);
  printf("%2$ls %1$lc\n", (wint_t)0xe9, L"\xfc");
  errno = 0;
  int result = printf("%ls", L"a\xd800");
  printf("%d %d\n", result, errno);
  errno = 0;
  result = printf("%lc", (wint_t)0xdfff);
  printf("%d %d\n", result, errno);
  printf("%.1ls|%.0ls|%ls\n", L"a\xd800", L"\xd800", (const wchar_t *)NULL);
  fprintf(stdout, "%*ls|%-*.*ls|\n", 8, L"\xfc", 6, 3, L"\xe4\xf6");
}

// Formats and texts of more than a packet.
static void print_long(void) {
  wchar_t text[3000];
  for (int i = 0; i < 2999; ++i)
    text[i] = i % 3 ? 0x20ac : L'a' + i % 26;
  text[2999] = 0;
  printf("%d\n", printf("%ls|%.100ls\n", text, text));
  printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %ls %d %ls\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, L"\xfc\xdf", 16, GREETING);
  printf("a text that is longer than two packets of sixty-four bytes, and has \xc3\xbc in itself, before %ls, %lc and %s; nothing else\n", L"\xfc", (wint_t)0x20ac,
         "\xc3\xa4");
}

static void wide(void) {
  wprintf(L"%d\n", wprintf(L"%ls|%5s|%lc|%c\n", GREETING, "\xc3\xa4", (wint_t)0x20ac, 'c'));
  putwchar(0xe4), putwc(0x1f600, stdout), fputws(L"\xf6\n", stdout);
  wprintf(L"\xe4 %d\n", printf("lost"));
  wprintf(L"%d %d\n", puts("lost"), putchar('x') == EOF || 1);
}

static void read(void) {
  wint_t c;
  while ((c = getwchar()) != WEOF)
    printf("%x ", (unsigned)c);
  printf("%d\n", ferror(stdin) != 0);
}

static void scan(void) {
  wchar_t a[20], b[20];
  int number = 0;
  printf("%d ", wscanf(L"%l[^\xdf]%ls%d", a, b, &number));
  printf("%ls %ls %d ", a, b, number);
  printf("%d %ls\n", wscanf(L"%ls", a), a);
}

static void environment(void) {
  const char *name = setlocale(LC_ALL, "");
  puts(strchr(name, ';') ? "LC_CTYPE=" : name);
  if (strchr(name, ';'))
    printf("%.*s\n", (int)(strchr(strchr(name, ';') + 1, ';') - name) + 1, name);
  printf("%s %s %s\n", setlocale(LC_CTYPE, NULL), setlocale(LC_COLLATE, NULL), nl_langinfo(CODESET));
  // A mixed name can be given back.
  char copy[600];
  strcpy(copy, name);
  setlocale(LC_ALL, "C");
  printf("%d %d\n", setlocale(LC_ALL, copy) != NULL, !strcmp(copy, setlocale(LC_ALL, NULL)));
}

static void names(void) {
  static const char *const all[] = {"en_US.UTF-8", "es_419.utf8@x", "C.utf-8", "en_US", "en_US.ISO-8859-1", "english.UTF-8", ".UTF-8", "C.UTF-81"};
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) {
    setlocale(LC_ALL, "C");
    const char *name = setlocale(LC_ALL, all[i]);
    printf("%s: %s", all[i], name ? name : "none\n");
    if (name)
      printf(" %s\n", nl_langinfo(CODESET));
  }
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  if (!strcmp(mode, "environment"))
    environment();
  if (!strcmp(mode, "names"))
    names();
  setlocale(LC_ALL, "C.UTF-8");
  if (!strcmp(mode, "print"))
    print();
  if (!strcmp(mode, "print-long"))
    print_long();
  if (!strcmp(mode, "wide"))
    wide();
  if (!strcmp(mode, "read"))
    read();
  if (!strcmp(mode, "scan"))
    scan();
  return 0;
}
