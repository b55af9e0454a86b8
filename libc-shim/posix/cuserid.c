//===-- libc-shim/posix/cuserid.c - The user's name -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *cuserid(char *to) {
  static char own[L_cuserid];
  const struct passwd *entry = getpwuid(geteuid());
  char *result = to ? to : own;
  strlcpy(result, entry ? entry->pw_name : "", L_cuserid);
  return to || entry ? result : NULL;
}
