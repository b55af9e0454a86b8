// What may happen to a matrix between two products of which it is an operand: operands WAY. The products of A and B must be right each
// time; how often A was copied to the device is in the statistics.
//   same write syscall free remap discard thread fork output alias overlap
#include <cblas.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 256 };
static const size_t SIZE = N * N * sizeof(double);
static double *a, *b, *c;

static double *map(void *at) { return mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0); }

static void fill(double *m, unsigned seed) {
  for (int i = 0; i < N * N; ++i)
    m[i] = (double)((i * 7u + seed * 13u) % 11u) - 5;
}

/// One product, and one column of it computed here.
static void product(const char *when) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c, N);
  for (int column = 0; column < N; column += 85)
    for (int row = 0; row < N; ++row) {
      double sum = 0;
      for (int k = 0; k < N; ++k)
        sum += a[k * N + row] * b[column * N + k];
      if (sum != c[column * N + row]) {
        printf("failed: %s: element %d,%d is %g, not %g\n", when, row, column, c[column * N + row], sum);
        exit(1);
      }
    }
}

static void *write_one(void *unused) {
  a[N * N / 2] += 1;
  return unused;
}

static void change(const char *way, int round) {
  if (!strcmp(way, "write")) {
    a[N * N - 1] = round;
  } else if (!strcmp(way, "syscall")) {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const double number = round;
    int pipes[2];
    if (pipe(pipes) || write(pipes[1], &number, sizeof number) != sizeof number || read(pipes[0], a + 5000, sizeof number) != sizeof number)
      exit(2);
    close(file), close(pipes[0]), close(pipes[1]);
  } else if (!strcmp(way, "free")) {
    double *old = a;
    free(a);
    a = malloc(SIZE);
    if (a != old)
      printf("note: malloc() took other memory\n");
    fill(a, (unsigned)round);
  } else if (!strcmp(way, "remap")) {
    munmap(a, SIZE);
    a = map(a);
    if (round % 2)
      fill(a, (unsigned)round);
  } else if (!strcmp(way, "discard")) {
    madvise(a + round % 4 * (N * N / 4), SIZE / 4, MADV_DONTNEED);
  } else if (!strcmp(way, "thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_one, NULL);
    pthread_join(thread, NULL);
  } else if (!strcmp(way, "fork")) {
    const pid_t child = fork();
    if (child == 0) {
      a[3] += 1;
      product("in the child");
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status)
      exit(3);
  } else if (!strcmp(way, "output")) { // A becomes the result, and an operand again
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, b, N, b, N, 0, a, N);
    for (int i = 0; i < N * N; ++i)
      if (a[i] > 1e6) // keep numbers exact: seen by the program alone if this happens
        exit(4);
  } else if (!strcmp(way, "alias")) { // a part of A is written by another call
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N / 2, N / 2, 8, round, b, N, b, N, 0, a + 17 * N + 3, N);
  } else if (!strcmp(way, "overlap")) { // a part of A, an operand of its own, is watched anew after A was written
    a[100] = round;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N / 2, 1, a, N, b, N, 0, c, N);
  }
}

int main(int argc, char **argv) {
  const int is_mapped = !strcmp(argv[1], "remap") || !strcmp(argv[1], "discard");
  a = is_mapped ? map(NULL) : malloc(SIZE);
  b = malloc(SIZE), c = malloc(SIZE);
  fill(a, 1), fill(b, 2);
  char when[32];
  for (int round = 0; round < 12; ++round) {
    snprintf(when, sizeof when, "%s, round %d", argv[1], round);
    if (round)
      change(argv[1], round);
    product(when);
  }
  printf("right\n");
  return 0;
}
