//===-- services/blas/cuda/tests/cusolver_double.c - A stand-in for cuSOLVER ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's LAPACK by cuSOLVER's names, on the host's memory. What goes wrong
// is told by the environment:
//   CUSOLVER_DOUBLE_DELAY  FUNCTION:MICROSECONDS  the function takes longer
//   CUSOLVER_DOUBLE_INFO   FUNCTION:INFO  it fails, after it has computed
// FUNCTION is a name without the type's letter, that for real matrices.
//===----------------------------------------------------------------------===//
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The number that a variable tells for this function; 0: none.
static int told(const char *variable, const char *function) {
  const char *value = getenv(variable);
  const size_t length = strlen(function);
  return value && !strncmp(value, function, length) && value[length] == ':'
             ? atoi(value + length + 1)
             : 0;
}

static void end(const char *function, int *info) {
  const int delay = told("CUSOLVER_DOUBLE_DELAY", function);
  const int failure = told("CUSOLVER_DOUBLE_INFO", function);
  if (delay)
    usleep((useconds_t)delay);
  if (failure)
    *info = failure;
}

#define SOLVER(NAME, ...)                                                      \
  int cusolverDn##NAME(__VA_ARGS__);                                           \
  int cusolverDn##NAME(__VA_ARGS__)

SOLVER(Create, void **handle) {
  static int one;
  *handle = &one;
  return 0;
}
SOLVER(Destroy, void *handle) { return handle ? 0 : 1; }
SOLVER(SetStream, void *handle, void *stream) {
  return handle && stream ? 0 : 1;
}

// lower and UPPER: the type's letter.
#define TYPE(lower, UPPER)                                                     \
  void lower##getrf_(int *, int *, void *, int *, int *, int *);               \
  void lower##getrs_(const char *, int *, int *, const void *, int *,          \
                     const int *, void *, int *, int *, unsigned long);        \
  void lower##potrf_(const char *, int *, void *, int *, int *,                \
                     unsigned long);                                           \
  void lower##potrs_(const char *, int *, int *, const void *, int *, void *,  \
                     int *, int *, unsigned long);                             \
  SOLVER(UPPER##getrf_bufferSize, void *handle, int m, int n, void *a,         \
         int lda, int *size) {                                                 \
    (void)a;                                                                   \
    *size = m > n ? m : n;                                                     \
    return handle && lda >= m ? 0 : 1;                                         \
  }                                                                            \
  SOLVER(UPPER##getrf, void *handle, int m, int n, void *a, int lda,           \
         void *work, int *pivots, int *info) {                                 \
    lower##getrf_(&m, &n, a, &lda, pivots, info);                              \
    end("getrf", info);                                                        \
    return handle && work ? 0 : 1;                                             \
  }                                                                            \
  SOLVER(UPPER##getrs, void *handle, int trans, int n, int sides,              \
         const void *a, int lda, const int *pivots, void *b, int ldb,          \
         int *info) {                                                          \
    lower##getrs_(&"NTC"[trans], &n, &sides, a, &lda, pivots, b, &ldb, info,   \
                  1);                                                          \
    return handle ? 0 : 1;                                                     \
  }                                                                            \
  SOLVER(UPPER##potrf_bufferSize, void *handle, int uplo, int n, void *a,      \
         int lda, int *size) {                                                 \
    (void)a, (void)uplo;                                                       \
    *size = n;                                                                 \
    return handle && lda >= n ? 0 : 1;                                         \
  }                                                                            \
  SOLVER(UPPER##potrf, void *handle, int uplo, int n, void *a, int lda,        \
         void *work, int size, int *info) {                                    \
    lower##potrf_(uplo ? "U" : "L", &n, a, &lda, info, 1);                     \
    end("potrf", info);                                                        \
    return handle && work && size >= n ? 0 : 1;                                \
  }                                                                            \
  SOLVER(UPPER##potrs, void *handle, int uplo, int n, int sides,               \
         const void *a, int lda, void *b, int ldb, int *info) {                \
    lower##potrs_(uplo ? "U" : "L", &n, &sides, a, &lda, b, &ldb, info, 1);    \
    return handle ? 0 : 1;                                                     \
  }
TYPE(s, S)
TYPE(d, D)
TYPE(c, C)
TYPE(z, Z)

// QR factorisations; the two names are those of the functions with Q.
#define QR(lower, UPPER, SIZE, ORGQR, ORMQR)                                   \
  void lower##geqrf_(int *, int *, void *, int *, void *, void *, int *,       \
                     int *);                                                   \
  void lower##ORGQR##_(int *, int *, int *, void *, int *, const void *,       \
                       void *, int *, int *);                                  \
  void lower##ORMQR##_(const char *, const char *, int *, int *, int *,        \
                       const void *, int *, const void *, void *, int *,       \
                       void *, int *, int *, unsigned long, unsigned long);    \
  SOLVER(UPPER##geqrf_bufferSize, void *handle, int m, int n, void *a,         \
         int lda, int *size) {                                                 \
    *size = 8 * n;                                                             \
    return handle && a && lda >= m ? 0 : 1;                                    \
  }                                                                            \
  SOLVER(UPPER##geqrf, void *handle, int m, int n, void *a, int lda,           \
         void *tau, void *work, int size, int *info) {                         \
    lower##geqrf_(&m, &n, a, &lda, tau, work, &size, info);                    \
    end("geqrf", info);                                                        \
    return handle ? 0 : 1;                                                     \
  }                                                                            \
  SOLVER(UPPER##ORGQR##_bufferSize, void *handle, int m, int n, int k,         \
         const void *a, int lda, const void *tau, int *size) {                 \
    *size = 8 * n;                                                             \
    return handle && a && tau && m >= n && n >= k && lda >= m ? 0 : 1;         \
  }                                                                            \
  SOLVER(UPPER##ORGQR, void *handle, int m, int n, int k, void *a, int lda,    \
         const void *tau, void *work, int size, int *info) {                   \
    lower##ORGQR##_(&m, &n, &k, a, &lda, tau, work, &size, info);              \
    end("orgqr", info);                                                        \
    return handle ? 0 : 1;                                                     \
  }                                                                            \
  SOLVER(UPPER##ORMQR##_bufferSize, void *handle, int side, int trans, int m,  \
         int n, int k, const void *a, int lda, const void *tau, const void *c, \
         int ldc, int *size) {                                                 \
    *size = 8 * (side ? m : n);                                                \
    return handle && a && tau && c && trans >= 0 && trans <= 2 && k > 0 &&     \
                   lda >= (side ? n : m) && ldc >= m                           \
               ? 0                                                             \
               : 1;                                                            \
  }                                                                            \
  SOLVER(UPPER##ORMQR, void *handle, int side, int trans, int m, int n, int k, \
         const void *a, int lda, const void *tau, void *c, int ldc,            \
         void *work, int size, int *info) {                                    \
    char *copy = malloc((size_t)lda * (size_t)k * SIZE); /* it writes A */     \
    memcpy(copy, a, ((size_t)lda * (size_t)(k - 1) + (side ? n : m)) * SIZE);  \
    lower##ORMQR##_(side ? "R" : "L", &"NTC"[trans], &m, &n, &k, copy, &lda,   \
                    tau, c, &ldc, work, &size, info, 1, 1);                    \
    free(copy);                                                                \
    end("ormqr", info);                                                        \
    return handle ? 0 : 1;                                                     \
  }
QR(s, S, 4, orgqr, ormqr)
QR(d, D, 8, orgqr, ormqr)
QR(c, C, 8, ungqr, unmqr)
QR(z, Z, 16, ungqr, unmqr)

// Eigenvalues and singular values. REALS: LAPACK's workspace of real numbers
// for complex matrices, and its length.
#define ONE_LENGTH(reals, length) reals,
#define WITH_LENGTH(reals, length) reals, length,
#define NONE(reals, length)
#define SPECTRA(lower, UPPER, EVD, REALS, REALS_ONLY)                          \
  void lower##EVD##_(const char *, const char *, int *, void *, int *, void *, \
                     void *, int *, REALS(void *, int *) int *, int *, int *,  \
                     unsigned long, unsigned long);                            \
  void lower##gesvd_(const void *, const void *, int *, int *, void *, int *,  \
                     void *, void *, int *, void *, int *, void *, int *,      \
                     REALS_ONLY(void *, 0) int *, unsigned long,               \
                     unsigned long);                                           \
  SOLVER(UPPER##EVD##_bufferSize, void *handle, int jobz, int uplo, int n,     \
         const void *a, int lda, const void *w, int *size) {                   \
    *size = 1 + 6 * n + 2 * n * n;                                             \
    return handle && a && w && jobz >= 0 && jobz <= 1 && uplo >= 0 &&          \
                   uplo <= 1 && lda >= n                                       \
               ? 0                                                             \
               : 1;                                                            \
  }                                                                            \
  SOLVER(UPPER##EVD, void *handle, int jobz, int uplo, int n, void *a,         \
         int lda, void *w, void *work, int size, int *info) {                  \
    int reals = 1 + 5 * n + 2 * n * n, integers = 3 + 5 * n;                   \
    void *rwork = malloc((size_t)reals * 8);                                   \
    int *iwork = malloc((size_t)integers * sizeof *iwork);                     \
    lower##EVD##_(jobz ? "V" : "N", uplo ? "U" : "L", &n, a, &lda, w, work,    \
                  &size, REALS(rwork, &reals) iwork, &integers, info, 1ul,     \
                  1ul);                                                        \
    free(rwork);                                                               \
    free(iwork);                                                               \
    end("syevd", info);                                                        \
    return handle ? 0 : 1;                                                     \
  }                                                                            \
  SOLVER(UPPER##gesvd_bufferSize, void *handle, int m, int n, int *size) {     \
    *size = 8 * (m + n);                                                       \
    return handle && m >= n ? 0 : 1;                                           \
  }                                                                            \
  SOLVER(UPPER##gesvd, void *handle, signed char jobu, signed char jobvt,      \
         int m, int n, void *a, int lda, void *s, void *u, int ldu, void *vt,  \
         int ldvt, void *work, int size, void *superb, int *info) {            \
    void *rwork = malloc((size_t)n * 5 * 8);                                   \
    lower##gesvd_(&jobu, &jobvt, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, \
                  &size, REALS_ONLY(rwork, 0) info, 1ul, 1ul);                 \
    free(rwork);                                                               \
    memset(superb, 0xa5, (size_t)(n - 1) * 4);                                 \
    end("gesvd", info);                                                        \
    return handle && ldu >= m && ldvt >= n ? 0 : 1;                            \
  }
SPECTRA(s, S, syevd, NONE, NONE)
SPECTRA(d, D, syevd, NONE, NONE)
SPECTRA(c, C, heevd, WITH_LENGTH, ONE_LENGTH)
SPECTRA(z, Z, heevd, WITH_LENGTH, ONE_LENGTH)
