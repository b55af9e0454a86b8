//===-- offload/blas/operands/operands.c - See operands.h -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/operands/operands.h"
#include <string.h>

enum {
  DEVICE_ALIGNMENT = 32,     // of lines on the device: fast for tensor cores
  ALLOCATION_STEP = 2 << 20, // of the driver
  LEAST_WATCHED = 256 << 10, // smaller ones are copied as fast as checked
  LONGEST_PAUSE = 256,
};

/// Seconds that writing a page costs the program after it was watched: the
/// kernel notes the write.
static const double WATCHED_PAGE_SECONDS = 0.9e-6;

void operands_open(operand_table *t, offload_device *device) {
  memset(t, 0, sizeof *t);
  t->device = device;
  t->budget = device->memory / 4 * 3;
  t->unwatched = pages_open(&t->watched);
}

void operands_next_call(operand_table *t) { ++t->calls; }

static host_lines shape_of(const operand *o) {
  host_lines m = {o->address, o->lines, o->width * o->element,
                  (o->lines > 1 ? o->pitch : o->width) * o->element, 0};
  m.device_pitch =
      (m.width + DEVICE_ALIGNMENT - 1) / DEVICE_ALIGNMENT * DEVICE_ALIGNMENT;
  return m;
}

static void release(operand_table *t, operand_entry *e) {
  if (e->capacity) {
    device_free(t->device, e->device);
    t->in_use -= e->capacity;
  }
  memset(e, 0, sizeof *e);
}

/// The least recently used entry that this call does not use. `with_memory`:
/// among those that have memory on the device.
static operand_entry *oldest(operand_table *t, int with_memory) {
  operand_entry *found = NULL;
  for (operand_entry *e = t->entries; e < t->entries + OPERAND_ENTRIES; ++e)
    if (e->used != t->calls && (!with_memory || e->capacity) &&
        (!found || e->used < found->used))
      found = e;
  return found;
}

static void is_written(operand_table *t, operand_entry *e) {
  t->wasted += (double)(e->span >> 12) * WATCHED_PAGE_SECONDS;
  e->is_watched = e->is_there = 0;
  e->stable = 0;
  e->backoff = e->backoff ? e->backoff * 2 : 1;
  if (e->backoff > LONGEST_PAUSE)
    e->backoff = LONGEST_PAUSE;
  e->pause = e->backoff;
}

static int same_shape(const host_lines *a, const host_lines *b) {
  return a->address == b->address && a->lines == b->lines &&
         a->width == b->width && a->pitch == b->pitch;
}

operand_entry *operands_find(operand_table *t, const operand *o) {
  const host_lines shape = shape_of(o);
  operand_entry *e = NULL;
  for (int i = 0; !e && i < OPERAND_ENTRIES; ++i)
    if (t->entries[i].span && same_shape(&t->entries[i].shape, &shape))
      e = &t->entries[i];
  if (!e) {
    if (!(e = oldest(t, 0)))
      return NULL;
    release(t, e);
    e->shape = shape;
    e->span = (shape.lines - 1) * shape.pitch + shape.width;
  } else if (e->used == t->calls) {
    return e; // the same array twice in one call
  }
  e->used = t->calls;
  e->uses += 1;
  if (e->is_watched) {
    if (pages_unchanged(&t->watched, e->shape.address, e->span))
      e->stable += 1;
    else
      is_written(t, e);
  } else if (e->pause) {
    e->pause -= 1;
  }
  if (o->reads && e->was_written)
    e->is_reused = 1;
  return e;
}

size_t operand_upload_size(const operand_entry *e, const operand *o) {
  return o->reads && !e->is_there ? e->shape.lines * e->shape.device_pitch : 0;
}

/// Pages that were written may belong to other entries as well: those are out
/// of date, too.
typedef struct {
  operand_table *table;
  operand_entry *but;
} written_context;

static void forget_pages(void *context, uintptr_t begin, uintptr_t end) {
  const written_context *c = context;
  for (operand_entry *e = c->table->entries;
       e < c->table->entries + OPERAND_ENTRIES; ++e) {
    const uintptr_t from = (uintptr_t)e->shape.address & ~(uintptr_t)4095;
    if (e != c->but && e->is_watched &&
        begin < (uintptr_t)e->shape.address + e->span && from < end)
      is_written(c->table, e);
  }
}

static void watch(operand_table *t, operand_entry *e) {
  written_context context = {t, e};
  e->is_watched = !t->unwatched && e->uses > 1 && !e->pause &&
                  e->span >= LEAST_WATCHED &&
                  pages_watch(&t->watched, e->shape.address, e->span,
                              forget_pages, &context) == 0;
}

void operand_observe(operand_table *t, operand_entry *e) {
  if (!e->is_watched)
    watch(t, e);
}

static int allocate(operand_table *t, operand_entry *e, size_t size) {
  size = (size + ALLOCATION_STEP - 1) / ALLOCATION_STEP * ALLOCATION_STEP;
  // Takes over memory of about this size from an entry whose array is no longer
  // up to date on the device.
  for (operand_entry *other = t->entries; other < t->entries + OPERAND_ENTRIES;
       ++other)
    if (other->used != t->calls && !other->is_there &&
        other->capacity >= size && other->capacity <= 2 * size) {
      e->device = other->device;
      e->capacity = other->capacity;
      other->capacity = 0;
      return DEVICE_OK;
    }
  while (t->in_use + size > t->budget) {
    operand_entry *victim = oldest(t, 1);
    if (!victim)
      return DEVICE_NO_MEMORY;
    release(t, victim);
  }
  int error = device_allocate(t->device, size, &e->device);
  for (operand_entry *victim;
       error == DEVICE_NO_MEMORY && (victim = oldest(t, 1));) {
    release(t, victim);
    error = device_allocate(t->device, size, &e->device);
  }
  if (error)
    return error;
  e->capacity = size;
  t->in_use += size;
  return DEVICE_OK;
}

int operand_bring(operand_table *t, operand_entry *e, const operand *o,
                  size_t *copied) {
  const size_t size = e->shape.lines * e->shape.device_pitch;
  if (!e->capacity) {
    const int error = allocate(t, e, size);
    if (error)
      return error;
  }
  if (!o->reads || e->is_there) {
    e->is_there &= !o->destroys;
    return DEVICE_OK;
  }
  // Watches first and reads then: a write between the two is noticed.
  if (!e->is_watched && !o->writes && !o->destroys)
    watch(t, e);
  const int error = device_upload(t->device, &e->shape, e->device);
  if (error)
    return error;
  *copied += size;
  // Until the call's result is copied back, the device's copy is not what the
  // host has.
  e->is_there = !o->writes && !o->destroys && e->is_watched;
  return DEVICE_OK;
}

int operand_take(operand_table *t, operand_entry *e, const operand *o,
                 const operand_entry *source, size_t *copied) {
  e->is_there = e->is_watched = 0;
  e->was_written = 1;
  const int error = device_download(t->device, &e->shape, source->device,
                                    o->part, o->element);
  if (error)
    return error;
  *copied += e->shape.lines * e->shape.device_pitch;
  // No thread of the program may write these elements before the function
  // returns, so that the device's copy is what the host has. Not after a
  // function that writes a triangle: the rest of the device's copy is old.
  if (e->is_reused && o->part == PART_WHOLE && source == e) {
    watch(t, e);
    e->is_there = e->is_watched;
  }
  return DEVICE_OK;
}

void operand_done_elsewhere(operand_entry *e, const operand *o) {
  if (o->writes || o->destroys) {
    e->is_there = e->is_watched = 0;
    e->was_written = 1;
  }
}
