// err.h, and what else a program says about failures or reads of its standard input: the v- forms of printf and scanf, putc,
// setbuffer and setlinebuf, regerror, secure_getenv; errno is the thread's own in 4096 of them.
// RUN: mkdir -p %t.d %t.h && rm -f %t.d/messages %t.h/messages
// RUN: %hostcc -fno-builtin -w %s -o %t.h/messages && cd %t.h && bash -c 'for how in all err errx verr verrx null; do ./messages $how < %s; echo "$how: $?"; done' > %t.expected 2> %t.expected-errors
// RUN: %gpucc %lanes -O2 -w %s -o %t.d/messages
// RUN: cd %t.d && bash -c 'for how in all err errx verr verrx null; do %run messages $how < %s; echo "$how: $?"; done' > %t.out 2> %t.errors
// RUN: diff %t.expected %t.out
// RUN: diff %t.expected-errors %t.errors
// RUN: %run --threads 256 --blocks 16 %t.d/messages many 2> %t.errors; test $? = 3
// RUN: test "$(sort -u %t.errors | grep -c '^messages: thread [0-9]*: ')" = 4096
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORM(name, call) \
  static void name(const char *format, ...) { \
    va_list list; \
    va_start(list, format); \
    call; \
    va_end(list); \
  }
FORM(vwarn_of, vwarn(format, list))
FORM(vwarnx_of, vwarnx(format, list))
FORM(verr_of, verr(6, format, list))
FORM(verrx_of, verrx(7, format, list))
static int vprintf_of(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vprintf(format, list);
  va_end(list);
  return result;
}
static int vscanf_of(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vscanf(format, list);
  va_end(list);
  return result;
}

static void all(void) {
  static char space[200];
  char word[32], rest[64], text[100];
  setbuffer(stdout, space, sizeof space);
  printf("%d %d\n", vprintf_of("%d %s %c %.2f\n", 1, "two", '3', 4.0), putc('p', stdout));
  printf("%d", vscanf_of("// %31[^,], %63s", word, rest));
  printf(" [%s] [%s]\n", word, rest);
  printf("%d %c\n", vscanf_of("%*[^\n]%n", &(int){0}), getc(stdin) == '\n' ? 'n' : '?');
  printf("%d\n", vscanf_of("nothing like it %d", &(int){0}));
  fflush(stdout);
  errno = ENOENT;
  warn("%s %d", "with", 1);
  warnx("%s %d", "without", 2);
  errno = EACCES;
  vwarn_of("%s %d", "a list", 3);
  vwarnx_of("%s %d", "a list without", 4);
  errno = ERANGE;
  warn(NULL);
  warnx(NULL);
  errno = 0;
  warn("no error");
  FILE *file = fopen("lines", "w");
  setlinebuf(file);
  fputs("a line\n", file), fputs("part", file);
  FILE *again = fopen("lines", "r");
  printf("%s", fgets(text, sizeof text, again));
  printf("%d\n", fgets(text, sizeof text, again) == NULL);
  fclose(again), fclose(file), remove("lines");
  printf("%d %d\n", secure_getenv("NEVER SET") == NULL, secure_getenv("PATH") != NULL);
  static const char *const wrong[] = {"(", "a\\", "[a", "*", "a{2", "a{2,1}", "[z-a]", "[[:none:]]", ")", "a**"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    regex_t expression;
    const int error = regcomp(&expression, wrong[i], REG_EXTENDED);
    char message[100] = "", piece[4] = "xxx";
    const size_t size = error ? regerror(error, &expression, message, sizeof message) : 0;
    // What it says is the library's affair; how long it is and that it is cut off are not.
    printf("%d %d\n", !error || size == strlen(message) + 1, !error || (regerror(error, &expression, piece, 3) == size && strlen(piece) == 2));
    if (!error)
      regfree(&expression);
  }
}

int main(int argc, char **argv) {
  static int threads;
  const char *how = argv[1];
  errno = EEXIST;
  if (!strcmp(how, "all"))
    return all(), 0;
  if (!strcmp(how, "err"))
    err(4, "%s", "the end");
  if (!strcmp(how, "errx"))
    errx(5, "%s", "the end");
  if (!strcmp(how, "verr"))
    verr_of("%d", 8);
  if (!strcmp(how, "verrx"))
    verrx_of("%d", 9);
  if (!strcmp(how, "null"))
    err(300, NULL);
  const int thread = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  errno = thread % 100 + 1;
  char expected[100];
  snprintf(expected, sizeof expected, "%s", strerror(thread % 100 + 1));
  errno = thread % 100 + 1;
  warn("thread %d", thread);
  return errno == thread % 100 + 1 && !strcmp(strerror(errno), expected) ? 3 : 1;
}
