//===-- libc-shim/unwind/terminate.cpp - Exceptions that may not be -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/unwind/handlers.h"
#include "unwind-cxx.h"

using namespace __cxxabiv1;

extern "C" {

/// What landing pads name; those of a linked program name nothing.
_Unwind_Reason_Code __gxx_personality_v0(int, _Unwind_Action,
                                         _Unwind_Exception_Class,
                                         _Unwind_Exception *,
                                         _Unwind_Context *) {
  return _URC_CONTINUE_UNWIND;
}

/// An exception leaves a function that promised that none does.
void __cxa_call_terminate(_Unwind_Exception *exception) noexcept {
  if (exception) {
    __cxa_begin_catch(exception);
    __atomic_thread_fence(__ATOMIC_ACQUIRE); // throw.cpp
    if (__is_gxx_exception_class(exception->exception_class))
      __terminate(__get_exception_header_from_ue(exception)->terminateHandler);
  }
  std::terminate();
}

} // extern "C"
