//===-- services/common/kept_file.h - What is kept of a machine -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that keep measurements of this machine from run to run, in gpuexec/blas
// of the user's cache folder or in another folder. A file or folder that other
// users can write to is not used (support/own_file.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_COMMON_KEPT_FILE_H
#define GPUEXEC_SERVICES_COMMON_KEPT_FILE_H

#include <stdint.h>
#include <stdio.h>

/// Continues the hash `value` with `bytes`: FNV-1a of 64 bits (the Internet
/// Draft draft-eastlake-fnv). The first value is KEPT_HASH.
#define KEPT_HASH 14695981039346656037u
uint64_t kept_hash(uint64_t value, const void *bytes, size_t size);

/// The kept files of one key.
typedef struct {
  char folder[4096]; ///< empty: no files are kept
  char name[24];     ///< the files' name without ending: a hash of the key
} kept_files;

/// The files for `key`, in `folder`. NULL: in the user's cache folder; "off":
/// no files are kept.
kept_files find_kept_files(const char *folder, const char *key);

/// Opens the file with this ending; `flags`: those of open(2), with O_CREAT if
/// the file may be new. Returns a descriptor, or -1 if the file cannot be used.
int open_kept_file(const kept_files *, const char *ending, int flags);

/// Replaces the file by a new one, whose content `write` writes. Another
/// process reads either the old file or the whole new one. 0 or errno.
int replace_kept_file(const kept_files *, const char *ending,
                      void (*write)(FILE *, const void *context),
                      const void *context);

#endif
