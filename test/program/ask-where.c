// REQUIRES: emulator
// At SIGQUIT (Ctrl-\) gpuexec says where each wave is, and the program goes on: with one thread, with threads that wait, in a
// sandbox, and in a run of --repeat.
// RUN: %gpucc -O2 -g -pthread %s -o %t
// RUN: for options in "" --sandbox --repeat=3; do \
// RUN:   %python %inputs/ask_where.py "gpuexec: SIGQUIT: the program is here, and goes on" "in main .*ask-where.c:[0-9]+" "in count .*ask-where.c:[0-9]+" -- \
// RUN:     %gpuexec --device emulator $options %t || { echo "failed: $options" >&2; exit 1; }; done
#include <pthread.h>
#include <stdio.h>

volatile unsigned counter;

static void *count(void *argument) {
  for (;;)
    counter++;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  puts("ready");
  fflush(stdout);
  return pthread_join(thread, NULL);
}
