//===-- libc-shim/strings/strtok.c - strtok, with its place in the thread -===//
#include "libc-shim/device/thread_state.h"
#include <string.h>

char *strtok(char *restrict text, const char *restrict separators) {
  return strtok_r(text, separators, &__thread_state()->strtok);
}
