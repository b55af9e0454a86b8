// Rarer functions of glibc: tables of accounts and of mounts in the caller's memory, names of errors, words of streams, trees.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w -I%source/test/libc %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run %many %t $(tail -1 %t.expected) && test -z "$(ls)"
#define _GNU_SOURCE
#include "libc_test.h"
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <mntent.h>
#include <pwd.h>
#include <search.h>
#include <sgtty.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static void errors(struct test *t) {
  static const int numbers[] = {0, 1, 2, EAGAIN, EWOULDBLOCK, EDEADLOCK, ENOTSUP, EHWPOISON, 41, 58, 134, -1, 100000};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    const char *name = strerrorname_np(numbers[i]), *text = strerrordesc_np(numbers[i]);
    out(t, "%s: %s", name ? name : "-", text ? text : "-");
  }
  assert_perror(0);
}

static void texts(struct test *t) {
  char text[] = "disguised", order[] = "aabbcc";
  memfrob(text, 9);
  out(t, "%02x %02x", (unsigned char)text[0], (unsigned char)text[8]);
  memfrob(text, 9);
  strfry(order);
  int letters = 0;
  for (const char *c = order; *c; ++c)
    letters += 1 << 4 * (*c - 'a');
  out(t, "%s %x", text, letters);
  const wchar_t *wide = L"wide text";
  out(t, "%td %td %td", wcschrnul(wide, L'x') - wide, wcschrnul(wide, L'q') - wide, wcswcs(wide, L"te") - wide);
  out(t, "%lld %llu", wcstoq(L"-99", NULL, 10), wcstouq(L"ff", NULL, 16));
  out(t, "%d %d %d %d", dysize(2023), dysize(2024), dysize(1900), dysize(2000));
}

static void accounts(struct test *t, const char *name) {
  FILE *file = fopen(name, "w+");
  struct passwd user = {"ann", "x", 1001, 100, "Ann,,", "/home/ann", "/bin/sh"}, other = {"bob", "x", 1002, 100, "", "/", "/bin/sh"};
  char *members[] = {"ann", "bob", "carol", NULL}, *nobody[] = {NULL};
  struct group group = {"staff", "x", 50, members}, empty = {"none", "x", 51, nobody};
  putpwent(&user, file), putpwent(&other, file);
  rewind(file);
  char memory[256];
  struct passwd entry, *found;
  out(t, "%d", fgetpwent_r(file, &entry, memory, 10, &found));
  out(t, "%d", found == NULL);
  for (int i = 0; i < 2; ++i) {
    out(t, "%d", fgetpwent_r(file, &entry, memory, sizeof memory, &found));
    out(t, "%s:%s:%u:%u:%s:%s:%s", entry.pw_name, entry.pw_passwd, entry.pw_uid, entry.pw_gid, entry.pw_gecos, entry.pw_dir, entry.pw_shell);
  }
  out(t, "%d", fgetpwent_r(file, &entry, memory, sizeof memory, &found));
  fclose(file);
  file = fopen(name, "w+");
  out(t, "%d", putgrent(&group, file));
  putgrent(&empty, file);
  rewind(file);
  struct group line, *there;
  out(t, "%d", fgetgrent_r(file, &line, memory, 12, &there));
  for (int i = 0; i < 2; ++i) {
    out(t, "%d", fgetgrent_r(file, &line, memory, sizeof memory, &there));
    out(t, "%s:%s:%u", line.gr_name, line.gr_passwd, line.gr_gid);
    for (char **member = line.gr_mem; *member; ++member)
      out(t, "%s", *member);
  }
  out(t, "%d", fgetgrent_r(file, &line, memory, sizeof memory, &there));
  fclose(file);
  unlink(name);
}

static void mounts(struct test *t, const char *name) {
  FILE *file = setmntent(name, "w+");
  const struct mntent one = {"/dev/a b", "/mnt\\x", "ext4", "rw,noauto", 1, 2}, two = {"none", "/tmp", "tmpfs", "nosuid", 0, 0};
  out(t, "%d", addmntent(file, &one));
  fprintf(file, "# a comment\n\n");
  addmntent(file, &two);
  rewind(file);
  struct mntent entry;
  char memory[100];
  while (getmntent_r(file, &entry, memory, sizeof memory)) {
    out(t, "[%s] [%s] [%s] [%s] %d %d", entry.mnt_fsname, entry.mnt_dir, entry.mnt_type, entry.mnt_opts, entry.mnt_freq, entry.mnt_passno);
    out(t, "%d %d", hasmntopt(&entry, MNTOPT_NOAUTO) != NULL, hasmntopt(&entry, MNTOPT_NOSUID) != NULL);
  }
  endmntent(file);
  unlink(name);
}

static void words(struct test *t, const char *name) {
  FILE *file = fopen(name, "w+");
  out(t, "%d %d", putw(-7, file), putw(0x12345678, file));
  putc('x', file);
  rewind(file);
  int first = getw(file), second = getw(file);
  out(t, "%d %x", first, second);
  first = getw(file);
  out(t, "%d %d", first, feof(file) != 0);
  fclose(file);
  out(t, "%d", TEMP_FAILURE_RETRY(access(name, F_OK)));
  chmod(name, 0600);
  out(t, "%d", lchmod(name, 0640));
  struct stat status;
  stat(name, &status);
  out(t, "%o %d %d", status.st_mode & 0777, S_TYPEISMQ(&status), S_TYPEISSHM(&status));
  unlink(name);
  out(t, "%d", mknodat(AT_FDCWD, name, S_IFIFO | 0600, 0));
  lstat(name, &status);
  out(t, "%d", S_ISFIFO(status.st_mode) != 0);
  unlink(name);
  symlink("nowhere", name);
  errno = 0;
  out(t, "%d", lchmod(name, 0640));
  out(t, "%d", errno == EOPNOTSUPP);
  unlink(name);
  errno = 0;
  out(t, "%d", stty(0, (void *)name));
  out(t, "%d", errno == ENOSYS);
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
struct walk {
  struct test *t;
  int sum;
};
static void visit(const void *node, VISIT which, void *closure) {
  struct walk *walk = closure;
  if (which == postorder || which == leaf)
    walk->sum = walk->sum * 3 + **(const int *const *)node;
}
static void nothing(void *node) {}

static void trees(struct test *t) {
  static const int keys[] = {5, 2, 8, 1, 9, 3, 7};
  void *root = NULL;
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; ++i)
    tsearch(&keys[i], &root, compare);
  struct walk walk = {t};
  twalk_r(root, visit, &walk);
  out(t, "%d", walk.sum);
  tdestroy(root, nothing);
}

static void directories(struct test *t, const char *name) {
  mkdir(name, 0700);
  DIR *directory = opendir(name);
  for (struct dirent *entry; (entry = readdir(directory));)
    out(t, "%d", entry->d_off == telldir(directory));
  closedir(directory);
  rmdir(name);
}

static void run(struct test *t) {
  char name[32];
  snprintf(name, sizeof name, "names-%u", t->thread);
  errors(t);
  texts(t);
  accounts(t, name);
  mounts(t, name);
  words(t, name);
  trees(t);
  directories(t, name);
}
