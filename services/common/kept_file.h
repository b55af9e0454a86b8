//===-- services/common/kept_file.h - What is kept of a machine -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files in gpuexec/blas of the user's caches, or in another folder. None is
// used that others can write to, nor one in such a folder (support/own_file.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_COMMON_KEPT_FILE_H
#define GPUEXEC_SERVICES_COMMON_KEPT_FILE_H

#include <stdint.h>
#include <stdio.h>

/// FNV-1a of 64 bits (the Internet Draft draft-eastlake-fnv); the first value
/// is KEPT_HASH.
#define KEPT_HASH 14695981039346656037u
uint64_t kept_hash(uint64_t value, const void *bytes, size_t size);

/// Where files are kept.
typedef struct {
  char folder[4096]; ///< empty: nothing is
  char name[24];     ///< of the files, without its ending: a hash of the key
} kept_files;

/// Of what `key` says, in `folder`; NULL: in the user's caches, "off": nowhere.
kept_files find_kept_files(const char *folder, const char *key);

/// Opens the file with this ending and these flags of open(2), or makes it if
/// they have O_CREAT. -1 where it cannot be used.
int open_kept_file(const kept_files *, const char *ending, int flags);

/// Writes a new file in the old one's place: others read the old one or the
/// whole new one. 0 or errno.
int replace_kept_file(const kept_files *, const char *ending,
                      void (*write)(FILE *, const void *context),
                      const void *context);

#endif
