//===-- offload/blas/run/statistics.c - See statistics.h ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/statistics.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_used(const function_statistics *f) {
  return f->cpu_calls + f->gpu_calls > 0;
}

static void write_text(const offload_statistics *s, FILE *out) {
  fprintf(out, "gpuexec blas: %s%s%s%s\n", *s->device ? s->device : "",
          *s->device ? ": " : "", s->state,
          s->child ? " (a child that was forked computes on the processor)"
                   : "");
  if (s->saved > 0)
    fprintf(out, "gpuexec blas: saved %.2f s of %.2f s\n", s->saved,
            s->seconds + s->saved);
  fprintf(out, "gpuexec blas: library of the processor: %s\n", s->library);
  if (*s->cache)
    fprintf(out, "gpuexec blas: operands are copied for each call: %s\n",
            s->cache);
  if (s->busy || s->no_memory)
    fprintf(out,
            "gpuexec blas: on the processor because the device was busy: %llu "
            "calls, had no memory: %llu\n",
            (unsigned long long)s->busy, (unsigned long long)s->no_memory);
  fprintf(out, "%-8s %10s %10s %10s %10s %10s %10s %10s %10s\n", "function",
          "CPU calls", "seconds", "GPU calls", "seconds", "expected", "CPU had",
          "MB copied", "MB there");
  for (unsigned i = 0; i < offload_function_count(); ++i) {
    const function_statistics *f = &s->functions[i];
    if (is_used(f))
      fprintf(out,
              "%-8s %10llu %10.4f %10llu %10.4f %10.4f %10.4f %10.1f %10.1f\n",
              offload_function_name(i), (unsigned long long)f->cpu_calls,
              f->cpu_seconds, (unsigned long long)f->gpu_calls, f->gpu_seconds,
              f->expected_gpu, f->expected_cpu, (double)f->copied / 1e6,
              (double)f->not_copied / 1e6);
  }
}

static void write_string(FILE *out, const char *name, const char *value) {
  fprintf(out, "  \"%s\": \"", name);
  for (; *value; ++value)
    if (*value == '"' || *value == '\\')
      fprintf(out, "\\%c", *value);
    else if ((unsigned char)*value >= ' ')
      fputc(*value, out);
  fprintf(out, "\",\n");
}

static void write_json(const offload_statistics *s, FILE *out) {
  fprintf(out, "{\n");
  write_string(out, "device", s->device);
  write_string(out, "state", s->state);
  write_string(out, "library", s->library);
  write_string(out, "operands_copied_because", s->cache);
  fprintf(out,
          "  \"forked_child\": %s,\n  \"seconds\": %.6f,\n"
          "  \"saved_seconds\": %.6f,\n  \"busy\": %llu,\n"
          "  \"no_memory\": %llu,\n  \"functions\": {",
          s->child ? "true" : "false", s->seconds, s->saved,
          (unsigned long long)s->busy, (unsigned long long)s->no_memory);
  const char *comma = "";
  for (unsigned i = 0; i < offload_function_count(); ++i) {
    const function_statistics *f = &s->functions[i];
    if (!is_used(f))
      continue;
    fprintf(out,
            "%s\n    \"%s\": {\"cpu_calls\": %llu, \"cpu_seconds\": %.6f, "
            "\"gpu_calls\": %llu, \"gpu_seconds\": %.6f, "
            "\"expected_gpu_seconds\": %.6f, \"expected_cpu_seconds\": %.6f, "
            "\"bytes_copied\": %llu, \"bytes_there\": %llu}",
            comma, offload_function_name(i), (unsigned long long)f->cpu_calls,
            f->cpu_seconds, (unsigned long long)f->gpu_calls, f->gpu_seconds,
            f->expected_gpu, f->expected_cpu, (unsigned long long)f->copied,
            (unsigned long long)f->not_copied);
    comma = ",";
  }
  fprintf(out, "\n  }\n}\n");
}

static void file_name(char *to, size_t size, const char *pattern) {
  size_t at = 0;
  for (; *pattern && at + 24 < size; ++pattern)
    if (pattern[0] == '%' && pattern[1] == 'p') {
      at += (size_t)snprintf(to + at, size - at, "%d", (int)getpid());
      ++pattern;
    } else {
      to[at++] = *pattern;
    }
  to[at] = '\0';
}

int write_statistics(const offload_statistics *s, const char *file) {
  if (!strcmp(file, "-")) {
    // Standard error may have been closed by an exit handler of the program.
    write_text(s, stderr);
    return fflush(stderr) == 0 ? 0 : errno;
  }
  char name[4096];
  file_name(name, sizeof name, file);
  FILE *out = fopen(name, "we");
  if (!out)
    return errno;
  write_json(s, out);
  const int failed = ferror(out);
  return fclose(out) != 0 || failed ? EIO : 0;
}
