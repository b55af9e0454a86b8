// Objects of shared memory: names, errors, what another process of the host wrote and reads; and that a sandbox has none.
// RUN: %hostcc -w %s -o %t.host -lrt && %t.host %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t %t.host > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --sandbox %t refused > %t.refused && grep -q 'refused: 1' %t.refused
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[300];

static int failed(int result) { return result == -1 ? errno : 0; }

static int change(const char *object) {
  int fd = shm_open(object, O_RDWR, 0);
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  printf("native sees: %s\n", memory);
  fflush(stdout);
  strcpy(memory, "from the host");
  return 0;
}

int main(int argc, char **argv) {
  char command[512];
  struct stat status;
  if (argc > 2)
    return change(argv[2]);
  snprintf(name, sizeof name, "/gpuexec-%d", getpid());
  if (!strcmp(argv[1], "refused"))
    return !printf("refused: %d\n", failed(shm_open(name, O_CREAT | O_RDWR, 0600)) == EACCES);
  printf("missing: %d %d\n", failed(shm_open(name, O_RDWR, 0)), failed(shm_unlink(name)));
  umask(022);
  int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0666);
  printf("new: %d %d %o %d\n", fd >= 0, fstat(fd, &status), status.st_mode, (int)status.st_size);
  printf("exists: %d\n", failed(shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600)));
  printf("length: %d\n", ftruncate(fd, 4096));
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  printf("zeros: %d\n", !memory[0] && !memory[4095]);
  strcpy(memory, "from the program");
  printf("msync: %d\n", msync(memory, 4096, MS_SYNC));
  fflush(stdout);
  snprintf(command, sizeof command, "%s change %s", argv[1], name);
  system(command);
  munmap(memory, 4096);
  memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  printf("program sees: %s\n", memory);
  printf("unlink: %d %d\n", shm_unlink(name), failed(shm_unlink(name)));
  memset(name, 'a', sizeof name - 1);
  name[0] = '/';
  printf("names: %d %d %d %d %d\n", failed(shm_open("", O_CREAT | O_RDWR, 0600)), failed(shm_open("/", O_CREAT | O_RDWR, 0600)),
         failed(shm_open("/a/b", O_CREAT | O_RDWR, 0600)), failed(shm_open("/..", O_RDWR, 0)), failed(shm_open(name, O_CREAT | O_RDWR, 0600)));
  printf("names: %d %d\n", failed(shm_unlink("/")), failed(shm_unlink(name)));
}
