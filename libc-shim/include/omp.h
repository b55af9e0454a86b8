//===-- <omp.h> - OpenMP 5.1 ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime is in libc.a (libc-shim/openmp). An OpenMP thread is a lane of
// the grid; docs/openmp.md says what is there and what is not.
//===----------------------------------------------------------------------===//
#ifndef _GPUEXEC_OMP_H
#define _GPUEXEC_OMP_H

#include <stddef.h>
#include <stdint.h>

// A call that may throw would be no plain call: serialise_locks looks for pairs
// of omp_set_lock() and omp_unset_lock().
#ifdef __cplusplus
#define _OMP_NOTHROW __attribute__((nothrow))
extern "C" {
#else
#define _OMP_NOTHROW
#endif

typedef struct {
  unsigned __taken;
} omp_lock_t;
typedef struct {
  unsigned __owner, __count;
} omp_nest_lock_t;

typedef enum {
  omp_sync_hint_none = 0,
  omp_lock_hint_none = 0,
  omp_sync_hint_uncontended = 1,
  omp_lock_hint_uncontended = 1,
  omp_sync_hint_contended = 2,
  omp_lock_hint_contended = 2,
  omp_sync_hint_nonspeculative = 4,
  omp_lock_hint_nonspeculative = 4,
  omp_sync_hint_speculative = 8,
  omp_lock_hint_speculative = 8
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;

typedef enum {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4,
  omp_sched_monotonic = (int)0x80000000
} omp_sched_t;

typedef enum {
  omp_proc_bind_false = 0,
  omp_proc_bind_true = 1,
  omp_proc_bind_primary = 2,
  omp_proc_bind_master = 2,
  omp_proc_bind_close = 3,
  omp_proc_bind_spread = 4
} omp_proc_bind_t;

typedef enum { omp_pause_soft = 1, omp_pause_hard = 2 } omp_pause_resource_t;

typedef uintptr_t omp_event_handle_t;
typedef void *omp_depend_t;
typedef uintptr_t omp_allocator_handle_t;
enum {
  omp_null_allocator = 0,
  omp_default_mem_alloc = 1,
  omp_large_cap_mem_alloc = 2,
  omp_const_mem_alloc = 3,
  omp_high_bw_mem_alloc = 4,
  omp_low_lat_mem_alloc = 5,
  omp_cgroup_mem_alloc = 6,
  omp_pteam_mem_alloc = 7,
  omp_thread_mem_alloc = 8
};

typedef uintptr_t omp_memspace_handle_t;
enum {
  omp_default_mem_space = 0,
  omp_large_cap_mem_space = 1,
  omp_const_mem_space = 2,
  omp_high_bw_mem_space = 3,
  omp_low_lat_mem_space = 4
};

typedef enum {
  omp_atk_sync_hint = 1,
  omp_atk_alignment = 2,
  omp_atk_access = 3,
  omp_atk_pool_size = 4,
  omp_atk_fallback = 5,
  omp_atk_fb_data = 6,
  omp_atk_pinned = 7,
  omp_atk_partition = 8
} omp_alloctrait_key_t;

typedef enum {
  omp_atv_false = 0,
  omp_atv_true = 1,
  omp_atv_contended = 3,
  omp_atv_uncontended = 4,
  omp_atv_serialized = 5,
  omp_atv_sequential = omp_atv_serialized,
  omp_atv_private = 6,
  omp_atv_all = 7,
  omp_atv_thread = 8,
  omp_atv_pteam = 9,
  omp_atv_cgroup = 10,
  omp_atv_default_mem_fb = 11,
  omp_atv_null_fb = 12,
  omp_atv_abort_fb = 13,
  omp_atv_allocator_fb = 14,
  omp_atv_environment = 15,
  omp_atv_nearest = 16,
  omp_atv_blocked = 17,
  omp_atv_interleaved = 18
} omp_alloctrait_value_t;
#define omp_atv_default ((omp_uintptr_t)-1)

typedef uintptr_t omp_uintptr_t;
typedef intptr_t omp_intptr_t;
typedef struct {
  omp_alloctrait_key_t key;
  omp_uintptr_t value;
} omp_alloctrait_t;

typedef void *omp_interop_t;
#define omp_interop_none ((omp_interop_t)0)
typedef enum {
  omp_ipr_fr_id = -1,
  omp_ipr_fr_name = -2,
  omp_ipr_vendor = -3,
  omp_ipr_vendor_name = -4,
  omp_ipr_device_num = -5,
  omp_ipr_platform = -6,
  omp_ipr_device = -7,
  omp_ipr_device_context = -8,
  omp_ipr_targetsync = -9,
  omp_ipr_first = -9
} omp_interop_property_t;
typedef enum {
  omp_irc_no_value = 1,
  omp_irc_success = 0,
  omp_irc_empty = -1,
  omp_irc_out_of_range = -2,
  omp_irc_type_int = -3,
  omp_irc_type_ptr = -4,
  omp_irc_type_str = -5,
  omp_irc_other = -6
} omp_interop_rc_t;

typedef enum {
  omp_control_tool_start = 1,
  omp_control_tool_pause = 2,
  omp_control_tool_flush = 3,
  omp_control_tool_end = 4
} omp_control_tool_t;
typedef enum {
  omp_control_tool_notool = -2,
  omp_control_tool_nocallback = -1,
  omp_control_tool_success = 0,
  omp_control_tool_ignored = 1
} omp_control_tool_result_t;

void omp_set_num_threads(int) _OMP_NOTHROW;
int omp_get_num_threads(void) _OMP_NOTHROW;
int omp_get_max_threads(void) _OMP_NOTHROW;
int omp_get_thread_num(void) _OMP_NOTHROW;
int omp_get_num_procs(void) _OMP_NOTHROW;
int omp_in_parallel(void) _OMP_NOTHROW;
void omp_set_dynamic(int) _OMP_NOTHROW;
int omp_get_dynamic(void) _OMP_NOTHROW;
void omp_set_nested(int) _OMP_NOTHROW;
int omp_get_nested(void) _OMP_NOTHROW;
int omp_get_cancellation(void) _OMP_NOTHROW;
void omp_set_schedule(omp_sched_t, int) _OMP_NOTHROW;
void omp_get_schedule(omp_sched_t *, int *) _OMP_NOTHROW;
int omp_get_thread_limit(void) _OMP_NOTHROW;
int omp_get_supported_active_levels(void) _OMP_NOTHROW;
void omp_set_max_active_levels(int) _OMP_NOTHROW;
int omp_get_max_active_levels(void) _OMP_NOTHROW;
int omp_get_level(void) _OMP_NOTHROW;
int omp_get_ancestor_thread_num(int) _OMP_NOTHROW;
int omp_get_team_size(int) _OMP_NOTHROW;
int omp_get_active_level(void) _OMP_NOTHROW;
int omp_in_final(void) _OMP_NOTHROW;
int omp_in_explicit_task(void) _OMP_NOTHROW;
int omp_get_max_task_priority(void) _OMP_NOTHROW;

omp_proc_bind_t omp_get_proc_bind(void) _OMP_NOTHROW;
int omp_get_num_places(void) _OMP_NOTHROW;
int omp_get_place_num_procs(int) _OMP_NOTHROW;
void omp_get_place_proc_ids(int, int *) _OMP_NOTHROW;
int omp_get_place_num(void) _OMP_NOTHROW;
int omp_get_partition_num_places(void) _OMP_NOTHROW;
void omp_get_partition_place_nums(int *) _OMP_NOTHROW;
void omp_set_affinity_format(const char *) _OMP_NOTHROW;
size_t omp_get_affinity_format(char *, size_t) _OMP_NOTHROW;
void omp_display_affinity(const char *) _OMP_NOTHROW;
size_t omp_capture_affinity(char *, size_t, const char *) _OMP_NOTHROW;
void omp_display_env(int) _OMP_NOTHROW;

int omp_get_num_teams(void) _OMP_NOTHROW;
int omp_get_team_num(void) _OMP_NOTHROW;
void omp_set_num_teams(int) _OMP_NOTHROW;
int omp_get_max_teams(void) _OMP_NOTHROW;
void omp_set_teams_thread_limit(int) _OMP_NOTHROW;
int omp_get_teams_thread_limit(void) _OMP_NOTHROW;

void omp_set_default_device(int) _OMP_NOTHROW;
int omp_get_default_device(void) _OMP_NOTHROW;
int omp_get_num_devices(void) _OMP_NOTHROW;
int omp_get_device_num(void) _OMP_NOTHROW;
int omp_get_initial_device(void) _OMP_NOTHROW;
int omp_is_initial_device(void) _OMP_NOTHROW;
int omp_pause_resource(omp_pause_resource_t, int) _OMP_NOTHROW;
int omp_pause_resource_all(omp_pause_resource_t) _OMP_NOTHROW;

void *omp_target_alloc(size_t, int) _OMP_NOTHROW;
void omp_target_free(void *, int) _OMP_NOTHROW;
int omp_target_is_present(const void *, int) _OMP_NOTHROW;
int omp_target_is_accessible(const void *, size_t, int) _OMP_NOTHROW;
int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int,
                      int) _OMP_NOTHROW;
int omp_target_memcpy_rect(void *, const void *, size_t, int, const size_t *,
                           const size_t *, const size_t *, const size_t *,
                           const size_t *, int, int) _OMP_NOTHROW;
int omp_target_memcpy_async(void *, const void *, size_t, size_t, size_t, int,
                            int, int, omp_depend_t *) _OMP_NOTHROW;
int omp_target_memcpy_rect_async(void *, const void *, size_t, int,
                                 const size_t *, const size_t *, const size_t *,
                                 const size_t *, const size_t *, int, int, int,
                                 omp_depend_t *) _OMP_NOTHROW;
int omp_target_associate_ptr(const void *, const void *, size_t, size_t,
                             int) _OMP_NOTHROW;
int omp_target_disassociate_ptr(const void *, int) _OMP_NOTHROW;
void *omp_get_mapped_ptr(const void *, int) _OMP_NOTHROW;

int omp_get_num_interop_properties(omp_interop_t) _OMP_NOTHROW;
omp_intptr_t omp_get_interop_int(omp_interop_t, omp_interop_property_t,
                                 int *) _OMP_NOTHROW;
void *omp_get_interop_ptr(omp_interop_t, omp_interop_property_t,
                          int *) _OMP_NOTHROW;
const char *omp_get_interop_str(omp_interop_t, omp_interop_property_t,
                                int *) _OMP_NOTHROW;
const char *omp_get_interop_name(omp_interop_t,
                                 omp_interop_property_t) _OMP_NOTHROW;
const char *omp_get_interop_type_desc(omp_interop_t,
                                      omp_interop_property_t) _OMP_NOTHROW;
const char *omp_get_interop_rc_desc(omp_interop_t,
                                    omp_interop_rc_t) _OMP_NOTHROW;

int omp_control_tool(int, int, void *) _OMP_NOTHROW;

void omp_init_lock(omp_lock_t *) _OMP_NOTHROW;
void omp_init_lock_with_hint(omp_lock_t *, omp_sync_hint_t) _OMP_NOTHROW;
void omp_destroy_lock(omp_lock_t *) _OMP_NOTHROW;
void omp_set_lock(omp_lock_t *) _OMP_NOTHROW;
void omp_unset_lock(omp_lock_t *) _OMP_NOTHROW;
int omp_test_lock(omp_lock_t *) _OMP_NOTHROW;
void omp_init_nest_lock(omp_nest_lock_t *) _OMP_NOTHROW;
void omp_init_nest_lock_with_hint(omp_nest_lock_t *,
                                  omp_sync_hint_t) _OMP_NOTHROW;
void omp_destroy_nest_lock(omp_nest_lock_t *) _OMP_NOTHROW;
void omp_set_nest_lock(omp_nest_lock_t *) _OMP_NOTHROW;
void omp_unset_nest_lock(omp_nest_lock_t *) _OMP_NOTHROW;
int omp_test_nest_lock(omp_nest_lock_t *) _OMP_NOTHROW;

double omp_get_wtime(void) _OMP_NOTHROW;
double omp_get_wtick(void) _OMP_NOTHROW;

void omp_fulfill_event(omp_event_handle_t) _OMP_NOTHROW;

omp_allocator_handle_t
omp_init_allocator(omp_memspace_handle_t, int,
                   const omp_alloctrait_t *) _OMP_NOTHROW;
void omp_destroy_allocator(omp_allocator_handle_t) _OMP_NOTHROW;
void *omp_alloc(size_t, omp_allocator_handle_t) _OMP_NOTHROW;
void *omp_calloc(size_t, size_t, omp_allocator_handle_t) _OMP_NOTHROW;
void *omp_realloc(void *, size_t, omp_allocator_handle_t,
                  omp_allocator_handle_t) _OMP_NOTHROW;
void *omp_aligned_alloc(size_t, size_t, omp_allocator_handle_t) _OMP_NOTHROW;
void *omp_aligned_calloc(size_t, size_t, size_t,
                         omp_allocator_handle_t) _OMP_NOTHROW;
void omp_free(void *, omp_allocator_handle_t) _OMP_NOTHROW;
void omp_set_default_allocator(omp_allocator_handle_t) _OMP_NOTHROW;
omp_allocator_handle_t omp_get_default_allocator(void) _OMP_NOTHROW;

#undef _OMP_NOTHROW
#ifdef __cplusplus
}
#endif

#endif
