// Strings of a megabyte through printf, scanf and strtod; arguments by * and %n; null pointers; strings without an end and
// of wide characters, in the text that the host makes; then megabytes in 4096 threads at once, 4 GB of text to one stream.
// RUN: %hostcc -fno-builtin %s -o %t.host -lm && env LC_ALL=C %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w %s -o %t -lm
// RUN: env LC_ALL=C %run %t > %t.out
// RUN: cmp %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t many | %t.host judge
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

static char shared[LONG + 1];
__attribute__((constructor)) static void fill(void) {
  for (int i = 0; i < LONG; ++i)
    shared[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[i * 7 % 36];
}

// One of many threads: its own checks, and a line of a megabyte to the standard output that begins with its number.
static int many(void) {
  static int threads;
  const int thread = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  char part[64], expected[64];
  int stored = 0, tail = 0;
  const char *text = shared + thread % 977; // every one a text of its own
  const int size = LONG - thread % 977;
  if (snprintf(NULL, 0, "%s%n%*d", text, &stored, 1000, thread) != size + 1000 || stored != size)
    return 1;
  if (snprintf(part, sizeof part, "%.40s%n|%s", text, &stored, text) != 41 + size || stored != 40 ||
      snprintf(expected, sizeof expected, "%.40s|%.22s", text, text) != 63 || strcmp(part, expected))
    return 2;
  if (thread / 64 % 16 == 0 && (sscanf(text, "%*s%n%*c%n", &stored, &tail), stored != size || tail))
    return 3;
  FILE *file = fopen("/dev/null", "w");
  if (!file || fprintf(file, "%s%n %d\n", text, &stored, thread) < size + 3 || stored != size || fputs(text, file) < 0 || fclose(file))
    return 4;
  return printf("%04d %s\n", thread, text) == size + 6 ? 0 : 5;
}

// On the host: whether the lines that come are those.
static int judge(void) {
  static char line[LONG + 16], seen[4096];
  int lines = 0;
  while (fgets(line, sizeof line, stdin)) {
    const int thread = atoi(line);
    const size_t size = strlen(line);
    if (thread < 0 || thread >= 4096 || seen[thread]++ || size != LONG - thread % 977 + 6ul || line[4] != ' ' ||
        memcmp(line + 5, shared + thread % 977, size - 6))
      return printf("line %d of %zu bytes, thread %d\n", lines, size, thread), 1;
    ++lines;
  }
  return lines != 4096;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return strcmp(argv[1], "many") ? judge() : many();
  char *text = shared, *copy = malloc(2 * LONG);

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
