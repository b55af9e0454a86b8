// What threads keep under keys is freed with them: 32768 threads need no more memory than those that run at a time.
// RUN: %gpucc %lanes -O2 -w %s -o %t
// RUN: %run --heap-size 16M --threads 256 --blocks 128 %t
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static void make_key(void) { pthread_key_create(&key, NULL); }

int main(void) {
  static pthread_once_t once;
  int mine;
  pthread_once(&once, make_key);
  if (pthread_getspecific(key))
    return 1; // of a thread that has ended
  if (pthread_setspecific(key, &mine))
    return 2; // memory is out
  return pthread_getspecific(key) == &mine ? 0 : 3;
}
