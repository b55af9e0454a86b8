//===-- offload/blas/run/model_file.c - A machine's model, kept -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text file; its first line is the key, its second the GPU. A line of a rate:
// where, function, class, seconds per operation, calls.
//===----------------------------------------------------------------------===//
#include "offload/blas/run/model_file.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_COUNT = 64, KEY = 1024 };
static const char MODEL[] = "model"; // the ending of its file

static unsigned function_of(const char *name) {
  unsigned function = 0;
  while (function < offload_function_count() &&
         strcmp(name, offload_function_name(function)) != 0)
    ++function;
  return function;
}

int model_load(offload_model *m, const kept_files *kept, const char *key) {
  const int file = open_kept_file(kept, MODEL, O_RDONLY);
  FILE *in = file < 0 ? NULL : fdopen(file, "r");
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

typedef struct {
  const offload_model *model;
  const char *key;
} model_and_key;

static void write_model(FILE *out, const void *context) {
  const offload_model *m = ((const model_and_key *)context)->model;
  fprintf(out, "%s\n", ((const model_and_key *)context)->key);
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

int model_save(const offload_model *m, const kept_files *kept,
               const char *key) {
  const model_and_key context = {m, key};
  return replace_kept_file(kept, MODEL, write_model, &context);
}
