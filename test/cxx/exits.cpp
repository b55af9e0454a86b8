// pthread_exit destroys the variables of the functions that it leaves, in main() too; handlers of everything throw again.
// RUN: %hostcxx -std=c++17 -pthread %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -std=c++17 -O0 %s -o %t.0 && %run %t.0 | diff %t.expected -
// RUN: %gpucxx -std=c++17 -O2 %s -o %t.2 && %run %t.2 | diff %t.expected -
#include <cstdio>
#include <cxxabi.h>
#include <exception>
#include <pthread.h>

struct Said {
  const char *name;
  ~Said() { printf("~%s ", name); }
};
__attribute__((noinline)) static void leave(long result) {
  Said said{"leave"};
  try {
    Said inner{"inner"};
    pthread_exit((void *)result);
  } catch (const char *) {
    printf("not here ");
  }
}
static void *work(void *number) {
  Said said{"work"};
  try {
    try {
      if ((long)number % 2)
        leave((long)number + 1);
    } catch (...) {
      printf("everything %d ", std::uncaught_exceptions());
      throw;
    }
  } catch (abi::__forced_unwind &) {
    printf("forced ");
    throw;
  }
  return number;
}
int main() {
  for (long i = 0; i < 4; ++i) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, work, (void *)i);
    pthread_join(thread, &result);
    printf("%ld\n", (long)result);
  }
  Said said{"main\n"};
  leave(0);
}
