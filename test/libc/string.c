// string.h and strings.h, edge cases included.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <locale.h>
#include <strings.h>

#ifndef __gpuexec__ // glibc has had them since 2.38
static size_t strlcpy(char *to, const char *from, size_t size) {
  if (size)
    snprintf(to, size, "%s", from);
  return strlen(from);
}
static size_t strnlen_s(const char *text, size_t most) { return text ? strnlen(text, most) : 0; }
static size_t strlcat(char *to, const char *from, size_t size) {
  size_t used = strnlen(to, size);
  return used + strlcpy(to + used, from, size - used);
}
#endif

static int sign(int value) { return (value > 0) - (value < 0); }

static void run(struct test *t) {
  char a[64], b[64];
  out(t, "%zu %zu %zu", strlen(""), strlen("abc"), strnlen("abcdef", 4));
  out(t, "%s %s", strcpy(a, "hello"), strncpy(b, "world\0xx", 9));
  out(t, "%s %s", strcat(a, " you"), strncat(b, "wide", 2));
  memset(a, 'x', sizeof a);
  strncpy(a, "ab", 5);
  out(t, "%d %d %d %d", a[2], a[3], a[4], a[5]);
  out(t, "%d %d %d %d", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("", ""), sign(strcmp("\xff", "a")));
  out(t, "%d %d %d", sign(strncmp("abcd", "abce", 3)), sign(strncmp("abcd", "abce", 4)), strncmp("a", "b", 0));
  out(t, "%d %d %d", strcasecmp("HeLLo", "hEllO"), sign(strcasecmp("a", "B")), strncasecmp("abX", "ABy", 2));
  out(t, "%d %d", sign(memcmp("a\0b", "a\0c", 3)), memcmp("x", "y", 0));
  const char *text = "the quick brown fox jumps over the lazy dog";
  out(t, "%s|%s", strchr(text, 'q'), strrchr(text, 'o'));
  out(t, "%d %d", strchr(text, 'Z') == NULL, strchr(text, 0) == text + strlen(text));
  out(t, "%s|%s", strstr(text, "fox"), strstr(text, ""));
  out(t, "%d %s", strstr(text, "foxy") == NULL, strcasestr(text, "LAZY"));
  out(t, "%zu %zu %s", strspn(text, "eht "), strcspn(text, "kc"), strpbrk(text, "zxj"));
  out(t, "%s %d", (char *)memchr(text, 'w', 30), memchr(text, 'w', 3) == NULL);
  out(t, "%s", (char *)memrchr(text, 'o', strlen(text)));
  out(t, "%s", (char *)memmem(text, strlen(text), "over", 4));
  strcpy(a, "one,two;;three");
  for (char *word = strtok(a, ",;"); word; word = strtok(NULL, ",;"))
    out(t, "tok %s", word);
  strcpy(a, "x:y::z");
  char *rest = a, *word;
  while ((word = strsep(&rest, ":")))
    out(t, "sep <%s>", word);
  strcpy(a, "p q r");
  char *save;
  for (word = strtok_r(a, " ", &save); word; word = strtok_r(NULL, " ", &save))
    out(t, "tok_r %s", word);
  strcpy(a, "0123456789");
  memmove(a + 2, a, 8);
  out(t, "%s", a);
  memmove(a, a + 3, 7);
  out(t, "%s", a);
  out(t, "%s", (char *)mempcpy(a, "abc", 4) - 4);
  out(t, "%s %td", stpcpy(a, "stp"), stpcpy(a, "four") - a);
  out(t, "%td", stpncpy(b, "xy", 6) - b);
  out(t, "%d", memccpy(a, "abcdef", 'd', 6) == a + 4);
  out(t, "%s", strchrnul(text, 'Z') == text + strlen(text) ? "end" : "?");
  char *copy = strdup(text), *part = strndup(text, 9);
  out(t, "%s|%s", copy, part);
  free(copy);
  free(part);
  out(t, "%d %zu", sign(strcoll("a", "b")), strxfrm(a, "abc", 10));
  out(t, "%d %d %d", ffs(0), ffs(8), ffsl(1l << 40));
  out(t, "%d %d", sign(strverscmp("a10", "a9")), sign(strverscmp("1.2", "1.10")));
  for (int i = 0; i < 134; i += 7)
    out(t, "%d %s", i, strerror(i));
  out(t, "%s", strerror(999));
  strcpy(a, "12345");
  out(t, "%zu %s", strlcpy(a, "abcdefgh", 5), a);
  out(t, "%zu %s", strlcpy(a, "xyz", 64), a);
  out(t, "%zu", strlcpy(a, "none", 0));
  out(t, "%zu %s", strlcat(a, "uvw", 5), a);
  out(t, "%zu %s", strlcat(a, "more", 64), a);
  out(t, "%zu", strlcat(a, "more", 3));
  memset(b, 'x', sizeof b);
  explicit_bzero(b + 1, 3);
  bzero(b + 5, 2);
  out(t, "%d%d%d%d%d%d%d%d", b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]);
  bcopy("moved", a, 6);
  bcopy(a, a + 2, 6);
  out(t, "%s %d %d", a, bcmp("ab", "ab", 2), bcmp("ab", "ac", 2) != 0);
  out(t, "%s %s %d", index("a.b.c", '.'), rindex("a.b.c", '.'), rindex("abc", 'x') == NULL);
  out(t, "%d %d %d", ffsll(0), ffsll(1ll << 63), ffsl(-1l));
  locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  out(t, "%d %zu %s %s", sign(strcoll_l("B", "a", locale)), strxfrm_l(a, "key", 64, locale), a, strerror_l(2, locale));
  out(t, "%zu", strxfrm(NULL, "length", 0));
  out(t, "%zu %zu %zu", strnlen_s("abc", 2), strnlen_s("abc", 9), strnlen_s(NULL, 9));
  char fixed[40];
  out(t, "%s %s", strerror_r(13, fixed, sizeof fixed), strerror_r(4711, fixed, sizeof fixed));
  // Edges: nothing to find, nothing to compare, the terminator itself, bytes above 127.
  out(t, "%d %d %d %d", memchr("abc", 'c', 2) == NULL, memchr("a\0c", 'c', 3) != NULL, memrchr("abc", 'x', 3) == NULL, memchr("", 'x', 0) == NULL);
  out(t, "%d %d %d", strstr("", "") != NULL, strstr("", "a") == NULL, strstr("aaab", "aab") != NULL);
  out(t, "%d %d %d", memmem("abc", 3, "", 0) != NULL, memmem("ab", 2, "abc", 3) == NULL, memmem("x\0yz", 4, "\0y", 2) != NULL);
  out(t, "%zu %zu %zu %zu", strspn("", "a"), strspn("aab", ""), strcspn("abc", ""), strcspn("", "x"));
  out(t, "%d %d", strpbrk("abc", "") == NULL, strpbrk("\377x", "\377") != NULL);
  out(t, "%d %d %d", sign(memcmp("\200", "\177", 1)), sign(strcmp("a\200", "a")), sign(strncasecmp("\300", "\340", 1)));
  out(t, "%d %d", strcasecmp("[", "{") < 0, strcasecmp("Z", "[") > 0);
  char *at = NULL, nothing[] = "";
  out(t, "%d %d", strtok_r(nothing, ",", &at) == NULL, strsep(&at, ",") == NULL);
  char only[] = ",,,";
  out(t, "%d", strtok(only, ",") == NULL);
  char many[] = "a,b;c";
  out(t, "%s", strtok(many, ","));
  out(t, "%s", strtok(NULL, ";"));
  out(t, "%s", strtok(NULL, ""));
  out(t, "%d", strtok(NULL, "") == NULL);
  out(t, "%d %d %d", sign(strverscmp("", "a")), sign(strverscmp("00", "0")), sign(strverscmp("file12.txt", "file2.txt")));
  unsigned char big[300];
  for (int i = 0; i < 300; ++i)
    big[i] = (unsigned char)(i * 7);
  for (int from = 0; from < 9; ++from)
    for (int to = 0; to < 9; ++to) {
      unsigned char copy[300];
      memset(copy, 0xee, sizeof copy);
      memcpy(copy + to, big + from, 250);
      unsigned long hash = 0;
      for (int i = 0; i < 300; ++i)
        hash = hash * 31 + copy[i];
      out(t, "%lx", hash);
    }
}
