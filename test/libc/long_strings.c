// Strings of a megabyte through printf, scanf and strtod; arguments by * and %n; null pointers; strings without an end and
// of wide characters, in the text that the host makes.
// RUN: %hostcc -fno-builtin %s -o %t.host -lm && env LC_ALL=C %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t -lm
// RUN: env LC_ALL=C %run %t > %t.out
// RUN: cmp %t.expected %t.out
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { LONG = 1 << 20 };

static unsigned long checksum(const char *text) {
  unsigned long sum = 14695981039346656037ul;
  for (; *text; ++text)
    sum = (sum ^ (unsigned char)*text) * 1099511628211ul;
  return sum;
}

int main(void) {
  char *text = malloc(LONG + 1), *copy = malloc(2 * LONG);
  for (int i = 0; i < LONG; ++i)
    text[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[i * 7 % 36];
  text[LONG] = 0;

  int stored = 0;
  printf("%s%n\n", text, &stored);
  printf("%d\n", stored);
  printf("%.*s|%-*s|%*s\n", 50000, text, 60000, text + LONG - 59000, -60000, text + LONG - 50000);
  int size = snprintf(copy, 2 * LONG, "[%s]%n%*d", text, &stored, 100000, 7);
  printf("%d %d %016lx\n", size, stored, checksum(copy));
  size = snprintf(copy, 1000, "%s", text);
  printf("%d %zu %s\n", size, strlen(copy), copy);
  printf("%d\n", snprintf(NULL, 0, "%s%s%s", text, text, text));
  errno = 0;
  size = snprintf(copy, 10, "%*d%s", INT_MAX - 10, 1, text);
  printf("%d %d\n", size, errno == EOVERFLOW);
  printf("%s|%10s|%.3s|%-8s|%.6s|\n", (char *)NULL, (char *)NULL, (char *)NULL, (char *)NULL, (char *)NULL);

  printf("%.5s|%-8.3s|%.*s|\n", (char[5]){'n', 'o', 'e', 'n', 'd'}, (char[3]){'e', 'n', 'd'}, 2, (char[2]){'o', 'f'});
  printf("%ls|%10ls|%.2ls|%-8ls|%lc|%S|%C|%.*ls|%ls\n", L"wide", L"right", L"cut", L"left", (wint_t)L'w', L"capital", (wint_t)L'x', 3,
         L"precise", (wchar_t *)NULL);
  fprintf(stdout, "%d %ls %n%ls %d\n", 1, L"before", &stored, L"after", stored);
  printf("%d\n", stored);
  for (int i = 0; i < 200; i += i < 5 ? 1 : 13) {
    errno = i;
    printf("%d: %m, %s, %m%%\n", 1, "and");
  }
  errno = ENOENT;
  size = fprintf(stdout, "%d %m%n\n", 2, &stored);
  printf("%d %d\n", size, stored);
  wchar_t *wide = malloc((LONG + 1) * sizeof *wide);
  for (int i = 0; i <= LONG; ++i)
    wide[i] = (unsigned char)text[i];
  printf("%d\n", printf("%ls\n", wide));
  wide[5] = 0x20ac;
  errno = 0;
  size = printf("%ls\n", wide);
  printf("%d %d\n", size, errno);
  errno = 0;
  size = printf("%lc\n", (wint_t)0x20ac);
  printf("%d %d\n", size, errno);
  free(wide);

  int count = sscanf(text, "%s%n", copy, &stored);
  printf("%d %d %d\n", count, stored, strcmp(text, copy));
  count = sscanf(text, "%1000000s%c%*99d%n", copy, copy + LONG + 5, &stored);
  printf("%d %d %zu %c\n", count, stored, strlen(copy), copy[LONG + 5]);
  char *allocated = NULL;
  count = sscanf(text, "%m[a-z0-9]", &allocated);
  printf("%d %d\n", count, strcmp(text, allocated));
  free(allocated);

  // A million digits, where the last decides how the number is rounded: just above half of the last place.
  memset(copy, '0', LONG);
  static const char half[] = "1.00000000000000011102230246251565404236316680908203125";
  memcpy(copy, half, sizeof half - 1);
  copy[LONG] = 0;
  char *end;
  double value = strtod(copy, &end);
  printf("%a %td\n", value, end - copy);
  copy[LONG - 1] = '1';
  value = strtod(copy, &end);
  printf("%a %td\n", value, end - copy);
  memset(copy, '9', LONG);
  errno = 0;
  value = strtod(copy, &end);
  printf("%a %td %d\n", value, end - copy, errno == ERANGE);
  memcpy(copy + LONG, "e-1048576", 10);
  errno = 0;
  value = strtod(copy, &end);
  printf("%a %td %d\n", value, end - copy, errno);
  value = 0;
  count = sscanf(copy, "%lf%n", &value, &stored);
  printf("%d %a %d\n", count, value, stored);
  return 0;
}
