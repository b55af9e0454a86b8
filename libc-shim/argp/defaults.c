//===-- libc-shim/argp/defaults.c - --help, --usage, --version ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that argp_parse() adds to the program's.
//===----------------------------------------------------------------------===//
#include "libc-shim/argp/parts.h"
#include <stdlib.h>

enum { USAGE = -2, PROGRAM_NAME = -3 };
static const struct argp_option help_options[] = {
    {"help", '?', NULL, 0, "Give this help list", -1},
    {"usage", USAGE, NULL, 0, "Give a short usage message", 0},
    {"program-name", PROGRAM_NAME, "NAME", OPTION_HIDDEN,
     "Set the program name", 0},
    {NULL, 0, NULL, 0, NULL, 0}};
static const struct argp_option version_options[] = {
    {"version", 'V', NULL, 0, "Print program version", -1},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_help(int key, char *argument, struct argp_state *state) {
  if (key == '?')
    argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
  else if (key == USAGE)
    argp_state_help(state, state->out_stream,
                    ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
  else if (key == PROGRAM_NAME)
    state->name = argument;
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}
static error_t parse_version(int key, char *argument,
                             struct argp_state *state) {
  (void)argument;
  if (key != 'V')
    return ARGP_ERR_UNKNOWN;
  if (argp_program_version_hook)
    argp_program_version_hook(state->out_stream, state);
  else if (argp_program_version)
    fprintf(state->out_stream, "%s\n", argp_program_version);
  else
    argp_error(state, "(PROGRAM ERROR) No version known!?");
  if (!(state->flags & ARGP_NO_EXIT))
    exit(0);
  return 0;
}
const struct argp __argp_of_help = {.options = help_options,
                                    .parser = parse_help};
const struct argp __argp_of_version = {.options = version_options,
                                       .parser = parse_version};
