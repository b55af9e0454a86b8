//===-- drivers/binding.h - Functions of a library opened at run time -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program lists the driver's functions that it calls in one macro. The
// macros below make of it a structure of function pointers, whose types are
// those of the declarations (cuda.h, hsa.h), and the names for dlsym():
//
//   #define FUNCTIONS(F) F(cuInit) F(cuDeviceGet)
//   struct cuda { FUNCTIONS(DRIVER_MEMBER) } cuda;
//   const char *missing = bind_functions(library, FUNCTIONS(DRIVER_NAME),
//   &cuda);
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DRIVERS_BINDING_H
#define GPUEXEC_DRIVERS_BINDING_H

#include <dlfcn.h>
#include <string.h>

#ifdef __cplusplus
#define DRIVER_MEMBER(NAME) decltype(&::NAME) NAME = nullptr;
#else
#define DRIVER_MEMBER(NAME) __typeof__(&NAME) NAME;
#endif
#define DRIVER_NAME(NAME) #NAME "\0"

/// Looks up each function of `names` in `library`, which dlopen() returned, and
/// stores their addresses at `to`, one pointer after the other. `names`:
/// null-terminated names one after the other, the last one empty. Returns NULL,
/// or the first name that the library does not export; the pointers from there
/// on are not stored.
static inline const char *bind_functions(void *library, const char *names,
                                         void *to) {
  char *place = (char *)to;
  for (; *names; names += strlen(names) + 1, place += sizeof(void *)) {
    void *address = dlsym(library, names);
    if (!address)
      return names;
    memcpy(place, &address, sizeof address);
  }
  return NULL;
}

#endif
