//===-- libc-shim/process/exit.c - The program's end ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exit, quick_exit and abort, and the handlers that run before the end. Any
// number of threads may end the program at once: the first one runs the
// handlers and sets the status, the others stop.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/if_linked.h"
#include "libc-shim/process/process.h"
#include <stdlib.h>

exit_handler *__gpuexec_exit_handlers, *__gpuexec_quick_handlers;
void (*__gpuexec_before_abort)(void);
/// Runs the destructors of the caller's thread_local objects; set by C++'s
/// library (toolchain/libstdcxx/thread_destructors.cc) when there are some.
void (*__gpuexec_thread_destructors)(void);
#ifdef __NVPTX__
void (*__gpuexec_thread_ends)(void);
#endif

uint32_t __gpuexec_is_over;

static void (*destructors)(void);
static uint32_t ending;

void __gpuexec_set_destructors(void (*function)(void)) {
  destructors = function;
}

static exit_handler *pop(exit_handler **list) {
  exit_handler *item =
      __scoped_atomic_load_n(list, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  while (item && !__scoped_atomic_compare_exchange_n(
                     list, &item, item->older, 0, __ATOMIC_ACQUIRE,
                     __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE))
    ;
  return item;
}

// A handler may register further ones: each pop sees the newest.
static void run(exit_handler **list) {
  for (exit_handler *item; (item = pop(list));)
    if (item->plain)
      item->plain();
    else
      item->function(item->argument);
}

static void run_exit_handlers(void) {
  if (__gpuexec_thread_destructors)
    __gpuexec_thread_destructors();
  run(&__gpuexec_exit_handlers);
  if (destructors)
    destructors();
  __stream_flush_all_if_any();
}

/// True in the one thread that may end the program.
static bool first_to_end(void) {
  return !__scoped_atomic_exchange_n(&ending, 1, __ATOMIC_ACQ_REL,
                                     __MEMORY_SCOPE_DEVICE);
}

_Bool __gpuexec_run_exit_handlers(void) {
  if (!first_to_end())
    return 0;
  run_exit_handlers();
  return 1;
}

/// Makes waves that wait for another thread, or for a thread to run, leave the
/// kernel.
static void tell_waves(void) {
  __scoped_atomic_store_n(&__gpuexec_is_over, 1, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
}

/// Which handlers run before the host is told.
typedef enum { END_AT_ONCE, END_QUICK, END_NORMAL } end_kind;

/// Lanes of a wave may call this together. On AMD a lane that ends takes the
/// whole wave along, so the other lanes wait, masked off, for the one that runs
/// the handlers.
static __attribute__((noinline)) _Noreturn void end_with(int status,
                                                         end_kind kind) {
  uint64_t mask = rpc_lane_mask();
  bool won = false;
  if (__gpu_is_first_in_lane(mask))
    won = first_to_end();
  if (won) {
    if (kind == END_NORMAL)
      run_exit_handlers();
    else if (kind == END_QUICK)
      run(&__gpuexec_quick_handlers);
    rpc_port port = __port_open(RPC_EXIT);
    __port_send_begin(&port);
    __port_send_end(&port);
    __port_recv(&port);
    __port_send_begin(&port)->words[0] = (uint32_t)status;
    __port_send_end(&port);
    __port_close(&port);
    tell_waves();
  }
  __gpu_sync_lane(mask);
  __gpu_exit();
}

_Noreturn void exit(int status) { end_with(status, END_NORMAL); }
_Noreturn void quick_exit(int status) { end_with(status, END_QUICK); }
_Noreturn void _Exit(int status) { end_with(status, END_AT_ONCE); }
_Noreturn void _exit(int status) { end_with(status, END_AT_ONCE); }

_Noreturn void abort(void) {
  void (*handler)(void) = __scoped_atomic_load_n(
      &__gpuexec_before_abort, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  if (handler)
    handler();
  uint64_t mask = rpc_lane_mask();
  if (__gpu_is_first_in_lane(mask)) {
    first_to_end(); // no handlers after this
    __stream_flush_all_if_any();
    rpc_port port = __port_open(RPC_ABORT);
    __port_send_begin(&port);
    __port_send_end(&port);
    __port_recv(&port);
    __port_send_begin(&port);
    __port_send_end(&port);
    __port_close(&port);
    tell_waves();
  }
  __gpu_sync_lane(mask);
  __gpu_exit();
}
