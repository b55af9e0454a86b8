//===-- offload/blas/operands/operands.h - Operands that stay on the device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of the arrays that calls have used, each with its address and shape.
// An array need not be copied to the device again if none of its pages was
// written since (pages.h). Watching costs the program a fault for each page
// that it writes. Therefore an array is watched only from its second use on,
// and less and less often if it was written between two calls.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_OPERANDS_OPERANDS_H
#define GPUEXEC_OFFLOAD_BLAS_OPERANDS_OPERANDS_H

#include "offload/blas/device/device.h"
#include "offload/blas/operands/pages.h"

/// An array of a call: `lines` of `width` elements, `pitch` elements apart.
typedef struct {
  uint8_t place;       ///< among the call's arguments
  uint8_t pitch_place; ///< of its leading dimension; 0: it is a vector
  uint8_t reads, writes;
  line_part part; ///< that the function writes
  void *address;
  size_t element, lines, width, pitch;
  // Of LAPACK's:
  uint8_t destroys; ///< the array's content after the call, on the device or
                    ///< the host, is not needed
  uint8_t source;   ///< the number, from 1, of the operand in whose memory on
                    ///< the device this one is written; 0: it has its own
} operand;

/// Bytes of its elements, without what lies between its lines.
static inline size_t operand_bytes(const operand *o) {
  return o->lines * o->width * o->element;
}

typedef struct {
  host_lines shape;
  size_t span; ///< bytes from its first to its last
  uint64_t device;
  size_t capacity;  ///< bytes at `device`; 0: none
  uint64_t used;    ///< the number of the call that used it last
  unsigned uses;    ///< calls
  unsigned stable;  ///< calls since it was last written, as far as is known
  unsigned pause;   ///< calls until it may be watched again
  unsigned backoff; ///< the next pause
  char is_watched;  ///< since `stable` was 0
  char is_there;    ///< the device has the content from when watching began
  char is_reused;   ///< it was read again after a call wrote it
  char was_written; ///< by a call
} operand_entry;

enum { OPERAND_ENTRIES = 64 };

typedef struct {
  offload_device *device;
  pages watched;
  const char *unwatched; ///< why memory is not watched; NULL: it is
  size_t budget, in_use; ///< bytes of the device
  uint64_t calls;
  double wasted; ///< seconds for watching arrays that were then written
  operand_entry entries[OPERAND_ENTRIES];
} operand_table;

void operands_open(operand_table *, offload_device *);

/// Starts a call: the entries that it uses are kept until the next call.
void operands_next_call(operand_table *);

/// The array's entry, which says whether the device has it. NULL: the table is
/// full of arrays of this call.
operand_entry *operands_find(operand_table *, const operand *);

/// Bytes that are copied to the device if the call is done there.
size_t operand_upload_size(const operand_entry *, const operand *);

/// Makes sure that the device has the array, or memory for it where the call
/// does not read it. Adds copied bytes to `copied`. Returns a code of device.h.
int operand_bring(operand_table *, operand_entry *, const operand *,
                  size_t *copied);
/// For a call that the processor does, but that the GPU would have done if it
/// had this array: watches whether the array stays as it is.
void operand_observe(operand_table *, operand_entry *);

/// Copies the array that the call has written back to the host, from the device
/// memory of `source`: the entry itself, or another one of its shape.
int operand_take(operand_table *, operand_entry *, const operand *,
                 const operand_entry *source, size_t *copied);
/// Call it when the processor has done the call: an array that it has written
/// is out of date on the device.
void operand_done_elsewhere(operand_entry *, const operand *);

#endif
