// The host's time of day, and clocks that run forwards at the right speed.
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t > %t.out
// RUN: FileCheck %s < %t.out
// CHECK: time ok
// CHECK: clock ok
// CHECK: realtime ok
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
  time_t now = time(NULL);
  puts(now > 1700000000 && now < 5000000000 ? "time ok" : "time wrong");
  clock_t before = clock();
  time_t begin = time(NULL);
  while (time(NULL) - begin < 2)
    ;
  double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
  if (seconds > 0.5 && seconds < 20)
    puts("clock ok");
  else
    printf("clock wrong: %f\n", seconds);
  struct timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  puts(ts.tv_sec >= now && ts.tv_sec < now + 100 ? "realtime ok" : "realtime wrong");
  return 0;
}
