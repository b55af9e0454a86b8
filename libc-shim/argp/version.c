//===-- libc-shim/argp/version.c - For programs that do not define it --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printed by --version. A file of its own: the linker takes it only for a
// program without the variable.
//===----------------------------------------------------------------------===//
#include <argp.h>

const char *argp_program_version;
