//===-- libc-shim/argp/messages.c - argp_error, argp_usage, argp_failure --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions for the program's parsers. The texts are glibc's.
//===----------------------------------------------------------------------===//
#include "libc-shim/argp/parts.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool may_write(const struct argp_state *state) {
  return !state || !(state->flags & ARGP_NO_ERRS);
}
static const char *name_of(const struct argp_state *state) {
  return state ? state->name : program_invocation_short_name;
}

void argp_state_help(const struct argp_state *restrict state,
                     FILE *restrict stream, unsigned flags) {
  if (!may_write(state) || !stream)
    return;
  static const struct argp none;
  __argp_help(state ? state->root_argp : &none, state, stream, flags,
              name_of(state));
  if (state && state->flags & ARGP_NO_EXIT)
    return;
  if (flags & ARGP_HELP_EXIT_ERR)
    exit(argp_err_exit_status);
  if (flags & ARGP_HELP_EXIT_OK)
    exit(0);
}

void argp_usage(const struct argp_state *state) {
  argp_state_help(state, stderr, ARGP_HELP_STD_USAGE);
}

void argp_error(const struct argp_state *restrict state,
                const char *restrict format, ...) {
  FILE *stream = state ? state->err_stream : stderr;
  if (!may_write(state) || !stream)
    return;
  va_list list;
  va_start(list, format);
  fprintf(stream, "%s: ", name_of(state));
  vfprintf(stream, format, list);
  fputc('\n', stream);
  va_end(list);
  argp_state_help(state, stream, ARGP_HELP_STD_ERR);
}

void argp_failure(const struct argp_state *restrict state, int status,
                  int error, const char *restrict format, ...) {
  FILE *stream = state ? state->err_stream : stderr;
  if (!may_write(state) || !stream)
    return;
  fputs(name_of(state), stream);
  if (format) {
    va_list list;
    va_start(list, format);
    fputs(": ", stream);
    vfprintf(stream, format, list);
    va_end(list);
  }
  if (error)
    fprintf(stream, ": %s", strerror(error));
  fputc('\n', stream);
  if (status && (!state || !(state->flags & ARGP_NO_EXIT)))
    exit(status);
}
