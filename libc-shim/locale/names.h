//===-- libc-shim/locale/names.h - Names of locales -------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_LOCALE_NAMES_H
#define GPUEXEC_LIBC_LOCALE_NAMES_H

#include <stdbool.h>

/// The name to keep for a category (LC_CTYPE ...) when a program asks for the
/// locale `name`: __locale_c for C and POSIX, a copy of `name` for a locale
/// with UTF-8. For the empty name the environment says which. Null for all
/// other locales, and when there is no memory for one more name.
const char *__locale_find(int category, const char *name);

/// A copy of `text` that stays until the program ends, the same one for equal
/// texts. Null when memory is out.
const char *__locale_keep(const char *text);

#endif
