//===-- libc-shim/threads/named_semaphores.c - sem_open and its like ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host has the semaphore and gives it a number, the same for each open of
// one name. Here each number has one object, whose address is the program's.
//===----------------------------------------------------------------------===//
#include "libc-shim/threads/named_semaphores.h"
#include "libc-shim/device/lock.h"
#include "libc-shim/device/normal_time.h"
#include "libc-shim/device/system_call.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct named {
  sem_t semaphore; ///< first: its address is that of the whole
  struct named *next;
  uint64_t number;
  unsigned opens;
} named;

static named *list;
static uint32_t list_lock;

/// The place in the list that points to the object of this number, or to this
/// semaphore's; the list's end if there is none.
static named **find_number(uint64_t number) {
  named **place = &list;
  while (*place && (*place)->number != number)
    place = &(*place)->next;
  return place;
}
static named **find_object(const sem_t *semaphore) {
  named **place = &list;
  while (*place && &(*place)->semaphore != semaphore)
    place = &(*place)->next;
  return place;
}

sem_t *sem_open(const char *name, int flags, ...) {
  unsigned mode = 0, value = 0;
  if (flags & O_CREAT) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, unsigned);
    value = va_arg(arguments, unsigned);
    va_end(arguments);
  }
  const long number = __system_name(RPC_CALL_SEMAPHORE_OPEN, name,
                                    (uint64_t)flags, mode, value);
  if (number < 0)
    return SEM_FAILED;
  named *found = NULL, *added = calloc(1, sizeof *added);
  ONE_LANE_WITH(&list_lock) {
    named **place = find_number((uint64_t)number);
    if (!*place && added) {
      *place = added;
      **place =
          (named){.semaphore = {.__named = 1}, .number = (uint64_t)number};
      added = NULL;
    }
    found = *place;
    if (found)
      ++found->opens;
  }
  free(added);
  if (!found) {
    __system_words(RPC_CALL_SEMAPHORE_CLOSE, (uint64_t)number, 0, 0);
    errno = ENOMEM;
  }
  return found ? &found->semaphore : SEM_FAILED;
}

int sem_close(sem_t *semaphore) {
  named *found = NULL, *last = NULL;
  uint64_t number = 0;
  ONE_LANE_WITH(&list_lock) {
    named **place = find_object(semaphore);
    found = *place;
    if (found) {
      number = found->number;
      if (!--found->opens) {
        last = found;
        *place = found->next;
      }
    }
  }
  free(last);
  return found ? (int)__system_words(RPC_CALL_SEMAPHORE_CLOSE, number, 0, 0)
               : fail_with(EINVAL);
}

int sem_unlink(const char *name) {
  return (int)__system_name(RPC_CALL_SEMAPHORE_UNLINK, name, 0, 0, 0);
}

//===-- What semaphore.c calls --------------------------------------------===//

static uint64_t number_of(const sem_t *semaphore) {
  return ((const named *)semaphore)->number;
}
int __named_semaphore_post(sem_t *semaphore) {
  return (int)__system_words(RPC_CALL_SEMAPHORE_POST, number_of(semaphore), 0,
                             0);
}
int __named_semaphore_trywait(sem_t *semaphore) {
  return (int)__system_words(RPC_CALL_SEMAPHORE_WAIT, number_of(semaphore), 0,
                             0);
}
int __named_semaphore_value(sem_t *semaphore, int *value) {
  system_call call = {.words = {number_of(semaphore)}};
  const host_reply reply = __system_call(RPC_CALL_SEMAPHORE_VALUE, &call);
  *value = (int)reply.words[1];
  return (int)__host_result(reply);
}

/// The time of CLOCK_REALTIME that comes as soon as `when` of `clock` does.
static struct timespec real_time(clockid_t clock, struct timespec when) {
  struct timespec now, real;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &real);
  return normal_time(when.tv_sec + real.tv_sec - now.tv_sec,
                     when.tv_nsec + real.tv_nsec - now.tv_nsec);
}

int __named_semaphore_wait(sem_t *semaphore, clockid_t clock,
                           const struct timespec *deadline) {
  system_call call = {.words = {number_of(semaphore), 1}};
  struct timespec end;
  if (deadline && clock != CLOCK_REALTIME && deadline->tv_nsec >= 0 &&
      deadline->tv_nsec < 1000000000) {
    end = real_time(clock, *deadline);
    deadline = &end;
  }
  return (int)__system_wait(RPC_CALL_SEMAPHORE_WAIT, &call, deadline, NULL);
}
