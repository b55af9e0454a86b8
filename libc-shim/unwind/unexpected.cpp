//===-- libc-shim/unwind/unexpected.cpp - Lists of exceptions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of C++98 to C++14 that lists what it throws: `void f() throw(A)`.
//===----------------------------------------------------------------------===//
#include "libc-shim/unwind/handlers.h"
#include "unwind-cxx.h"

using namespace __cxxabiv1;
using gpuexec::Clause;

namespace {

/// Leaves the handler of the exception that was not allowed.
struct EndCatch {
  ~EndCatch() noexcept(false) { __cxa_end_catch(); }
};

/// Whom a function's list asks when an exception is not in it.
struct Asked {
  std::unexpected_handler unexpected;
  std::terminate_handler terminate;
  const Clause *allowed;
};

/// Only an empty list refuses what is no exception of C++, such as
/// pthread_exit().
const Clause nothing = {nullptr, CLAUSE_END, 0};

/// Those of the `throw`, which the exception kept; a copy, since what throws
/// again changes them.
Asked asked(_Unwind_Exception *exception) {
  if (!__is_gxx_exception_class(exception->exception_class))
    return {std::get_unexpected(), std::get_terminate(), &nothing};
  __atomic_thread_fence(__ATOMIC_ACQUIRE); // throw.cpp
  const __cxa_exception &header = *__get_exception_header_from_ue(exception);
  return {header.unexpectedHandler, header.terminateHandler,
          reinterpret_cast<const Clause *>(header.languageSpecificData) + 1};
}

} // namespace

/// The handler of what is not allowed may throw what is.
extern "C" void __cxa_call_unexpected(void *thrown) {
  auto *exception = static_cast<_Unwind_Exception *>(thrown);
  __cxa_begin_catch(exception);
  EndCatch end;
  const Asked handlers = asked(exception);
  try {
    __unexpected(handlers.unexpected);
  } catch (...) {
    void *object = __get_object_from_ambiguous_exception(
        __cxa_get_globals_fast()->caughtExceptions);
    const std::type_info &type =
        *__get_exception_header_from_obj(object)->exceptionType;
    if (gpuexec::allows(handlers.allowed, type, object))
      throw;
    if (gpuexec::allows(handlers.allowed, typeid(std::bad_exception), nullptr))
      throw std::bad_exception();
    __terminate(handlers.terminate);
  }
}
