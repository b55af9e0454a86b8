//===-- libc-shim/argp/bug_address.c - For programs that do not define it --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The help ends with this address. The variable has a file of its own, so that
// the linker includes it only in a program that does not define it.
//===----------------------------------------------------------------------===//
#include <argp.h>

const char *argp_program_bug_address;
