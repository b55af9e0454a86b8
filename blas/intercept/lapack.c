//===-- blas/intercept/lapack.c - Functions of LAPACK that we have ---------===//
// Linear equations, general and positive definite, by the names of Fortran with
// integers of 32 and 64 bits. What programs call is expanded below.
//===----------------------------------------------------------------------===//
#include "blas/intercept/intercept.h"
#include "blas/intercept/names.h"
#include "blas/intercept/next.h"
#include "blas/intercept/solver.h"
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

/// A call, and the pivots that the program has with 32 or 64 bits.
typedef struct {
  blas_call call;
  blas_argument arguments[SOLVER_ARGUMENTS];
  int *pivots; ///< of 32 bits; the program's own, or a copy
} solver_use;

static void *next_function(void **slot, const char *name, const void *caller) {
  void *function = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  return function ? function : blas_find_next(slot, name, caller);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/// Operations on real numbers.
static double work_of(solver_kind kind, int is_complex, double m, double n,
                      double sides) {
  const double k = m < n ? m : n;
  const double lu = 2 * (m * n * k - (m + n) * k * k / 2 + k * k * k / 3);
  const double cholesky = n * n * n / 3, solve = 2 * n * n * sides;
  const double work = kind == GETRF   ? lu
                      : kind == GESV  ? lu + solve
                      : kind == POTRF ? cholesky
                      : kind == POSV  ? cholesky + solve
                                      : solve;
  return is_complex ? 4 * work : work;
}

static void add_matrix(solver_use *u, int place, int reads_only, int element,
                       int rows, int columns, line_part part) {
  blas_call *call = &u->call;
  call->operands[call->operand_count++] =
      (blas_operand){(uint8_t)place,
                     (uint8_t)(place + 1),
                     1,
                     !reads_only,
                     part,
                     (void *)(uintptr_t)u->arguments[place].array,
                     (size_t)element,
                     (size_t)columns,
                     (size_t)rows,
                     (size_t)u->arguments[place + 1].integer};
}

/// Describes the call and asks. True: it is done. `letter`: of cuBLAS, or -1 if
/// the program's was none.
static int begin(solver_use *u, solver_kind kind, char type, int letter,
                 int64_t m, int64_t n, int64_t sides, void *a, int64_t lda,
                 void *b, int64_t ldb) {
  u->call.began = 0;
  u->pivots = NULL;
  const int has_b = kind != GETRF && kind != POTRF;
  if (letter < 0 || m < 1 || n < 1 || m > INT32_MAX || n > INT32_MAX ||
      lda < m || lda > INT32_MAX ||
      (has_b && (sides < 1 || sides > INT32_MAX || ldb < n || ldb > INT32_MAX)))
    return 0;
  const int is_complex = type == 'c' || type == 'z';
  const int element = (type == 's' || type == 'c' ? 4 : 8) << is_complex;
  if (!blas_is_candidate(
          &u->call, blas_solver(kind, type),
          work_of(kind, is_complex, (double)m, (double)n, (double)sides), 0))
    return 0;
  u->arguments[SOLVER_LETTER].integer = letter;
  u->arguments[SOLVER_M].integer = (int)m;
  u->arguments[SOLVER_N].integer = (int)n;
  u->arguments[SOLVER_RIGHT_SIDES].integer = (int)sides;
  u->arguments[SOLVER_A].array = (uintptr_t)a;
  u->arguments[SOLVER_LDA].integer = (int)lda;
  u->arguments[SOLVER_B].array = (uintptr_t)b;
  u->arguments[SOLVER_LDB].integer = (int)ldb;
  u->call.is_solver = 1;
  u->call.operand_count = 0;
  u->call.arguments = u->arguments;
  u->call.argument_count = SOLVER_ARGUMENTS;
  const line_part part = kind == POTRF || kind == POSV
                             ? letter ? PART_TO_DIAGONAL : PART_FROM_DIAGONAL
                             : PART_WHOLE;
  add_matrix(u, SOLVER_A, kind == GETRS || kind == POTRS, element, (int)m,
             (int)n, part);
  if (has_b)
    add_matrix(u, SOLVER_B, 0, element, (int)n, (int)sides, PART_WHOLE);
  return 1;
}

/// The program's pivots of 64 bits are copied.
static int begin_with_pivots(solver_use *u, void *pivots, int is_long,
                             int64_t count, int reads) {
  u->pivots = is_long ? malloc((size_t)count * sizeof(int)) : pivots;
  if (!u->pivots)
    return blas_begin(&u->call);
  for (int64_t i = 0; is_long && reads && i < count; ++i)
    u->pivots[i] = (int)((const int64_t *)pivots)[i];
  u->arguments[SOLVER_PIVOTS].number = u->pivots;
  const int done = blas_begin(&u->call);
  for (int64_t i = 0; is_long && done && !reads && i < count; ++i)
    ((int64_t *)pivots)[i] = u->pivots[i];
  if (is_long)
    free(u->pivots);
  return done;
}

/// cuBLAS's numbers; -1: it is no such letter.
static int transposition(char letter) {
  return blas_letter(letter, "NTC", 1) - 1;
}
static int triangle(char letter) { return blas_letter(letter, "LU", 1) - 1; }

#define GETRF_OF(NAME, TYPE, INT)                                              \
  EXPORT void NAME(const INT *, const INT *, void *, const INT *, INT *,       \
                   INT *);                                                     \
  EXPORT void NAME(const INT *m, const INT *n, void *a, const INT *lda,        \
                   INT *pivots, INT *info) {                                   \
    static void *next;                                                         \
    void (*cpu)(const INT *, const INT *, void *, const INT *, INT *, INT *) = \
        (void (*)(const INT *, const INT *, void *, const INT *, INT *,        \
                  INT *))next_function(&next, #NAME,                           \
                                       __builtin_return_address(0));           \
    solver_use u;                                                              \
    u.call.began = 0;                                                          \
    if (blas_is_on() &&                                                        \
        begin(&u, GETRF, TYPE, 0, *m, *n, 0, a, *lda, NULL, 0) &&              \
        begin_with_pivots(&u, pivots, sizeof(INT) == 8, smaller(*m, *n), 0)) { \
      *info = 0;                                                               \
      return;                                                                  \
    }                                                                          \
    cpu(m, n, a, lda, pivots, info);                                           \
    blas_finish(&u.call);                                                      \
  }

#define GETRS_OF(NAME, TYPE, INT)                                              \
  EXPORT void NAME(const char *, const INT *, const INT *, void *,             \
                   const INT *, INT *, void *, const INT *, INT *);            \
  EXPORT void NAME(const char *trans, const INT *n, const INT *sides, void *a, \
                   const INT *lda, INT *pivots, void *b, const INT *ldb,       \
                   INT *info) {                                                \
    static void *next;                                                         \
    void (*cpu)(const char *, const INT *, const INT *, void *, const INT *,   \
                INT *, void *, const INT *, INT *, size_t) =                   \
        (void (*)(const char *, const INT *, const INT *, void *, const INT *, \
                  INT *, void *, const INT *, INT *,                           \
                  size_t))next_function(&next, #NAME,                          \
                                        __builtin_return_address(0));          \
    solver_use u;                                                              \
    u.call.began = 0;                                                          \
    if (blas_is_on() &&                                                        \
        begin(&u, GETRS, TYPE, transposition(*trans), *n, *n, *sides, a, *lda, \
              b, *ldb) &&                                                      \
        begin_with_pivots(&u, pivots, sizeof(INT) == 8, *n, 1)) {              \
      *info = 0;                                                               \
      return;                                                                  \
    }                                                                          \
    cpu(trans, n, sides, a, lda, pivots, b, ldb, info, 1);                     \
    blas_finish(&u.call);                                                      \
  }

#define GESV_OF(NAME, TYPE, INT)                                               \
  EXPORT void NAME(const INT *, const INT *, void *, const INT *, INT *,       \
                   void *, const INT *, INT *);                                \
  EXPORT void NAME(const INT *n, const INT *sides, void *a, const INT *lda,    \
                   INT *pivots, void *b, const INT *ldb, INT *info) {          \
    static void *next;                                                         \
    void (*cpu)(const INT *, const INT *, void *, const INT *, INT *, void *,  \
                const INT *, INT *) =                                          \
        (void (*)(const INT *, const INT *, void *, const INT *, INT *,        \
                  void *, const INT *,                                         \
                  INT *))next_function(&next, #NAME,                           \
                                       __builtin_return_address(0));           \
    solver_use u;                                                              \
    u.call.began = 0;                                                          \
    if (blas_is_on() &&                                                        \
        begin(&u, GESV, TYPE, 0, *n, *n, *sides, a, *lda, b, *ldb) &&          \
        begin_with_pivots(&u, pivots, sizeof(INT) == 8, *n, 0)) {              \
      *info = 0;                                                               \
      return;                                                                  \
    }                                                                          \
    cpu(n, sides, a, lda, pivots, b, ldb, info);                               \
    blas_finish(&u.call);                                                      \
  }

#define POTRF_OF(NAME, TYPE, INT)                                              \
  EXPORT void NAME(const char *, const INT *, void *, const INT *, INT *);     \
  EXPORT void NAME(const char *uplo, const INT *n, void *a, const INT *lda,    \
                   INT *info) {                                                \
    static void *next;                                                         \
    void (*cpu)(const char *, const INT *, void *, const INT *, INT *,         \
                size_t) =                                                      \
        (void (*)(const char *, const INT *, void *, const INT *, INT *,       \
                  size_t))next_function(&next, #NAME,                          \
                                        __builtin_return_address(0));          \
    solver_use u;                                                              \
    u.call.began = 0;                                                          \
    if (blas_is_on() &&                                                        \
        begin(&u, POTRF, TYPE, triangle(*uplo), *n, *n, 0, a, *lda, NULL,      \
              0) &&                                                            \
        blas_begin(&u.call)) {                                                 \
      *info = 0;                                                               \
      return;                                                                  \
    }                                                                          \
    cpu(uplo, n, a, lda, info, 1);                                             \
    blas_finish(&u.call);                                                      \
  }

/// potrs and posv have the same parameters.
#define DEFINITE_OF(KIND, NAME, TYPE, INT)                                     \
  EXPORT void NAME(const char *, const INT *, const INT *, void *,             \
                   const INT *, void *, const INT *, INT *);                   \
  EXPORT void NAME(const char *uplo, const INT *n, const INT *sides, void *a,  \
                   const INT *lda, void *b, const INT *ldb, INT *info) {       \
    static void *next;                                                         \
    void (*cpu)(const char *, const INT *, const INT *, void *, const INT *,   \
                void *, const INT *, INT *, size_t) =                          \
        (void (*)(const char *, const INT *, const INT *, void *, const INT *, \
                  void *, const INT *, INT *,                                  \
                  size_t))next_function(&next, #NAME,                          \
                                        __builtin_return_address(0));          \
    solver_use u;                                                              \
    u.call.began = 0;                                                          \
    if (blas_is_on() &&                                                        \
        begin(&u, KIND, TYPE, triangle(*uplo), *n, *n, *sides, a, *lda, b,     \
              *ldb) &&                                                         \
        blas_begin(&u.call)) {                                                 \
      *info = 0;                                                               \
      return;                                                                  \
    }                                                                          \
    cpu(uplo, n, sides, a, lda, b, ldb, info, 1);                              \
    blas_finish(&u.call);                                                      \
  }
#define POTRS_OF(NAME, TYPE, INT) DEFINITE_OF(POTRS, NAME, TYPE, INT)
#define POSV_OF(NAME, TYPE, INT) DEFINITE_OF(POSV, NAME, TYPE, INT)

// netlib's and OpenBLAS's names, and those of the library in scipy's wheels.
#define NAMES(FUNCTION, BASE, TYPE)                                            \
  FUNCTION(BASE##_, TYPE, int)                                                 \
  FUNCTION(scipy_##BASE##_, TYPE, int)                                         \
  FUNCTION(BASE##_64_, TYPE, int64_t)                                          \
  FUNCTION(BASE##64_, TYPE, int64_t)                                           \
  FUNCTION(scipy_##BASE##_64_, TYPE, int64_t)                                  \
  FUNCTION(scipy_##BASE##64_, TYPE, int64_t)
#define TYPES(FUNCTION, BASE)                                                  \
  NAMES(FUNCTION, s##BASE, 's')                                                \
  NAMES(FUNCTION, d##BASE, 'd')                                                \
  NAMES(FUNCTION, c##BASE, 'c')                                                \
  NAMES(FUNCTION, z##BASE, 'z')

TYPES(GETRF_OF, getrf)
TYPES(GETRS_OF, getrs)
TYPES(GESV_OF, gesv)
TYPES(POTRF_OF, potrf)
TYPES(POTRS_OF, potrs)
TYPES(POSV_OF, posv)
