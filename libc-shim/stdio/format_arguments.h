//===-- libc-shim/stdio/format_arguments.h - Arguments of printf ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variadic arguments in the types that a format gives them. Part of format.c.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_FORMAT_ARGUMENTS_H
#define GPUEXEC_LIBC_FORMAT_ARGUMENTS_H

#include "libc-shim/stdio/format.h"

// A value from the variadic arguments.
typedef union {
  uint64_t bits;
  double number;
  const void *pointer;
} argument;

typedef enum { NONE, INT, LONG, DOUBLE, POINTER } argument_kind;

// The arguments, in order or, with "n$", by number.
typedef struct {
  va_list list;
  argument *numbered; // null: in order
} arguments;

static argument_kind kind_of(const format_spec *spec) {
  // Bit masks: a switch becomes a long chain of branches on a GPU.
  unsigned letter = (unsigned char)spec->conversion - 'A';
  if (letter >= 64)
    return NONE;
#define BIT(c) (1ull << ((c) - 'A'))
  const uint64_t floats = BIT('a') | BIT('A') | BIT('e') | BIT('E') | BIT('f') |
                          BIT('F') | BIT('g') | BIT('G');
  const uint64_t integers = BIT('d') | BIT('i') | BIT('u') | BIT('o') |
                            BIT('x') | BIT('X') | BIT('b') | BIT('B');
  const uint64_t pointers = BIT('s') | BIT('S') | BIT('p') | BIT('n');
  const uint64_t characters = BIT('c') | BIT('C');
  const uint64_t bit = 1ull << letter;
  if (bit & integers)
    return spec->length && spec->length != 'H' && spec->length != 'h' ? LONG
                                                                      : INT;
  return bit & floats       ? DOUBLE
         : bit & pointers   ? POINTER
         : bit & characters ? INT
                            : NONE;
#undef BIT
}

static argument next(va_list *list, argument_kind kind) {
  argument value = {0};
  switch (kind) {
  case INT:
    value.bits = (uint64_t)(int64_t)va_arg(*list, int);
    break;
  case LONG:
    value.bits = va_arg(*list, uint64_t);
    break;
  case DOUBLE:
    value.number = va_arg(*list, double);
    break;
  case POINTER:
    value.pointer = va_arg(*list, void *);
    break;
  case NONE:
    break;
  }
  return value;
}

static argument fetch(arguments *from, int number, argument_kind kind) {
  if (from->numbered)
    return from->numbered[number - 1];
  return next(&from->list, kind);
}

#endif
