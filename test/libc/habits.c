// Functions that programs of Unix use by habit: temporary names, glob, obstacks, digits of numbers, encodings, lists of
// accounts, copies of descriptors, absolute sleeps. Results as on the host.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w %s -o %t.host -lm && cd %t.h && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <math.h>
#include <mntent.h>
#include <obstack.h>
#include <pwd.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static void temporary(void) {
  char a[] = "one-XXXXXX", b[] = "two-XXXXXX.c", c[] = "three-XXXXX", d[] = "four-XXXXXX";
  struct stat status;
  int fd = mkostemp(a, O_APPEND | O_CLOEXEC);
  printf("%d %d\n", fd >= 0, strcmp(a, "one-XXXXXX") != 0);
  printf("%d\n", (fcntl(fd, F_GETFL) & O_APPEND) != 0);
  fstat(fd, &status);
  printf("%o\n", status.st_mode & 0777);
  fd = mkstemps(b, 2);
  printf("%d %s %d\n", fd >= 0, b + 10, access(b, F_OK));
  errno = 0;
  printf("%d %d\n", mkostemp(c, 0), errno == EINVAL);
  printf("%d %d\n", mktemp(d) == d && *d, access(d, F_OK));
  char *name = tempnam("/tmp", "habit");
  printf("%d\n", name && access(name, F_OK));
  free(name);
  unlink(a);
  unlink(b);
}

static void show_glob(const char *pattern, int flags) {
  glob_t found = {0};
  int result = glob(pattern, flags, NULL, &found);
  printf("%s %x: %d %d", pattern, flags, result, (int)found.gl_pathc);
  for (size_t i = 0; !result && i < found.gl_pathc; ++i)
    printf(" %s", found.gl_pathv[i]);
  puts("");
  if (!result)
    globfree(&found);
}

static void globs(void) {
  static const char *const files[] = {"g1.c", "g2.c", "g10.h", ".hidden.c", "odd*name"};
  mkdir("gd", 0755);
  mkdir("gd/sub", 0755);
  for (unsigned i = 0; i < sizeof files / sizeof *files; ++i) {
    char path[40];
    snprintf(path, sizeof path, "gd/%s", files[i]);
    close(creat(path, 0644));
    snprintf(path, sizeof path, "gd/sub/%s", files[i]);
    close(creat(path, 0644));
  }
  static const char *const patterns[] = {"gd/*.c",  "gd/g?.c", "gd/g[12]*", "gd/*/g1.c", "*/sub/*.h", "gd/g1.c", "gd/none*", "none",
                                         "gd//*.h", "gd/*/",   "gd/.*.c",   "gd/odd\\*name", "g*", "/", "gd/[", "/no/such/*"};
  for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; ++i)
    show_glob(patterns[i], 0);
  show_glob("gd/*", GLOB_MARK);
  show_glob("gd/none*", GLOB_NOCHECK);
  show_glob("gd/{g1,g10,sub/g2}.{c,h}", GLOB_BRACE);
  show_glob("none{", GLOB_NOMAGIC);
  show_glob("gd/*", GLOB_PERIOD | GLOB_NOESCAPE);
  glob_t found = {.gl_offs = 2};
  printf("%d", glob("gd/*.c", GLOB_DOOFFS, NULL, &found));
  printf(" %d", glob("gd/*.h", GLOB_DOOFFS | GLOB_APPEND, NULL, &found));
  printf(" %d %d %s %s\n", (int)found.gl_pathc, found.gl_pathv[0] == NULL, found.gl_pathv[2], found.gl_pathv[4]);
  globfree(&found);
}

static void obstacks(void) {
  struct obstack stack;
  obstack_init(&stack);
  char *first = obstack_copy0(&stack, "first", 5);
  for (int i = 0; i < 3000; ++i)
    obstack_1grow(&stack, 'a' + i % 26);
  obstack_grow0(&stack, "end", 3);
  printf("%d\n", (int)obstack_object_size(&stack));
  char *second = obstack_finish(&stack);
  for (int i = 0; i < 1000; ++i)
    obstack_int_grow(&stack, i);
  int *numbers = obstack_finish(&stack);
  char *big = obstack_alloc(&stack, 100000);
  memset(big, 'b', 100000);
  obstack_printf(&stack, "%d and %s", 7, "text");
  obstack_1grow(&stack, 0);
  printf("%s\n", (char *)obstack_finish(&stack));
  printf("%s %s %d %c\n", first, second + 2998, numbers[999], big[99999]);
  obstack_free(&stack, second);
  char *again = obstack_copy0(&stack, "again", 5);
  printf("%s %s %d\n", first, again, again == second);
  obstack_free(&stack, NULL);
}

static void digits(void) {
  static const double values[] = {0, 1, -1, 123.456, 0.000123456, 9.9999, 1e10, -1e-5, 99.95, 1234567.891, 0.5, INFINITY, NAN};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i)
    for (int n = -1; n < 8; n += 2) {
      int point = 99, sign = 99, point2 = 99, sign2 = 99;
      char text[50];
      printf("%g %d:", values[i], n);
      if (n > 0)
        printf(" [%s] %d %d [%s]", ecvt(values[i], n, &point, &sign), point, sign != 0, gcvt(values[i], n, text));
      printf(" [%s] %d %d\n", fcvt(values[i], n, &point2, &sign2), point2, sign2 != 0);
    }
}

static void convert(const char *to, const char *from, const char *text, size_t size, size_t room) {
  iconv_t converter = iconv_open(to, from);
  printf("%s>%s:", from, to);
  if (converter == (iconv_t)-1) {
    printf(" %d\n", errno == EINVAL);
    return;
  }
  char out[64], *in_at = (char *)text, *out_at = out;
  size_t in_left = size, out_left = room;
  errno = 0;
  long result = iconv(converter, &in_at, &in_left, &out_at, &out_left);
  printf(" %ld %d %d:", result, errno, (int)in_left);
  for (char *at = out; at < out_at; ++at)
    printf(" %02x", (unsigned char)*at);
  printf(" %d\n", iconv_close(converter));
}

static void encodings(void) {
  static const char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80";
  static const char *const targets[] = {"ISO-8859-1", "ASCII//TRANSLIT", "UTF-16", "UTF-16BE", "UTF-32LE", "UCS-2LE", "latin1",
                                        "utf8", "ISO-8859-15", "UTF-32", "nonsense"};
  for (unsigned i = 0; i < sizeof targets / sizeof *targets; ++i) {
    convert(targets[i], "UTF-8", "plain", 5, 64);
    if (i != 1)
      convert(targets[i], "UTF-8", text, sizeof text - 1, 64);
  }
  convert("UTF-8", "ISO-8859-1", "\xe4\xf6", 2, 64);
  convert("UTF-8", "ISO-8859-15", "\xa4", 1, 64);
  convert("UTF-8", "UTF-16", "\xfe\xff\0a\x20\xac", 6, 64);
  convert("UTF-8", "UTF-16LE", "a\0\x3d\xd8\0\xde", 6, 64);
  convert("UTF-8", "UTF-16LE", "a\0\x3d\xd8", 4, 64);
  convert("UTF-8", "UTF-8", "a\xc3", 2, 64);
  convert("UTF-8", "UTF-8", "a\xff" "b", 3, 64);
  convert("UTF-8", "UTF-8", "\xed\xa0\x80", 3, 64);
  convert("UTF-16LE", "UTF-8", "abc", 3, 4);
  convert("UTF-8", "ASCII", "a\x80", 2, 64);
}

static void accounts(void) {
  int users = 0, groups = 0;
  char first[100] = "";
  for (struct passwd *entry; (entry = getpwent()); ++users)
    if (!users)
      strcpy(first, entry->pw_name);
  endpwent();
  for (struct group *entry; (entry = getgrent());)
    groups += (int)entry->gr_gid < 1000;
  endgrent();
  printf("%d %d %s\n", users, groups, first);
  setpwent();
  putpwent(getpwent(), stdout);
  endpwent();
}

static void copies(void) {
  int ends[2], file = open("copied", O_RDWR | O_CREAT | O_TRUNC, 0644);
  char text[10];
  printf("%d\n", pipe2(ends, O_NONBLOCK | O_CLOEXEC));
  printf("%d %d\n", fcntl(ends[0], F_GETFD), fcntl(ends[1], F_GETFD));
  printf("%d %d\n", fcntl(ends[0], F_SETFD, 0), fcntl(ends[0], F_GETFD));
  printf("%d", (int)read(ends[0], text, 1));
  printf(" %d\n", errno == EAGAIN);
  write(file, "0123456789", 10);
  off_t offset = 3;
  printf("%d %d\n", (int)sendfile(ends[1], file, &offset, 4), (int)offset);
  printf("%d %.4s\n", (int)read(ends[0], text, 10), text);
  printf("%d %d\n", dup3(file, file, 0), errno == EINVAL);
  printf("%d\n", dup3(file, 30, O_CLOEXEC));
  printf("%d %d\n", fcntl(30, F_GETFD), fcntl(file, F_GETFD));
  char *path = canonicalize_file_name("copied");
  char *here = get_current_dir_name();
  printf("%d\n", path && here && strlen(path) > 7);
}

static void sleeps(void) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  struct timespec until = {start.tv_sec, start.tv_nsec + 30000000};
  if (until.tv_nsec > 999999999)
    until = (struct timespec){until.tv_sec + 1, until.tv_nsec - 1000000000};
  printf("%d", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf(" %d\n", end.tv_sec > until.tv_sec || (end.tv_sec == until.tv_sec && end.tv_nsec >= until.tv_nsec));
  until.tv_nsec = -1;
  printf("%d %d\n", clock_nanosleep(CLOCK_MONOTONIC, 0, &until, NULL) == EINVAL, sched_yield());
}

static void tables(void) {
  double load[3];
  printf("%d\n", getloadavg(load, 3));
  FILE *file = fopen("table", "w");
  fputs("# comment\n\n/dev/a\t/mount\\040point ext4 rw,size=4k,noatime 1 2\nproc /proc proc defaults\n", file);
  fclose(file);
  file = setmntent("table", "r");
  for (struct mntent *entry; (entry = getmntent(file));)
    printf("[%s] [%s] [%s] [%s] %d %d [%s] %d\n", entry->mnt_fsname, entry->mnt_dir, entry->mnt_type, entry->mnt_opts,
           entry->mnt_freq, entry->mnt_passno, hasmntopt(entry, "size") ? hasmntopt(entry, "size") : "",
           hasmntopt(entry, "time") != NULL);
  printf("%d\n", endmntent(file));
}

int main(void) {
  tables();
  temporary();
  globs();
  obstacks();
  digits();
  encodings();
  accounts();
  copies();
  sleeps();
  return 0;
}
