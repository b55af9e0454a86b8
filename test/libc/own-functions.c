// Functions of a program's own with names of the C library's take their place, also where the program needs others of the library's
// that are in the same file; what else the library does with them sees the program's.
// RUN: %gpucc -O2 %s -o %t && %run %t | FileCheck %s --match-full-lines
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct dirent *readdir(DIR *directory) {
  static struct dirent own = {.d_name = "own"};
  static int calls;
  (void)directory;
  return calls++ ? NULL : &own;
}
int atoi(const char *text) { return text[0]; }
unsigned sleep(unsigned seconds) { return seconds + 1; }
int remove(const char *name) { return name[0]; }
int rename(const char *from, const char *to) { return from[0] - to[0]; }
void perror(const char *text) { printf("own perror: %s\n", text); }
int rand(void) { return 4; }
void *memchr(const void *at, int byte, size_t size) {
  (void)byte;
  return (char *)at + size;
}

int main(void) {
  DIR *directory = opendir(".");
  const struct dirent *entry = readdir(directory);
  printf("%s %d\n", entry->d_name, readdir(directory) == NULL); // CHECK: own 1
  closedir(directory);
  printf("%d %ld %ld\n", atoi("a"), atol("12"), strtol("13", NULL, 10)); // CHECK-NEXT: 97 12 13
  printf("%u %d\n", sleep(1), usleep(1));                               // CHECK-NEXT: 2 0
  printf("%d %d %d\n", remove("a"), rename("b", "a"), rand());           // CHECK-NEXT: 97 1 4
  perror("text");                                                       // CHECK-NEXT: own perror: text
  FILE *file = tmpfile();
  char line[10], *end = memchr(line, 0, 4);
  fprintf(file, "%s\n", "abc");
  rewind(file);
  printf("%s%d\n", fgets(line, 10, file), (int)(end - line)); // CHECK-NEXT: abc
  return fclose(file);                                        // CHECK-NEXT: 4
}
