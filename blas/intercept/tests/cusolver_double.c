//===-- blas/intercept/tests/cusolver_double.c - A stand-in for cuSOLVER ---===//
// The host's LAPACK by cuSOLVER's names, on the host's memory.
//===----------------------------------------------------------------------===//
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
