// What a program finds in headers by default is what glibc has: macros of a Unix system, constants and functions; other
// names are the program's own, for functions of its own with other types.
// RUN: %hostcc -w %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -w %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %gpucc -std=c99 -fsyntax-only -DSTRICT %s
#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <netdb.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/times.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifdef STRICT
int unix; // an identifier in ISO's modes
#endif
#if !defined(__unix__) || !defined(__unix)
#error a portable program takes this for no Unix
#endif

static int strlwr(int a) { return a + 1; }
static int strupr(int a) { return a + 2; }
static int strnstr(int a) { return a + 3; }
static int itoa(int a) { return a + 4; }
static int utoa(int a) { return a + 5; }
static int cfree(int a) { return a + 6; }
static int reallocf(int a) { return a + 7; }
static int infinity(int a) { return a + 8; }
static int fls(int a) { return a + 9; }
static int atoff(int a) { return a + 10; }
typedef enum { ERROR_NONE, ERROR_SOME } error_t;
struct quad {
  int quad, physadr;
};
static const char *raise(error_t error) { return error == ERROR_SOME ? "raised" : "lowered"; }
static int kill(struct quad quad) { return quad.quad; }

#ifndef STRICT
static void langinfo(void) {
  static const nl_item items[] = {CODESET, D_T_FMT, D_FMT, T_FMT, T_FMT_AMPM, AM_STR, PM_STR, DAY_1, DAY_7, ABDAY_1,
                                  ABDAY_7, MON_1, MON_12, ABMON_1, ABMON_12, RADIXCHAR, THOUSEP, YESEXPR, NOEXPR, CRNCYSTR,
                                  ERA, ERA_D_FMT, ALT_DIGITS, ERA_D_T_FMT, ERA_T_FMT, 123456};
  for (unsigned i = 0; i < sizeof items / sizeof *items; ++i)
    printf("%u [%s]\n", i, nl_langinfo(items[i]));
}

static void configuration(void) {
  static const int names[] = {_SC_ARG_MAX, _SC_CLK_TCK, _SC_NGROUPS_MAX, _SC_VERSION, _SC_PAGESIZE, _SC_IOV_MAX, _SC_LINE_MAX,
                              _SC_RE_DUP_MAX, _SC_LOGIN_NAME_MAX, _SC_HOST_NAME_MAX, _SC_GETPW_R_SIZE_MAX, _SC_TTY_NAME_MAX};
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i)
    printf("%d %ld\n", names[i], sysconf(names[i]));
  static const int limits[] = {_PC_NAME_MAX, _PC_PATH_MAX, _PC_PIPE_BUF, _PC_NO_TRUNC, _PC_VDISABLE, _PC_MAX_CANON, 98765};
  for (unsigned i = 0; i < sizeof limits / sizeof *limits; ++i)
    printf("%d %ld %ld\n", limits[i], pathconf("/", limits[i]), fpathconf(0, limits[i]));
  errno = 0;
  printf("%ld", pathconf("", _PC_PATH_MAX));
  printf(" %d", errno);
  printf(" %ld", pathconf("/no/such/file", _PC_NAME_MAX));
  printf(" %d", errno);
  printf(" %ld", fpathconf(-1, _PC_NAME_MAX));
  printf(" %d\n", errno);
  char path[100];
  printf("%zu %s\n", confstr(_CS_PATH, path, sizeof path), path);
}

static void unlocked(void) {
  int (*write)(int, FILE *) = putc_unlocked; // not only macros
  FILE *file = tmpfile();
  flockfile(file);
  for (const char *at = "first\nsecond\n"; *at; ++at)
    fputc_unlocked(*at, file);
  write('x', file);
  printf("%d\n", ftrylockfile(file));
  funlockfile(file);
  funlockfile(file);
  rewind(file);
  for (int c; (c = fgetc_unlocked(file)) != '\n';)
    putchar_unlocked(c);
  putchar('\n');
  printf("%c %d %d\n", getc_unlocked(file), feof_unlocked(file), ferror_unlocked(file));
  fclose(file);
}
#endif

int main(void) {
  printf("%d %d %d %d %d\n", strlwr(0), strupr(0), strnstr(0), itoa(0), utoa(0));
  printf("%d %d %d %d %d\n", cfree(0), reallocf(0), infinity(0), fls(0), atoff(0));
  printf("%s %d\n", raise(ERROR_SOME), kill((struct quad){3, 4}));
#ifndef STRICT
  langinfo();
  configuration();
  unlocked();
#endif
  socklen_t length = sizeof(struct sockaddr_storage);
  printf("%d %d\n", (int)length, (int)sizeof(struct msghdr));
  struct tms used;
  printf("%d %d\n", times(&used) != -1, (int)used.tms_cutime);
  regex_t expression;
  printf("%d\n", regcomp(&expression, "^[a-f]+[[:digit:]]$", REG_EXTENDED));
  printf("%d %d\n", regexec(&expression, "face1", 0, NULL, 0), regexec(&expression, "gg1", 0, NULL, 0));
  return 0;
}
