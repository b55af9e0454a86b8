// Streams and their descriptors: "a" for a descriptor that does not append, modes that a descriptor does not allow, stdin
// while descriptor 0 is closed.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w %s -o %t.host && cd %t.h && %t.host < %s > %t.expected
// RUN: %gpucc -O2 -w %s -o %t && cd %t.d && %run %t < %s > %t.out
// RUN: diff %t.expected %t.out
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void append(void) {
  int fd = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  write(fd, "abcd", 4);
  close(fd);
  fd = open("file", O_WRONLY);
  FILE *stream = fdopen(fd, "a");
  printf("%d\n", (int)fwrite("efg", 1, 3, stream));
  printf("%ld", ftell(stream));
  printf(" %d", fflush(stream));
  printf(" %ld", ftell(stream));
  printf(" %d\n", (fcntl(fd, F_GETFL) & O_APPEND) != 0);
  fclose(stream);
  stream = fopen("file", "r");
  char text[20] = "";
  fread(text, 1, sizeof text, stream);
  puts(text);
  fclose(stream);
}

static void modes(void) {
  static const int access[] = {O_RDONLY, O_WRONLY, O_RDWR};
  static const char *const modes[] = {"r", "w", "a", "r+", "w+", "a+"};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 6; ++j) {
      int fd = open("file", access[i]);
      errno = 0;
      FILE *stream = fdopen(fd, modes[j]);
      printf("%d %s: %d %d\n", i, modes[j], stream != NULL, errno);
      if (stream)
        fclose(stream);
      else
        close(fd);
    }
}

static void closed(void) {
  char text[8] = "";
  int fd = dup(0);
  close(0);
  errno = 0;
  size_t count = fread(text, 1, 1, stdin);
  printf("%zu %d %d %d\n", count, ferror(stdin) != 0, feof(stdin) != 0, errno);
  printf("%d\n", dup(fd));
  rewind(stdin);
  printf("%d\n", ferror(stdin));
  fgets(text, sizeof text, stdin);
  printf("%s\n", text);
}

int main(void) {
  append();
  modes();
  closed();
  unlink("file");
  return 0;
}
