// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program without a library that asks its host for what job_test.cpp looks
// at. argv[1] says what it does: one letter a step, each with the rest of its
// word.
#include "rpc/protocol/client.h"

#define KERNEL __attribute__((device_kernel, visibility("protected"), used))
#define GLOBAL __attribute__((visibility("protected"), used))

GLOBAL rpc_client22 __llvm_rpc_client;
GLOBAL rpc_extensions __gpuexec_rpc_extensions;
GLOBAL uint32_t __gpuexec_rpc_ports[RPC_NOTED_PORTS];
GLOBAL uint32_t __gpuexec_rpc_fast_slots[RPC_FAST_SLOTS];

static uint64_t length(const char *text) {
  uint64_t size = 0;
  while (text[size])
    ++size;
  return size;
}

static void print(const char *text, uint32_t opcode) {
  rpc_port port = rpc_open(opcode);
  rpc_send_n(&port, text, length(text));
  rpc_recv(&port);
  rpc_close(&port);
}

static void make_directory(const char *name) {
  rpc_port port = rpc_open(RPC_MKDIR);
  rpc_send_n(&port, name, length(name));
  rpc_send_begin(&port)->words[0] = 0700;
  rpc_send_end(&port);
  rpc_recv(&port);
  rpc_close(&port);
}

static void end(uint32_t status) {
  rpc_port port = rpc_open(RPC_EXIT);
  rpc_send_begin(&port);
  rpc_send_end(&port);
  rpc_recv(&port);
  rpc_send_begin(&port)->words[0] = status;
  rpc_send_end(&port);
  rpc_close(&port);
}

KERNEL void _start(int argc, char **argv, char **envp, int *ret) {
  for (int i = 1; i < argc; ++i)
    switch (argv[i][0]) {
    case 'p':
      print(argv[i] + 1, RPC_WRITE_TO_STDOUT);
      break;
    case 'w': // without a buffer
      print(argv[i] + 1, RPC_WRITE_TO_STDERR);
      break;
    case 'v': // the first variable of the environment
      print(envp[0], RPC_WRITE_TO_STDOUT);
      break;
    case 'm':
      make_directory(argv[i] + 1);
      break;
    case 'e':
      end((uint32_t)argc);
      break;
    case 'f':
      *(volatile int *)0x123456789000 = 1;
      break;
    case 'h':
      for (volatile int turn = 0;; ++turn)
        ;
    }
  __atomic_fetch_or(ret, argc, __ATOMIC_RELAXED);
}
