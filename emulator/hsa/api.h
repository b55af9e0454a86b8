//===-- emulator/hsa/api.h - For the entry points' files --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points are thin: they check handles and pointers, call the runtime and
// return a status. A function that is not emulated prints its name
// (not_emulated) and never reports success.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_HSA_API_H
#define GPUEXEC_EMULATOR_HSA_API_H

#define HSA_EXPORT 1 // visibility of what hsa.h declares
#include "emulator/hsa/runtime.h"

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <cstring>

#define GPUEXEC_EXPORT extern "C" __attribute__((visibility("default")))

/// Declares the runtime, or returns HSA_STATUS_ERROR_NOT_INITIALIZED.
#define GPUEXEC_RUNTIME(NAME)                                                  \
  Runtime *NAME = Runtime::get();                                              \
  if (!NAME)                                                                   \
  return HSA_STATUS_ERROR_NOT_INITIALIZED

/// Declares a variable for the object that a handle names, or returns
/// HSA_STATUS_ERROR_INVALID_<KIND>.
#define GPUEXEC_FIND(NAME, FOUND, KIND)                                        \
  auto NAME = FOUND;                                                           \
  GPUEXEC_REQUIRE(NAME, KIND)
#define GPUEXEC_REQUIRE(FOUND, KIND)                                           \
  if (!(FOUND))                                                                \
  return hsa_status_t(HSA_STATUS_ERROR_INVALID_##KIND)

namespace gpuexec::emulator {

/// Prints a line that names the function to stderr, once per function. Returns
/// HSA_STATUS_ERROR.
hsa_status_t not_emulated(const char *function);

/// Stores the value of an attribute.
template <typename T> hsa_status_t answer(void *to, T value) {
  memcpy(to, &value, sizeof(value));
  return HSA_STATUS_SUCCESS;
}

/// Answers that no exception policy is supported.
inline hsa_status_t no_exception_policies(uint16_t *mask) {
  GPUEXEC_REQUIRE(mask, ARGUMENT);
  return answer(mask, uint16_t(0));
}

/// Stores `text` in a field of `size` bytes, cut off if need be and padded with
/// zeros.
inline hsa_status_t answer_text(void *to, size_t size,
                                const std::string &text) {
  memset(to, 0, size);
  memcpy(to, text.data(), std::min(size - 1, text.size()));
  return HSA_STATUS_SUCCESS;
}

/// Calls back with every handle, until a callback returns another status than
/// success; returns that status.
template <typename List, typename Callback, typename HandleOf>
hsa_status_t each(const List &list, Callback callback, void *data,
                  HandleOf handle_of) {
  if (!callback)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const auto &member : list)
    if (hsa_status_t status = callback(handle_of(member), data);
        status != HSA_STATUS_SUCCESS)
      return status;
  return HSA_STATUS_SUCCESS;
}

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_API_H
