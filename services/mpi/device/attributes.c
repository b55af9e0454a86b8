//===-- services/mpi/device/attributes.c - Values kept with objects -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes are kept on the device, whose functions copy and delete them: the
// host has only those that MPI predefines.
//===----------------------------------------------------------------------===//
#include "services/mpi/device/attributes.h"
#include "services/mpi/device/errors.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 1024 };

/// A key that the program has made. The handle of entry i is FIRST_KEY + i.
enum { FIRST_KEY = 0x1000 };
typedef struct {
  mpi_object_kind kind;
  MPI_Comm_copy_attr_function *copy;
  MPI_Comm_delete_attr_function *delete;
  void *extra;
  int uses; ///< attributes, and 1 while the program has the key
  bool is_freed;
} key;
static key keys[MOST_KEYS];

typedef struct attribute {
  struct attribute *next;
  mpi_object_kind kind;
  uint64_t object;
  int key;
  void *value;
} attribute;
static attribute *first_attribute;
static uint32_t lock;

static int refuse(int error, const char *function) {
  return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, error, function);
}

static key *find_key(mpi_object_kind kind, int number) {
  const int index = number - FIRST_KEY;
  return index >= 0 && index < MOST_KEYS && keys[index].uses > 0 &&
                 keys[index].kind == kind
             ? &keys[index]
             : NULL;
}

int mpi_create_key(mpi_object_kind kind, MPI_Comm_copy_attr_function *copy,
                   MPI_Comm_delete_attr_function *delete, int *number,
                   void *extra) {
  int found = -1;
  MPI_LOCKED(&lock) {
    for (int i = 0; i < MOST_KEYS && found < 0; ++i)
      if (keys[i].uses <= 0)
        found = i;
    if (found >= 0)
      keys[found] = (key){kind, copy, delete, extra, 1, false};
  }
  if (found < 0)
    return refuse(MPI_ERR_OTHER, "MPI_Comm_create_keyval");
  *number = FIRST_KEY + found;
  return MPI_SUCCESS;
}

int mpi_free_key(mpi_object_kind kind, int *number) {
  key *freed = find_key(kind, *number);
  if (!freed)
    return refuse(MPI_ERR_KEYVAL, "MPI_Comm_free_keyval");
  if (!freed->is_freed) // else another copy of the number was freed before
    --freed->uses;
  freed->is_freed = true;
  *number = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

/// The attribute, taken out of the list if `takes`.
static attribute *find(mpi_object_kind kind, uint64_t object, int number,
                       bool takes) {
  attribute *found = NULL;
  MPI_LOCKED(&lock) {
    for (attribute **at = &first_attribute; *at && !found;)
      if ((*at)->kind == kind && (*at)->object == object &&
          (!number || (*at)->key == number)) {
        found = *at;
        if (takes)
          *at = found->next;
      } else {
        at = &(*at)->next;
      }
  }
  return found;
}

static int call_delete(const attribute *old) {
  const key *its = &keys[old->key - FIRST_KEY];
  return its->delete ? its->delete ((MPI_Comm)old->object, old->key, old->value,
                                    its->extra)
                     : MPI_SUCCESS;
}

/// The attribute goes, if its function agrees.
static int delete_one(mpi_object_kind kind, uint64_t object, int number) {
  attribute *old = find(kind, object, number, false);
  if (!old)
    return MPI_SUCCESS;
  const int error = call_delete(old);
  if (error)
    return error;
  old = find(kind, object, number, true);
  if (old)
    --keys[old->key - FIRST_KEY].uses;
  free(old);
  return MPI_SUCCESS;
}

static int add(mpi_object_kind kind, uint64_t object, int number, void *value) {
  attribute *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return MPI_ERR_NO_MEM;
  *fresh = (attribute){NULL, kind, object, number, value};
  MPI_LOCKED(&lock) {
    fresh->next = first_attribute;
    first_attribute = fresh;
    ++keys[number - FIRST_KEY].uses;
  }
  return MPI_SUCCESS;
}

int mpi_set_attribute(mpi_object_kind kind, uint64_t object, int number,
                      void *value, const char *function) {
  if (!find_key(kind, number))
    return mpi_raise(kind, object, MPI_ERR_KEYVAL, function);
  int error = delete_one(kind, object, number);
  if (!error)
    error = add(kind, object, number, value);
  return error ? mpi_raise(kind, object, error, function) : MPI_SUCCESS;
}

int mpi_get_attribute(mpi_object_kind kind, uint64_t object, int number,
                      void *value, int *flag, const char *function) {
  *flag = 0;
  if (!find_key(kind, number))
    return mpi_raise(kind, object, MPI_ERR_KEYVAL, function);
  const attribute *found = find(kind, object, number, false);
  *flag = found != NULL;
  if (found)
    memcpy(value, &found->value, sizeof found->value);
  return MPI_SUCCESS;
}

int mpi_delete_attribute(mpi_object_kind kind, uint64_t object, int number,
                         const char *function) {
  const int error = find_key(kind, number) ? delete_one(kind, object, number)
                                           : MPI_ERR_KEYVAL;
  return error ? mpi_raise(kind, object, error, function) : MPI_SUCCESS;
}

int mpi_copy_attributes(mpi_object_kind kind, uint64_t from, uint64_t to) {
  // A copy of the list: the functions called may change it.
  int count = 0, failed = MPI_SUCCESS;
  attribute copies[32];
  MPI_LOCKED(&lock) {
    for (const attribute *at = first_attribute; at && count < 32; at = at->next)
      if (at->kind == kind && at->object == from)
        copies[count++] = *at;
  }
  while (count-- && !failed) {
    const key *its = &keys[copies[count].key - FIRST_KEY];
    void *value = copies[count].value;
    int is_copied = its->copy == MPI_COMM_DUP_FN;
    if (its->copy && !is_copied)
      failed = its->copy((MPI_Comm)from, copies[count].key, its->extra,
                         copies[count].value, &value, &is_copied);
    if (is_copied && !failed)
      failed = add(kind, to, copies[count].key, value);
  }
  return failed;
}

int mpi_delete_attributes(mpi_object_kind kind, uint64_t object) {
  for (attribute *old; (old = find(kind, object, 0, false));) {
    const int error = delete_one(kind, object, old->key);
    if (error)
      return error;
  }
  return MPI_SUCCESS;
}
