//===-- libc-shim/openmp/environment.c - OMP_NUM_THREADS and the others ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main()'s thread reads the variables when it first needs one, at the latest
// before the first region. A value that is not valid is reported and not used.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/team.h"
#include <ctype.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse(const char *name, const char *value) {
  fprintf(stderr, "gpuexec: OpenMP: %s: \"%s\" is not used\n", name, value);
}

/// Reads a positive number and the white space behind it, and moves *text
/// behind them. 0 if there is none.
static uint32_t read_number(const char **text) {
  char *end;
  const long number = strtol(*text, &end, 10);
  if (end == *text || number <= 0 || number > INT32_MAX)
    return 0;
  while (isspace((unsigned char)*end))
    ++end;
  *text = end;
  return (uint32_t)number;
}

static void read_count(const char *name, uint32_t *to, bool list) {
  const char *value = getenv(name), *rest = value;
  if (!value)
    return;
  const uint32_t count = read_number(&rest);
  if (count && (!*rest || (list && *rest == ',')))
    *to = count;
  else
    refuse(name, value);
}

static void read_bool(const char *name, bool *to) {
  const char *value = getenv(name);
  if (!value)
    return;
  if (!strcasecmp(value, "true") || !strcmp(value, "1"))
    *to = true;
  else if (!strcasecmp(value, "false") || !strcmp(value, "0"))
    *to = false;
  else
    refuse(name, value);
}

/// If *text begins with the word, moves *text behind it and returns true.
static bool skip_word(const char **text, const char *word) {
  const size_t length = strlen(word);
  if (strncasecmp(*text, word, length))
    return false;
  *text += length;
  return true;
}

/// OMP_SCHEDULE=[modifier:]kind[,chunk].
static void read_schedule(omp_settings *settings) {
  static const char *const kinds[] = {"static", "dynamic", "guided", "auto"};
  const char *value = getenv("OMP_SCHEDULE"), *rest = value;
  if (!value)
    return;
  if (!skip_word(&rest, "monotonic:"))
    skip_word(&rest, "nonmonotonic:");
  for (int i = 0; i < 4; ++i)
    if (skip_word(&rest, kinds[i])) {
      uint32_t chunk = 0;
      if (*rest == ',') {
        ++rest;
        chunk = read_number(&rest);
        if (!chunk)
          break;
      }
      if (*rest)
        break;
      settings->schedule = i + 1;
      settings->schedule_chunk = (int32_t)chunk;
      return;
    }
  refuse("OMP_SCHEDULE", value);
}

static void read_levels(omp_settings *settings) {
  const char *value = getenv("OMP_MAX_ACTIVE_LEVELS");
  if (value)
    settings->max_active_levels = atoi(value) > 0;
}

static const char *name_of(int32_t schedule) {
  static const char *const names[] = {"STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  return names[(schedule - 1) & 3];
}

void omp_display_env(int verbose) {
  __gpuexec_omp_read_environment();
  const omp_settings *now = &__gpuexec_omp_settings;
  fprintf(stderr, "OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202011'\n");
  fprintf(stderr, "  OMP_NUM_THREADS = '%d'\n", omp_get_max_threads());
  fprintf(stderr, "  OMP_THREAD_LIMIT = '%d'\n", omp_get_thread_limit());
  if (now->schedule_chunk)
    fprintf(stderr, "  OMP_SCHEDULE = '%s,%d'\n", name_of(now->schedule),
            now->schedule_chunk);
  else
    fprintf(stderr, "  OMP_SCHEDULE = '%s'\n", name_of(now->schedule));
  fprintf(stderr, "  OMP_DYNAMIC = '%s'\n", now->dynamic ? "TRUE" : "FALSE");
  fprintf(stderr, "  OMP_CANCELLATION = '%s'\n",
          now->cancellation ? "TRUE" : "FALSE");
  fprintf(stderr, "  OMP_MAX_ACTIVE_LEVELS = '%u'\n", now->max_active_levels);
  if (verbose)
    fprintf(stderr, "  GPUEXEC_BLOCKS = '%u'\n  GPUEXEC_THREADS = '%u'\n",
            grid_blocks(), block_threads());
  fprintf(stderr, "OPENMP DISPLAY ENVIRONMENT END\n");
}

void __gpuexec_omp_read_environment(void) {
  omp_settings *settings = &__gpuexec_omp_settings;
  // No lock: other threads begin to run only after main()'s thread has read.
  if (settings->read)
    return;
  settings->read = true;
  *settings = (omp_settings){.schedule = omp_sched_dynamic,
                             .schedule_chunk = 1,
                             .max_active_levels = 1,
                             .read = true,
                             .timed = settings->timed};
  read_count("OMP_NUM_THREADS", &settings->threads_wanted, true);
  read_count("OMP_THREAD_LIMIT", &settings->thread_limit, false);
  read_bool("OMP_DYNAMIC", &settings->dynamic);
  read_bool("OMP_CANCELLATION", &settings->cancellation);
  read_schedule(settings);
  read_levels(settings);
  omp_thread *self = __gpuexec_omp_self();
  self->variables =
      (omp_variables){.threads_wanted = settings->threads_wanted,
                      .schedule = settings->schedule,
                      .schedule_chunk = settings->schedule_chunk,
                      .max_active_levels = settings->max_active_levels,
                      .dynamic = settings->dynamic};
  const char *display = getenv("OMP_DISPLAY_ENV");
  if (display && (!strcasecmp(display, "true") || !strcmp(display, "1")))
    omp_display_env(0);
  else if (display && !strcasecmp(display, "verbose"))
    omp_display_env(1);
}
