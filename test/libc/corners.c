// Where the C library once differed from the host's: characters pushed back before a read, buffers of streams that only read,
// long formats of wcsftime, errno after success.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

// Nobody writes to the pipe: a read would wait for ever.
static void push_back_first(void) {
  int ends[2];
  pipe(ends);
  FILE *stream = fdopen(ends[0], "r");
  printf("%d", ungetc('x', stream));
  printf(" %d\n", getc(stream));
  FILE *wide = fdopen(dup(ends[0]), "r");
  printf("%d", ungetwc(L'y', wide));
  printf(" %d\n", getwc(wide));
}

static void write_to_a_reader(void) {
  fclose(fopen("file", "w"));
  static const int modes[] = {_IOFBF, _IOLBF, _IONBF};
  for (int i = 0; i < 3; ++i) {
    FILE *stream = fopen("file", "r");
    setvbuf(stream, NULL, modes[i], 4096);
    errno = 0;
    const int result = fputs("text", stream);
    printf("%d %d", result, errno);
    printf(" %d\n", ferror(stream) != 0);
    fclose(stream);
  }
}

static void format_long_times(void) {
  enum { LONG = 400 };
  static wchar_t format[LONG + 8], text[3000];
  struct tm at = {.tm_year = 120, .tm_mon = 4, .tm_mday = 6, .tm_wday = 3};
  for (int i = 0; i < LONG; ++i)
    format[i] = L"abc\u00e9"[i % 4];
  wcscpy(format + LONG, L"%Y");
  const size_t size = wcsftime(text, 3000, format, &at);
  printf("%zu %d %d\n", size, text[3] == 0xe9, wcscmp(text + LONG, L"2020"));
  for (int i = 0; i < LONG; i += 2)
    wcscpy(format + i, L"%A");
  printf("%zu", wcsftime(text, 3000, format, &at));
  printf(" %zu", wcsftime(text, 9 * LONG / 2, format, &at));
  printf(" %zu %zu", wcsftime(text, 10, L"", &at), wcsftime(text, 0, L"%Y", &at));
  printf(" %zu %zu\n", wcsftime(text, 4, L"%Y", &at), wcsftime(text, 5, L"%Y", &at));
}

static void keep_errno(void) {
  struct in_addr address;
  struct dirent **list;
  errno = 77;
  printf("%d", inet_aton("127.0.0.1", &address));
  printf(" %d", errno);
  printf(" %d", inet_aton("99999999999999999999", &address));
  printf(" %d", errno == 77 || errno == ERANGE);
  errno = 77;
  printf(" %d", scandir(".", &list, NULL, alphasort));
  printf(" %d\n", errno);
}

int main(void) {
  push_back_first();
  write_to_a_reader();
  format_long_times();
  keep_errno();
  return 0;
}
