// _FORTIFY_SOURCE: what fits is done, and a write behind an object ends the program with glibc's message and SIGABRT. The
// program runs once for all that fits and once for each overflow.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -D_FORTIFY_SOURCE=2 -U_GNU_SOURCE -w %s -o %t.h/fortify
// RUN: %gpucc -O2 -D_FORTIFY_SOURCE=2 -w %s -o %t.d/fortify
// RUN: echo 'for i in $(seq $first $last); do echo 12345678 | LIBC_FATAL_STDERR_=1 "$@" $i; echo "$i: $?"; done; wait' > %t.sh
// RUN: %run %t.d/fortify count > %t.count; read entries all < %t.count; cd %t.h && first=0 last=$entries bash %t.sh ./fortify > %t.expected 2> %t.said
// RUN: read entries all < %t.count; cd %t.d && first=0 last=$entries bash %t.sh %run fortify > %t.out 2> %t.errors
// RUN: diff %t.expected %t.out
// RUN: grep '^[*][*][*]' %t.said > %t.expected-errors; grep -v '^gpuexec:' %t.errors | diff %t.expected-errors -
//
// Headers, where clang and glibc miss some: every case ends the program.
// RUN: read entries all < %t.count; cd %t.d && first=$((entries + 1)) last=$all bash %t.sh %run fortify > %t.out 2> %t.errors; cat %t.out
// RUN: not grep 'goes on' %t.out
// RUN: read entries all < %t.count; test $(grep -c '^[0-9]*: 134$' %t.out) = $((all - entries)); test $(grep -c '^[*][*][*] buffer overflow' %t.errors) = $((all - entries))
//
// The same at other levels, with sizes that are known at run time only.
// RUN: %gpucc -O2 -D_FORTIFY_SOURCE=3 -w %s -o %t.level-3
// RUN: %run %t.level-3 0 < /dev/null > %t.out3
// RUN: head -27 %t.expected | diff - %t.out3
// RUN: read entries all < %t.count; %run %t.level-3 $all; test $? = 134
// RUN: %gpucc -O1 -D_FORTIFY_SOURCE=1 -w %s -o %t.level-1
// RUN: %run %t.level-1 0 < /dev/null > %t.out1
// RUN: head -27 %t.expected | diff - %t.out1
// RUN: read entries all < %t.count; %run %t.level-1 $all; test $? = 134
// RUN: %gpucc -O0 -D_FORTIFY_SOURCE=2 -w %s -o %t.level-0
// RUN: %run %t.level-0 0 < /dev/null > %t.out0
// RUN: head -27 %t.expected | diff - %t.out0
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <syslog.h>
#include <unistd.h>
#include <wchar.h>

// Entry points that programs name themselves.
void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__stpncpy_chk(char *, const char *, size_t, size_t);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __printf_chk(int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __asprintf_chk(char **, int, const char *, ...);
char *__fgets_chk(char *, size_t, int, FILE *);
char *__gets_chk(char *, size_t);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
ssize_t __read_chk(int, void *, size_t, size_t);
char *__realpath_chk(const char *, char *, size_t);
char *__getcwd_chk(char *, size_t, size_t);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
long __fdelt_chk(long);
wchar_t *__wcscpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wmemcpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
size_t __mbstowcs_chk(wchar_t *, const char *, size_t, size_t);
int __swprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, ...);
int __open_2(const char *, int);

static char eight[8], seven[8] = "1234567", large[64];
static wchar_t wide[4], wide_large[32];
static struct pollfd files[2];
static struct {
  char name[8];
  char rest[8];
} record;

static int format_list(char *to, size_t size, size_t room, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = __vsnprintf_chk(to, size, 1, room, format, list);
  va_end(list);
  return result;
}

#define SHOW(call, text) \
  do { \
    const long result_ = (long)(call); \
    printf("%s: %ld [%s]\n", #call, result_, text); \
  } while (0)
#define SHOW_POINTER(call, text) printf("%s: %d [%s]\n", #call, (call) != 0, text)

static void names(int n);

// Objects are filled to their last byte. `n` is 0, which the compiler does not know.
static void fits(int n) {
  SHOW_POINTER(strcpy(eight, "1234567" + n), eight);
  SHOW_POINTER(strcat(strcpy(eight, "123" + n), "4567" + n), eight);
  SHOW_POINTER(strncat(strcpy(eight, "123" + n), "4567890", 4 + n), eight);
  SHOW_POINTER(strncpy(eight, "abcdefgh" + n, 7 + n), eight);
  SHOW(stpcpy(eight, "xyz" + n) - eight, eight);
  SHOW_POINTER(memcpy(eight, "qwertzu", 8 + n), eight);
  SHOW_POINTER(memmove(eight, eight + 1, 7 + n), eight);
  SHOW_POINTER(memset(eight, 'a', 7 + n), eight);
  SHOW(sprintf(eight, "%d-%s", 12 + n, "four"), eight);
  SHOW(snprintf(eight, 8 + n, "%s", "more than that" + n), eight);
  SHOW(__sprintf_chk(eight, 1, 8, "%c%d", 'x', 123456 + n), eight);
  SHOW(format_list(eight, 8, 8, "%s", "abc" + n), eight);
  SHOW(__sprintf_chk(large, 0, (size_t)-1, "%s", "of unknown size" + n), large);
  SHOW_POINTER(strcpy(record.name, "1234567" + n), record.name);
  SHOW_POINTER(memcpy(record.name, "1234567890123456", 16 + n), record.rest + 7);
  SHOW(__printf_chk(1, "%s %d\n", "printf", 5 + n), "");
  SHOW(__fprintf_chk(stdout, 1, "%s %d\n", "fprintf", 6 + n), "");
  char *text = 0;
  SHOW(__asprintf_chk(&text, 1, "%d", 77 + n), text);
  SHOW_POINTER(wcscpy(wide, L"abc" + n), "");
  SHOW(mbstowcs(wide, "xyz" + n, 4 + n), "");
  SHOW(wide[2], "");
  SHOW(__fdelt_chk(1023 + n), "");
  FD_SET(70 + n, (fd_set *)memset(malloc(sizeof(fd_set)), 0, sizeof(fd_set)));
  names(n);
}

#define OVERFLOWS(X) \
  X(strcpy(eight, "12345678" + n)) \
  X(fgets(eight, 20 + n, stdin)) \
  X(strcat(seven, "8" + n)) \
  X(strncat(seven, "8", 1 + n)) \
  X(strncpy(eight, "abc", 9 + n)) \
  X(stpcpy(eight, "12345678" + n)) \
  X(stpncpy(eight, "abc", 9 + n)) \
  X(memcpy(eight, large, 9 + n)) \
  X(mempcpy(eight + 4, large, 5 + n)) \
  X(memmove(eight, large, 9 + n)) \
  X(memset(eight, 1, 9 + n)) \
  X(bzero(eight, 9 + n)) \
  X(explicit_bzero(eight, 9 + n)) \
  X(sprintf(eight, "%d", 12345678 + n)) \
  X(snprintf(eight, 9 + n, "%d", 1)) \
  X(sprintf(record.name, "%d", 12345678 + n)) \
  X(fread(eight, 3, 3 + n, stdin)) \
  X(read(0, eight, 9 + n)) \
  X(wcscpy(wide, L"abcd" + n)) \
  X(wmemcpy(wide, wide_large, 5 + n)) \
  X(mbstowcs(wide, "abcd", 5 + n)) \
  X(poll(files, 3 + n, 0)) \
  X(realpath("/" + n, large)) \
  X(recv(0, eight, 9 + n, 0)) \
  X(getcwd(eight, 9 + n))

#define ENTRIES(X) \
  X(__strcpy_chk(large, "abc", 3 + n)) \
  X(__strcat_chk(large, "abc", 3 + n)) \
  X(__strncat_chk(large, "abc", 3, 3 + n)) \
  X(__strncpy_chk(large, "abc", 5, 3 + n)) \
  X(__memcpy_chk(large, "abc", 4, 3 + n)) \
  X(__memset_chk(large, 0, 4, 3 + n)) \
  X(__sprintf_chk(large, 0, 3, "abc" + n)) \
  X(__snprintf_chk(large, 4, 0, 3, "%d", n)) \
  X(format_list(large, 4, 3, "%d", n)) \
  X(__fgets_chk(large, 8, 20, stdin)) \
  X(__gets_chk(large, 8)) \
  X(__fread_chk(large, 8, 3, 3, stdin)) \
  X(__read_chk(0, large, 9, 8)) \
  X(__realpath_chk("/", large, 64)) \
  X(__getcwd_chk(large, 64, 63)) \
  X(__poll_chk(files, 2, 0, 15)) \
  X(__fdelt_chk(1024 + n)) \
  X(__fdelt_chk(-1 - n)) \
  X(__wcscpy_chk(wide, L"abcd", 4)) \
  X(__wmemcpy_chk(wide, L"abcd", 5, 4)) \
  X(__mbstowcs_chk(wide, "abcd", 5, 4)) \
  X(__swprintf_chk(wide, 5, 1, 4, L"abcd")) \
  X(__open_2("file", O_CREAT | n))

int main(int argc, char **argv) {
  const int which = atoi(argv[1]), n = argc - 2;
  int now = 0;
  if (!strcmp(argv[1], "count")) {
#define COUNT(call) ++now;
    ENTRIES(COUNT)
    printf("%d ", now + 3);
    OVERFLOWS(COUNT)
    printf("%d\n", now + 3);
    return 0;
  }
  if (!which)
    fits(n);
#define CASE(call) \
  if (++now == which) { \
    puts(#call); \
    fflush(stdout); \
    call; \
    puts("goes on"); \
  }
  ENTRIES(CASE)
  // Larger than the object, but what is read is not.
  if (which == now + 1)
    SHOW_POINTER(fgets(large, 65 + n, stdin), large);
  if (which == now + 2)
    SHOW_POINTER(__fgets_chk(large, 10, 20, stdin), large);
  if (which == now + 3)
    SHOW_POINTER(__gets_chk(large, 9), large);
  now += 3;
  OVERFLOWS(CASE)
  return 0;
}

// Names and arguments that a macro would break. glibc's sprintf is one for clang.
#ifndef __gpuexec__
#undef sprintf
#undef snprintf
#endif
static void names(int n) {
  struct { int (*sprintf)(char *, const char *, ...); void *(*memcpy)(void *, const void *, size_t); } own = {sprintf, memcpy};
  own.sprintf(eight, "%d", 5 + n);
  own.memcpy(large, eight, 2);
  SHOW_POINTER(memcpy(eight, (char[]){65, 66, 0}, 3 + n), eight);
  char *(*copy)(char *, const char *) = strcpy;
  SHOW_POINTER(copy(eight, "by name" + n), eight);
  (snprintf)(eight, 8, "%s", "parens" + n);
  SHOW(0, eight);
}
