//===-- libc-shim/argp/parts.h - What the files of argp share -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_ARGP_PARTS_H
#define GPUEXEC_LIBC_ARGP_PARTS_H

#include <argp.h>

/// The input of this argp's parser in argp_parse(), or null.
void *__argp_input(const struct argp *, const struct argp_state *);

/// Writes the parts of the help that `flags` names. `state` may be null.
void __argp_help(const struct argp *, const struct argp_state *state, FILE *,
                 unsigned flags, const char *name);

/// --help and --usage; --version.
extern const struct argp __argp_of_help, __argp_of_version;

#endif
