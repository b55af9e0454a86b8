// pthread_exit in a function that may throw nothing asks the program's handler; a list with something in it lets it pass.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --flags=-std=gnu++14
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <pthread.h>

struct Listed {};
struct Said {
  ~Said() { printf("~Said\n"); }
};

__attribute__((noinline)) static void leave() throw(Listed) {
  Said said;
  pthread_exit(nullptr);
}
static void *work(void *) {
  leave();
  return nullptr;
}
static void leave_nothing() throw() {
  leave();
}
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_join(thread, nullptr);
  printf("joined\n");
  fflush(stdout);
  std::set_unexpected([] {
    printf("unexpected\n");
    exit(3);
  });
  leave_nothing();
}
