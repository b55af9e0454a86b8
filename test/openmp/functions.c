// What the functions of <omp.h> return, before, in and after a region. Where OpenMP leaves it open, that they agree with each other.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run --threads 128 --blocks 2 %t.0 | FileCheck %s
// RUN: %run --threads 1 %t.2 | FileCheck %s
// RUN: %run --threads 64 --blocks 3 %t.2 | FileCheck %s
// RUN: %run --threads 100 --blocks 2 %t.2 | FileCheck %s
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void levels(void) {
  int wrong = omp_get_level() != 0 || omp_get_active_level() != 0 || omp_in_parallel() || omp_get_ancestor_thread_num(0) != 0 ||
              omp_get_ancestor_thread_num(1) != -1 || omp_get_ancestor_thread_num(-1) != -1 || omp_get_team_size(0) != 1 ||
              omp_get_team_size(1) != -1 || omp_get_team_size(-1) != -1;
  const int most = omp_get_max_threads(), active = most > 1;
  omp_set_max_active_levels(1);
  wrong += omp_get_max_active_levels() != 1 || omp_get_supported_active_levels() < 1;
  omp_set_max_active_levels(-1); // has no effect
  wrong += omp_get_max_active_levels() != 1;
#pragma omp parallel reduction(+ : wrong)
  {
    const int me = omp_get_thread_num();
    wrong += omp_get_level() != 1 || omp_get_active_level() != active || omp_in_parallel() != active ||
             omp_get_num_threads() != most || omp_get_ancestor_thread_num(1) != me || omp_get_ancestor_thread_num(2) != -1;
#pragma omp parallel reduction(+ : wrong) if (most > 1)
    {
      wrong += omp_get_level() != 2 || (active && (omp_get_active_level() != 1 || omp_get_team_size(2) != 1)) ||
               omp_get_ancestor_thread_num(1) != me || omp_get_team_size(1) != most;
#pragma omp parallel if (0) reduction(+ : wrong)
      wrong += omp_get_level() != 3 || omp_get_num_threads() != 1 || omp_get_thread_num() || omp_get_ancestor_thread_num(1) != me;
    }
  }
  omp_set_max_active_levels(0);
#pragma omp parallel reduction(+ : wrong)
  wrong += omp_get_num_threads() != 1 || omp_in_parallel() || omp_get_level() != 1;
  omp_set_max_active_levels(1);
  printf("levels: %d wrong\n", wrong);
}

static void settings(void) {
  int wrong = 0, chunk;
  omp_sched_t kind;
  const struct {
    omp_sched_t kind;
    int chunk;
  } schedules[] = {{omp_sched_static, 3}, {omp_sched_dynamic, 7}, {omp_sched_guided, 2}, {omp_sched_dynamic, 1}};
  for (int i = 0; i < 4; ++i) {
    omp_set_schedule(schedules[i].kind, schedules[i].chunk);
    omp_get_schedule(&kind, &chunk);
    wrong += ((unsigned)kind & 0x7fffffff) != schedules[i].kind || chunk != schedules[i].chunk;
    int count = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : count, wrong) private(kind, chunk)
    for (int k = 0; k < 200; ++k) {
      ++count;
      omp_get_schedule(&kind, &chunk); // inherited
      wrong += chunk != schedules[i].chunk;
    }
    wrong += count != 200;
  }
  // A thread's own, and gone with it.
  const int most = omp_get_max_threads();
#pragma omp parallel reduction(+ : wrong)
  {
    omp_set_num_threads(omp_get_thread_num() + 1);
    omp_set_schedule(omp_sched_static, 5);
    wrong += omp_get_max_threads() > omp_get_thread_num() + 1;
  }
  omp_get_schedule(&kind, &chunk);
  wrong += omp_get_max_threads() != most || chunk != 1;
  omp_set_num_threads(2);
  wrong += omp_get_max_threads() > 2;
#pragma omp parallel reduction(+ : wrong)
  wrong += omp_get_num_threads() > 2;
  omp_set_num_threads(most);
  omp_set_dynamic(1);
  wrong += !omp_get_dynamic();
  omp_set_dynamic(0);
  wrong += omp_get_dynamic();
  wrong += omp_get_thread_limit() < most || omp_get_num_procs() < 1 || omp_get_max_task_priority() < 0 || omp_in_final();
  printf("settings: %d wrong\n", wrong);
}

static void clocks(void) {
  const double begin = omp_get_wtime(), tick = omp_get_wtick();
  double now;
  do
    now = omp_get_wtime();
  while (now - begin < 2 * tick || now - begin < 1e-5);
  printf("clocks: %d\n", tick > 0 && tick < 0.1 && now > begin && now - begin < 100);
}

static void places(void) {
  int wrong = omp_get_num_places() < 0 || omp_get_place_num() < -1 || omp_get_partition_num_places() < 0 ||
              omp_get_place_num_procs(-1) != 0 || omp_get_place_num_procs(1 << 30) != 0 || omp_get_proc_bind() > omp_proc_bind_spread;
  char text[200] = "";
  omp_set_affinity_format("thread %n of %N at %L");
  const size_t length = omp_get_affinity_format(text, sizeof text);
  wrong += length != strlen("thread %n of %N at %L") || strcmp(text, "thread %n of %N at %L");
  wrong += omp_get_affinity_format(text, 7) != length || strcmp(text, "thread"); // cut
  wrong += omp_get_affinity_format(NULL, 0) != length;
  omp_capture_affinity(text, sizeof text, NULL);
  wrong += strcmp(text, "thread 0 of 1 at 0") != 0;
  wrong += omp_capture_affinity(text, sizeof text, "%{thread_num}%%%{num_threads}") != 3 || strcmp(text, "0%1");
  wrong += omp_capture_affinity(text, 3, "abcdef") != 6 || strcmp(text, "ab");
  omp_capture_affinity(text, sizeof text, "%5n|%.4n|%0.5n|%a|%{ancestor_tnum}|%{nesting_level}");
  wrong += strcmp(text, "0    |   0|00000|-1|-1|0") != 0;
  omp_display_affinity("affinity of thread %n");
#pragma omp parallel num_threads(1)
  {
    omp_capture_affinity(text, sizeof text, "%L %n %N %a");
    wrong += strcmp(text, "1 0 1 0") != 0;
  }
  printf("places: %d wrong\n", wrong);
}

static void devices(void) {
  int wrong = !omp_is_initial_device() || omp_get_num_devices() < 0 || omp_get_initial_device() != omp_get_num_devices() ||
              omp_get_device_num() != omp_get_initial_device() || omp_get_num_teams() != 1 || omp_get_team_num() != 0 ||
              omp_get_max_teams() < 0 || omp_get_teams_thread_limit() < 0;
  const int device = omp_get_initial_device();
  omp_set_default_device(device);
  wrong += omp_get_default_device() != device;
  omp_set_num_teams(3);
  wrong += omp_get_max_teams() != 3;
  omp_set_teams_thread_limit(7);
  wrong += omp_get_teams_thread_limit() != 7;
  wrong += omp_pause_resource(omp_pause_soft, device + 5) == 0; // no such device
  wrong += omp_pause_resource(omp_pause_hard, omp_get_initial_device()) != 0;
  char text[40];
  omp_capture_affinity(text, sizeof text, "%{unknown}%4X|%{thread_num}");
  wrong += strcmp(text, "undefinedundefined|0") != 0;
  wrong += omp_control_tool(omp_control_tool_start, 0, NULL) >= 0;
  printf("devices: %d wrong\n", wrong);
}

static void allocators(void) {
  int wrong = omp_get_default_allocator() == omp_null_allocator;
  char *a = omp_alloc(10, omp_default_mem_alloc), *b = omp_calloc(5, 20, omp_large_cap_mem_alloc);
  char *c = omp_aligned_alloc(256, 512, omp_const_mem_alloc), *d = omp_aligned_calloc(128, 3, 128, omp_high_bw_mem_alloc);
  wrong += !a || !b || b[99] || !c || (uintptr_t)c % 256 || !d || (uintptr_t)d % 128 || d[383];
  memset(a, 'x', 10);
  a = omp_realloc(a, 5000, omp_default_mem_alloc, omp_default_mem_alloc);
  wrong += !a || a[9] != 'x';
  wrong += omp_alloc(0, omp_default_mem_alloc) != NULL || omp_calloc(0, 5, omp_default_mem_alloc) != NULL;
  omp_free(a, omp_default_mem_alloc);
  omp_free(b, omp_null_allocator);
  omp_free(c, omp_null_allocator);
  omp_free(d, omp_high_bw_mem_alloc);
  omp_free(NULL, omp_null_allocator);
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}, {omp_atk_fallback, omp_atv_null_fb}};
  const omp_allocator_handle_t own = omp_init_allocator(omp_large_cap_mem_space, 2, traits);
  wrong += own == omp_null_allocator;
  char *e = omp_alloc(100, own);
  wrong += !e || (uintptr_t)e % 64;
  omp_free(e, own);
  omp_set_default_allocator(own);
  wrong += omp_get_default_allocator() != own;
  e = omp_alloc(100, omp_null_allocator);
  wrong += !e || (uintptr_t)e % 64;
  omp_free(e, omp_null_allocator);
  omp_set_default_allocator(omp_default_mem_alloc);
  omp_destroy_allocator(own);
  printf("allocators: %d wrong\n", wrong);
}

static void locks(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock_with_hint(&lock, omp_sync_hint_contended | omp_sync_hint_nonspeculative);
  int wrong = omp_test_nest_lock(&lock) != 1 || omp_test_nest_lock(&lock) != 2, count = 0;
  omp_set_nest_lock(&lock);
  for (int i = 0; i < 3; ++i)
    omp_unset_nest_lock(&lock);
#pragma omp parallel
  {
    omp_set_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    ++count;
    omp_unset_nest_lock(&lock);
    ++count;
    omp_unset_nest_lock(&lock);
  }
  wrong += count != 2 * omp_get_max_threads() || omp_test_nest_lock(&lock) != 1;
  omp_unset_nest_lock(&lock);
  omp_destroy_nest_lock(&lock);
  printf("locks: %d wrong\n", wrong);
}

static void interop(void) {
  omp_interop_t none = omp_interop_none;
  int code = -1;
  int wrong = omp_get_num_interop_properties(none) < 0;
  wrong += omp_get_interop_ptr(none, omp_ipr_device, &code) != NULL || omp_get_interop_str(none, omp_ipr_vendor_name, &code) != NULL;
  wrong += omp_get_interop_int(none, omp_ipr_fr_id, &code) != 0;
  printf("interop: %d wrong\n", wrong);
}

int main(void) {
  levels();
  settings();
  clocks();
  places();
  devices();
  allocators();
  locks();
  interop();
  return 0;
}
// CHECK: levels: 0 wrong
// CHECK: settings: 0 wrong
// CHECK: clocks: 1
// CHECK: affinity of thread 0
// CHECK: places: 0 wrong
// CHECK: devices: 0 wrong
// CHECK: allocators: 0 wrong
// CHECK: locks: 0 wrong
// CHECK: interop: 0 wrong
