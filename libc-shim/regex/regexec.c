//===-- libc-shim/regex/regexec.c - regexec() -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search.h"

int regexec(const regex_t *restrict compiled, const char *restrict string,
            size_t count, regmatch_t *restrict matches, int flags) {
  regex_program *program = compiled->__program;
  const unsigned char *begin = (const unsigned char *)string, *from = begin;
  regex_text text = {begin, NULL, flags};
  if (flags & ~(REG_NOTBOL | REG_NOTEOL | REG_STARTEND))
    return REG_BADPAT;
  if (flags & REG_STARTEND && matches[0].rm_so > matches[0].rm_eo)
    return REG_NOMATCH;
  if (flags & REG_STARTEND) {
    from = begin + matches[0].rm_so;
    text.end = begin + matches[0].rm_eo;
  }
  regex_cache *cache = __regex_take_cache(program);
  if (!cache)
    return REG_ESPACE;
  const int error = __regex_search(program, cache, &text, from,
                                   program->no_groups ? 0 : count, matches);
  if (cache->failed)
    __regex_free_cache(cache);
  else
    __regex_give_cache(program, cache);
  return error;
}
