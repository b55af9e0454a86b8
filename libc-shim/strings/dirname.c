//===-- libc-shim/strings/dirname.c - The folder of a path ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// newlib's leaves slashes at the end ("a//b" gives "a/").
//===----------------------------------------------------------------------===//
#include <libgen.h>
#include <string.h>

char *dirname(char *path) {
  static char here[] = ".";
  if (!path || !*path)
    return here;
  char *end = path + strlen(path);
  while (end > path && end[-1] == '/')
    --end;
  if (end == path) // slashes alone
    return strcpy(path, "/");
  while (end > path && end[-1] != '/')
    --end;
  if (end == path)
    return here;
  while (end > path + 1 && end[-1] == '/')
    --end;
  *end = 0;
  return path;
}
