//===-- libc-shim/regex/regcomp.c - regcomp() and regfree() ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "automaton.h"
#include "tree.h"
#include <stdlib.h>
#include <string.h>

/// Is the expression valid UTF-8? If not, characters are bytes.
static bool is_utf8(const unsigned char *text, size_t size) {
  for (size_t i = 0; i < size;) {
    unsigned length;
    if (__regex_decode(text + i, size - i < 4 ? (unsigned)(size - i) : 4,
                       &length) == REGEX_NO_CHARACTER)
      return false;
    i += length;
  }
  return true;
}

static int compile(regex_parser *parser) {
  uint32_t tree = 0;
  const int error = __regex_parse(parser, &tree);
  if (error)
    return error;
  return __regex_emit(parser, tree) && __regex_analyse(parser->program)
             ? 0
             : REG_ESPACE;
}

int __regex_compile(const char *pattern, int flags, regex_program **result) {
  const unsigned char *begin = (const unsigned char *)pattern;
  const size_t size = strlen(pattern);
  regex_program *program = calloc(1, sizeof(regex_program));
  if (!program)
    return REG_ESPACE;
  program->utf8 = MB_CUR_MAX > 1 && is_utf8(begin, size);
  program->low_end = program->utf8 ? 0x80 : 0x100;
  program->fold_case = flags & REG_ICASE;
  program->newline = flags & REG_NEWLINE;
  program->no_groups = flags & REG_NOSUB;
  regex_parser parser = {.begin = begin,
                         .at = begin,
                         .end = begin + size,
                         .program = program,
                         .extended = flags & REG_EXTENDED};
  const int error = compile(&parser);
  free(parser.trees.all);
  if (error)
    __regex_free(program), program = NULL;
  *result = program;
  return error;
}

void __regex_free(regex_program *program) {
  for (unsigned i = 0; i < REGEX_CACHES; ++i)
    if (program->caches[i])
      __regex_free_cache(program->caches[i]);
  free(program->nodes);
  free(program->sets);
  free(program->ranges);
  free(program->begins);
  free(program->solid);
  free(program);
}

int regcomp(regex_t *restrict compiled, const char *restrict expression,
            int flags) {
  regex_program *program = NULL;
  const int error = __regex_compile(expression, flags, &program);
  compiled->__program = program;
  compiled->re_nsub = program ? program->groups : 0;
  return error;
}

void regfree(regex_t *compiled) {
  if (compiled->__program)
    __regex_free(compiled->__program);
  compiled->__program = NULL;
}
