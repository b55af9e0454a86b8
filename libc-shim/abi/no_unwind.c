//===-- libc-shim/abi/no_unwind.c - C++ exceptions that nobody catches ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libsupc++ calls to look for a handler, as long as no pass lowers
// exceptions (ignore_exceptions.cpp): there is none, and libsupc++ ends the
// program with "terminate called after throwing an instance of ...".
//===----------------------------------------------------------------------===//
#include <stdlib.h>

/// _URC_END_OF_STACK of the Itanium C++ ABI.
enum { NO_HANDLER = 5 };

#define OF_ABI __attribute__((visibility("default")))

OF_ABI int _Unwind_RaiseException(void *exception) { return NO_HANDLER; }

OF_ABI int _Unwind_Resume_or_Rethrow(void *exception) { return NO_HANDLER; }

OF_ABI _Noreturn void _Unwind_Resume(void *exception) { abort(); }

OF_ABI void _Unwind_DeleteException(void *exception) {}

OF_ABI int __gxx_personality_v0(void) { return NO_HANDLER; }

OF_ABI _Noreturn void __cxa_call_unexpected(void *exception) { abort(); }
