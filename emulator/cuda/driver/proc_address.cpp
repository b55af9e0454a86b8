//===-- emulator/cuda/driver/proc_address.cpp - Functions by name ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuGetProcAddress(): a name without its version, as the documentation has it,
// and the version of CUDA that the caller knows. Functions that are missing are
// not found. This file must not see CUDA's header: it declares the functions
// without their parameters.
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdio>
#include <cstring>

/// The table of functions: the emulated device's, or the lent one's.
#ifndef GPUEXEC_CUDA_FUNCTIONS
#define GPUEXEC_CUDA_FUNCTIONS "emulator/cuda/driver/functions.def"
#endif

#define FUNCTION(NAME) extern "C" int NAME();
#define MISSING(NAME)
#include GPUEXEC_CUDA_FUNCTIONS

// These two are not in the table: they have their parameters here.
extern "C" __attribute__((visibility("default"))) int
cuGetProcAddress(const char *symbol, void **address, int version,
                 uint64_t flags);
extern "C" __attribute__((visibility("default"))) int
cuGetProcAddress_v2(const char *symbol, void **address, int version,
                    uint64_t flags, int *result);

namespace {

struct Function {
  const char *name;
  int (*address)();
};

constexpr Function FUNCTIONS[] = {
#define FUNCTION(NAME) {#NAME, NAME},
#define MISSING(NAME)
#include GPUEXEC_CUDA_FUNCTIONS
};

/// Functions whose newer version takes other arguments: the version of CUDA
/// with which it came.
struct NewVersion {
  const char *name;
  int since;
};
constexpr NewVersion NEW_VERSIONS[] = {
    {"cuCtxCreate_v4", 12050},
    {"cuDeviceGetUuid_v2", 11040},
    {"cuEventElapsedTime_v2", 12080},
    {"cuGetProcAddress_v2", 12000},
    {"cuGraphAddDependencies_v2", 12030},
    {"cuGraphExecUpdate_v2", 12000},
    {"cuGraphGetEdges_v2", 12030},
    {"cuGraphNodeGetDependencies_v2", 12030},
    {"cuGraphNodeGetDependentNodes_v2", 12030},
    {"cuGraphRemoveDependencies_v2", 12030},
    {"cuMemAdvise_v2", 13000},
    {"cuMemPrefetchAsync_v2", 13000},
    {"cuStreamGetCaptureInfo_v3", 12030},
    {"cuStreamUpdateCaptureDependencies_v2", 12030},
};

bool is_known_to(const char *name, int version) {
  for (const NewVersion &other : NEW_VERSIONS)
    if (strcmp(other.name, name) == 0)
      return version >= other.since;
  return true;
}

void *address_of(const char *name) {
  for (const Function &function : FUNCTIONS)
    if (strcmp(function.name, name) == 0)
      return reinterpret_cast<void *>(function.address);
  if (strcmp(name, "cuGetProcAddress") == 0)
    return reinterpret_cast<void *>(cuGetProcAddress);
  if (strcmp(name, "cuGetProcAddress_v2") == 0)
    return reinterpret_cast<void *>(cuGetProcAddress_v2);
  return nullptr;
}

void *find(const char *symbol, int version) {
  char name[128];
  for (int suffix = 4; suffix >= 1; --suffix) {
    if (suffix > 1)
      snprintf(name, sizeof(name), "%s_v%d", symbol, suffix);
    else
      snprintf(name, sizeof(name), "%s", symbol);
    if (is_known_to(name, version))
      if (void *address = address_of(name))
        return address;
  }
  return nullptr;
}

constexpr int SUCCESS = 0, INVALID_VALUE = 1, NOT_FOUND = 500; // CUresult

} // namespace

/// `result`, if not null: 0 when found, 1 when there is no such function.
extern "C" int cuGetProcAddress_v2(const char *symbol, void **address,
                                   int version, uint64_t flags, int *result) {
  if (!symbol || !address || flags > 2)
    return INVALID_VALUE;
  *address = find(symbol, version);
  if (result)
    *result = *address ? 0 : 1;
  return *address || result ? SUCCESS : NOT_FOUND;
}

extern "C" int cuGetProcAddress(const char *symbol, void **address, int version,
                                uint64_t flags) {
  return cuGetProcAddress_v2(symbol, address, version, flags, nullptr);
}
