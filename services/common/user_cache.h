//===-- services/common/user_cache.h - What is kept of a machine ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_COMMON_USER_CACHE_H
#define GPUEXEC_SERVICES_COMMON_USER_CACHE_H

#include <stddef.h>
#include <stdint.h>

enum { USER_CACHE_PATH = 4096 };

/// FNV-1a of 64 bits (the Internet Draft draft-eastlake-fnv); the first value
/// is USER_CACHE_HASH.
#define USER_CACHE_HASH 14695981039346656037u
uint64_t user_cache_hash(uint64_t value, const void *bytes, size_t size);

/// The name of a file for what `key` says, in `folder`, or where that is NULL
/// in gpuexec/blas of the user's caches, which support/cache_folder.cpp chooses
/// likewise. False, with an empty name, where there is no home.
int user_cache_file(char *name, size_t size, const char *folder,
                    const char *key, const char *ending);

/// Makes the folders that a file's absolute name goes through. 0 or errno.
int make_folders_of(const char *file);

#endif
