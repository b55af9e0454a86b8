//===-- libc-shim/regex/groups.h - The texts of a match's groups ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks through the program along the text. At each choice it tries the first
// way, and goes back to the second if that fails. \N is compared here too.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_GROUPS_H
#define GPUEXEC_LIBC_REGEX_GROUPS_H

#include "automaton.h"

/// The number of bits of regex_program::begins for classes of bytes. A bit is
/// set if a match can go on, from the node, with a byte of a class that has
/// this bit. Several classes may share a bit. The last bit is for the match's
/// end.
enum { REGEX_BEGIN_BITS = 63 };
#define REGEX_BEGINS_AT_END (UINT64_C(1) << 63)

/// Fills in `count` matches for a match from `from` to `to`. Without \N the
/// caller knows that there is one; with \N it may end before `to`, or there may
/// be none. Returns 0, REG_NOMATCH or REG_ESPACE.
int __regex_find_groups(const regex_program *program, regex_cache *cache,
                        const regex_text *text, const unsigned char *from,
                        const unsigned char *to, size_t count,
                        regmatch_t *matches);

#endif
