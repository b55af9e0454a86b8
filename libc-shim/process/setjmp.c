//===-- libc-shim/process/setjmp.c - Where jumps begin --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass lower_unwinding replaces calls of setjmp and defines __gpuexec_jump.
// So the definitions of setjmp here have two uses: they make the linker include
// this file, and they report calls through pointers, which C does not allow.
//===----------------------------------------------------------------------===//
#include "gpu/pass_runtime.h"
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#undef setjmp

_Noreturn __typeof__(__gpuexec_jump) __gpuexec_jump;

static _Noreturn void end(const char *message) {
  fputs(message, stderr);
  abort();
}

/// Called by a thread that reaches the end of its kernel before it has found
/// the target of its jump. Only code of the pass calls this: `used` keeps it
/// until then.
__attribute__((noinline, used)) void __gpuexec_lost_jump(void) {
  end("longjmp to a function that has returned\n");
}

static _Noreturn void end_call_through_pointer(void) {
  end("setjmp called through a pointer\n");
}
int setjmp(jmp_buf buffer) { end_call_through_pointer(); }
int _setjmp(jmp_buf buffer) { end_call_through_pointer(); }
int __gpuexec_builtin_setjmp(void **buffer) { end_call_through_pointer(); }

_Noreturn void longjmp(jmp_buf buffer, int value) {
  __gpuexec_jump(buffer->__activation, buffer->__place,
                 (uint32_t)(value ? value : 1));
}
_Noreturn void _longjmp(jmp_buf buffer, int value) { longjmp(buffer, value); }

/// clang's __builtin_longjmp, which common.cfg replaces by this.
_Noreturn void __gpuexec_builtin_longjmp(void **buffer) {
  longjmp((struct __gpuexec_jump_buffer *)(void *)buffer, 1);
}
