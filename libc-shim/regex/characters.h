//===-- libc-shim/regex/characters.h - Characters of a text ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the C locale a byte is a character. In a UTF-8 locale a byte that is no
// part of a character is REGEX_NO_CHARACTER, which nothing matches.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_CHARACTERS_H
#define GPUEXEC_LIBC_REGEX_CHARACTERS_H

#include "program.h"

#define REGEX_NO_CHARACTER 0x110000u
#define REGEX_LAST_CHARACTER 0x10ffffu

/// A text, or a piece of it. `end` is null for one that ends at its first 0.
typedef struct {
  const unsigned char *begin, *end;
  int flags; ///< REG_NOTBOL, REG_NOTEOL
} regex_text;

/// True if the text ends at `place`.
static inline bool regex_at_end(const regex_text *text,
                                const unsigned char *place) {
  return text->end ? place == text->end : *place == 0;
}

/// How many bytes a UTF-8 character has that begins with `lead`; 1 where
/// `lead` begins none.
static inline unsigned regex_length(unsigned char lead) {
  return lead < 0xc2   ? 1
         : lead < 0xe0 ? 2
         : lead < 0xf0 ? 3
         : lead < 0xf5 ? 4
                       : 1;
}

/// The character of `count` bytes. *length is its length, or 0 if the bytes are
/// the begin of one; a byte that is no part of a character has length 1.
uint32_t __regex_decode(const unsigned char *bytes, unsigned count,
                        unsigned *length);

/// The character at `place`, which is not the text's end, and its length.
uint32_t __regex_next(const regex_program *program, const regex_text *text,
                      const unsigned char *place, unsigned *length);

/// The character as comparisons see it: upper case with REG_ICASE.
uint32_t __regex_fold(const regex_program *program, uint32_t character);

/// True if the set has the character, which is folded.
bool __regex_in_set(const regex_program *program, const regex_set *set,
                    uint32_t character);

/// True if a node that consumes takes the character, which is folded.
bool __regex_takes(const regex_program *program, const regex_node *node,
                   uint32_t character);

/// The context that a character makes for the places beside it.
unsigned __regex_context_of(const regex_program *program, uint32_t character);

/// The context before and behind `place`.
unsigned __regex_context_before(const regex_program *program,
                                const regex_text *text,
                                const unsigned char *place);
unsigned __regex_context_behind(const regex_program *program,
                                const regex_text *text,
                                const unsigned char *place);

/// True if the contexts meet a REGEX_ASSERT's conditions.
bool __regex_holds(uint32_t conditions, unsigned before, unsigned behind);

/// The number of a character class ("alpha"), or -1; whether the class of this
/// number has the character, which is below the program's `low_end` or not.
int __regex_class(const char *name, size_t length);
bool __regex_in_class(int class, uint32_t character, bool wide);

#endif
