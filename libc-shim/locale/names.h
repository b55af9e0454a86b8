//===-- libc-shim/locale/names.h - Names of locales -------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_LOCALE_NAMES_H
#define GPUEXEC_LIBC_LOCALE_NAMES_H

#include <stdbool.h>

/// Chooses the locale of a category (LC_CTYPE ...) by `name`; the empty name
/// means that of the environment. Returns the name to store: __locale_c for C
/// and POSIX, a copy of `name` for a locale with UTF-8. Null for other locales,
/// and when there is no room for one more name.
const char *__locale_find(int category, const char *name);

/// A copy of `text` that is never freed; equal texts have the same copy. Null
/// when there is no room.
const char *__locale_keep(const char *text);

#endif
