//===-- drivers/binding.h - Functions of a library opened at run time -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program names the functions of a driver that it calls in one list, from
// which its structure of pointers and the names for the dynamic linker are
// made; the types are those of the declarations (cuda.h, hsa.h):
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

/// Stores the addresses of the functions of `library` whose names follow each
/// other in `names`, the last one before an empty one, from `to` on. Returns
/// the first name that the library does not export, where it stops, or NULL.
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
