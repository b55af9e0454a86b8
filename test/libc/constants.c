// The headers that are mostly constants and types: limits.h, float.h, stdint.h, stddef.h, stdbool.h, stdalign.h, iso646.h,
// stdarg.h, stdnoreturn.h, and the constants of errno.h, inttypes.h, math.h, stdio.h, stdlib.h, signal.h, time.h, wchar.h,
// fcntl.h, sys/stat.h and unistd.h where a program can print them. long double is double on a GPU and left out.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#define I(name) out(t, #name " %lld", (long long)(name));
#define U(name) out(t, #name " %llu", (unsigned long long)(name));
#define D(name) out(t, #name " %a", (double)(name));
#define T(type) out(t, #type " %zu %d %zu", sizeof(type), (type)-1 < (type)1, alignof(type));

static void errors(struct test *t) {
  I(E2BIG) I(EACCES) I(EADDRINUSE) I(EADDRNOTAVAIL) I(EAFNOSUPPORT) I(EAGAIN) I(EALREADY) I(EBADF) I(EBADMSG) I(EBUSY)
  I(ECANCELED) I(ECHILD) I(ECONNABORTED) I(ECONNREFUSED) I(ECONNRESET) I(EDEADLK) I(EDESTADDRREQ) I(EDOM) I(EDQUOT)
  I(EEXIST) I(EFAULT) I(EFBIG) I(EHOSTUNREACH) I(EIDRM) I(EILSEQ) I(EINPROGRESS) I(EINTR) I(EINVAL) I(EIO) I(EISCONN)
  I(EISDIR) I(ELOOP) I(EMFILE) I(EMLINK) I(EMSGSIZE) I(EMULTIHOP) I(ENAMETOOLONG) I(ENETDOWN) I(ENETRESET)
  I(ENETUNREACH) I(ENFILE) I(ENOBUFS) I(ENODATA) I(ENODEV) I(ENOENT) I(ENOEXEC) I(ENOLCK) I(ENOLINK) I(ENOMEM) I(ENOMSG)
  I(ENOPROTOOPT) I(ENOSPC) I(ENOSR) I(ENOSTR) I(ENOSYS) I(ENOTCONN) I(ENOTDIR) I(ENOTEMPTY) I(ENOTRECOVERABLE)
  I(ENOTSOCK) I(ENOTSUP) I(ENOTTY) I(ENXIO) I(EOPNOTSUPP) I(EOVERFLOW) I(EOWNERDEAD) I(EPERM) I(EPIPE) I(EPROTO)
  I(EPROTONOSUPPORT) I(EPROTOTYPE) I(ERANGE) I(EROFS) I(ESPIPE) I(ESRCH) I(ESTALE) I(ETIME) I(ETIMEDOUT) I(ETXTBSY)
  I(EWOULDBLOCK) I(EXDEV)
  errno = 5;
  int *place = &errno;
  *place += 2;
  out(t, "%d", errno);
  for (int i = -1; i < 140; ++i)
    out(t, "%d %s", i, strerror(i));
}

static void limits(struct test *t) {
  I(CHAR_BIT) I(SCHAR_MIN) I(SCHAR_MAX) I(UCHAR_MAX) I(CHAR_MIN) I(CHAR_MAX) I(SHRT_MIN) I(SHRT_MAX) I(USHRT_MAX) I(INT_MIN)
  I(INT_MAX) U(UINT_MAX) I(LONG_MIN) I(LONG_MAX) U(ULONG_MAX) I(LLONG_MIN) I(LLONG_MAX) U(ULLONG_MAX) I(PATH_MAX)
  I(NAME_MAX) I(MB_CUR_MAX) out(t, "%d", MB_LEN_MAX >= 1);
  I(FLT_RADIX) I(FLT_MANT_DIG) I(DBL_MANT_DIG) I(FLT_DIG) I(DBL_DIG) I(FLT_MIN_EXP) I(DBL_MIN_EXP) I(FLT_MIN_10_EXP)
  I(DBL_MIN_10_EXP) I(FLT_MAX_EXP) I(DBL_MAX_EXP) I(FLT_MAX_10_EXP) I(DBL_MAX_10_EXP) D(FLT_MAX) D(DBL_MAX)
  D(FLT_EPSILON) D(DBL_EPSILON) D(FLT_MIN) D(DBL_MIN) D(FLT_TRUE_MIN) D(DBL_TRUE_MIN) I(FLT_DECIMAL_DIG)
  I(DBL_DECIMAL_DIG) I(FLT_HAS_SUBNORM) I(DBL_HAS_SUBNORM) I(FLT_EVAL_METHOD) I(FLT_ROUNDS)
  // Not x86's, but what C asks of any.
  out(t, "%d %d", LDBL_DIG >= 10 && LDBL_MANT_DIG >= DBL_MANT_DIG, LDBL_MAX >= DBL_MAX && LDBL_EPSILON <= DBL_EPSILON);
  I(INT8_MIN) I(INT16_MIN) I(INT32_MIN) I(INT64_MIN) I(INT8_MAX) I(INT16_MAX) I(INT32_MAX) I(INT64_MAX) U(UINT8_MAX)
  U(UINT16_MAX) U(UINT32_MAX) U(UINT64_MAX) I(INT_LEAST8_MIN) I(INT_LEAST16_MAX) U(UINT_LEAST32_MAX) U(UINT_LEAST64_MAX)
  I(INT_FAST8_MAX) U(UINT_FAST8_MAX) I(INT_FAST64_MIN) U(UINT_FAST64_MAX) I(INTPTR_MIN) I(INTPTR_MAX)
  U(UINTPTR_MAX) I(INTMAX_MIN) I(INTMAX_MAX) U(UINTMAX_MAX) I(PTRDIFF_MIN) I(PTRDIFF_MAX) U(SIZE_MAX) I(SIG_ATOMIC_MIN)
  I(SIG_ATOMIC_MAX) I(WCHAR_MIN) I(WCHAR_MAX) I(INT8_C(-1)) U(UINT64_C(18446744073709551615))
  I(INTMAX_C(-5)) U(UINTMAX_C(5)) I(SSIZE_MAX)
}

struct offsets {
  char a;
  short b;
  double c;
  char d[3];
  int e;
  max_align_t f;
};

static void types(struct test *t) {
  T(char) T(signed char) T(short) T(int) T(long) T(long long) T(float) T(double) T(bool) T(size_t) T(ptrdiff_t) T(wchar_t)
  T(int8_t) T(uint16_t) T(int32_t) T(uint64_t) T(int_least8_t) T(uint_least16_t) T(int_fast8_t) T(intptr_t)
  T(uintptr_t) T(intmax_t) T(uintmax_t) T(sig_atomic_t) T(time_t) T(clock_t) T(off_t) T(ssize_t) T(pid_t) T(mode_t) T(uid_t) T(gid_t) T(dev_t) T(ino_t) T(clockid_t)
  U(sizeof(void *)) U(sizeof(struct tm)) U(sizeof(struct timespec)) U(sizeof(div_t)) U(sizeof(ldiv_t)) U(sizeof(lldiv_t)) U(sizeof(imaxdiv_t))
  U(offsetof(struct offsets, b)) U(offsetof(struct offsets, c)) U(offsetof(struct offsets, d)) U(offsetof(struct offsets, e))
  out(t, "%d %d %d %d %d", true, false, (bool)0.5, __bool_true_false_are_defined, __alignas_is_defined && __alignof_is_defined);
  int x = 6, y = 3;
  x and_eq 3;
  y or_eq 8;
  out(t, "%d %d %d %d %d %d", x, y, (x and y) or not x, x xor y, compl x, x bitand y);
  x xor_eq y;
  out(t, "%d %d %d", x, x not_eq y, x bitor 64);
  alignas(64) char block[3];
  out(t, "%d %d", (int)((uintptr_t)block % 64), NULL == 0);
}

static void macros(struct test *t) {
  I(EOF) I(SEEK_SET) I(SEEK_CUR) I(SEEK_END) I(_IOFBF) I(_IOLBF) I(_IONBF) out(t, "%d", BUFSIZ >= 256 && FOPEN_MAX >= 8);
  out(t, "%d", FILENAME_MAX >= 255 && L_tmpnam >= 10 && TMP_MAX >= 25);
  I(EXIT_SUCCESS) I(EXIT_FAILURE) out(t, "%d", RAND_MAX >= 32767);
  I(SIGHUP) I(SIGINT) I(SIGQUIT) I(SIGILL) I(SIGTRAP) I(SIGABRT) I(SIGBUS) I(SIGFPE) I(SIGKILL) I(SIGUSR1) I(SIGSEGV) I(SIGUSR2)
  I(SIGPIPE) I(SIGALRM) I(SIGTERM) I(SIGCHLD) I(SIGCONT) I(SIGSTOP) I(SIGTSTP) I(SIGTTIN) I(SIGTTOU) I(SIGURG) I(SIGXCPU)
  I(SIGXFSZ) I(SIGVTALRM) I(SIGPROF) I(SIGWINCH) I(SIGIO) I(SIGSYS) out(t, "%d %d", SIG_DFL != SIG_IGN, SIG_ERR != SIG_IGN);
  I(CLOCKS_PER_SEC) I(TIME_UTC) I(CLOCK_REALTIME) I(CLOCK_MONOTONIC) I(CLOCK_PROCESS_CPUTIME_ID)
  I(CLOCK_THREAD_CPUTIME_ID) I(CLOCK_MONOTONIC_RAW) I(CLOCK_REALTIME_COARSE) I(CLOCK_MONOTONIC_COARSE) I(CLOCK_BOOTTIME)
  I((wint_t)-1 == WEOF) I(O_RDONLY) I(O_WRONLY) I(O_RDWR) I(O_ACCMODE) I(O_CREAT) I(O_EXCL) I(O_TRUNC) I(O_APPEND) I(O_NONBLOCK) I(O_DIRECTORY)
  I(O_NOFOLLOW) I(O_CLOEXEC) I(F_GETFD) I(F_SETFD) I(F_GETFL) I(F_SETFL) I(FD_CLOEXEC)
  I(S_IFMT) I(S_IFREG) I(S_IFDIR) I(S_IFLNK) I(S_IFIFO) I(S_IFCHR) I(S_IFBLK) I(S_IFSOCK) I(S_IRWXU) I(S_IRUSR) I(S_IXGRP)
  I(S_IWOTH) I(S_ISUID) I(S_ISVTX) I(S_ISREG(0100644)) I(S_ISDIR(040755) != 0) I(R_OK) I(W_OK) I(X_OK) I(F_OK)
  I(STDIN_FILENO) I(STDERR_FILENO) I(WIFEXITED(0x300) != 0) I(WEXITSTATUS(0x300)) I(WIFSIGNALED(9) != 0) I(WTERMSIG(9))
  I(LC_ALL != LC_COLLATE) I(LC_CTYPE != LC_NUMERIC) I(LC_TIME != LC_MONETARY)
  D(M_PI) D(M_E) D(M_SQRT2) D(M_LN2) D(M_PI_2) D(M_LOG10E) D(HUGE_VAL) D(HUGE_VALF) D(INFINITY) I(isnan(NAN) != 0) I(FP_ILOGB0) I(FP_ILOGBNAN)
  I(MATH_ERRNO) I((math_errhandling & MATH_ERRNO) != 0) I(FP_NAN != FP_INFINITE) I(FP_ZERO != FP_SUBNORMAL)
}

static int sum(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  int result = 0;
  for (int i = 0; i < count; ++i) {
    double real = va_arg(list, double);
    char *text = va_arg(list, char *);
    struct {
      int a, b, c;
    } block = {0};
    long number = va_arg(list, long);
    result += (int)real + (int)strlen(text) + (int)number + block.a;
  }
  result += (int)va_arg(again, double);
  va_end(again);
  va_end(list);
  return result;
}

static noreturn void leave(int status) { exit(status); }

static void run(struct test *t) {
  errors(t);
  limits(t);
  types(t);
  macros(t);
  out(t, "%d", sum(3, 1.5, "one", 1l, 2.5, "three", 1l << 20, -7.0, "", -3l));
  if (t->next > 1000000)
    leave(3);
}
