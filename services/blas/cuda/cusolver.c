//===-- services/blas/cuda/cusolver.c - See cusolver.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/cuda/cusolver.h"
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char LETTERS[] = "sdcz";

enum function {
  GETRF_SIZE,
  GETRF,
  GETRS,
  POTRF_SIZE,
  POTRF,
  POTRS,
  GEQRF_SIZE,
  GEQRF,
  ORGQR_SIZE,
  ORGQR,
  ORMQR_SIZE,
  ORMQR,
  EVD_SIZE,
  EVD,
  GESVD_SIZE,
  GESVD
};

/// Names without prefix and type: for real matrices and, if different, complex.
static const char *const names[CUSOLVER_FUNCTIONS][2] = {
    [GETRF_SIZE] = {"getrf_bufferSize"},
    [GETRF] = {"getrf"},
    [GETRS] = {"getrs"},
    [POTRF_SIZE] = {"potrf_bufferSize"},
    [POTRF] = {"potrf"},
    [POTRS] = {"potrs"},
    [GEQRF_SIZE] = {"geqrf_bufferSize"},
    [GEQRF] = {"geqrf"},
    [ORGQR_SIZE] = {"orgqr_bufferSize", "ungqr_bufferSize"},
    [ORGQR] = {"orgqr", "ungqr"},
    [ORMQR_SIZE] = {"ormqr_bufferSize", "unmqr_bufferSize"},
    [ORMQR] = {"ormqr", "unmqr"},
    [EVD_SIZE] = {"syevd_bufferSize", "heevd_bufferSize"},
    [EVD] = {"syevd", "heevd"},
    [GESVD_SIZE] = {"gesvd_bufferSize"},
    [GESVD] = {"gesvd"}};

static void load_functions(cusolver *c) {
  for (unsigned i = 0; i < CUSOLVER_FUNCTIONS; ++i)
    for (unsigned type = 0; type < 4; ++type) {
      char name[64];
      const char *base = type >= 2 && names[i][1] ? names[i][1] : names[i][0];
      snprintf(name, sizeof name, "cusolverDn%c%s", toupper(LETTERS[type]),
               base);
      c->functions[i][type] = dlsym(c->library, name);
    }
}

const char *open_cusolver(cusolver *c, const char *name) {
  static const char *const libraries[] = {
      "libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"};
  memset(c, 0, sizeof *c);
  for (size_t i = 0; !c->library && i < sizeof libraries / sizeof *libraries;
       ++i)
    c->library = dlopen(name ? name : libraries[i], RTLD_NOW | RTLD_LOCAL);
  if (!c->library)
    return dlerror();
  c->create = (int (*)(void **))dlsym(c->library, "cusolverDnCreate");
  c->destroy = (int (*)(void *))dlsym(c->library, "cusolverDnDestroy");
  c->set_stream =
      (int (*)(void *, void *))dlsym(c->library, "cusolverDnSetStream");
  if (!c->create || !c->destroy || !c->set_stream) {
    close_cusolver(c);
    return "it is older than cuSOLVER 11";
  }
  load_functions(c);
  return NULL;
}

void close_cusolver(cusolver *c) {
  dlclose(c->library);
  memset(c, 0, sizeof *c);
}

static void *find(const cusolver *c, enum function function, char letter) {
  const char *type = letter ? strchr(LETTERS, letter) : NULL;
  return type ? c->functions[function][type - LETTERS] : NULL;
}

static void *array(const blas_argument *a) {
  return (void *)(uintptr_t)a->array;
}
static int transposition(int letter) {
  return letter == 'N' ? 0 : letter == 'T' ? 1 : 2;
}
static int fill_mode(int uplo) { return uplo == 'U'; }
static int is_right(int side) { return side == 'R'; }
static int has_vectors(int jobz) { return jobz == 'V'; }

/// Whether cuSOLVER's gesvd can do the call. It cannot overwrite the matrix
/// with vectors (LAPACK's job 'O').
static int can_gesvd(const blas_argument *a) {
  return cusolver_can_svd(a[2].integer, a[3].integer) && a[0].integer != 'O' &&
         a[1].integer != 'O';
}

int cusolver_workspace(const cusolver *c, void *handle, const char *name,
                       char letter, const blas_argument *a, int *elements) {
  *elements = 0;
  if (!strcmp(name, "getrf") || !strcmp(name, "geqrf")) {
    int (*size)(void *, int, int, void *, int, int *) =
        (int (*)(void *, int, int, void *, int, int *))find(
            c, name[2] == 't' ? GETRF_SIZE : GEQRF_SIZE, letter);
    return size ? size(handle, a[0].integer, a[1].integer, array(&a[2]),
                       a[3].integer, elements)
                : CUBLAS_CANNOT;
  }
  if (!strcmp(name, "potrf")) {
    int (*size)(void *, int, int, void *, int, int *) =
        (int (*)(void *, int, int, void *, int, int *))find(c, POTRF_SIZE,
                                                            letter);
    return size ? size(handle, fill_mode(a[0].integer), a[1].integer,
                       array(&a[2]), a[3].integer, elements)
                : CUBLAS_CANNOT;
  }
  if (!strcmp(name, "orgqr")) {
    int (*size)(void *, int, int, int, void *, int, void *, int *) =
        (int (*)(void *, int, int, int, void *, int, void *, int *))find(
            c, ORGQR_SIZE, letter);
    return size ? size(handle, a[0].integer, a[1].integer, a[2].integer,
                       array(&a[3]), a[4].integer, array(&a[5]), elements)
                : CUBLAS_CANNOT;
  }
  if (!strcmp(name, "ormqr")) {
    int (*size)(void *, int, int, int, int, int, void *, int, void *, void *,
                int, int *) =
        (int (*)(void *, int, int, int, int, int, void *, int, void *, void *,
                 int, int *))find(c, ORMQR_SIZE, letter);
    return size ? size(handle, is_right(a[0].integer),
                       transposition(a[1].integer), a[2].integer, a[3].integer,
                       a[4].integer, array(&a[5]), a[6].integer, array(&a[7]),
                       array(&a[8]), a[9].integer, elements)
                : CUBLAS_CANNOT;
  }
  if (!strcmp(name, "syevd")) {
    int (*size)(void *, int, int, int, void *, int, void *, int *) =
        (int (*)(void *, int, int, int, void *, int, void *, int *))find(
            c, EVD_SIZE, letter);
    return size && cusolver_can_evd(a[2].integer)
               ? size(handle, has_vectors(a[0].integer),
                      fill_mode(a[1].integer), a[2].integer, array(&a[3]),
                      a[4].integer, array(&a[5]), elements)
               : CUBLAS_CANNOT;
  }
  if (!strcmp(name, "gesvd")) {
    int (*size)(void *, int, int, int *) =
        (int (*)(void *, int, int, int *))find(c, GESVD_SIZE, letter);
    return size && can_gesvd(a)
               ? size(handle, a[2].integer, a[3].integer, elements)
               : CUBLAS_CANNOT;
  }
  return 0; // the others need none
}

static int call_getrf(void *function, void *handle, const blas_argument *a,
                      const cusolver_memory *m) {
  int (*f)(void *, int, int, void *, int, void *, void *, void *) =
      (int (*)(void *, int, int, void *, int, void *, void *, void *))function;
  return f(handle, a[0].integer, a[1].integer, array(&a[2]), a[3].integer,
           (void *)m->work, array(&a[4]), (void *)m->info);
}

static int call_getrs(void *function, void *handle, const blas_argument *a,
                      const cusolver_memory *m) {
  int (*f)(void *, int, int, int, void *, int, void *, void *, int, void *) =
      (int (*)(void *, int, int, int, void *, int, void *, void *, int,
               void *))function;
  return f(handle, transposition(a[0].integer), a[1].integer, a[2].integer,
           array(&a[3]), a[4].integer, array(&a[5]), array(&a[6]), a[7].integer,
           (void *)m->info);
}

static int call_potrf(void *function, void *handle, const blas_argument *a,
                      const cusolver_memory *m) {
  int (*f)(void *, int, int, void *, int, void *, int, void *) =
      (int (*)(void *, int, int, void *, int, void *, int, void *))function;
  return f(handle, fill_mode(a[0].integer), a[1].integer, array(&a[2]),
           a[3].integer, (void *)m->work, m->elements, (void *)m->info);
}

static int call_potrs(void *function, void *handle, const blas_argument *a,
                      const cusolver_memory *m) {
  int (*f)(void *, int, int, int, void *, int, void *, int, void *) = (int (*)(
      void *, int, int, int, void *, int, void *, int, void *))function;
  return f(handle, fill_mode(a[0].integer), a[1].integer, a[2].integer,
           array(&a[3]), a[4].integer, array(&a[5]), a[6].integer,
           (void *)m->info);
}

static int call_geqrf(void *function, void *handle, const blas_argument *a,
                      const cusolver_memory *m) {
  int (*f)(void *, int, int, void *, int, void *, void *, int, void *) =
      (int (*)(void *, int, int, void *, int, void *, void *, int,
               void *))function;
  return f(handle, a[0].integer, a[1].integer, array(&a[2]), a[3].integer,
           array(&a[4]), (void *)m->work, m->elements, (void *)m->info);
}

static int call_orgqr(void *function, void *handle, const blas_argument *a,
                      const cusolver_memory *m) {
  int (*f)(void *, int, int, int, void *, int, void *, void *, int, void *) =
      (int (*)(void *, int, int, int, void *, int, void *, void *, int,
               void *))function;
  return f(handle, a[0].integer, a[1].integer, a[2].integer, array(&a[3]),
           a[4].integer, array(&a[5]), (void *)m->work, m->elements,
           (void *)m->info);
}

static int call_ormqr(void *function, void *handle, const blas_argument *a,
                      const cusolver_memory *m) {
  int (*f)(void *, int, int, int, int, int, void *, int, void *, void *, int,
           void *, int, void *) =
      (int (*)(void *, int, int, int, int, int, void *, int, void *, void *,
               int, void *, int, void *))function;
  return f(handle, is_right(a[0].integer), transposition(a[1].integer),
           a[2].integer, a[3].integer, a[4].integer, array(&a[5]), a[6].integer,
           array(&a[7]), array(&a[8]), a[9].integer, (void *)m->work,
           m->elements, (void *)m->info);
}

static int call_evd(void *function, void *handle, const blas_argument *a,
                    const cusolver_memory *m) {
  int (*f)(void *, int, int, int, void *, int, void *, void *, int, void *) =
      (int (*)(void *, int, int, int, void *, int, void *, void *, int,
               void *))function;
  return f(handle, has_vectors(a[0].integer), fill_mode(a[1].integer),
           a[2].integer, array(&a[3]), a[4].integer, array(&a[5]),
           (void *)m->work, m->elements, (void *)m->info);
}

static int call_gesvd(void *function, void *handle, const blas_argument *a,
                      const cusolver_memory *m) {
  int (*f)(void *, signed char, signed char, int, int, void *, int, void *,
           void *, int, void *, int, void *, int, void *, void *) =
      (int (*)(void *, signed char, signed char, int, int, void *, int, void *,
               void *, int, void *, int, void *, int, void *, void *))function;
  // gesvd writes the superdiagonal that has not converged to rwork: LAPACKE's
  // array for it, if the caller has one.
  void *rwork = a[11].array ? array(&a[11]) : (void *)m->rwork;
  return can_gesvd(a)
             ? f(handle, (signed char)a[0].integer, (signed char)a[1].integer,
                 a[2].integer, a[3].integer, array(&a[4]), a[5].integer,
                 array(&a[6]), array(&a[7]), a[8].integer, array(&a[9]),
                 a[10].integer, (void *)m->work, m->elements, rwork,
                 (void *)m->info)
             : CUBLAS_CANNOT;
}

int cusolver_call(const cusolver *c, void *handle, const char *name,
                  char letter, const blas_argument *a,
                  const cusolver_memory *memory) {
  static const struct {
    const char *name;
    enum function function;
    int (*call)(void *, void *, const blas_argument *, const cusolver_memory *);
  } calls[] = {{"getrf", GETRF, call_getrf}, {"getrs", GETRS, call_getrs},
               {"potrf", POTRF, call_potrf}, {"potrs", POTRS, call_potrs},
               {"geqrf", GEQRF, call_geqrf}, {"orgqr", ORGQR, call_orgqr},
               {"ormqr", ORMQR, call_ormqr}, {"syevd", EVD, call_evd},
               {"gesvd", GESVD, call_gesvd}};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if (!strcmp(name, calls[i].name)) {
      void *function = find(c, calls[i].function, letter);
      return function ? calls[i].call(function, handle, a, memory)
                      : CUBLAS_CANNOT;
    }
  return CUBLAS_CANNOT;
}
