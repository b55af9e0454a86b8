//===-- blas/intercept/history.c - See history.h ---------------------------===//
#include "blas/intercept/history.h"
#include "blas/user_cache.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
  uint64_t key;
  float gain;
  uint32_t zero;
} history_slot;

enum { SLOTS = 4096 };

uint64_t history_key(void) {
  uint64_t key = USER_CACHE_HASH;
  char bytes[4096];
  ssize_t size = readlink("/proc/self/exe", bytes, sizeof bytes);
  if (size > 0)
    key = user_cache_hash(key, bytes, (size_t)size);
  const int in = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  while (in >= 0 && (size = read(in, bytes, sizeof bytes)) > 0)
    key = user_cache_hash(key, bytes, (size_t)size);
  if (in >= 0)
    close(in);
  return key;
}

static off_t place_of(uint64_t key) {
  return (off_t)(key % SLOTS * sizeof(history_slot));
}

float history_gain(const char *file, uint64_t key) {
  history_slot slot = {0};
  const int in = *file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  if (in < 0)
    return 0;
  const ssize_t size = pread(in, &slot, sizeof slot, place_of(key));
  close(in);
  return size == sizeof slot && slot.key == key && slot.gain > 0 ? slot.gain
                                                                 : 0;
}

/// A file may be forbidden to grow so long: writing there would end the process
/// with a signal.
static int may_be_written(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         limit.rlim_cur >= SLOTS * sizeof(history_slot);
}

void history_note(const char *file, uint64_t key, float gain) {
  const history_slot slot = {key, gain, 0};
  if (!*file || !may_be_written() || make_folders_of(file) != 0)
    return;
  const int out = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (out < 0)
    return;
  // What cannot be noted is not known next time.
  const ssize_t written = pwrite(out, &slot, sizeof slot, place_of(key));
  (void)written;
  close(out);
}
