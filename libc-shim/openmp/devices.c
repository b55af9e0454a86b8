//===-- libc-shim/openmp/devices.c - Teams and devices: one of each -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program runs on its initial device, and there is no other device. So the
// memory of a device is the program's own, and nothing need be mapped.
//===----------------------------------------------------------------------===//
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int omp_get_num_teams(void) { return 1; }
int omp_get_team_num(void) { return 0; }

// Values that one function sets and another returns; they have no other effect.
static int teams = 1, teams_limit, device;
void omp_set_num_teams(int count) { teams = count > 0 ? count : teams; }
int omp_get_max_teams(void) { return teams; }
void omp_set_teams_thread_limit(int limit) {
  teams_limit = limit > 0 ? limit : teams_limit;
}
int omp_get_teams_thread_limit(void) {
  return teams_limit ? teams_limit : omp_get_thread_limit();
}
void omp_set_default_device(int number) { device = number; }
int omp_get_default_device(void) { return device; }

enum { INITIAL = 0 };
int omp_get_num_devices(void) { return 0; }
int omp_get_device_num(void) { return INITIAL; }
int omp_get_initial_device(void) { return INITIAL; }
int omp_is_initial_device(void) { return 1; }

// There is nothing to give back that the next region would not need again.
int omp_pause_resource(omp_pause_resource_t kind, int number) {
  const bool known = kind == omp_pause_soft || kind == omp_pause_hard;
  return known && number == INITIAL && !omp_in_parallel() ? 0 : -1;
}
int omp_pause_resource_all(omp_pause_resource_t kind) {
  return omp_pause_resource(kind, INITIAL);
}

int omp_control_tool(int command, int modifier, void *argument) {
  return (void)command, (void)modifier, (void)argument, omp_control_tool_notool;
}

//===-- Memory ------------------------------------------------------------===//

void *omp_target_alloc(size_t size, int number) {
  return (void)number, malloc(size);
}
void omp_target_free(void *block, int number) {
  (void)number;
  free(block);
}
int omp_target_is_present(const void *address, int number) {
  return (void)number, address != NULL;
}
int omp_target_is_accessible(const void *address, size_t size, int number) {
  return (void)size, (void)number, address != NULL;
}
void *omp_get_mapped_ptr(const void *address, int number) {
  return (void)number, (void *)address;
}
int omp_target_associate_ptr(const void *host, const void *target, size_t size,
                             size_t offset, int number) {
  return (void)host, (void)target, (void)size, (void)offset, (void)number, -1;
}
int omp_target_disassociate_ptr(const void *address, int number) {
  return (void)address, (void)number, -1;
}

int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset,
                      size_t from_offset, int to_device, int from_device) {
  (void)to_device, (void)from_device;
  memcpy((char *)to + to_offset, (const char *)from + from_offset, size);
  return 0;
}

/// Copies a box of `sizes` elements between two arrays, which have `to_sizes`
/// and `from_sizes` elements.
static void copy_box(char *to, const char *from, size_t element, int dimensions,
                     const size_t *sizes, const size_t *to_offsets,
                     const size_t *from_offsets, const size_t *to_sizes,
                     const size_t *from_sizes) {
  size_t to_pitch = element, from_pitch = element;
  for (int i = 1; i < dimensions; ++i) {
    to_pitch *= to_sizes[i];
    from_pitch *= from_sizes[i];
  }
  to += to_offsets[0] * to_pitch;
  from += from_offsets[0] * from_pitch;
  if (dimensions == 1) {
    memcpy(to, from, sizes[0] * element);
    return;
  }
  for (size_t i = 0; i < sizes[0]; ++i)
    copy_box(to + i * to_pitch, from + i * from_pitch, element, dimensions - 1,
             sizes + 1, to_offsets + 1, from_offsets + 1, to_sizes + 1,
             from_sizes + 1);
}

int omp_target_memcpy_rect(void *to, const void *from, size_t element,
                           int dimensions, const size_t *sizes,
                           const size_t *to_offsets, const size_t *from_offsets,
                           const size_t *to_sizes, const size_t *from_sizes,
                           int to_device, int from_device) {
  (void)to_device, (void)from_device;
  if (!to && !from)
    return INT32_MAX; // the most dimensions that this function supports
  if (!to || !from || dimensions < 1)
    return -1;
  copy_box(to, from, element, dimensions, sizes, to_offsets, from_offsets,
           to_sizes, from_sizes);
  return 0;
}

//===-- Interoperation: there is no other runtime -------------------------===//

static void *nothing(int *code) {
  if (code)
    *code = omp_irc_empty;
  return NULL;
}
int omp_get_num_interop_properties(omp_interop_t object) {
  return (void)object, 0;
}
omp_intptr_t omp_get_interop_int(omp_interop_t object,
                                 omp_interop_property_t property, int *code) {
  return (void)object, (void)property, (omp_intptr_t)nothing(code);
}
void *omp_get_interop_ptr(omp_interop_t object, omp_interop_property_t property,
                          int *code) {
  return (void)object, (void)property, nothing(code);
}
const char *omp_get_interop_str(omp_interop_t object,
                                omp_interop_property_t property, int *code) {
  return (void)object, (void)property, nothing(code);
}
const char *omp_get_interop_name(omp_interop_t object,
                                 omp_interop_property_t property) {
  return (void)object, (void)property, NULL;
}
const char *omp_get_interop_type_desc(omp_interop_t object,
                                      omp_interop_property_t property) {
  return (void)object, (void)property, NULL;
}
const char *omp_get_interop_rc_desc(omp_interop_t object,
                                    omp_interop_rc_t code) {
  (void)object;
  return code == omp_irc_success ? "success" : "there is no such object";
}
