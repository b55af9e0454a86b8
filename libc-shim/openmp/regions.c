//===-- libc-shim/openmp/regions.c - Times of parallel regions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread of main() adds up the times in device memory and writes the sums
// to a log, which the host reads at the program's end, even after a fault
// (gpu/parallel_regions.h). It does so between regions, so that their times do
// not include it. The emulated GPU counts the instructions of a parallel region
// as those of a region of interest.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/regions.h"
#include "gpu/parallel_regions.h"
#include "gpu/region_marks.h"
#include <gpuexec.h>

// Filled in by the loader.
__attribute__((used, retain, visibility("protected")))
gpuexec_regions __gpuexec_regions = {0, 0, 0};

/// clang's description of a construct. `text` is
/// ";FILE;FUNCTION;LINE;COLUMN;;".
struct source_place {
  int32_t reserved[4];
  const char *text;
};

/// The region that is being executed.
static struct {
  uint64_t begin;
  uint32_t row, size;
} current;

static uint64_t ticks(void) {
#ifdef __NVPTX__
  return __nvvm_read_ptx_sreg_globaltimer();
#else
  return __builtin_readsteadycounter();
#endif
}

static volatile gpuexec_region_log *log_of_host(void) {
  const volatile gpuexec_regions *wanted = &__gpuexec_regions;
  return (volatile gpuexec_region_log *)wanted->log;
}
static gpuexec_region_memory *own_memory(void) {
  const volatile gpuexec_regions *wanted = &__gpuexec_regions;
  return (gpuexec_region_memory *)wanted->sums;
}

bool __gpuexec_regions_begin_main(void) {
  if (!log_of_host())
    return false;
  log_of_host()->grid_threads = __gpuexec_omp_threads();
  log_of_host()->began = ticks();
  return true;
}

void __gpuexec_regions_end_main(void) { log_of_host()->ended = ticks(); }

//===-- Names -------------------------------------------------------------===//

#define SMALL_CODE __attribute__((noinline, minsize))

typedef struct {
  const char *text;
  uint32_t length;
} slice;

/// Returns the text before the next semicolon and moves *text behind that.
SMALL_CODE static slice next_part(const char **text) {
  slice part = {*text, 0};
#pragma nounroll
  while (part.text[part.length] && part.text[part.length] != ';')
    ++part.length;
  *text += part.length + (part.text[part.length] == ';');
  return part;
}

SMALL_CODE static uint32_t append(volatile char *to, uint32_t at, slice what) {
#pragma nounroll
  for (uint32_t i = 0; i < what.length && at < GPUEXEC_REGION_NAME - 1; ++i)
    to[at++] = what.text[i];
  return at;
}

/// Writes "FUNCTION at FILE:LINE". The begin of a long path is left out.
SMALL_CODE static void write_name(volatile char *to, const source_place *place) {
  enum { LINE = 12, FUNCTION = 64 };
  const char *rest = place && place->text ? place->text : ";;?;;";
  next_part(&rest);
  slice file = next_part(&rest), function = next_part(&rest);
  const slice line = next_part(&rest);
  if (function.length > FUNCTION)
    function.length = FUNCTION;
  uint32_t at = append(to, 0, function);
  if (line.length && line.text[0] != '0') {
    at = append(to, at, (slice){" at ", 4});
    const uint32_t room = GPUEXEC_REGION_NAME - LINE - at;
    if (file.length > room) {
      file.text += file.length - room;
      file.length = room;
    }
    at = append(to, at, file);
    at = append(to, at, (slice){":", 1});
    at = append(to, at, line);
  }
  to[at] = 0;
}

/// The row of a region; a new one if it has none. GPUEXEC_REGION_ROWS when no
/// row is left.
static uint32_t find_row(const source_place *place, omp_function *run) {
  gpuexec_region_memory *own = own_memory();
  const uint64_t region = (uint64_t)run;
  uint32_t row = (uint32_t)(region >> 4 ^ region >> 12) % GPUEXEC_REGION_ROWS;
#pragma nounroll
  for (uint32_t i = 0; i < GPUEXEC_REGION_ROWS; ++i) {
    if (own->rows[row].region == region)
      return row;
    if (!own->rows[row].region) {
      own->rows[row].region = region;
      write_name(log_of_host()->rows[row].name, place);
      return row;
    }
    row = (row + 1) % GPUEXEC_REGION_ROWS;
  }
  return GPUEXEC_REGION_ROWS;
}

//===-- Regions -----------------------------------------------------------===//

void __gpuexec_regions_begin(const source_place *place, omp_function *run,
                             uint32_t size) {
  current.row = find_row(place, run);
  current.size = size;
  current.begin = ticks();
}

static uint64_t take_busy(gpuexec_region_memory *own) {
  uint64_t sum = 0;
#pragma unroll
  for (uint32_t i = 0; i < GPUEXEC_REGION_BUSY_SUMS; ++i) {
    sum += own->busy[i].sum;
    own->busy[i].sum = 0;
  }
  return sum;
}

static void add_execution(gpuexec_region_sums *sums, uint64_t time,
                          uint64_t busy) {
  ++sums->executions;
  sums->total += time;
  if (sums->executions == 1 || time < sums->least)
    sums->least = time;
  if (time > sums->most)
    sums->most = time;
  if (current.size > sums->threads)
    sums->threads = current.size;
  sums->offered += time * current.size;
  sums->busy += busy;
}

static void write_span(gpuexec_region_memory *own, uint64_t end) {
  volatile gpuexec_region_log *log = log_of_host();
  const volatile gpuexec_regions *wanted = &__gpuexec_regions;
  const uint64_t at = own->spans++;
  log->spans = at + 1;
  if (at < wanted->spans)
    log->first_spans[at] = (gpuexec_region_span){
        .begin = current.begin, .end = end, current.row, current.size};
}

void __gpuexec_regions_end(void) {
  const uint64_t end = ticks();
  gpuexec_region_memory *own = own_memory();
  const uint64_t busy = take_busy(own);
  if (current.row == GPUEXEC_REGION_ROWS) {
    log_of_host()->lost = ++own->lost;
    return;
  }
  gpuexec_region_sums *sums = &own->rows[current.row].sums;
  add_execution(sums, end - current.begin, busy);
  log_of_host()->rows[current.row].sums = *sums;
  write_span(own, end);
}

//===-- The team's threads ------------------------------------------------===//

/// The name of the current region; null if it has no row.
static const char *name_of_region(void) {
  return current.row == GPUEXEC_REGION_ROWS
             ? NULL
             : (const char *)log_of_host()->rows[current.row].name;
}

uint64_t __gpuexec_regions_enter(void) {
  const char *name = name_of_region();
  if (name)
    gpuexec_roi_begin(name);
  return ticks();
}

/// Adds the `time` of each active lane to *to.
static void add_busy(uint64_t *to, uint64_t time) {
#ifdef __NVPTX__
  enum { LANES = 32 };
  if (__gpu_lane_mask() == ~0u) {
#pragma nounroll
    for (uint32_t distance = LANES / 2; distance; distance /= 2)
      time += __gpu_shuffle_idx_u64(~0u, __gpu_lane_id() ^ distance, time,
                                    LANES);
    if (__gpu_lane_id())
      return;
  }
#endif // on AMD, LLVM turns the atomics of a wave's lanes into one
  __scoped_atomic_fetch_add(to, time, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
}

void __gpuexec_regions_leave(uint64_t time) {
  time = ticks() - time;
  const char *name = name_of_region();
  if (name)
    gpuexec_roi_end(name);
  add_busy(
      &own_memory()->busy[this_place().block % GPUEXEC_REGION_BUSY_SUMS].sum,
      time);
}
