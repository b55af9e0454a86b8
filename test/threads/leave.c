// Threads that wait when the program has ended leave the kernel by themselves. main() says that it has ended, as exit() does, and
// leaves; if another thread stayed, the kernel would not end.
// RUN: %gpucc -O2 -w -pthread %s -o %t
// RUN: for wait in mutex condition barrier semaphore read-lock write-lock join spin; do %run --timeout 20 %t $wait || exit 9; done
#include <gpuintrin.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

extern uint32_t __gpuexec_is_over;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t semaphore;
static pthread_t main_thread;
static const char *which;
static int waiting;

static void *wait(void *argument) {
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  __scoped_atomic_fetch_add(&waiting, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  if (!strcmp(which, "mutex"))
    pthread_mutex_lock(&mutex);
  else if (!strcmp(which, "condition"))
    pthread_mutex_lock(&own), pthread_cond_wait(&condition, &own);
  else if (!strcmp(which, "barrier"))
    pthread_barrier_wait(&barrier);
  else if (!strcmp(which, "semaphore"))
    sem_wait(&semaphore);
  else if (!strcmp(which, "read-lock"))
    pthread_rwlock_rdlock(&lock);
  else if (!strcmp(which, "write-lock"))
    pthread_rwlock_wrlock(&lock);
  else if (!strcmp(which, "join"))
    pthread_join(main_thread, 0);
  else if (!strcmp(which, "spin"))
    pthread_spin_lock(&spin);
  return 0;
}

int main(int argc, char **argv) {
  which = argv[1];
  main_thread = pthread_self();
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&lock);
  pthread_barrier_init(&barrier, 0, 9);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&spin);
  sem_init(&semaphore, 0, 0);
  pthread_t thread;
  for (int i = 0; i < 3; ++i)
    pthread_create(&thread, 0, wait, 0);
  while (__scoped_atomic_load_n(&waiting, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) < 3)
    __gpu_thread_suspend();
  usleep(1000);
  __scoped_atomic_store_n(&__gpuexec_is_over, 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  __gpu_exit();
}
