//===-- libc-shim/posix/directory.h - A descriptor of a directory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_DIRECTORY_H
#define GPUEXEC_LIBC_DIRECTORY_H

#include <dirent.h>

/// Gives `fd`, from which the directory was opened, to the DIR: dirfd() returns
/// it and closedir() closes it.
void __directory_keeps(DIR *directory, int fd);

#endif
