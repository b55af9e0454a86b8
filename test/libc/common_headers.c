// What programs include by habit and what little there is behind it: byte orders, old names of limits, messages, catalogs,
// libraries that cannot be loaded, reads and writes of several parts, walks through a tree, in an empty folder.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w -I%source/test/libc %s -o %t.host && cd %t.h && %t.host 2> errors > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: cd %t.d && %run %t 2> errors > %t.out
// RUN: diff %t.expected %t.out
// RUN: sed 's/^[^:]*://' %t.h/errors > %t.1 && sed 's/^[^:]*://' %t.d/errors > %t.2 && diff %t.1 %t.2 && test -s %t.1
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run %many %t $(tail -1 %t.expected) && test -z "$(ls)"
#define _GNU_SOURCE
#include "libc_test.h"
#include <byteswap.h>
#include <dlfcn.h>
#include <endian.h>
#include <error.h>
#include <execinfo.h>
#include <fcntl.h>
#include <ftw.h>
#include <libintl.h>
#include <nl_types.h>
#include <paths.h>
#include <semaphore.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sysexits.h>
#include <ucontext.h>
#include <unistd.h>
#include <values.h>

static void macros(struct test *t) {
  volatile unsigned long word = 0x0123456789abcdef;
  out(t, "%x %x %lx", bswap_16((unsigned short)word), bswap_32((unsigned)word), (long)bswap_64(word));
  out(t, "%x %x %lx", htobe16((unsigned short)word), htobe32((unsigned)word), (long)htobe64(word));
  out(t, "%x %x %lx", le16toh((unsigned short)word), le32toh((unsigned)word), (long)be64toh(word));
  out(t, "%d %d", BYTE_ORDER == LITTLE_ENDIAN, __BYTE_ORDER == __BIG_ENDIAN);
  out(t, "%d %d %d %ld %d", MAXINT, MININT, MAXSHORT, MAXLONG, (int)BITSPERBYTE);
  out(t, "%d %d %g", (int)INTBITS, (int)LONGBITS, MAXDOUBLE);
  out(t, "%x %x %lx", major(word), minor(word), (long)makedev(major(word), minor(word)));
  out(t, "%lx", (long)makedev(0xabcde, 0x12345));
  out(t, "%d %d %d", EX_OK, EX_USAGE, EX_CONFIG);
  out(t, "%s %s %s", _PATH_DEVNULL, _PATH_TMP, _PATH_BSHELL);
  unsigned char bits[4] = {0};
  setbit(bits, 9), setbit(bits, 30), setbit(bits, 31), clrbit(bits, 31);
  out(t, "%02x%02x%02x%02x %d %d", bits[0], bits[1], bits[2], bits[3], isset(bits, 9) != 0, isclr(bits, 9));
  out(t, "%d %d %d %d %d", MIN(3, 2), MAX(3, 2), howmany(10, 3), roundup(10, 4), powerof2(64));
  out(t, "%d %d %d", MAXPATHLEN, DEV_BSIZE, NBBY);
}

static void messages(struct test *t) {
  out(t, "%s %s %s", gettext("one"), dgettext("d", "two"), dcgettext("d", "three", 5));
  out(t, "%s %s %s", ngettext("file", "files", 1), ngettext("file", "files", 0), dngettext("d", "file", "files", 2));
  out(t, "%s %s", bindtextdomain("d", "/tmp"), textdomain(NULL));
  errno = 0;
  nl_catd catalog = catopen("no such catalog", NL_CAT_LOCALE);
  out(t, "%d %d %s", catalog == (nl_catd)-1, errno == ENOENT, catgets(catalog, 1, 1, "default"));
  out(t, "%d", dlopen("/no/such/library.so", RTLD_NOW) == NULL);
  if (t->mine < 0) { // the program has one message for all threads
    t->unchecked = 1;
    SHOW_RESULT(dlerror() != NULL);
    SHOW_RESULT(dlerror() == NULL);
    t->unchecked = 0;
  }
  sem_t semaphore;
  int value = -1;
  SHOW_RESULT(sem_init(&semaphore, 0, 1));
  SHOW_RESULT(sem_trywait(&semaphore));
  SHOW_RESULT(sem_trywait(&semaphore));
  SHOW_RESULT(sem_post(&semaphore));
  SHOW_RESULT(sem_post(&semaphore));
  SHOW_RESULT(sem_getvalue(&semaphore, &value));
  out(t, "%d", value);
  SHOW_RESULT(sem_destroy(&semaphore));
}

// In one thread: the counts are the program's.
static void errors(struct test *t) {
  error(0, 0, "plain %d", 1);
  error(0, ENOENT, "with a reason");
  error_at_line(0, 0, "file.c", 7, "at a line");
  error_at_line(0, EPERM, "file.c", 8, "at %s", "another");
  out(t, "%u", error_message_count);
  error_one_per_line = 1;
  error_at_line(0, 0, "file.c", 9, "once");
  error_at_line(0, 0, "file.c", 9, "never");
  error_at_line(0, 0, "file.c", 10, "again");
  error_one_per_line = 0;
  out(t, "%u", error_message_count);
}

static void parts(struct test *t, const char *top) {
  char name[64], a[8] = "", b[8] = "", c[8] = "";
  snprintf(name, sizeof name, "%s-parts", top);
  int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  struct iovec to_write[] = {{"one ", 4}, {"", 0}, {"two ", 4}, {"three", 5}};
  SHOW_RESULT(writev(fd, to_write, 4));
  SHOW_RESULT(writev(fd, to_write + 1, 1));
  SHOW_RESULT(writev(fd, to_write, 1));
  SHOW_RESULT(pwritev(fd, to_write + 2, 1, 0));
  lseek(fd, 0, SEEK_SET);
  struct iovec to_read[] = {{a, 3}, {b, 7}, {c, 7}};
  SHOW_RESULT(readv(fd, to_read, 3));
  out(t, "[%s] [%s] [%s]", a, b, c);
  memset(c, 0, sizeof c), memset(b, 0, sizeof b), memset(a, 0, sizeof a);
  SHOW_RESULT(preadv(fd, to_read, 3, 12));
  out(t, "[%s] [%s] [%s]", a, b, c);
  SHOW_RESULT(preadv(fd, to_read, 1, 4));
  out(t, "[%s]", a);
  SHOW_RESULT(preadv(fd, to_read, 3, 100));
  SHOW_RESULT(preadv(fd, to_read, 3, -1));
  SHOW_RESULT(readv(fd, to_read, 0));
  SHOW_RESULT(readv(fd, to_read, -1));
  SHOW_RESULT(writev(-1, to_write, 2));
  to_write[0].iov_len = -1;
  SHOW_RESULT(writev(fd, to_write, 4));
  close(fd);
  out(t, "%d", unlink(name));
}

#ifndef __gpuexec__
#define _Thread_local __thread
#endif
static _Thread_local struct {
  int kinds[8], base, deepest;
  long size;
} seen;
static int note(const char *path, const struct stat *information, int kind, struct FTW *at) {
  ++seen.kinds[kind];
  seen.base += strcmp(path + at->base, strrchr(path, '/') ? strrchr(path, '/') + 1 : path) == 0;
  seen.deepest = MAX(seen.deepest, at->level);
  if (kind == FTW_F)
    seen.size += (long)information->st_size;
  return !strcmp(path + at->base, "stop") ? 7 : 0;
}
static int note_plain(const char *path, const struct stat *information, int kind) {
  ++seen.kinds[kind];
  return 0;
}
static int delete(const char *path, const struct stat *information, int kind, struct FTW *at) { return remove(path); }

static void told(struct test *t, int result) {
  out(t, "%d: %d %d %d %d %d %d %d, %d %d %ld", result, seen.kinds[0], seen.kinds[1], seen.kinds[2], seen.kinds[3], seen.kinds[4],
      seen.kinds[5], seen.kinds[6], seen.base, seen.deepest, seen.size);
  memset(&seen, 0, sizeof seen);
}

static void walks(struct test *t, const char *top) {
  char path[64];
#define PATH(tail) (snprintf(path, sizeof path, "%s%s", top, tail), path)
  mkdir(top, 0700), mkdir(PATH("/a"), 0700), mkdir(PATH("/a/b"), 0700), mkdir(PATH("/empty"), 0700);
  int fd = creat(PATH("/a/b/file"), 0600);
  SHOW_RESULT(write(fd, "12345", 5));
  close(fd);
  SHOW_RESULT(symlink("nothing", PATH("/broken")));
  SHOW_RESULT(symlink("b/file", PATH("/a/link")));
  told(t, nftw(top, note, 10, FTW_PHYS));
  told(t, nftw(top, note, 10, FTW_PHYS | FTW_DEPTH));
  told(t, nftw(top, note, 10, 0));
  told(t, nftw(PATH("/a/b/file"), note, 10, 0));
  told(t, ftw(top, note_plain, 10));
  SHOW_RESULT(symlink("../../a", PATH("/a/b/loop")));
  told(t, nftw(PATH("/a"), note, 10, FTW_PHYS));
  told(t, nftw(PATH("/a"), note, 10, 0));
  close(creat(PATH("/a/b/stop"), 0600));
  int result = nftw(top, note, 10, FTW_PHYS);
  memset(&seen, 0, sizeof seen);
  told(t, result);
  told(t, nftw(top, delete, 10, FTW_DEPTH | FTW_PHYS));
  errno = 0;
  int gone = nftw(top, note, 10, 0);
  out(t, "%d %d", gone, errno == ENOENT);
  SHOW_RESULT(access(top, F_OK));
}

static void run(struct test *t) {
  char top[32];
  snprintf(top, sizeof top, "top%u", t->thread);
  macros(t);
  messages(t);
  parts(t, top);
  walks(t, top);
  if (t->mine < 0) {
    t->unchecked = 1;
    errors(t);
    t->unchecked = 0;
  }
}
