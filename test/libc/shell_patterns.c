// fnmatch with GNU's flags: groups as the shell has them, letters of both cases, what is behind a slash. glob's further flags.
// RUN: %hostcc -fno-builtin -w -I%source/test/libc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#define SLICES 16
#include "libc_test.h"
#include <dirent.h>
#include <fnmatch.h>
#include <glob.h>
#include <sys/stat.h>

#define COUNT(array) (sizeof array / sizeof *array)

static void patterns(struct test *t) {
  static const char *const patterns[] = {
      "@(a|b)", "?(a|b)c", "*(a|b)", "+(a|b)", "!(a|b)", "!(a*)", "a@(b|*c)d", "*(a|+(b)c)d", "+(ab|c)*(d)", "@(a|b", "a(b)", "?(*)b",
      "!(*.c)", "*.@(c|h)", "*.!(c|h)", "@([)|]|x)", "!(!(a))", "*(?)", "+([[:digit:]])", "[!a]@(b)", "@()a", "?(.)a",
      "*(*)", "+(*(a)b)", "A", "[a-c]B*", "*(A|b)", "a/*", "*", "a/?(b)", "\\@(a)", "x"};
  static const char *const texts[] = {"",    "a",   "b",   "ab",   "c",     "ac",  "abc",  "abcd", "aacd", "bbcd", "ababcd", ".a", "x.c",
                                      "x.h", "x.o", "a|b", ")",    "a(b)",  "123", "1a",   "a/b",  "a/.b", "A",    "aBc",    "AbbA", "@a"};
  static const int flags[] = {FNM_EXTMATCH, FNM_EXTMATCH | FNM_PATHNAME | FNM_PERIOD, FNM_EXTMATCH | FNM_CASEFOLD,
                              FNM_CASEFOLD, FNM_LEADING_DIR | FNM_FILE_NAME};
  for (unsigned i = 0; i < COUNT(patterns); ++i)
    if (section(t))
      for (unsigned k = 0; k < COUNT(flags); ++k) {
        char results[COUNT(texts) + 1] = "";
        for (unsigned j = 0; j < COUNT(texts); ++j)
          results[j] = fnmatch(patterns[i], texts[j], flags[k]) ? '-' : 'x';
        out(t, "%s %d %s", patterns[i], flags[k], results);
      }
}

// A tree of the program's own: directories are paths of one letter below "own", each with two files.
static struct dirent entry;

static void *open_own(const char *path) {

  char *state = malloc(8);
  strcpy(state, "12345");
  return strncmp(path, "own", 3) ? NULL : state;
}
static struct dirent *read_own(void *directory) {
  char *state = directory;
  static const char *const names[] = {".", "..", "one.c", "two.h", "sub"};
  const size_t left = strlen(state);
  if (!left)
    return NULL;
  state[left - 1] = '\0';
  strcpy(entry.d_name, names[5 - left]);
  return &entry;
}
static void close_own(void *directory) { free(directory); }
static int status_own(const char *restrict path, struct stat *restrict to) {
  memset(to, 0, sizeof *to);
  const size_t length = strlen(path);
  to->st_mode = length >= 3 && !strcmp(path + length - 3, "sub") ? S_IFDIR : strchr(path, '.') ? S_IFREG : S_IFDIR;
  return 0;
}

static void globs(struct test *t) {
  glob_t found = {.gl_closedir = close_own, .gl_readdir = read_own, .gl_opendir = open_own, .gl_lstat = status_own, .gl_stat = status_own};
  out(t, "%d", glob("own/*", GLOB_ALTDIRFUNC | GLOB_MARK, NULL, &found));
  for (size_t i = 0; i < found.gl_pathc; ++i)
    out(t, "%s", found.gl_pathv[i]);
  globfree(&found);
  out(t, "%d", glob("own/sub/*.c", GLOB_ALTDIRFUNC, NULL, &found));
  out(t, "%zu %s", found.gl_pathc, found.gl_pathv[0]);
  globfree(&found);
  out(t, "%d", glob("~no-such-user/x", GLOB_TILDE_CHECK, NULL, &found));
  out(t, "%d", glob("~no-such-user/x", GLOB_TILDE | GLOB_NOCHECK, NULL, &found));
  globfree(&found);
  out(t, "%d %d %d", glob_pattern_p("a*", 1) != 0, glob_pattern_p("a\\*", 1) != 0, glob_pattern_p("a\\*", 0) != 0);
  out(t, "%d", glob_pattern_p("plain", 0));
}

static void run(struct test *t) {
  patterns(t);
  if (t->mine < 0) { // the tree's memory is one for all threads
    t->unchecked = 1;
    globs(t);
    t->unchecked = 0;
  }
}
