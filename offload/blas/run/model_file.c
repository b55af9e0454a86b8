//===-- offload/blas/run/model_file.c - A machine's model, kept -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text file; its first line is the key, its second the GPU. A line of a rate:
// where, function, class, seconds per operation, calls.
//===----------------------------------------------------------------------===//
#include "offload/blas/run/model_file.h"
#include "services/common/user_cache.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_COUNT = 64, KEY = 1024 };

void model_file_name(char *name, size_t size, const char *folder,
                     const char *key, const char *ending) {
  name[0] = '\0';
  if (!folder || strcmp(folder, "off") != 0)
    user_cache_file(name, size, folder, key, ending);
}

static unsigned function_of(const char *name) {
  unsigned function = 0;
  while (function < offload_function_count() &&
         strcmp(name, offload_function_name(function)) != 0)
    ++function;
  return function;
}

int model_load(offload_model *m, const char *file, const char *key) {
  FILE *in = *file ? fopen(file, "re") : NULL;
  if (!in)
    return 0;
  char line[KEY], name[64];
  const int is_ours = fgets(line, sizeof line, in) &&
                      !strncmp(line, key, strlen(key)) &&
                      line[strlen(key)] == '\n';
  while (is_ours && fgets(line, sizeof line, in)) {
    double seconds, count, latency;
    unsigned class;
    char where[4];
    if (!strncmp(line, "of ", 3)) {
      line[strcspn(line, "\n")] = '\0';
      snprintf(m->gpu, sizeof m->gpu, "%s", line + 3);
    } else if (sscanf(line, "copies %lg %lg %lg", &seconds, &count, &latency) ==
               3) {
      m->upload = seconds;
      m->download = count;
      m->latency = latency;
    } else if (sscanf(line, "%3s %63s %u %lg %lg", where, name, &class,
                      &seconds, &count) == 5 &&
               class < WORK_CLASSES && seconds > 0 && seconds < 1) {
      const unsigned function = function_of(name);
      model_rate *rate = &m->rates[!strcmp(where, "gpu")][function][class];
      if (function < offload_function_count() && rate->count == 0)
        *rate = (model_rate){(float)seconds, (float)count};
    }
  }
  fclose(in);
  return is_ours;
}

static void write_model(const offload_model *m, FILE *out, const char *key) {
  fprintf(out, "%s\n", key);
  if (*m->gpu)
    fprintf(out, "of %s\n", m->gpu);
  if (m->upload > 0)
    fprintf(out, "copies %.9g %.9g %.9g\n", m->upload, m->download, m->latency);
  for (int where = 0; where < 2; ++where)
    for (unsigned f = 0; f < offload_function_count(); ++f)
      for (unsigned class = 0; class < WORK_CLASSES; ++class) {
        const model_rate *rate = &m->rates[where][f][class];
        if (rate->seconds > 0)
          fprintf(out, "%s %s %u %.9g %g\n", where ? "gpu" : "cpu",
                  offload_function_name(f), class, (double)rate->seconds,
                  rate->count > MOST_COUNT ? (double)MOST_COUNT
                                           : (double)rate->count);
      }
}

int model_save(const offload_model *m, const char *file, const char *key) {
  char other[USER_CACHE_PATH + 16];
  if (!*file)
    return 0;
  int error = make_folders_of(file);
  if (error)
    return error;
  snprintf(other, sizeof other, "%s.%d", file, (int)getpid());
  FILE *out = fopen(other, "we");
  if (!out)
    return errno;
  write_model(m, out, key);
  const int failed = ferror(out);
  if (fclose(out) != 0 || failed || rename(other, file) != 0) {
    error = errno;
    unlink(other);
  }
  return error;
}
