// Mutexes, condition variables, read-write locks, barriers, spin locks, semaphores and pthread_once among threads, as on the host.
// RUN: %hostcc -O1 -w %s -o %t.host -pthread && %t.host > %t.expected
// RUN: %gpucc -O2 -w -pthread %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 16, ROUNDS = 50 };

static void run(const char *name, void *(*function)(void *), void *argument) {
  pthread_t threads[THREADS];
  long sum = 0;
  for (int i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, function, argument))
      printf("cannot create\n");
  for (int i = 0; i < THREADS; ++i) {
    void *result;
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  printf("%s: %ld\n", name, sum);
}

typedef struct {
  pthread_mutex_t mutex;
  long count;
} counter;
static void *count(void *argument) {
  counter *its = argument;
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&its->mutex);
    ++its->count;
    pthread_mutex_unlock(&its->mutex);
  }
  return NULL;
}
static void *count_recursively(void *argument) {
  counter *its = argument;
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&its->mutex);
    pthread_mutex_lock(&its->mutex);
    ++its->count;
    pthread_mutex_unlock(&its->mutex);
    pthread_mutex_unlock(&its->mutex);
  }
  return NULL;
}
static void *try_others(void *argument) {
  pthread_mutex_t *mutex = argument;
  return (void *)(long)((pthread_mutex_trylock(mutex) == EBUSY) + (pthread_mutex_unlock(mutex) == EPERM));
}
static void *lock_for_a_while(void *argument) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += 2000000;
  if (end.tv_nsec >= 1000000000)
    end.tv_nsec -= 1000000000, ++end.tv_sec;
  return (void *)(long)(pthread_mutex_timedlock(argument, &end) == ETIMEDOUT);
}

static void *lock_in_time(void *argument) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 60;
  const int result = pthread_mutex_timedlock(argument, &end);
  if (!result)
    pthread_mutex_unlock(argument);
  return (void *)(long)result;
}
static void *read_in_time(void *argument) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 60;
  const int result = pthread_rwlock_timedrdlock(argument, &end);
  if (!result)
    pthread_rwlock_unlock(argument);
  return (void *)(long)result;
}

// A bounded queue of numbers between half of the threads and the other half.
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t not_full, not_empty;
  int items[4], first, used, makers;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static void *make_or_use(void *argument) {
  pthread_mutex_lock(&queue.mutex);
  const int makes = queue.makers++ % 2;
  pthread_mutex_unlock(&queue.mutex);
  long sum = 0;
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&queue.mutex);
    if (makes) {
      while (queue.used == 4)
        pthread_cond_wait(&queue.not_full, &queue.mutex);
      queue.items[(queue.first + queue.used++) % 4] = i;
      pthread_cond_signal(&queue.not_empty);
    } else {
      while (!queue.used)
        pthread_cond_wait(&queue.not_empty, &queue.mutex);
      sum += queue.items[queue.first++ % 4];
      --queue.used;
      pthread_cond_signal(&queue.not_full);
    }
    pthread_mutex_unlock(&queue.mutex);
  }
  return (void *)sum;
}

// All wait until the last one has come.
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t all;
  int here;
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static void *meet(void *argument) {
  pthread_mutex_lock(&gate.mutex);
  if (++gate.here == THREADS)
    pthread_cond_broadcast(&gate.all);
  while (gate.here < THREADS)
    pthread_cond_wait(&gate.all, &gate.mutex);
  pthread_mutex_unlock(&gate.mutex);
  return (void *)1L;
}
static void *wait_in_vain(void *argument) {
  static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += 3000000;
  if (end.tv_nsec >= 1000000000)
    end.tv_nsec -= 1000000000, ++end.tv_sec;
  pthread_mutex_lock(&mutex);
  const int result = pthread_cond_timedwait(&never, &mutex, &end);
  pthread_mutex_unlock(&mutex);
  return (void *)(long)(result == ETIMEDOUT);
}

static struct {
  pthread_rwlock_t lock;
  long first, second;
} pair = {PTHREAD_RWLOCK_INITIALIZER};
static void *read_or_write(void *argument) {
  long wrong = 0;
  for (int i = 0; i < ROUNDS; ++i) {
    if (i % 5 == 0) {
      pthread_rwlock_wrlock(&pair.lock);
      ++pair.first;
      ++pair.second;
    } else {
      pthread_rwlock_rdlock(&pair.lock);
      wrong += pair.first != pair.second;
    }
    pthread_rwlock_unlock(&pair.lock);
  }
  return (void *)wrong;
}

static struct {
  pthread_barrier_t barrier;
  int counts[8];
} steps;
static void *step(void *argument) {
  long serial = 0;
  for (int i = 0; i < 8; ++i) {
    __atomic_fetch_add(&steps.counts[i], 1, __ATOMIC_RELAXED);
    serial += pthread_barrier_wait(&steps.barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    if (steps.counts[i] != THREADS)
      serial += 1000;
  }
  return (void *)serial;
}

static pthread_spinlock_t spin;
static long spun;
static void *count_spinning(void *argument) {
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_spin_lock(&spin);
    ++spun;
    pthread_spin_unlock(&spin);
  }
  return NULL;
}

static sem_t seats, turn;
static int sitting, most;
static void *sit(void *argument) {
  for (int i = 0; i < ROUNDS; ++i) {
    sem_wait(&seats);
    const int now = __atomic_add_fetch(&sitting, 1, __ATOMIC_SEQ_CST);
    if (now > 3)
      __atomic_store_n(&most, now, __ATOMIC_RELAXED);
    __atomic_sub_fetch(&sitting, 1, __ATOMIC_SEQ_CST);
    sem_post(&seats);
  }
  return NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static long initialised;
static void initialise(void) { ++initialised; }
static void *use_once(void *argument) {
  pthread_once(&once, initialise);
  return (void *)initialised;
}

int main(void) {
  counter plain = {PTHREAD_MUTEX_INITIALIZER};
  run("mutex", count, &plain);
  printf("%ld\n", plain.count);
  counter nested = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
  run("recursive mutex", count_recursively, &nested);
  printf("%ld\n", nested.count);
  pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_mutex_lock(&checked);
  run("another's mutex", try_others, &checked);
  run("timed mutex", lock_for_a_while, &checked);
  pthread_mutex_unlock(&checked);
  const struct timespec brief = {0, 20000000};
  pthread_mutex_t late = PTHREAD_MUTEX_INITIALIZER;
  pthread_rwlock_t written = PTHREAD_RWLOCK_INITIALIZER;
  pthread_t locker, reader;
  void *failed;
  pthread_mutex_lock(&late);
  pthread_rwlock_wrlock(&written);
  pthread_create(&locker, NULL, lock_in_time, &late);
  pthread_create(&reader, NULL, read_in_time, &written);
  nanosleep(&brief, NULL);
  pthread_mutex_unlock(&late);
  pthread_rwlock_unlock(&written);
  pthread_join(locker, &failed);
  printf("mutex in time: %ld\n", (long)failed);
  pthread_join(reader, &failed);
  printf("read lock in time: %ld\n", (long)failed);
  run("queue", make_or_use, NULL);
  run("broadcast", meet, NULL);
  run("timed wait", wait_in_vain, NULL);
  run("read-write lock", read_or_write, NULL);
  printf("%ld %ld\n", pair.first, pair.second);
  printf("%d\n", pthread_barrier_init(&steps.barrier, NULL, 0) == EINVAL);
  pthread_barrier_init(&steps.barrier, NULL, THREADS);
  run("barrier", step, NULL);
  printf("%d\n", pthread_barrier_destroy(&steps.barrier));
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  run("spin lock", count_spinning, NULL);
  printf("%ld\n", spun);
  sem_init(&seats, 0, 3);
  run("semaphore", sit, NULL);
  int value;
  sem_getvalue(&seats, &value);
  printf("%d %d\n", most, value);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  sem_init(&turn, 0, 0);
  printf("%d", sem_timedwait(&turn, &now));
  printf(" %d\n", errno == ETIMEDOUT);
  run("once", use_once, NULL);
  return 0;
}
