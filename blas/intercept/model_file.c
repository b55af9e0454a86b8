//===-- blas/intercept/model_file.c - A machine's model, kept --------------===//
// A text file; its first line is the key. A line of a rate: where, function,
// class, seconds per operation, calls.
//===----------------------------------------------------------------------===//
#include "blas/intercept/model.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_COUNT = 64, KEY = 1024 };

/// As support/cache_folder.cpp chooses it. False where there is no home.
static int cache_folder(char *name, size_t size) {
  const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (caches && *caches == '/')
    snprintf(name, size, "%s/gpuexec/blas", caches);
  else if (home && *home == '/')
    snprintf(name, size, "%s/.cache/gpuexec/blas", home);
  else
    return 0;
  return 1;
}

void model_file_name(char *name, size_t size, const char *folder,
                     const char *key) {
  char buffer[PATH_MAX_OF_MODEL];
  name[0] = '\0';
  if (folder && !strcmp(folder, "off"))
    return;
  if (!folder && !cache_folder(buffer, sizeof buffer))
    return;
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (const char *at = key; *at; ++at)
    hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  snprintf(name, size, "%s/%016llx.model", folder ? folder : buffer,
           (unsigned long long)hash);
}

static unsigned function_of(const char *name) {
  unsigned function = 0;
  while (function < blas_function_count() &&
         strcmp(name, blas_function_name(function)) != 0)
    ++function;
  return function;
}

int model_load(blas_model *m, const char *file, const char *key) {
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
    if (sscanf(line, "copies %lg %lg %lg", &seconds, &count, &latency) == 3) {
      m->upload = seconds;
      m->download = count;
      m->latency = latency;
    } else if (sscanf(line, "%3s %63s %u %lg %lg", where, name, &class,
                      &seconds, &count) == 5 &&
               class < WORK_CLASSES && seconds > 0 && seconds < 1) {
      const unsigned function = function_of(name);
      blas_rate *rate = &m->rates[!strcmp(where, "gpu")][function][class];
      if (function < blas_function_count() && rate->count == 0)
        *rate = (blas_rate){(float)seconds, (float)count};
    }
  }
  fclose(in);
  return is_ours;
}

static void write_model(const blas_model *m, FILE *out, const char *key) {
  fprintf(out, "%s\n", key);
  if (m->upload > 0)
    fprintf(out, "copies %.9g %.9g %.9g\n", m->upload, m->download, m->latency);
  for (int where = 0; where < 2; ++where)
    for (unsigned f = 0; f < blas_function_count(); ++f)
      for (unsigned class = 0; class < WORK_CLASSES; ++class) {
        const blas_rate *rate = &m->rates[where][f][class];
        if (rate->seconds > 0)
          fprintf(out, "%s %s %u %.9g %g\n", where ? "gpu" : "cpu",
                  blas_function_name(f), class, (double)rate->seconds,
                  rate->count > MOST_COUNT ? (double)MOST_COUNT
                                           : (double)rate->count);
      }
}

static int make_folders(char *file) {
  for (char *slash = strchr(file + 1, '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const int made = mkdir(file, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made)
      return errno;
  }
  return 0;
}

int model_save(const blas_model *m, const char *file, const char *key) {
  char name[PATH_MAX_OF_MODEL], other[PATH_MAX_OF_MODEL + 16];
  if (!*file)
    return 0;
  snprintf(name, sizeof name, "%s", file);
  int error = make_folders(name);
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
