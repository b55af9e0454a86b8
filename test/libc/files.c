// unistd.h, fcntl.h, sys/stat.h, dirent.h and stdio.h's files: what they return and errno, in an empty folder; then 4096
// threads with a file of their own each.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run --threads 256 --blocks 16 %t many && test -z "$(ls)"
#define _GNU_SOURCE
#include "../Inputs/expect.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define SHOW(call)                                                                                                     \
  do {                                                                                                                 \
    errno = 0;                                                                                                         \
    long result_ = (long)(call);                                                                                       \
    printf("%s = %ld %s\n", #call, result_, result_ < 0 ? strerror(errno) : "");                                       \
  } while (0)

static void descriptors(void) {
  char text[64] = "";
  int file = open("one", O_RDWR | O_CREAT | O_EXCL, 0640);
  printf("%d\n", file >= 3);
  SHOW(open("one", O_RDWR | O_CREAT | O_EXCL, 0640));
  SHOW(open("none", O_RDONLY));
  SHOW(write(file, "hello, file\n", 12));
  SHOW(lseek(file, 0, SEEK_CUR));
  SHOW(lseek(file, 7, SEEK_SET));
  SHOW(read(file, text, 4));
  printf("[%s]\n", text);
  SHOW(lseek(file, -1, SEEK_END));
  SHOW(lseek(file, -100, SEEK_SET));
  SHOW(pwrite(file, "HE", 2, 0));
  SHOW(pread(file, text, 5, 0));
  printf("[%.5s]\n", text);
  SHOW(read(file, text, sizeof text));
  SHOW(read(file, text, sizeof text));
  SHOW(ftruncate(file, 5));
  SHOW(fsync(file));
  SHOW(fcntl(file, F_GETFL) & (O_ACCMODE | O_APPEND));
  struct stat information;
  SHOW(fstat(file, &information));
  printf("%ld %d %o\n", (long)information.st_size, S_ISREG(information.st_mode), (unsigned)information.st_mode & 0777);
  int copy = dup(file), other = dup2(file, 77);
  printf("%d %d\n", copy > file, other);
  SHOW(close(copy));
  SHOW(close(77));
  SHOW(isatty(file));
  SHOW(close(file));
  SHOW(close(file));
  SHOW(read(file, text, 1));
  SHOW(write(12345, text, 1));
  int ends[2];
  SHOW(pipe(ends));
  SHOW(write(ends[1], "through", 7));
  SHOW(read(ends[0], text, 64));
  printf("%.7s\n", text);
  close(ends[0]), close(ends[1]);
  file = creat("two", 0600);
  SHOW(close(file));
  SHOW(truncate("two", 1000));
  SHOW(stat("two", &information));
  printf("%ld\n", (long)information.st_size);
  SHOW(stat("none", &information));
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void folders(void) {
  char text[4096];
  SHOW(mkdir("folder", 0755));
  SHOW(mkdir("folder", 0755));
  SHOW(mkdir("no/folder", 0755));
  SHOW(chdir("folder"));
  printf("%d %s\n", getcwd(text, sizeof text) == text, strrchr(text, '/'));
  printf("%d\n", getcwd(text, 2) == NULL && errno == ERANGE);
  for (int i = 0; i < 3; ++i) {
    char name[] = "fileX";
    name[4] = (char)('0' + i);
    close(creat(name, 0600));
  }
  SHOW(symlink("file0", "link"));
  ssize_t size = readlink("link", text, sizeof text);
  printf("%zd %.5s\n", size, text);
  SHOW(readlink("file0", text, sizeof text));
  SHOW(link("file1", "again"));
  struct stat information;
  SHOW(stat("again", &information));
  printf("%d\n", (int)information.st_nlink);
  SHOW(lstat("link", &information));
  printf("%d\n", S_ISLNK(information.st_mode));
  static const char *const paths[] = {"link", "./../folder/file0", "..//folder/./link", "none", "link/x", "", "/", "/..", "file0/", "."};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; ++i) {
    errno = 0;
    char *real = realpath(paths[i], i & 1 ? text : NULL);
    printf("%s: %s %d\n", paths[i], real ? strrchr(real, '/') : "none", real ? 0 : errno);
    if (!(i & 1))
      free(real);
  }
  SHOW(symlink("loop", "loop"));
  SHOW(realpath("loop", text) != NULL);
  printf("%s\n", strerror(errno));
  SHOW(unlink("loop"));
  char *names[16];
  int count = 0;
  DIR *folder = opendir(".");
  for (struct dirent *entry; (entry = readdir(folder));)
    names[count++] = strdup(entry->d_name);
  qsort(names, (size_t)count, sizeof *names, by_name);
  for (int i = 0; i < count; ++i)
    printf("%s\n", names[i]), free(names[i]);
  rewinddir(folder);
  int again = 0;
  while (readdir(folder))
    ++again;
  printf("%d\n", again == count);
  SHOW(closedir(folder));
  printf("%d\n", opendir("none") == NULL && errno == ENOENT);
  SHOW(access("file0", R_OK | W_OK));
  SHOW(access("none", F_OK));
  SHOW(rename("file2", "renamed"));
  SHOW(rename("none", "x"));
  SHOW(chmod("renamed", 0400));
  SHOW(unlink("none"));
  SHOW(chdir(".."));
  SHOW(rmdir("folder"));
  SHOW(rmdir("none"));
  static const char *const all[] = {"folder/file0", "folder/file1", "folder/renamed", "folder/link", "folder/again", "one", "two"};
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)
    SHOW(unlink(all[i]));
  SHOW(rmdir("folder"));
}

static void streams(void) {
  char line[64];
  FILE *file = fopen("stream", "w+");
  SHOW(fputs("first line\nsecond\n\nlast without end", file) >= 0);
  SHOW(ftell(file));
  SHOW(fseek(file, 0, SEEK_SET));
  while (fgets(line, sizeof line, file))
    printf("[%s]\n", line);
  SHOW(feof(file) != 0);
  SHOW(ferror(file));
  clearerr(file);
  SHOW(feof(file) != 0);
  rewind(file);
  fpos_t place;
  SHOW(fgetc(file));
  SHOW(ungetc('F', file));
  SHOW(fgetc(file));
  SHOW(fgetpos(file, &place));
  SHOW(fread(line, 1, 9, file));
  SHOW(fsetpos(file, &place));
  SHOW(fgetc(file));
  SHOW(fseek(file, -3, SEEK_END));
  SHOW(fread(line, 1, 10, file));
  SHOW(fseek(file, 0, SEEK_END));
  SHOW(fprintf(file, "%d %s", 42, "more"));
  SHOW(fflush(file));
  SHOW(fclose(file));
  file = fopen("stream", "a+");
  SHOW(fwrite("+", 1, 1, file));
  rewind(file);
  int number = 0;
  SHOW(fscanf(file, "%*s %63s %*s", line));
  SHOW(fseek(file, 33, SEEK_SET));
  SHOW(fscanf(file, "%d %4s", &number, line));
  printf("%d %s\n", number, line);
  SHOW(fclose(file));
  char *text = NULL;
  size_t capacity = 0;
  file = fopen("stream", "r");
  SHOW(getline(&text, &capacity, file));
  SHOW(getdelim(&text, &capacity, 'd', file));
  free(text);
  SHOW(fputc('x', file));
  SHOW(ferror(file) != 0);
  SHOW(fclose(file));
  printf("%d\n", fopen("none", "r") == NULL && errno == ENOENT);
  file = freopen("other", "w", fopen("stream", "r"));
  SHOW(fputs("x", file) >= 0);
  SHOW(fclose(file));
  file = tmpfile();
  SHOW(fwrite("12345", 1, 5, file));
  rewind(file);
  SHOW(fread(line, 1, 64, file));
  SHOW(fclose(file));
  SHOW(remove("stream"));
  SHOW(remove("other"));
  SHOW(remove("none"));
}

// A file and a folder of this thread's own; nothing is left. EMFILE: 900 others have files open, as many as a process may
// have at first almost everywhere.
static __attribute__((noinline)) int own_file(int thread) {
  static int files;
  if (__atomic_fetch_add(&files, 1, __ATOMIC_RELAXED) >= 900) {
    __atomic_fetch_sub(&files, 1, __ATOMIC_RELAXED);
    return EMFILE;
  }
  char folder[32], path[64], text[64];
  snprintf(folder, sizeof folder, "many%d", thread);
  snprintf(path, sizeof path, "%s/file", folder);
  if (mkdir(folder, 0700))
    return 1;
  FILE *file = fopen(path, "w+");
  if (!file || fprintf(file, "thread %d\n", thread) < 0)
    return 2;
  for (int i = 0; i < 20; ++i)
    fwrite(folder, 1, strlen(folder), file);
  int found = -1;
  rewind(file);
  if (fscanf(file, "thread %d", &found) != 1 || found != thread || fclose(file))
    return 4;
  struct stat information;
  if (stat(path, &information) || information.st_size != snprintf(text, sizeof text, "thread %d\n", thread) + 20 * (long)strlen(folder))
    return 8;
  errno = 0;
  if (open("none/none", O_RDONLY) != -1 || errno != ENOENT)
    return 16;
  __atomic_fetch_sub(&files, 1, __ATOMIC_RELAXED);
  return unlink(path) || rmdir(folder) ? 32 : 0;
}

static int many(void) {
  const int thread = (int)thread_of_the_grid();
  int status;
  while ((status = own_file(thread)) == EMFILE)
    usleep(10000); // the others close theirs
  return !EXPECT(status == 0, "%d, errno %d", status, errno);
}

int main(int argc, char **argv) {
  if (argc > 1)
    return many();
  descriptors();
  folders();
  streams();
  return 0;
}
