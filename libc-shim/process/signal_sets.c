//===-- libc-shim/process/signal_sets.c - Sets of signals -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/process/signals.h"

/// 32 and 33 are glibc's own, which programs cannot name.
enum { FIRST_OWN = 32, LAST_OWN = 33 };
static bool is_for_programs(int number) {
  return is_signal(number) && (number < FIRST_OWN || number > LAST_OWN);
}

int sigemptyset(sigset_t *set) {
  *set = 0;
  return 0;
}
int sigfillset(sigset_t *set) {
  *set = ~(bit_of_signal(FIRST_OWN) | bit_of_signal(LAST_OWN));
  return 0;
}
int sigaddset(sigset_t *set, int number) {
  if (!is_for_programs(number))
    return fail_with(EINVAL);
  *set |= bit_of_signal(number);
  return 0;
}
int sigdelset(sigset_t *set, int number) {
  if (!is_for_programs(number))
    return fail_with(EINVAL);
  *set &= ~bit_of_signal(number);
  return 0;
}
int sigismember(const sigset_t *set, int number) {
  if (!is_signal(number))
    return fail_with(EINVAL);
  return (int)(*set >> (number - 1) & 1);
}
int sigisemptyset(const sigset_t *set) { return *set == 0; }
int sigandset(sigset_t *to, const sigset_t *first, const sigset_t *second) {
  *to = *first & *second;
  return 0;
}
int sigorset(sigset_t *to, const sigset_t *first, const sigset_t *second) {
  *to = *first | *second;
  return 0;
}
