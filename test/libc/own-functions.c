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

int main(void) {
  DIR *directory = opendir(".");
  const struct dirent *entry = readdir(directory);
  printf("%s %d\n", entry->d_name, readdir(directory) == NULL); // CHECK: own 1
  closedir(directory);
  printf("%d %ld %ld\n", atoi("a"), atol("12"), strtol("13", NULL, 10)); // CHECK-NEXT: 97 12 13
  printf("%u %d\n", sleep(1), usleep(1));                               // CHECK-NEXT: 2 0
  return 0;
}
