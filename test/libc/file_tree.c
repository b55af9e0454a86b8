// fts.h: what a walk meets and in which order, links, cycles, what cannot be read or is not there, instructions, children.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -D_FILE_OFFSET_BITS=64 %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_file(const char *path, int size) {
  int fd = open(path, O_CREAT | O_WRONLY, 0644);
  write(fd, "0123456789", size);
  close(fd);
}

static void make_tree(void) {
  static const char *const folders[] = {"t", "t/empty", "t/sub", "t/sub/deep", "t/sub/deep/er", "u"};
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; ++i)
    mkdir(folders[i], 0755);
  make_file("t/one", 1);
  make_file("t/two", 2);
  make_file("t/sub/three", 3);
  make_file("t/sub/deep/er/four", 4);
  make_file("u/five", 5);
  make_file("single", 6);
  symlink("one", "t/link");
  symlink("nowhere", "t/broken");
  symlink("../../t", "t/sub/up");
  symlink("u", "to-u");
  mkfifo("t/pipe", 0644);
}

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }
static int backwards(const FTSENT **a, const FTSENT **b) { return -by_name(a, b); }

static const char *kind(int info) {
  static const char *const names[] = {"0", "D", "DC", "DEFAULT", "DNR", "DOT", "DP", "ERR", "F", "INIT", "NS", "NSOK", "SL", "SLNONE", "W"};
  return names[info];
}

static void show(const FTSENT *e) {
  printf("%s %s [%s] level %d lengths %d %d errno %d", kind(e->fts_info), e->fts_path, e->fts_name, e->fts_level, e->fts_pathlen,
         e->fts_namelen, e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS ? e->fts_errno : 0);
  if (e->fts_info == FTS_F)
    printf(" size %d", (int)e->fts_statp->st_size);
  if (e->fts_info == FTS_DC)
    printf(" cycle to %s", e->fts_cycle->fts_name);
  if (e->fts_level > 0)
    printf(" in [%s]", e->fts_parent->fts_name);
  puts("");
}

static void walk(const char *what, int options, int (*order)(const FTSENT **, const FTSENT **), const char *a, const char *b) {
  char *paths[] = {(char *)a, (char *)b, NULL};
  printf("-- %s %x\n", what, options);
  FTS *fts = fts_open(paths, options, order);
  for (FTSENT *e; (e = fts_read(fts));)
    show(e);
  printf("errno %d\n", errno);
  printf("close %d\n", fts_close(fts));
}

static void instructions(void) {
  char *paths[] = {"t", "u", NULL};
  FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
  puts("-- instructions");
  for (FTSENT *e = fts_children(fts, 0); e; e = e->fts_link)
    printf("root %s\n", e->fts_name);
  int again = 0;
  for (FTSENT *e; (e = fts_read(fts));) {
    show(e);
    e->fts_number++;
    if (!strcmp(e->fts_name, "deep") && e->fts_info == FTS_D)
      fts_set(fts, e, FTS_SKIP);
    if (!strcmp(e->fts_name, "link") && e->fts_info == FTS_SL)
      fts_set(fts, e, FTS_FOLLOW);
    if (!strcmp(e->fts_name, "broken") && e->fts_info == FTS_SL)
      fts_set(fts, e, FTS_FOLLOW);
    if (!strcmp(e->fts_name, "two") && !again++)
      fts_set(fts, e, FTS_AGAIN);
    if (!strcmp(e->fts_name, "t") && e->fts_info == FTS_D) {
      for (FTSENT *c = fts_children(fts, 0); c; c = c->fts_link) {
        printf("child %s %s\n", c->fts_name, kind(c->fts_info));
        if (!strcmp(c->fts_name, "empty"))
          fts_set(fts, c, FTS_SKIP);
      }
    }
    if (!strcmp(e->fts_name, "sub") && e->fts_info == FTS_D)
      for (FTSENT *c = fts_children(fts, FTS_NAMEONLY); c; c = c->fts_link)
        printf("name %s\n", c->fts_name);
    if (!strcmp(e->fts_name, "one"))
      printf("children of a file: %d %d\n", fts_children(fts, 0) != NULL, errno);
    if (!strcmp(e->fts_name, "t") && e->fts_info == FTS_DP)
      printf("number %ld\n", e->fts_number);
  }
  errno = 0;
  printf("%d %d\n", fts_set(fts, NULL, 9), errno);
  errno = 0;
  printf("%d %d\n", fts_children(fts, 7) != NULL, errno);
  fts_close(fts);
  // A walk that ends before its end.
  fts = fts_open(paths, FTS_PHYSICAL, by_name);
  for (int i = 0; i < 8; ++i)
    printf("%s\n", fts_read(fts)->fts_name);
  printf("%d\n", fts_close(fts));
  char *none[] = {"", NULL};
  errno = 0;
  printf("%d %d\n", fts_open(none, FTS_PHYSICAL, NULL) == NULL, errno);
  errno = 0;
  printf("%d %d\n", fts_open(paths, 0x1000, NULL) == NULL, errno);
}

int main(void) {
  make_tree();
  walk("physical", FTS_PHYSICAL | FTS_NOCHDIR, by_name, "t", "single");
  walk("logical", FTS_LOGICAL | FTS_NOCHDIR, by_name, "t", "to-u");
  walk("backwards", FTS_PHYSICAL | FTS_NOCHDIR, backwards, "u", "t/");
  walk("command line", FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name, "to-u", "nothing");
  walk("command line", FTS_PHYSICAL | FTS_NOCHDIR, by_name, "to-u", "./t/sub//deep");
  walk("dots", FTS_PHYSICAL | FTS_SEEDOT | FTS_NOCHDIR, by_name, "t/sub/deep", NULL);
  walk("no stat", FTS_PHYSICAL | FTS_NOSTAT | FTS_NOCHDIR, by_name, "t/sub", NULL);
  walk("one file system", FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, by_name, "t/sub", NULL);
  walk("here", FTS_PHYSICAL | FTS_NOCHDIR, by_name, ".", NULL);
  walk("order of the list", FTS_PHYSICAL | FTS_NOCHDIR, NULL, "u", "single");
  instructions();
  return 0;
}
