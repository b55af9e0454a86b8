//===-- libc-shim/regex/groups.h - What a match's groups matched ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks through the program along the text, the first way of each choice first,
// and goes back where that fails. \N is compared here too.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_GROUPS_H
#define GPUEXEC_LIBC_REGEX_GROUPS_H

#include "automaton.h"

/// The bit of regex_program::begins for a class of bytes: a node can be
/// followed by a byte of this class, or of another one with the same bit. The
/// last bit is for the match's end.
enum { REGEX_BEGIN_BITS = 63 };
#define REGEX_BEGINS_AT_END (UINT64_C(1) << 63)

/// Fills in `count` matches for a match from `from` to `to`. Without references
/// there is one; with them it may end before `to`, or there may be none. 0,
/// REG_NOMATCH or REG_ESPACE.
int __regex_find_groups(const regex_program *program, regex_cache *cache,
                        const regex_text *text, const unsigned char *from,
                        const unsigned char *to, size_t count,
                        regmatch_t *matches);

#endif
