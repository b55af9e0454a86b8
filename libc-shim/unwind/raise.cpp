//===-- libc-shim/unwind/raise.cpp - Where exceptions begin ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exception's handler is found before any function is left. It is noted in
// the exception's private members; landing pads read them.
//===----------------------------------------------------------------------===//
#include "libc-shim/abi/pass_records.h"
#include "libc-shim/unwind/handlers.h"
#include "unwind-cxx.h"
#include <cxxabi.h>

using namespace __cxxabiv1;
using gpuexec::Clause;

namespace {

/// An exception while its handler is searched.
struct Thrown {
  __cxa_exception *header;    ///< null: not of C++
  const std::type_info *type; ///< null: not of C++
  void *object;
};

Thrown describe(_Unwind_Exception *exception) {
  if (!__is_gxx_exception_class(exception->exception_class))
    return {};
  void *object = __get_object_from_ue(exception);
  return {__get_exception_header_from_ue(exception),
          __get_exception_header_from_obj(object)->exceptionType, object};
}

/// The first clause that takes what is thrown, null if there is none.
const Clause *find_clause(const Clause *clause, Thrown &thrown) {
  for (; clause->kind != CLAUSE_END; ++clause)
    if (clause->kind == CLAUSE_CATCH) {
      if (!clause->type ||
          (thrown.type
               ? gpuexec::takes(*clause->type, *thrown.type, thrown.object)
               : *clause->type == typeid(abi::__forced_unwind)))
        return clause;
    } else if (clause->kind == CLAUSE_FILTER) {
      if (thrown.type
              ? !gpuexec::allows(clause + 1, *thrown.type, thrown.object)
              : clause[1].kind != CLAUSE_ALLOWED)
        return clause;
    }
  return nullptr;
}

/// Writes to the exception who takes it. False: nobody.
bool find_handler(_Unwind_Exception *exception) {
  Thrown thrown = describe(exception);
  for (const handler_frame *frame = __gpuexec_newest_handlers(); frame;
       frame = reinterpret_cast<const handler_frame *>(frame->older)) {
    if (!frame->clauses)
      continue;
    const Clause *clause =
        find_clause(reinterpret_cast<const Clause *>(frame->clauses), thrown);
    if (!clause)
      continue;
    exception->private_1 = _Unwind_Word(clause->selector);
    exception->private_2 = reinterpret_cast<_Unwind_Word>(frame);
    if (thrown.header) {
      thrown.header->adjustedPtr = thrown.object;
      thrown.header->handlerSwitchValue = clause->selector;
      thrown.header->languageSpecificData =
          reinterpret_cast<const unsigned char *>(clause);
    }
    return true;
  }
  return false;
}

/// What the calling thread's forced unwinding ends with.
struct Forced {
  _Unwind_Stop_Fn stop;
  void *argument;
};
__thread Forced forced;

/// Goes to the next handler of all exceptions, or to the end of main().
_Unwind_Reason_Code force(_Unwind_Exception *exception) {
  if (!find_handler(exception))
    exception->private_2 = 0;
  __gpuexec_begin_throw(exception);
  return _URC_END_OF_STACK;
}

} // namespace

extern "C" {

/// A forced unwinding has come to the end of main().
__attribute__((noinline, used)) void
__gpuexec_lost_exception(void *thrown) {
  auto *exception = static_cast<_Unwind_Exception *>(thrown);
  const auto end = _Unwind_Action(_UA_FORCE_UNWIND | _UA_CLEANUP_PHASE |
                                  _UA_END_OF_STACK);
  forced.stop(1, end, exception->exception_class, exception, nullptr,
              forced.argument);
  std::terminate();
}

_Unwind_Reason_Code _Unwind_RaiseException(_Unwind_Exception *exception) {
  if (find_handler(exception))
    __gpuexec_begin_throw(exception);
  return _URC_END_OF_STACK;
}

_Unwind_Reason_Code _Unwind_Resume_or_Rethrow(_Unwind_Exception *exception) {
  return __is_gxx_exception_class(exception->exception_class)
             ? _Unwind_RaiseException(exception)
             : force(exception);
}

/// `stop` is called when all functions have been left, not for each.
_Unwind_Reason_Code _Unwind_ForcedUnwind(_Unwind_Exception *exception,
                                         _Unwind_Stop_Fn stop, void *argument) {
  forced = {stop, argument};
  return force(exception);
}

/// Landing pads go on themselves.
void _Unwind_Resume(_Unwind_Exception *exception) {
  __gpuexec_begin_throw(exception);
}

void _Unwind_DeleteException(_Unwind_Exception *exception) {
  if (exception->exception_cleanup)
    exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

/// There is no stack to look at.
_Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void *) {
  return _URC_END_OF_STACK;
}

} // extern "C"
