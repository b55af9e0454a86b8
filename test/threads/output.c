// Each call of stdio is whole in the output, whatever threads call at once; how calls of several threads follow each other is open.
// RUN: %gpucc -O2 -pthread %s -o %t
// RUN: %run %t > %t.out
// RUN: grep -oE 'printf of [0-9] [0-9]+ 0{60} end ' %t.out | sort -u | grep -c . | grep -x 240
// RUN: grep -oE 'fputs of a text that is longer than a word or two ' %t.out | grep -c . | grep -x 240
// RUN: tr -cd '~' < %t.out | wc -c | grep -x 240
// RUN: wc -l < %t.out | grep -x 240
#include <pthread.h>
#include <stdio.h>

static void *run(void *argument) {
  for (int i = 0; i < 30; ++i) {
    printf("printf of %d %d %060d end ", (int)(long)argument, i, 0);
    fputs("fputs of a text that is longer than a word or two ", stdout);
    putchar('~');
    putchar('\n');
  }
  return NULL;
}

int main(void) {
  pthread_t threads[8];
  for (long i = 0; i < 8; ++i)
    pthread_create(threads + i, NULL, run, (void *)i);
  for (int i = 0; i < 8; ++i)
    pthread_join(threads[i], NULL);
  return 0;
}
