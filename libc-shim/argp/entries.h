//===-- libc-shim/argp/entries.h - Options in the order of the help -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree of argps is turned into one list of entries. An entry is an option
// with its aliases.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_ARGP_ENTRIES_H
#define GPUEXEC_LIBC_ARGP_ENTRIES_H

#include <argp.h>
#include <stdbool.h>

/// The options of a child that has a header or a group number. They stay
/// together in the list.
typedef struct cluster {
  const struct cluster *parent;
  const char *header;
  const struct argp *argp; ///< the parent's
  int group, index, depth;
} cluster;

typedef struct {
  const struct argp_option *options; ///< `count` options; the first is no alias
  unsigned count;
  int group;
  unsigned order;   ///< number in the order of declaration
  int first_letter; ///< the first letter that the help shows, or 0
  const cluster *in;
  const struct argp *argp;
} entry;

typedef struct {
  entry *entries;
  unsigned count;
  cluster *clusters;
  unsigned cluster_count;
} entry_list;

/// Makes the sorted list of all options below `root`; the caller frees it.
/// False when there is no memory.
bool __argp_list(const struct argp *root, entry_list *);
void __argp_free_list(entry_list *);

/// The letter of the option, or 0.
int __argp_letter(const struct argp_option *);
/// The letter or name that the help shows of one of the entry's options.
int __argp_shown_letter(const entry_list *, const entry *, unsigned option);
const char *__argp_shown_name(const entry *, unsigned option);

static inline bool is_end(const struct argp_option *option) {
  return !option->name && !option->key && !option->doc && !option->group;
}

#endif
