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

/// A text. If `end` is null, it ends at its first null character.
typedef struct {
  const unsigned char *begin, *end;
  int flags; ///< REG_NOTBOL, REG_NOTEOL
} regex_text;

/// True if the text ends at `place`.
static inline bool regex_at_end(const regex_text *text,
                                const unsigned char *place) {
  return text->end ? place == text->end : *place == 0;
}

/// The number of bytes of a UTF-8 character that begins with `lead`; 1 if no
/// character begins with it.
static inline unsigned regex_length(unsigned char lead) {
  return lead < 0xc2   ? 1
         : lead < 0xe0 ? 2
         : lead < 0xf0 ? 3
         : lead < 0xf5 ? 4
                       : 1;
}

/// Decodes the character at the begin of `count` bytes. *length becomes its
/// length, or 0 if all bytes are the begin of a character. A byte that is no
/// part of a character is REGEX_NO_CHARACTER with length 1.
uint32_t __regex_decode(const unsigned char *bytes, unsigned count,
                        unsigned *length);

/// The character at `place`, which is not the text's end, and its length.
uint32_t __regex_next(const regex_program *program, const regex_text *text,
                      const unsigned char *place, unsigned *length);

/// The character in the form that is compared: upper case with REG_ICASE.
uint32_t __regex_fold(const regex_program *program, uint32_t character);

/// True if the set contains the character, which __regex_fold() has returned.
bool __regex_in_set(const regex_program *program, const regex_set *set,
                    uint32_t character);

/// True if a node that consumes a character takes this one, which
/// __regex_fold() has returned.
bool __regex_takes(const regex_program *program, const regex_node *node,
                   uint32_t character);

/// The context (enum regex_context) of a place beside this character.
unsigned __regex_context_of(const regex_program *program, uint32_t character);

/// The contexts on the left and on the right of `place`.
unsigned __regex_context_before(const regex_program *program,
                                const regex_text *text,
                                const unsigned char *place);
unsigned __regex_context_behind(const regex_program *program,
                                const regex_text *text,
                                const unsigned char *place);

/// True if the contexts meet a REGEX_ASSERT's conditions.
bool __regex_holds(uint32_t conditions, unsigned before, unsigned behind);

/// __regex_class() returns the number of a character class ("alpha"), or -1.
/// __regex_in_class() tells whether a class contains a character; `wide`: the
/// character is not below the program's `low_end`.
int __regex_class(const char *name, size_t length);
bool __regex_in_class(int class, uint32_t character, bool wide);

#endif
