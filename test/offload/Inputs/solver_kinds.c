// Calls each function of LAPACK that `gpuexec blas` intercepts once, with matrices that are large enough for a GPU, for the types that are
// named: solver_kinds TYPES. What they compute is of no interest here.
#include "lapack_matrices.h"

enum { N = 480, LARGE = 700, FEW = 32 };

static void call_all(void) {
  int n = N, large = LARGE, few = FEW, length = 600000, info = 0;
  const size_t size = (size_t)large * (size_t)large * (size_t)element_size();
  char *a = malloc(size), *b = malloc(size), *c = malloc(size), *work = malloc((size_t)length * (size_t)element_size()), *rwork = malloc((size_t)length * 8);
  char *values = calloc(LARGE, 16);
  int *integers = malloc(sizeof *integers * 10000), *rows = malloc(sizeof *rows * 2 * LARGE);
  memset(c, 0, size), memset(b, 0, size), memset(a, 0, size);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      set(a, (long)i * n + j, i == j ? n : random_number());
#define CALL(REAL, COMPLEX, ...) (memcpy(b, a, size), find(REAL, COMPLEX)(__VA_ARGS__))
  CALL("getrf", "getrf", &n, &n, b, &n, rows, &info);
  find("getrs", "getrs")("N", &n, &n, b, &n, rows, c, &n, &info, 1ul);
  CALL("gesv", "gesv", &n, &few, b, &n, rows, c, &n, &info);
  CALL("potrf", "potrf", "L", &n, b, &n, &info, 1ul);
  find("potrs", "potrs")("L", &n, &n, b, &n, c, &n, &info, 1ul);
  CALL("posv", "posv", "L", &n, &few, b, &n, c, &n, &info, 1ul);
  CALL("geqrf", "geqrf", &n, &n, b, &n, values, work, &length, &info);
  find("ormqr", "unmqr")("L", "N", &n, &n, &n, b, &n, values, c, &n, work, &length, &info, 1ul, 1ul);
  find("orgqr", "ungqr")(&n, &n, &n, b, &n, values, work, &length, &info);
  for (int vectors = 0; vectors < 2; ++vectors) {
    const char *jobz = vectors ? "V" : "N", *job = vectors ? "S" : "N";
    if (is_complex()) {
      CALL("syevd", "heevd", jobz, "L", &n, b, &n, values, work, &length, rwork, &length, integers, (int[]){10000}, &info, 1ul, 1ul);
      CALL("gesvd", "gesvd", job, job, &n, &n, b, &n, values, c, &n, c, &n, work, &length, rwork, &info, 1ul, 1ul);
    } else {
      CALL("syevd", "heevd", jobz, "L", &n, b, &n, values, work, &length, integers, (int[]){10000}, &info, 1ul, 1ul);
      CALL("gesvd", "gesvd", job, job, &n, &n, b, &n, values, c, &n, c, &n, work, &length, &info, 1ul, 1ul);
    }
  }
  // Few right-hand sides, of a matrix that is its own factor.
  memset(a, 0, size);
  for (int i = 0; i < large; ++i)
    set(a, (long)i * large + i, 1), rows[i] = i + 1;
  find("getrs", "getrs")("N", &large, &few, a, &large, rows, c, &large, &info, 1ul);
  find("potrs", "potrs")("L", &large, &few, a, &large, c, &large, &info, 1ul);
  find("ormqr", "unmqr")("L", "N", &large, &few, &large, a, &large, values, c, &large, work, &length, &info, 1ul, 1ul);
}

int main(int argc, char **argv) {
  for (const char *t = argv[1]; *t; ++t) {
    type = *t;
    call_all();
  }
  printf("right\n");
  return 0;
}
