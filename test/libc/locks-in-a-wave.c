// Locks among the lanes of one wave and of several: readers do not wait for one another, and where lanes of one wave would wait
// for one another for ever the program ends with a message, also when the holder came after the wait had begun.
// RUN: %gpucc %lanes -O2 -w %s -o %t
// RUN: %run --threads 64 --blocks 4 %t readers
// RUN: not %run --threads 2 %t write-while-read 2> %t.write && grep -q 'pthread_rwlock_wrlock: a thread waits for a thread of its own wave' %t.write
// RUN: not %run --threads 2 --blocks 2 %t mutex 2> %t.mutex && grep -q 'pthread_mutex_lock: a thread waits for a thread of its own wave' %t.mutex
// RUN: not %run --threads 2 --blocks 2 %t spin 2> %t.spin && grep -q 'pthread_spin_lock: a thread waits for a thread of its own wave' %t.spin
// RUN: not %run --threads 2 --blocks 2 %t write 2> %t.write && grep -q 'pthread_rwlock_wrlock: a thread waits for a thread of its own wave' %t.write
// REQUIRES: amdgpu
#include <gpuintrin.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static volatile int is_taken;

static void take(const char *kind) {
  if (!strcmp(kind, "mutex"))
    pthread_mutex_lock(&mutex);
  else if (!strcmp(kind, "spin"))
    pthread_spin_lock(&spin);
  else
    pthread_rwlock_wrlock(&lock);
}
static void release(const char *kind) {
  if (!strcmp(kind, "mutex"))
    pthread_mutex_unlock(&mutex);
  else if (!strcmp(kind, "spin"))
    pthread_spin_unlock(&spin);
  else
    pthread_rwlock_unlock(&lock);
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  if (!strcmp(what, "readers")) {
    int failures = 0;
    for (int i = 0; i < 3; ++i)
      failures |= pthread_rwlock_rdlock(&lock) | pthread_rwlock_tryrdlock(&lock) | pthread_rwlock_unlock(&lock) |
                  pthread_rwlock_unlock(&lock);
    return failures;
  }
  if (!strcmp(what, "write-while-read")) {
    if (__gpu_thread_id_x() == 0)
      pthread_rwlock_rdlock(&lock);
    __gpu_sync_threads();
    if (__gpu_thread_id_x() == 1)
      pthread_rwlock_wrlock(&lock);
    return pthread_rwlock_unlock(&lock);
  }
  if (__gpu_block_id_x() == 0) { // one lane has the lock while both of the other block wait for it
    if (__gpu_thread_id_x() == 0) {
      take(what);
      is_taken = 1;
      nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
      release(what);
    }
    return 0;
  }
  while (!is_taken)
    ;
  take(what);
  return 0;
}
