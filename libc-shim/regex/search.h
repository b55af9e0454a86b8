//===-- libc-shim/regex/search.h - The leftmost longest match -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_REGEX_SEARCH_H
#define GPUEXEC_LIBC_REGEX_SEARCH_H

#include "automaton.h"

/// Looks for the longest of the leftmost matches from `from` on, a place in the
/// text. Returns 0, REG_NOMATCH or REG_ESPACE. Fills in `count` matches: the
/// whole match, then the program's groups; others are -1.
int __regex_search(const regex_program *program, regex_cache *cache,
                   const regex_text *text, const unsigned char *from,
                   size_t count, regmatch_t *matches);

#endif
