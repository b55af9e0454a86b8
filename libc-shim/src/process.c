//===-- libc-shim/src/process.c - The program's end -----------------------===//
// exit, quick_exit, abort and what runs before them. Any number of threads may
// ask for the end at once: the first one's handlers run, once, and its status
// counts; the others end where they stand.
//===----------------------------------------------------------------------===//
#include "process.h"
#include "call.h"
#include "stream.h"
#include <stdlib.h>

/// Registered functions, a linked list of blocks that only grows.
typedef struct handler {
  struct handler *older;
  void (*function)(void *);
  void *argument;
} handler;

static handler *exit_handlers, *quick_handlers;
static uint32_t ending;

// atexit() is owed at least 32 places even where no memory is left.
static handler reserve[64];
static uint32_t reserve_used;

static handler *make_handler(void) {
  uint32_t i = __scoped_atomic_fetch_add(&reserve_used, 1, __ATOMIC_RELAXED,
                                         __MEMORY_SCOPE_DEVICE);
  if (i < sizeof reserve / sizeof *reserve)
    return &reserve[i];
  return malloc(sizeof(handler));
}

static int push(handler **list, void (*function)(void *), void *argument) {
  handler *item = make_handler();
  if (!item)
    return -1;
  item->function = function;
  item->argument = argument;
  item->older =
      __scoped_atomic_load_n(list, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  // Lanes that lose a round see the winner's item in the next one.
  while (!__scoped_atomic_compare_exchange_n(list, &item->older, item, 0,
                                             __ATOMIC_RELEASE, __ATOMIC_RELAXED,
                                             __MEMORY_SCOPE_DEVICE))
    ;
  return 0;
}

static handler *pop(handler **list) {
  handler *item =
      __scoped_atomic_load_n(list, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  while (item && !__scoped_atomic_compare_exchange_n(
                     list, &item, item->older, 0, __ATOMIC_ACQUIRE,
                     __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE))
    ;
  return item;
}

// A handler may register more of them: each pop sees the newest.
static void run(handler **list) {
  for (handler *item; (item = pop(list));)
    item->function(item->argument);
}

static void call_plain(void *function) { ((void (*)(void))function)(); }

int __gpuexec_at_exit(void (*function)(void)) {
  return push(&exit_handlers, call_plain, (void *)function);
}
int atexit(void (*function)(void)) { return __gpuexec_at_exit(function); }
int at_quick_exit(void (*function)(void)) {
  return push(&quick_handlers, call_plain, (void *)function);
}
/// The C++ ABI's: destructors of static objects.
int __cxa_atexit(void (*function)(void *), void *argument, void *dso) {
  (void)dso;
  return push(&exit_handlers, function, argument);
}

/// True in the one thread that may end the program.
static bool first_to_end(void) {
  return !__scoped_atomic_exchange_n(&ending, 1, __ATOMIC_ACQ_REL,
                                     __MEMORY_SCOPE_DEVICE);
}

_Bool __gpuexec_run_exit_handlers(void) {
  if (!first_to_end())
    return 0;
  run(&exit_handlers);
  __stream_flush_all();
  return 1;
}

/// The calling wave's lanes ask together; the one that runs the handlers must
/// not be ended by its neighbours, which on AMDGPU would take the whole wave
/// along. So the losers of the same wave wait for it here, masked off.
static _Noreturn void end_with(int status, handler **list, bool flush) {
  uint64_t mask = __gpu_lane_mask();
  bool won = false;
  if (__gpu_is_first_in_lane(mask))
    won = first_to_end();
  if (won) {
    if (list)
      run(list);
    if (flush)
      __stream_flush_all();
    rpc_port port = rpc_open(RPC_EXIT);
    rpc_send_begin(&port);
    rpc_send_end(&port);
    rpc_recv(&port);
    rpc_send_begin(&port)->words[0] = (uint32_t)status;
    rpc_send_end(&port);
    rpc_close(&port);
  }
  __gpu_sync_lane(mask);
  __gpu_exit();
}

_Noreturn void exit(int status) { end_with(status, &exit_handlers, true); }
_Noreturn void quick_exit(int status) {
  end_with(status, &quick_handlers, false);
}
_Noreturn void _Exit(int status) { end_with(status, NULL, false); }
_Noreturn void _exit(int status) { end_with(status, NULL, false); }

_Noreturn void __gpuexec_abort(void) {
  uint64_t mask = __gpu_lane_mask();
  if (__gpu_is_first_in_lane(mask)) {
    __scoped_atomic_store_n(&ending, 1, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
    __stream_flush_all();
    rpc_port port = rpc_open(RPC_ABORT);
    rpc_send_begin(&port);
    rpc_send_end(&port);
    rpc_recv(&port);
    rpc_send_begin(&port);
    rpc_send_end(&port);
    rpc_close(&port);
  }
  __gpu_sync_lane(mask);
  __gpu_exit();
}
_Noreturn void abort(void) { __gpuexec_abort(); }
