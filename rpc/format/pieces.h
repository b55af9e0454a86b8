//===-- rpc/format/pieces.h - The pieces of a format ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only for the files of this folder.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_FORMAT_PIECES_H
#define GPUEXEC_RPC_FORMAT_PIECES_H

#include "rpc/format/format.h"

/// The kind of a piece: literal text, or how a conversion prints its value.
enum piece_kind {
  LITERAL,
  INTEGER,
  FLOATING,
  CHARACTER,
  UTF8, ///< a character as UTF-8
  STRING,
  POINTER,
  NOTHING, ///< %n: its argument is consumed
};

/// A part of the text: literal, or a conversion.
struct format_piece {
  enum piece_kind kind;
  char conversion; ///< the letter for snprintf
  char length;     ///< 'H' for hh, 'h', 'l' for 8 bytes, or 0
  bool is_plain;   ///< no flags, width or precision
  char flags[8];
  char text[20]; ///< for snprintf, with stars for width and precision
  int argument, width_argument, precision_argument; ///< -1: none
  int width, precision;                             ///< 0, -1: none
  size_t begin, size; ///< of a literal: in the format's text
  size_t string;      ///< of a string: its index
};

/// The value of an argument; 0 if the block is too short.
uint64_t argument_value(const struct format *format, int index,
                        struct format_bytes block);

/// Writes a conversion for snprintf: `%-*.*lld`.
void write_conversion(char (*to)[20], const char *flags, const char *stars,
                      const char *length, const char *letter);

#endif // GPUEXEC_RPC_FORMAT_PIECES_H
