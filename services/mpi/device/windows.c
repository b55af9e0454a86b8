//===-- services/mpi/device/windows.c - Windows ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device remembers what a window is made of, for its attributes, and frees
// memory that it has allocated for one. Buffers on the stack that a window's
// operations use are copied back when the window is synchronised.
//===----------------------------------------------------------------------===//
#include "services/mpi/device/attributes.h"
#include "services/mpi/device/errors.h"
#include <stdlib.h>
#include <string.h>

typedef struct window {
  struct window *next;
  MPI_Win win;
  void *base;
  MPI_Aint size;
  int disp_unit, flavor, model;
} window;
static window *first_window;
static uint32_t lock;

static window *find(MPI_Win win, bool takes) {
  window *found = NULL;
  MPI_LOCKED(&lock) {
    for (window **at = &first_window; *at && !found;)
      if ((*at)->win == win) {
        found = *at;
        if (takes)
          *at = found->next;
      } else {
        at = &(*at)->next;
      }
  }
  return found;
}

static int create(void *base, MPI_Aint size, int disp_unit, MPI_Info info,
                  MPI_Comm comm, MPI_Win *win, int flavor) {
  if (size > 0 && mpi_is_own(base))
    return mpi_raise(MPI_ON_COMM, (uint64_t)comm, MPI_ERR_BASE,
                     "MPI_Win_create");
  window *made = malloc(sizeof *made);
  if (!made)
    return mpi_raise(MPI_ON_COMM, (uint64_t)comm, MPI_ERR_NO_MEM,
                     "MPI_Win_create");
  const int error = mpi_raw_Win_create(base, size, disp_unit, info, comm, win);
  if (error) {
    free(made);
    return error;
  }
  *made = (window){NULL, *win, base, size, disp_unit, flavor, MPI_WIN_UNIFIED};
  MPI_LOCKED(&lock) {
    made->next = first_window;
    first_window = made;
  }
  return MPI_SUCCESS;
}

int MPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info,
                   MPI_Comm comm, MPI_Win *win) {
  return create(base, size, disp_unit, info, comm, win, MPI_WIN_FLAVOR_CREATE);
}

int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                     void *baseptr, MPI_Win *win) {
  void *base = NULL;
  int error = MPI_Alloc_mem(size, info, &base);
  if (error)
    return error;
  error =
      create(base, size, disp_unit, info, comm, win, MPI_WIN_FLAVOR_ALLOCATE);
  if (error)
    free(base);
  else
    memcpy(baseptr, &base, sizeof base);
  return error;
}

int MPI_Win_free(MPI_Win *win) {
  const MPI_Win old = *win;
  int error = mpi_delete_attributes(MPI_ON_WIN, (uint64_t)old);
  if (error)
    return mpi_raise(MPI_ON_WIN, (uint64_t)old, error, "MPI_Win_free");
  error = mpi_raw_Win_free(win);
  if (error)
    return error;
  mpi_release((MPI_Request)old, true);
  mpi_forget_handler(MPI_ON_WIN, (uint64_t)old);
  window *freed = find(old, true);
  if (freed && freed->flavor == MPI_WIN_FLAVOR_ALLOCATE)
    free(freed->base);
  free(freed);
  return MPI_SUCCESS;
}

static int synchronised(MPI_Win win, int error) {
  if (!error)
    mpi_release((MPI_Request)win, true);
  return error;
}

int MPI_Win_fence(int assert, MPI_Win win) {
  return synchronised(win, mpi_raw_Win_fence(assert, win));
}
int MPI_Win_unlock(int rank, MPI_Win win) {
  return synchronised(win, mpi_raw_Win_unlock(rank, win));
}
int MPI_Win_unlock_all(MPI_Win win) {
  return synchronised(win, mpi_raw_Win_unlock_all(win));
}
int MPI_Win_flush(int rank, MPI_Win win) {
  return synchronised(win, mpi_raw_Win_flush_all(win));
}
int MPI_Win_flush_all(MPI_Win win) {
  return synchronised(win, mpi_raw_Win_flush_all(win));
}
int MPI_Win_flush_local(int rank, MPI_Win win) {
  return synchronised(win, mpi_raw_Win_flush_local_all(win));
}
int MPI_Win_flush_local_all(MPI_Win win) {
  return synchronised(win, mpi_raw_Win_flush_local_all(win));
}
int MPI_Win_complete(MPI_Win win) {
  return synchronised(win, mpi_raw_Win_complete(win));
}
int MPI_Win_wait(MPI_Win win) { return mpi_raw_Win_wait(win); }
int MPI_Win_test(MPI_Win win, int *flag) { return mpi_raw_Win_test(win, flag); }

//===-- Attributes --------------------------------------------------------===//

int MPI_Win_create_keyval(MPI_Win_copy_attr_function *copy,
                          MPI_Win_delete_attr_function *del, int *keyval,
                          void *extra_state) {
  return mpi_create_key(MPI_ON_WIN, (MPI_Comm_copy_attr_function *)copy,
                        (MPI_Comm_delete_attr_function *)del, keyval,
                        extra_state);
}

int MPI_Win_free_keyval(int *keyval) {
  return mpi_free_key(MPI_ON_WIN, keyval);
}

int MPI_Win_set_attr(MPI_Win win, int keyval, void *value) {
  return mpi_set_attribute(MPI_ON_WIN, (uint64_t)win, keyval, value,
                           "MPI_Win_set_attr");
}

int MPI_Win_delete_attr(MPI_Win win, int keyval) {
  return mpi_delete_attribute(MPI_ON_WIN, (uint64_t)win, keyval,
                              "MPI_Win_delete_attr");
}

int MPI_Win_get_attr(MPI_Win win, int keyval, void *value, int *flag) {
  if (keyval < MPI_WIN_BASE || keyval > MPI_WIN_MODEL)
    return mpi_get_attribute(MPI_ON_WIN, (uint64_t)win, keyval, value, flag,
                             "MPI_Win_get_attr");
  window *its = find(win, false);
  *flag = its != NULL;
  if (!its)
    return mpi_raise(MPI_ON_COMM, (uint64_t)MPI_COMM_WORLD, MPI_ERR_WIN,
                     "MPI_Win_get_attr");
  void *const answers[] = {its->base, &its->disp_unit, &its->size, &its->flavor,
                           &its->model};
  memcpy(value, &answers[keyval - MPI_WIN_BASE], sizeof(void *));
  return MPI_SUCCESS;
}
