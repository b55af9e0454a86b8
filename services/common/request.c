//===-- services/common/request.c - See request.h -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/common/request.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// Larger arrays are refused, so that sizes cannot overflow; no program has
/// one.
static const uint64_t MOST_BYTES = UINT64_C(1) << 40;

static int is_too_large(uint64_t count, uint64_t size) {
  return count > MOST_BYTES / size;
}

static void *get_block(request *r, uint64_t bytes) {
  void *block = r->blocks < MOST_BLOCKS ? malloc(bytes) : NULL;
  if (block)
    r->block[r->blocks++] = block;
  else
    r->error = ENOMEM;
  return block;
}

/// Subtracts the array's bytes from what the request may use. False, with
/// r->error set, if that is more than is left.
static int take_bytes(request *r, uint64_t count, uint64_t size) {
  if (is_too_large(count, size) || count * size > r->bytes_left) {
    r->error = EFAULT;
    return 0;
  }
  r->bytes_left -= count * size;
  return 1;
}

static void *make_copy(request *r, uint64_t address, uint64_t bytes,
                       int written) {
  void *copy = r->copies < MOST_ARRAYS ? get_block(r, bytes) : NULL;
  if (!copy) {
    r->error = ENOMEM;
    return NULL;
  }
  r->error = r->host->read_device(r->call, copy, address, bytes);
  if (r->error)
    return NULL;
  r->copied[r->copies++] = (copied_array){copy, address, bytes, written};
  return copy;
}

/// Checks an array for the GPU's library; returns its address on the device.
static void *place_on_gpu(request *r, uint64_t address, uint64_t count,
                          uint64_t size, int written) {
  if (!r->error)
    r->error = r->host->check_device(r->call, address, count * size, written);
  return r->error ? NULL : (void *)(uintptr_t)address;
}

void *copy_array(request *r, uint64_t address, uint64_t count, uint64_t size,
                 int written) {
  if (r->error)
    return NULL;
  if (r->on_device)
    return get_array(r, address, count, size, written);
  if (!count)
    return get_workspace(r, 1, size);
  return take_bytes(r, count, size)
             ? make_copy(r, address, count * size, written)
             : NULL;
}

void *get_array(request *r, uint64_t address, uint64_t count, uint64_t size,
                int written) {
  if (!count || r->error || !take_bytes(r, count, size))
    return NULL;
  if (r->on_device)
    return place_on_gpu(r, address, count, size, written);
  void *view = has_views(r) ? r->host->view_device(r->call, address,
                                                   count * size, written)
                            : NULL;
  return view ? view : make_copy(r, address, count * size, written);
}

/// Copies `count` elements of `size` bytes, which are `to_step` elements apart
/// in `to` and `from_step` elements in `from`.
static void copy_elements(char *to, uint64_t to_step, const char *from,
                          uint64_t from_step, uint64_t count, uint32_t size) {
  for (uint64_t i = 0; i < count; ++i)
    memcpy(to + i * to_step * size, from + i * from_step * size, size);
}

void *get_vector(request *r, uint64_t address, int64_t count, int *increment,
                 uint64_t size, int written, int packs) {
  if (!*increment && count > 1 && !take_bytes(r, (uint64_t)count - 1, size))
    return NULL;
  void *memory =
      get_array(r, address, vector_elements(count, *increment), size, written);
  if (!memory || !packs || r->on_device ||
      (*increment >= -1 && *increment <= 1))
    return memory;
  const uint64_t elements = (uint64_t)count;
  const uint64_t step = vector_elements(2, *increment) - 1;
  char *packed = r->packs < MOST_ARRAYS ? get_block(r, elements * size) : NULL;
  if (!packed) {
    r->error = ENOMEM;
    return NULL;
  }
  copy_elements(packed, 1, memory, step, elements, (uint32_t)size);
  r->packed[r->packs++] =
      (packed_vector){memory, packed, elements, step, (uint32_t)size, written};
  *increment = *increment < 0 ? -1 : 1;
  return packed;
}

/// Transposes a matrix: copies its lines, which begin `from_step` elements
/// apart, to the columns of `to`.
static void turn(char *to, uint64_t to_step, const char *from,
                 uint64_t from_step, uint64_t lines, uint64_t columns,
                 uint32_t size) {
  for (uint64_t line = 0; line < lines; ++line)
    copy_elements(to + line * size, to_step, from + line * from_step * size, 1,
                  columns, size);
}

/// Memory for an empty matrix. Functions such as xGTSV read and write one row
/// or column of a matrix even if it is empty.
static void *empty_matrix(request *r, uint64_t rows, uint64_t columns,
                          uint64_t size) {
  const uint64_t lines = rows ? rows : columns;
  void *memory = get_workspace(r, lines, size);
  if (memory)
    memset(memory, 0, (lines ? lines : 1) * size);
  return memory;
}

void *get_matrix(request *r, uint64_t address, int order, uint64_t rows,
                 uint64_t columns, int *step, uint64_t size, int written) {
  const uint64_t count =
      matrix_elements(order, (int64_t)rows, (int64_t)columns, *step);
  if (r->on_device && order == BY_ROWS && !r->error)
    r->error = ENOTSUP;
  void *memory = get_array(r, address, count, size, written);
  if ((order != BY_ROWS && memory) || r->on_device)
    return memory;
  const uint64_t row_step = (uint64_t)*step;
  *step = rows ? (int)rows : 1;
  if (!memory)
    return empty_matrix(r, rows, columns, size);
  if (r->turns == MOST_ARRAYS) {
    r->error = EFAULT;
    return NULL;
  }
  char *turned = get_block(r, rows * columns * size);
  if (!turned)
    return NULL;
  turn(turned, rows, memory, row_step, rows, columns, (uint32_t)size);
  r->turned[r->turns++] = (turned_matrix){
      memory, turned, rows, columns, row_step, rows, (uint32_t)size, written};
  return turned;
}

/// Copies pivots for the host's check, also when the GPU's library will use
/// them.
static int *copy_pivots(request *r, uint64_t address, uint64_t count) {
  if (!r->on_device || !count || r->error)
    return copy_array(r, address, count, sizeof(int), 0);
  return take_bytes(r, count, sizeof(int))
             ? make_copy(r, address, count * sizeof(int), 0)
             : NULL;
}

int *get_pivots(request *r, uint64_t address, uint64_t count, int limit,
                int pairs) {
  int *pivots = copy_pivots(r, address, count);
  uint64_t negative = 0; // adjacent negative pivots before this one
  for (uint64_t i = 0; pivots && i <= count; ++i) {
    const int pivot = i < count ? pivots[i] : 1;
    const int row = pairs && pivot < 0 && pivot >= -limit ? -pivot : pivot;
    if (row < 1 || (i < count && row > limit) || (pivot > 0 && negative % 2))
      r->error = EINVAL;
    negative = pivot < 0 ? negative + 1 : 0;
  }
  if (r->on_device)
    return place_on_gpu(r, address, count, sizeof *pivots, 0);
  return r->error ? NULL : pivots;
}

void *get_workspace(request *r, uint64_t count, uint64_t size) {
  if (r->error)
    return NULL;
  if (is_too_large(count, size)) {
    r->error = ENOMEM;
    return NULL;
  }
  return get_block(r, (count ? count : 1) * size);
}

void end_request(request *r) {
  for (unsigned i = 0; i < r->turns && !r->error; ++i) {
    const turned_matrix *matrix = &r->turned[i];
    if (matrix->written)
      turn(matrix->rows, matrix->row_step, matrix->columns, matrix->column_step,
           matrix->column_count, matrix->row_count, matrix->element);
  }
  for (unsigned i = 0; i < r->packs && !r->error; ++i) {
    const packed_vector *vector = &r->packed[i];
    if (vector->written)
      copy_elements(vector->spread, vector->step, vector->packed, 1,
                    vector->count, vector->element);
  }
  for (unsigned i = 0; i < r->copies && !r->error; ++i) {
    const copied_array *array = &r->copied[i];
    if (array->written)
      r->error = r->host->write_device(r->call, array->address, array->copy,
                                       array->size);
  }
  for (unsigned i = 0; i < r->blocks; ++i)
    free(r->block[i]);
}
