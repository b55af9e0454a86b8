//===-- services/mpi/device/errors.c - Error handlers ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's library returns all errors. What happens then, the device decides:
// it knows which handler an object has.
//===----------------------------------------------------------------------===//
#include "services/mpi/device/errors.h"
#include "services/mpi/device/call.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HANDLERS = 256, MOST_CODES = 4096, FIRST_CODE = 0x4000 };
/// User functions; the handle of entry i is MPI_OBJECT_BIT | i.
static void *handlers[MOST_HANDLERS];
static uint32_t handler_count;

/// Objects whose handler is not the one they begin with.
typedef struct changed {
  struct changed *next;
  mpi_object_kind kind;
  uint64_t object;
  MPI_Errhandler handler;
} changed;
static changed *first_changed;
static uint32_t lock;

/// Classes and codes that the program has added.
static struct {
  int class;
  char *text; ///< null: none
} codes[MOST_CODES];
static uint32_t code_count;

MPI_Errhandler mpi_handler_of(mpi_object_kind kind, uint64_t object) {
  MPI_Errhandler handler =
      kind == MPI_ON_FILE ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL;
  MPI_LOCKED(&lock) {
    for (const changed *at = first_changed; at; at = at->next)
      if (at->kind == kind && at->object == object)
        handler = at->handler;
  }
  return handler;
}

void mpi_set_handler(mpi_object_kind kind, uint64_t object,
                     MPI_Errhandler handler) {
  changed *fresh = malloc(sizeof *fresh);
  if (!fresh)
    abort();
  *fresh = (changed){NULL, kind, object, handler};
  MPI_LOCKED(&lock) {
    changed *at = first_changed;
    while (at && !(at->kind == kind && at->object == object))
      at = at->next;
    if (at) {
      at->handler = handler;
    } else {
      fresh->next = first_changed;
      first_changed = fresh;
      fresh = NULL;
    }
  }
  free(fresh);
}

void mpi_forget_handler(mpi_object_kind kind, uint64_t object) {
  changed *found = NULL;
  MPI_LOCKED(&lock) {
    for (changed **at = &first_changed; *at && !found;)
      if ((*at)->kind == kind && (*at)->object == object) {
        found = *at;
        *at = found->next;
      } else {
        at = &(*at)->next;
      }
  }
  free(found);
}

void mpi_inherit(MPI_Comm from, MPI_Comm to) {
  const MPI_Errhandler handler = mpi_handler_of(MPI_ON_COMM, (uint64_t)from);
  if (to != MPI_COMM_NULL && handler != MPI_ERRORS_ARE_FATAL)
    mpi_set_handler(MPI_ON_COMM, (uint64_t)to, handler);
}

static void *function_of(MPI_Errhandler handler) {
  const uint64_t value = (uint64_t)handler;
  const uint64_t index = value & ~(uint64_t)MPI_OBJECT_BIT;
  return value & MPI_OBJECT_BIT && index < MOST_HANDLERS ? handlers[index]
                                                         : NULL;
}

int mpi_raise(mpi_object_kind kind, uint64_t object, int error,
              const char *function) {
  // A datatype has no handler of its own, and what is no handle has none.
  if (kind == MPI_ON_TYPE || (kind == MPI_ON_COMM && error == MPI_ERR_COMM) ||
      (kind == MPI_ON_WIN && error == MPI_ERR_WIN)) {
    kind = MPI_ON_COMM;
    object = (uint64_t)MPI_COMM_WORLD;
  }
  const MPI_Errhandler handler = mpi_handler_of(kind, object);
  void *user = function_of(handler);
  if (user) {
    // Comm, win and file handles have the same form, and so do the functions.
    ((MPI_Comm_errhandler_function *)user)((MPI_Comm *)&object, &error);
    return error;
  }
  // What mpi_error_text() asks has no handler.
  if (handler == MPI_ERRORS_RETURN || !strcmp(function, "MPI_Error_string"))
    return error;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  mpi_error_text(error, text, &length);
  fprintf(stderr, "MPI: %s: %s (error %d)\n", function, text, error);
  MPI_Abort(MPI_COMM_WORLD, error);
  return error;
}

//===-- Functions of MPI --------------------------------------------------===//

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function,
                               MPI_Errhandler *errhandler) {
  // A function that has a number keeps it: programs create handlers in loops.
  uint32_t index = 0;
  MPI_LOCKED(&lock) {
    while (index < handler_count && handlers[index] != (void *)function)
      ++index;
    if (index == handler_count && index < MOST_HANDLERS)
      handlers[handler_count++] = (void *)function;
  }
  if (index >= MOST_HANDLERS)
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_OTHER,
                     "MPI_Comm_create_errhandler");
  *errhandler = (MPI_Errhandler)(uint64_t)(MPI_OBJECT_BIT | index);
  return MPI_SUCCESS;
}

int MPI_Errhandler_free(MPI_Errhandler *errhandler) {
  // The function stays: objects may still have it.
  *errhandler = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
  if (!mpi_members(comm))
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_COMM,
                     "MPI_Comm_set_errhandler");
  mpi_set_handler(MPI_ON_COMM, (uint64_t)comm, errhandler);
  return MPI_SUCCESS;
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler) {
  if (!mpi_members(comm))
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_COMM,
                     "MPI_Comm_get_errhandler");
  *errhandler = mpi_handler_of(MPI_ON_COMM, (uint64_t)comm);
  return MPI_SUCCESS;
}

int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  mpi_raise(MPI_ON_COMM, (uint64_t)comm, errorcode, "MPI_Comm_call_errhandler");
  return MPI_SUCCESS;
}

static bool is_added(int code) {
  return code >= FIRST_CODE && code < FIRST_CODE + (int)code_count;
}

int MPI_Error_class(int errorcode, int *errorclass) {
  *errorclass =
      is_added(errorcode) ? codes[errorcode - FIRST_CODE].class : errorcode;
  return MPI_SUCCESS;
}

static int add_code(int class, int *code) {
  const uint32_t index = __scoped_atomic_fetch_add(
      &code_count, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  if (index >= MOST_CODES)
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_OTHER,
                     "MPI_Add_error_code");
  *code = FIRST_CODE + (int)index;
  codes[index].class = class ? class : *code;
  return MPI_SUCCESS;
}

int MPI_Add_error_class(int *errorclass) { return add_code(0, errorclass); }

int MPI_Add_error_code(int errorclass, int *errorcode) {
  return add_code(errorclass, errorcode);
}

int MPI_Add_error_string(int errorcode, const char *string) {
  if (!is_added(errorcode))
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_ARG,
                     "MPI_Add_error_string");
  char *copy = strdup(string);
  if (!copy)
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_NO_MEM,
                     "MPI_Add_error_string");
  free(codes[errorcode - FIRST_CODE].text);
  codes[errorcode - FIRST_CODE].text = copy;
  return MPI_SUCCESS;
}

int mpi_error_text(int errorcode, char *string, int *resultlen) {
  if (!is_added(errorcode))
    return mpi_raw_Error_string(errorcode, string, resultlen);
  const char *text = codes[errorcode - FIRST_CODE].text;
  snprintf(string, MPI_MAX_ERROR_STRING, "%s", text ? text : "");
  *resultlen = (int)strlen(string);
  return MPI_SUCCESS;
}

int MPI_Error_string(int errorcode, char *string, int *resultlen) {
  return mpi_error_text(errorcode, string, resultlen);
}

//===-- Files and windows -------------------------------------------------===//

int MPI_File_create_errhandler(MPI_File_errhandler_function *function,
                               MPI_Errhandler *errhandler) {
  return MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)function,
                                    errhandler);
}
int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler) {
  mpi_set_handler(MPI_ON_FILE, (uint64_t)file, errhandler);
  return MPI_SUCCESS;
}
int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler *errhandler) {
  *errhandler = mpi_handler_of(MPI_ON_FILE, (uint64_t)file);
  return MPI_SUCCESS;
}
int MPI_File_call_errhandler(MPI_File file, int errorcode) {
  mpi_raise(MPI_ON_FILE, (uint64_t)file, errorcode, "MPI_File_call_errhandler");
  return MPI_SUCCESS;
}

int MPI_Win_create_errhandler(MPI_Win_errhandler_function *function,
                              MPI_Errhandler *errhandler) {
  return MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)function,
                                    errhandler);
}
int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler) {
  mpi_set_handler(MPI_ON_WIN, (uint64_t)win, errhandler);
  return MPI_SUCCESS;
}
int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler) {
  *errhandler = mpi_handler_of(MPI_ON_WIN, (uint64_t)win);
  return MPI_SUCCESS;
}
int MPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  mpi_raise(MPI_ON_WIN, (uint64_t)win, errorcode, "MPI_Win_call_errhandler");
  return MPI_SUCCESS;
}
