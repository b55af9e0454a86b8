//===-- offload/blas/run/next.c - See next.h ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/next.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char library_name[512];

const char *next_library(void) { return library_name; }

static const void *own_base(void) {
  static const char here;
  Dl_info info;
  return dladdr(&here, &info) ? info.dli_fbase : NULL;
}

/// Looks the function up in one library. Returns NULL if it is not there, or if
/// it is a function of this library.
static void *in_library(const char *file, const char *name) {
  void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  if (!library)
    return NULL;
  void *function = dlsym(library, name);
  dlclose(library); // the library stays: it was open before
  Dl_info info;
  if (function && dladdr(function, &info) && info.dli_fbase == own_base())
    return NULL;
  return function;
}

static void *behind_caller(const char *name, const void *caller) {
  Dl_info info;
  return dladdr(caller, &info) && info.dli_fname && *info.dli_fname
             ? in_library(info.dli_fname, name)
             : NULL;
}

typedef struct {
  const char *names[256];
  size_t count;
} loaded_libraries;

// Only stores the names of libraries: dl_iterate_phdr() holds a lock that
// dlopen() needs.
static int note_library(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  loaded_libraries *all = context;
  if (info->dlpi_name &&
      (strstr(info->dlpi_name, "blas") || strstr(info->dlpi_name, "lapack")) &&
      all->count < sizeof all->names / sizeof *all->names)
    all->names[all->count++] = strdup(info->dlpi_name);
  return 0;
}

static void *anywhere(const char *name) {
  static const char *const usual[] = {"libblas.so.3", "libcblas.so.3",
                                      "libopenblas.so.0", "liblapack.so.3"};
  void *function = NULL;
  loaded_libraries all = {.count = 0};
  dl_iterate_phdr(note_library, &all);
  for (size_t i = 0; i < all.count; ++i) {
    if (!function && all.names[i])
      function = in_library(all.names[i], name);
    free((char *)all.names[i]);
  }
  for (size_t i = 0; !function && i < sizeof usual / sizeof *usual; ++i)
    function = in_library(usual[i], name);
  return function;
}

void *find_next(void **slot, const char *name, const void *caller) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function)
    function = behind_caller(name, caller);
  if (!function)
    function = anywhere(name);
  if (!function) {
    fprintf(stderr, "gpuexec blas: error: no library of this process has %s\n",
            name);
    abort();
  }
  Dl_info info;
  if (!*library_name && dladdr(function, &info) && info.dli_fname)
    snprintf(library_name, sizeof library_name, "%s", info.dli_fname);
  __atomic_store_n(slot, function, __ATOMIC_RELEASE);
  return function;
}
