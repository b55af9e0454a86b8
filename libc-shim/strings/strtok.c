//===-- libc-shim/strings/strtok.c - strtok, with its place in the thread -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/thread_state.h"
#include <string.h>

char *strtok(char *restrict text, const char *restrict separators) {
  return strtok_r(text, separators, &__thread_state()->strtok);
}
