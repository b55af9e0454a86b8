//===-- libc-shim/posix/own_paths.c - Paths that the caller frees ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

/// $PWD if that is a path of the working directory: its symbolic links are not
/// resolved. Else getcwd().
char *get_current_dir_name(void) {
  const char *said = getenv("PWD");
  struct stat of_said, of_here;
  if (said && !stat(said, &of_said) && !stat(".", &of_here) &&
      of_said.st_dev == of_here.st_dev && of_said.st_ino == of_here.st_ino)
    return strdup(said);
  return getcwd(NULL, 0);
}

// The program's real and effective user are the same.
int eaccess(const char *path, int mode) { return access(path, mode); }
int euidaccess(const char *path, int mode) { return access(path, mode); }
