//===-- services/blas/host/limit.c - See limit.h --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file has one line: "gpuexec blas limit 2", the two times, how many
// programs have measured, and the owner. (1: calls took longer then.)
//===----------------------------------------------------------------------===//
#include "services/blas/host/limit.h"
#include "services/blas/request.h"
#include "services/common/kept_file.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINE = 400, ENOUGH_PROGRAMS = 8 };

static int is_time(uint64_t nanoseconds) {
  const uint64_t second = 1000000000;
  return nanoseconds > 0 && nanoseconds < second;
}

static int make_line(char *line, const small_limit *limit) {
  return snprintf(line, MOST_LINE, "gpuexec blas limit 2; %llu %llu %u; %s\n",
                  (unsigned long long)limit->call_time,
                  (unsigned long long)limit->work_time, limit->programs,
                  limit->owner);
}

/// Reads the file, if it is well-formed and belongs to this owner.
static void read_file(small_limit *limit) {
  char line[MOST_LINE + 1], expected[MOST_LINE];
  unsigned long long call_time, work_time;
  const ssize_t size = pread(limit->file, line, MOST_LINE, 0);
  line[size > 0 ? size : 0] = '\0';
  small_limit read = *limit;
  if (sscanf(line, "gpuexec blas limit 2; %llu %llu %u;", &call_time,
             &work_time, &read.programs) != 3)
    return;
  read.call_time = call_time;
  read.work_time = work_time;
  make_line(expected, &read);
  if (is_time(call_time) && is_time(work_time) && !strcmp(line, expected))
    *limit = read;
}

void open_small_limit(small_limit *limit, const char *device, int64_t told) {
  char host[65] = "";
  *limit = (small_limit){.file = -1, .told = told};
  pthread_mutex_init(&limit->mutex, NULL);
  gethostname(host, sizeof host - 1);
  snprintf(limit->owner, sizeof limit->owner, "%s; %s", device, host);
  if (told >= 0)
    return;
  const kept_files kept = find_kept_files(NULL, limit->owner);
  limit->file = open_kept_file(&kept, "limit", O_RDWR | O_CREAT);
  if (limit->file < 0) // perhaps the folder can only be read
    limit->file = open_kept_file(&kept, "limit", O_RDONLY);
  if (limit->file >= 0)
    read_file(limit);
}

static uint32_t value_of(const small_limit *limit) {
  if (limit->told >= 0)
    return 1 + (uint32_t)(limit->told < BLAS_MOST_LIMIT ? limit->told
                                                        : BLAS_MOST_LIMIT);
  if (!limit->programs)
    return 0;
  const uint64_t work = BLAS_LIMIT_WORK * limit->call_time / limit->work_time;
  return 1 + (uint32_t)(work < BLAS_MOST_LIMIT ? work : BLAS_MOST_LIMIT);
}

uint32_t get_small_limit(small_limit *limit, int *is_wanted) {
  pthread_mutex_lock(&limit->mutex);
  const uint32_t value = value_of(limit);
  *is_wanted = limit->told < 0 && limit->programs < ENOUGH_PROGRAMS;
  pthread_mutex_unlock(&limit->mutex);
  return value;
}

static void write_file(const small_limit *limit) {
  char line[MOST_LINE];
  const int size = make_line(line, limit);
  if (limit->file >= 0 && ftruncate(limit->file, 0) == 0)
    (void)!pwrite(limit->file, line, (size_t)size, 0);
}

void keep_small_limit(small_limit *limit, uint64_t call_time,
                      uint64_t work_time) {
  if (!is_time(call_time) || !is_time(work_time) || limit->told >= 0)
    return;
  pthread_mutex_lock(&limit->mutex);
  if (limit->programs < ENOUGH_PROGRAMS) {
    const int is_first = !limit->programs++;
    if (is_first || call_time < limit->call_time)
      limit->call_time = call_time;
    if (is_first || work_time < limit->work_time)
      limit->work_time = work_time;
    write_file(limit);
  }
  pthread_mutex_unlock(&limit->mutex);
}

void close_small_limit(small_limit *limit) {
  if (limit->file >= 0)
    close(limit->file);
  pthread_mutex_destroy(&limit->mutex);
}
