/* Counts the primes below a number with threads of POSIX, which take pieces of the numbers from a queue.
   usage: primes [NUMBER [THREADS]]
   gpucc -O2 -pthread primes.c -o primes && gpuexec primes 100000000 1000
   The same source on a host: cc -O2 -pthread primes.c -o primes */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE = 1 << 16 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t done;
  long next, end; /* numbers that nobody has */
  long primes;
  int working;
} work = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, 0};

static unsigned *small; /* primes up to the square root of the end */
static int small_count;

static void find_small(long end) {
  const long most = end < 100 ? 100 : end;
  long root = 10;
  while (root * root < most)
    ++root;
  char *composite = calloc(1, (size_t)root + 1);
  small = malloc(sizeof *small * (size_t)(root + 1));
  if (!composite || !small) {
    perror("primes");
    exit(1);
  }
  for (long i = 2; i <= root; ++i)
    if (!composite[i]) {
      small[small_count++] = (unsigned)i;
      for (long k = i * i; k <= root; k += i)
        composite[k] = 1;
    }
  free(composite);
}

/* A sieve of the numbers from `begin` on. */
static long count_piece(unsigned char *composite, long begin, long end) {
  memset(composite, 0, PIECE);
  for (int i = 0; i < small_count && (long)small[i] * small[i] < end; ++i) {
    const long p = small[i];
    long first = (begin + p - 1) / p * p;
    if (first < p * p)
      first = p * p;
    for (long k = first; k < end; k += p)
      composite[k - begin] = 1;
  }
  long count = 0;
  for (long k = begin < 2 ? 2 : begin; k < end; ++k)
    count += !composite[k - begin];
  return count;
}

static void *worker(void *unused) {
  (void)unused;
  unsigned char *composite = malloc(PIECE);
  pthread_mutex_lock(&work.lock);
  while (composite && work.next < work.end) {
    const long begin = work.next, end = begin + PIECE < work.end ? begin + PIECE : work.end;
    work.next = end;
    pthread_mutex_unlock(&work.lock);
    const long count = count_piece(composite, begin, end);
    pthread_mutex_lock(&work.lock);
    work.primes += count;
  }
  if (!--work.working)
    pthread_cond_signal(&work.done);
  pthread_mutex_unlock(&work.lock);
  free(composite);
  return NULL;
}

int main(int argc, char **argv) {
  work.end = argc > 1 ? atol(argv[1]) : 1000000;
  const int threads = argc > 2 ? atoi(argv[2]) : 64;
  if (work.end < 1 || work.end > 1000000000000 || threads < 1) {
    fputs("usage: primes [NUMBER [THREADS]]        (a number up to 10^12)\n", stderr);
    return 2;
  }
  find_small(work.end);
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  int made = 0;
  pthread_mutex_lock(&work.lock);
  for (pthread_t thread; made < threads && !pthread_create(&thread, NULL, worker, NULL); ++made)
    pthread_detach(thread);
  work.working = made;
  if (!made) {
    fputs("primes: no thread can be created\n", stderr);
    return 1;
  }
  while (work.working)
    pthread_cond_wait(&work.done, &work.lock);
  pthread_mutex_unlock(&work.lock);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%ld primes below %ld\n", work.primes, work.end);
  fprintf(stderr, "%d threads, %.2f ms\n", made,
          (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6);
  if (work.next < work.end) {
    fputs("primes: out of memory\n", stderr);
    return 1;
  }
  return 0;
}
