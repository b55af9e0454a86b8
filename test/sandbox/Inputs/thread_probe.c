// For LD_PRELOAD: every thread says whether it can open a file that was not
// granted, when it starts; those that were there before the process was
// confined say it when they end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void probe(const char *when) {
  int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
  int is_main = getpid() == gettid();
  dprintf(2, "%s: %s %s\n", is_main ? "main" : "thread", when, fd >= 0 ? "outside" : "inside");
  if (fd >= 0)
    close(fd);
}

struct start {
  void *(*run)(void *);
  void *data;
};

static void *run_and_probe(void *data) {
  struct start start = *(struct start *)data;
  free(data);
  probe("starts");
  void *result = start.run(start.data);
  probe("ends");
  return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *data) {
  static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!next)
    next = dlsym(RTLD_NEXT, "pthread_create");
  struct start *start = malloc(sizeof *start);
  start->run = run;
  start->data = data;
  return next(thread, attributes, run_and_probe, start);
}

__attribute__((constructor)) static void begin(void) { probe("starts"); }
__attribute__((destructor)) static void end(void) { probe("ends"); }
