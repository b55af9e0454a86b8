//===-- drivers/tests/cuda_header_test.cpp - Our tables against cuda.h ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled where CUDA's toolkit is found: every prototype, number and layout of
// the tables is the one of NVIDIA's header. What differs does not compile.
//===----------------------------------------------------------------------===//
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <type_traits>

namespace ours {
#include "drivers/cuda_types.h"
}
// NVIDIA's header has macros of these names.
#undef CU_LAUNCH_PARAM_END
#undef CU_LAUNCH_PARAM_BUFFER_POINTER
#undef CU_LAUNCH_PARAM_BUFFER_SIZE
#include <cuda.h>

namespace {

// Our parameters have NVIDIA's types here.
#define CUDA_FUNCTION(RESULT, NAME, PARAMETERS)                                \
  static_assert(std::is_same_v<decltype(&::NAME), RESULT(*) PARAMETERS>,       \
                #NAME " has other parameters");
#include "drivers/cuda.def"

#define CUDA_HANDLE(NAME)                                                      \
  static_assert(std::is_pointer_v<::NAME>, #NAME " is no pointer");
#define CUDA_ENUMERATION(NAME, VALUES)                                         \
  static_assert(sizeof(ours::NAME) == sizeof(::NAME), #NAME);                  \
  VALUES
#define CUDA_FLAGS(NAME, VALUES) VALUES
#define CUDA_VALUE(NAME, NUMBER)                                               \
  static_assert((NAME) == (NUMBER), #NAME " is another number");
#define CUDA_STRUCTURE(NAME, FIELDS)                                           \
  namespace NAME##_layout {                                                    \
    using Ours = ours::NAME;                                                   \
    using Theirs = ::NAME;                                                     \
    static_assert(sizeof(Ours) == sizeof(Theirs), #NAME " has another size");  \
    FIELDS                                                                     \
  }
#define CUDA_FIELD(TYPE, NAME)                                                 \
  static_assert(offsetof(Ours, NAME) == offsetof(Theirs, NAME) &&              \
                    sizeof(Ours::NAME) == sizeof(Theirs::NAME),                \
                #NAME " lies elsewhere");
#include "drivers/cuda_types.def"

static_assert(std::is_same_v<ours::CUdevice, ::CUdevice>);
static_assert(std::is_same_v<ours::CUdeviceptr, ::CUdeviceptr>);
static_assert(std::is_same_v<ours::CUmemGenericAllocationHandle,
                             ::CUmemGenericAllocationHandle>);

/// In the report of the tests the proof has a line of its own.
TEST(CudaHeader, SaysWhatOurTablesSay) {
  RecordProperty("CUDA_VERSION", CUDA_VERSION);
}

} // namespace
