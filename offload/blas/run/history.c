//===-- offload/blas/run/history.c - See history.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/history.h"
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
  uint64_t key;
  run_record entry;
  uint32_t zero;
} history_slot;

enum { SLOTS = 4096 };
static const char HISTORY[] = "history"; // the ending of its file

/// The end of the first argument that is no option, such as the name of a
/// script.
static size_t end_of_script(const char *arguments, size_t size) {
  size_t at = strnlen(arguments, size) + 1;
  while (at < size && arguments[at] == '-')
    at += strnlen(arguments + at, size - at) + 1;
  return at < size ? at + strnlen(arguments + at, size - at) : size;
}

history_keys find_history_keys(void) {
  char bytes[4096];
  ssize_t size = readlink("/proc/self/exe", bytes, sizeof bytes);
  const uint64_t key =
      size > 0 ? kept_hash(KEPT_HASH, bytes, (size_t)size) : KEPT_HASH;
  history_keys keys = {key, key};
  const int in = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  for (int is_first = 1; in >= 0 && (size = read(in, bytes, sizeof bytes)) > 0;
       is_first = 0) {
    if (is_first)
      keys.program = kept_hash(~key, bytes, end_of_script(bytes, (size_t)size));
    keys.run = kept_hash(keys.run, bytes, (size_t)size);
  }
  if (in >= 0)
    close(in);
  return keys;
}

static off_t place_of(uint64_t key) {
  return (off_t)(key % SLOTS * sizeof(history_slot));
}

int history_find(const kept_files *kept, uint64_t key, run_record *found) {
  history_slot slot = {0};
  *found = (run_record){0};
  const int in = open_kept_file(kept, HISTORY, O_RDONLY);
  if (in < 0)
    return 0;
  const ssize_t size = pread(in, &slot, sizeof slot, place_of(key));
  close(in);
  if (size != sizeof slot || slot.key != key)
    return 0;
  *found = slot.entry;
  return 1;
}

/// Checks the limit of a file's size: writing beyond it would end the process
/// with a signal.
static int may_be_written(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         limit.rlim_cur >= SLOTS * sizeof(history_slot);
}

void history_note(const kept_files *kept, uint64_t key,
                  const run_record *entry) {
  const history_slot slot = {key, *entry, 0};
  const int out =
      may_be_written() ? open_kept_file(kept, HISTORY, O_WRONLY | O_CREAT) : -1;
  if (out < 0)
    return;
  // An error is ignored: the next run then knows nothing of this one.
  const ssize_t written = pwrite(out, &slot, sizeof slot, place_of(key));
  (void)written;
  close(out);
}
