//===-- libc-shim/unwind/handlers.cpp - See handlers.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/unwind/handlers.h"

bool gpuexec::takes(const std::type_info &handler, const std::type_info &thrown,
                    void *&object) {
  void *found =
      thrown.__is_pointer_p() ? *static_cast<void **>(object) : object;
  if (!handler.__do_catch(&thrown, &found, 1))
    return false;
  object = found;
  return true;
}

bool gpuexec::allows(const Clause *allowed, const std::type_info &thrown,
                     void *object) {
  for (; allowed->kind == CLAUSE_ALLOWED; ++allowed)
    if (takes(*allowed->type, thrown, object))
      return true;
  return false;
}
