//===-- rpc/tests/pending_service.c - A service that answers later --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For plugin_test.cpp. INTERFACE is the version that it says it has.
//===----------------------------------------------------------------------===//
#include "rpc/include/gpuexec_service.h"
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { MOST_CALLS = 256 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static gpuexec_call *calls[MOST_CALLS];
static uint64_t call_count;
/// Calls that gpuexec did not want any more.
__attribute__((visibility("default"))) int cancelled_calls;
/// Calls of keep().
__attribute__((visibility("default"))) int kept_calls;

static uint64_t word_of(const gpuexec_call *call) {
  uint64_t word;
  memcpy(&word, call->inputs[0].data, sizeof word);
  return word;
}

static void complete_all(const gpuexec_host *host) {
  for (uint64_t i = 0; i < call_count; ++i) {
    host->reply(calls[i], 0, 0, &call_count, sizeof call_count);
    host->complete(calls[i], 0);
  }
  call_count = 0;
}

/// Answers when as many calls are there as the request says, with their number.
static int gather(void *state, const gpuexec_host *host, gpuexec_call *call) {
  (void)state;
  const uint64_t wanted = word_of(call);
  pthread_mutex_lock(&lock);
  calls[call_count++] = call;
  if (call_count == wanted)
    complete_all(host); // this one before serve() returns
  pthread_mutex_unlock(&lock);
  return GPUEXEC_PENDING;
}

/// Never answers by itself.
static int keep(void *state, const gpuexec_host *host, gpuexec_call *call) {
  (void)state, (void)host, (void)call;
  __atomic_fetch_add(&kept_calls, 1, __ATOMIC_SEQ_CST);
  return GPUEXEC_PENDING;
}

/// Completes with the error that the request says.
static int fail(void *state, const gpuexec_host *host, gpuexec_call *call) {
  (void)state;
  host->complete(call, (int)word_of(call));
  return GPUEXEC_PENDING;
}

static const gpuexec_host *the_host;
static int open_service(const gpuexec_host *host, const char *argument,
                        void **state, char *error, size_t error_size) {
  (void)argument, (void)state, (void)error, (void)error_size;
  the_host = host;
  return 0;
}

static void cancel(void *state, gpuexec_call *call) {
  (void)state;
  ++cancelled_calls;
  the_host->complete(call, ECANCELED);
}

const gpuexec_service_description *gpuexec_service(void) {
  static const gpuexec_operation operations[] = {
      {GPUEXEC_USER_OPCODE(0x2e00), GPUEXEC_QUICK, "gather", "pP", gather},
      {GPUEXEC_USER_OPCODE(0x2e01), GPUEXEC_QUICK, "keep", "pP", keep},
      {GPUEXEC_USER_OPCODE(0x2e02), 0, "fail", "pP", fail}};
  static const gpuexec_service_description description = {
      INTERFACE == 1 ? offsetof(gpuexec_service_description, cancel)
                     : sizeof description,
      INTERFACE,
      "pending",
      3,
      operations,
      open_service,
      0,
      cancel};
  return &description;
}
