//===-- libc-shim/regex/groups.h - What a match's groups matched ----------===//
// Walks through the program along the text, the first way of each choice first,
// and goes back where that fails. \N is compared here too.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_GROUPS_H
#define GPUEXEC_LIBC_REGEX_GROUPS_H

#include "automaton.h"

/// A bit of regex_program::begins: the node can be followed by a byte of the
/// class, or of another class with the same bit; by the match's end.
static inline uint64_t regex_begin_bit(uint32_t class) {
  return UINT64_C(1) << class % 63;
}
#define REGEX_BEGINS_AT_END (UINT64_C(1) << 63)

/// Fills in `count` matches for a match from `from` to `to`. Without references
/// there is one; with them it may end before `to`, or there may be none. 0,
/// REG_NOMATCH or REG_ESPACE.
int __regex_find_groups(const regex_program *program, regex_cache *cache,
                        const regex_text *text, const unsigned char *from,
                        const unsigned char *to, size_t count,
                        regmatch_t *matches);

#endif
