//===-- libc-shim/strings/fnmatch_groups.h - Parts of fnmatch() -*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_FNMATCH_GROUPS_H
#define GPUEXEC_LIBC_FNMATCH_GROUPS_H

#include <fnmatch.h>
#include <stdbool.h>

/// With FNM_PERIOD only a dot matches a leading dot. Is there one at `text`, in
/// the text that begins at `start`?
static inline bool fnmatch_is_hidden(const char *text, const char *start,
                                     int flags) {
  return *text == '.' && flags & FNM_PERIOD &&
         (text == start || (flags & FNM_PATHNAME && text[-1] == '/'));
}

/// May the pattern end here?
static inline bool fnmatch_ends(const char *text, int flags) {
  return !*text || (*text == '/' && flags & FNM_LEADING_DIR);
}

/// Does the character at `text`, which is not the text's end, match the part of
/// the pattern at *pattern, which is one of `?`, `[set]`, `\c` and `c`? Moves
/// *pattern behind that part, also where it does not match.
bool __fnmatch_one(const char **pattern, const char *text, const char *start,
                   int flags);

/// fnmatch() for patterns that have groups, as FNM_EXTMATCH allows them.
int __fnmatch_groups(const char *pattern, const char *text, int flags);

#endif
