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

} // namespace

/// The handler of what is not allowed may throw what is.
extern "C" void __cxa_call_unexpected(void *thrown) {
  auto *exception = static_cast<_Unwind_Exception *>(thrown);
  __cxa_begin_catch(exception);
  EndCatch end;
  if (!__is_gxx_exception_class(exception->exception_class))
    std::terminate();
  // What throws again changes the header.
  const __cxa_exception header = *__get_exception_header_from_ue(exception);
  const auto *allowed =
      reinterpret_cast<const Clause *>(header.languageSpecificData) + 1;
  try {
    __unexpected(header.unexpectedHandler);
  } catch (...) {
    void *object = __get_object_from_ambiguous_exception(
        __cxa_get_globals_fast()->caughtExceptions);
    const std::type_info &type =
        *__get_exception_header_from_obj(object)->exceptionType;
    if (gpuexec::allows(allowed, type, object))
      throw;
    if (gpuexec::allows(allowed, typeid(std::bad_exception), nullptr))
      throw std::bad_exception();
    __terminate(header.terminateHandler);
  }
}
