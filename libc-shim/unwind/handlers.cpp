//===-- libc-shim/unwind/handlers.cpp - See handlers.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/unwind/handlers.h"

/// The table of virtual functions of a pointer's type_info. An object begins
/// with the address of the third word.
extern "C" const void *const _ZTVN10__cxxabiv119__pointer_type_infoE[];
static bool is_pointer(const std::type_info &type) {
  return *reinterpret_cast<const void *const *const *>(&type) ==
         _ZTVN10__cxxabiv119__pointer_type_infoE + 2;
}

bool gpuexec::takes(const std::type_info &handler, const std::type_info &thrown,
                    void *&object) {
  const bool pointer = is_pointer(thrown);
  // Most handlers name the type that is thrown; there is no base to look for.
  if (&handler == &thrown && !pointer)
    return true;
  void *found = pointer ? *static_cast<void **>(object) : object;
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
