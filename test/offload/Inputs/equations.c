// Linear equations by the functions of LAPACK that `gpuexec blas` intercepts, in four precisions: what they find must solve what they
// were given. Also: singular and indefinite matrices, whose number LAPACK tells, and memory that must not be written.
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 37, SIDES = 5, LD = 41 };
static unsigned state = 1;
static double next(void) { return (double)((state = state * 1103515245u + 12345u) >> 16 & 1023) / 512 - 1; }
static int failures;

#define CHECK(CONDITION, ...)                                                                                                  \
  do {                                                                                                                         \
    if (!(CONDITION)) {                                                                                                        \
      printf("failed: " __VA_ARGS__);                                                                                          \
      printf("\n");                                                                                                            \
      ++failures;                                                                                                              \
    }                                                                                                                          \
  } while (0)

#define TYPE(T, P, IMAGINARY, PRECISION)                                                                                       \
  void P##getrf_(const int *, const int *, T *, const int *, int *, int *);                                                    \
  void P##getrs_(const char *, const int *, const int *, T *, const int *, int *, T *, const int *, int *, size_t);            \
  void P##gesv_(const int *, const int *, T *, const int *, int *, T *, const int *, int *);                                   \
  void P##potrf_(const char *, const int *, T *, const int *, int *, size_t);                                                  \
  void P##potrs_(const char *, const int *, const int *, T *, const int *, T *, const int *, int *, size_t);                   \
  void P##posv_(const char *, const int *, const int *, T *, const int *, T *, const int *, int *, size_t);                    \
  static T P##a[N * LD], P##given[N * LD], P##b[SIDES * LD], P##x[SIDES * LD];                                                 \
  static void P##make(int definite) {                                                                                          \
    for (int i = 0; i < N * LD; ++i)                                                                                           \
      P##a[i] = (T)(next() + IMAGINARY * next());                                                                              \
    for (int i = 0; i < N; ++i)                                                                                                \
      for (int j = 0; definite && j <= i; ++j) {                                                                               \
        if (i == j)                                                                                                            \
          P##a[i * LD + i] = 2 * N;                                                                                            \
        else                                                                                                                   \
          P##a[i * LD + j] = (T)conj(P##a[j * LD + i]);                                                                        \
      }                                                                                                                        \
    for (int i = 0; i < SIDES * LD; ++i)                                                                                       \
      P##b[i] = (T)(next() + IMAGINARY * next());                                                                              \
    memcpy(P##given, P##a, sizeof P##a);                                                                                       \
    memcpy(P##x, P##b, sizeof P##b);                                                                                           \
  }                                                                                                                            \
  static void P##compare(const char *what, char trans) {                                                                       \
    for (int side = 0; side < SIDES; ++side)                                                                                   \
      for (int i = 0; i < N; ++i) {                                                                                            \
        double complex sum = 0;                                                                                                \
        for (int j = 0; j < N; ++j) {                                                                                          \
          const double complex e = trans == 'N' ? P##given[j * LD + i] : P##given[i * LD + j];                                 \
          sum += (trans == 'C' ? conj(e) : e) * P##x[side * LD + j];                                                           \
        }                                                                                                                      \
        if (!(cabs(sum - P##b[side * LD + i]) < PRECISION)) {                                                                  \
          CHECK(0, #P "%s %c: equation %d of side %d: %g beside %g", what, trans, i, side, creal(sum), creal((double complex)P##b[side * LD + i])); \
          return;                                                                                                              \
        }                                                                                                                      \
      }                                                                                                                        \
    for (int i = 0; i < SIDES * LD; ++i)                                                                                       \
      CHECK(i % LD < N || P##x[i] == P##b[i], #P "%s: %d beside the result was written", what, i);                             \
  }                                                                                                                            \
  static void P##test(void) {                                                                                                  \
    const int n = N, sides = SIDES, ld = LD;                                                                                   \
    int pivots[N], info = -1;                                                                                                  \
    P##make(0);                                                                                                                \
    P##gesv_(&n, &sides, P##a, &ld, pivots, P##x, &ld, &info);                                                                 \
    CHECK(info == 0, #P "gesv: %d", info);                                                                                     \
    P##compare("gesv", 'N');                                                                                                   \
    for (const char *trans = "NTC"; *trans; ++trans) {                                                                         \
      P##make(0);                                                                                                              \
      P##getrf_(&n, &n, P##a, &ld, pivots, &info);                                                                             \
      P##getrs_(trans, &n, &sides, P##a, &ld, pivots, P##x, &ld, &info, 1);                                                    \
      P##compare("getrs", *trans);                                                                                             \
    }                                                                                                                          \
    for (const char *uplo = "uL"; *uplo; ++uplo) {                                                                             \
      P##make(1);                                                                                                              \
      P##posv_(uplo, &n, &sides, P##a, &ld, P##x, &ld, &info, 1);                                                              \
      P##compare("posv", 'N');                                                                                                 \
      P##make(1);                                                                                                              \
      P##potrf_(uplo, &n, P##a, &ld, &info, 1);                                                                                \
      P##potrs_(uplo, &n, &sides, P##a, &ld, P##x, &ld, &info, 1);                                                             \
      P##compare("potrs", 'N');                                                                                                \
      for (int i = 0; i < N * LD; ++i) {                                                                                       \
        const int column = i / LD, row = i % LD;                                                                               \
        CHECK(row < N && (row == column || (row < column) == (*uplo == 'u')) ? 1 : P##a[i] == P##given[i],                     \
              #P "potrf %c: element %d,%d was written", *uplo, row, column);                                                   \
      }                                                                                                                        \
      P##make(1);                                                                                                              \
      P##a[4 * LD + 4] = -1;                                                                                                   \
      P##potrf_(uplo, &n, P##a, &ld, &info, 1);                                                                                \
      CHECK(info == 5, #P "potrf of an indefinite matrix: %d", info);                                                          \
    }                                                                                                                          \
    P##make(0);                                                                                                                \
    memset(P##a + 6 * LD, 0, sizeof *P##a * N);                                                                                \
    P##gesv_(&n, &sides, P##a, &ld, pivots, P##x, &ld, &info);                                                                 \
    CHECK(info == 7, #P "gesv of a singular matrix: %d", info);                                                                \
    const int m = N - 9;                                                                                                       \
    P##make(0);                                                                                                                \
    P##getrf_(&m, &n, P##a, &ld, pivots, &info);                                                                               \
    CHECK(info == 0 && pivots[0] >= 1 && pivots[m - 1] == m, #P "getrf of a rectangle: %d, %d", info, pivots[m - 1]);          \
  }

TYPE(float, s, 0, 1e-2)
TYPE(double, d, 0, 1e-9)
TYPE(float complex, c, I, 1e-2)
TYPE(double complex, z, I, 1e-9)

int main(void) {
  stest();
  dtest();
  ctest();
  ztest();
  printf("%d failed\n", failures);
  return failures != 0;
}
