// Calls each function that `gpuexec blas` intercepts, by CBLAS's name and by Fortran's, with random letters, orders, sizes and leading
// dimensions, and compares all memory of its arrays with what a product written out here gives. A line says what differs.
//   functions ROUNDS LARGEST
#include "numbers.h"
#include <cblas.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERAL, SYMMETRIC, HERMITIAN, TRIANGULAR };
static unsigned long state = 12345;
static unsigned next(unsigned below) { return (state = state * 6364136223846793005ul + 1442695040888963407ul) >> 33, (unsigned)((state >> 33) % below); }
static int between(int least, int most) { return least + (int)next((unsigned)(most - least + 1)); }

// A matrix of one of the four types, as the function has it, and as numbers.
typedef struct {
  int order, rows, columns, ld;
  long count;
  void *data, *before;
} matrix;
static long at(const matrix *m, int i, int j) { return m->order == 102 ? (long)j * m->ld + i : (long)i * m->ld + j; }
static matrix make(int order, int rows, int columns, int scale) {
  matrix m = {order, rows, columns, (order == 102 ? rows : columns) + (int)next(4)};
  if (m.ld < 1)
    m.ld = 1;
  m.count = (long)m.ld * (order == 102 ? columns : rows) + 3;
  m.data = malloc((size_t)(m.count * element_size()));
  m.before = malloc((size_t)(m.count * element_size()));
  for (long i = 0; i < m.count; ++i)
    set(m.data, i, ((int)next(7) - 3 + (is_complex() ? ((int)next(7) - 3) * I : 0)) / scale);
  return m;
}
static void keep(matrix *m) { memcpy(m->before, m->data, (size_t)(m->count * element_size())); }
static void drop(matrix *m) {
  free(m->data);
  free(m->before);
}
static number element(const matrix *m, int kind, int uplo, int diag, int i, int j) {
  const int stored = kind == GENERAL || i == j || (i < j) == (uplo == 121);
  if (kind == TRIANGULAR && !stored)
    return 0;
  if (kind == TRIANGULAR && i == j && diag == 132)
    return 1;
  number v = get(m->before, stored ? at(m, i, j) : at(m, j, i));
  if (kind == HERMITIAN)
    v = i == j ? creal(v) : stored ? v : conj(v);
  return v;
}
/// op(m) for trans 111, 112, 113.
static number op(const matrix *m, int kind, int uplo, int diag, int trans, int i, int j) {
  const number v = trans == 111 ? element(m, kind, uplo, diag, i, j) : element(m, kind, uplo, diag, j, i);
  return trans == 113 ? conj(v) : v;
}

static int failures;
static char text[200];
static double tolerance(void) { return type == 's' || type == 'c' ? 2e-3 : 1e-10; }
/// The matrix must have `expected` (rows x columns) where `written` says so, and its old bytes everywhere else.
static void compare(const matrix *m, const number *expected, int written /* 0 all, 121, 122 */) {
  char *is = calloc((size_t)m->count, 1);
  for (int i = 0; i < m->rows; ++i)
    for (int j = 0; j < m->columns; ++j) {
      const long place = at(m, i, j);
      if (written && i != j && (i < j) != (written == 121))
        continue;
      is[place] = 1;
      const number want = expected[(long)i * m->columns + j], found = get(m->data, place);
      if (!(cabs(want - found) <= tolerance() * (1 + cabs(want)))) {
        printf("failed: %s: element %d,%d is %g%+gi, not %g%+gi\n", text, i, j, creal(found), cimag(found), creal(want), cimag(want));
        failures++;
        free(is);
        return;
      }
    }
  for (long i = 0; i < m->count; ++i)
    if (!is[i] && memcmp((char *)m->data + i * element_size(), (char *)m->before + i * element_size(), (size_t)element_size())) {
      printf("failed: %s: element %ld beside the result was written\n", text, i);
      failures++;
      break;
    }
  free(is);
}

typedef void any(void);
static any *find(const char *pattern) {
  char name[64];
  snprintf(name, sizeof name, pattern, type);
  any *function = (any *)dlsym(RTLD_DEFAULT, name);
  if (!function)
    printf("failed: there is no %s\n", name);
  return function;
}
static const char *letter(int value) {
  return value == 111   ? "N"
         : value == 112 ? "t"
         : value == 113 ? "C"
         : value == 121 ? "U"
         : value == 122 ? "l"
         : value == 131 ? "N"
         : value == 132 ? "u"
         : value == 141 ? "L"
                        : "r";
}

// Numbers in the function's type: by value where they are real and CBLAS is called, else by address.
static double scalar_space[4][2];
static void *scalar(int which, number v, int real) {
  char *to = (char *)scalar_space[which];
  const char keep_type = type;
  if (real)
    type = type == 'c' ? 's' : type == 'z' ? 'd' : type;
  set(to, 0, v);
  type = keep_type;
  return to;
}
static number some(int real) { return between(-2, 2) + (real || !is_complex() ? 0 : between(-2, 2) * I); }

// One call of each shape; `fortran` chooses the name. MACROS expand the ways to pass alpha and beta.
#define CALL_AB(F, REAL_ALPHA, REAL_BETA, HEAD, MIDDLE, TAIL, TYPES_HEAD, TYPES_MIDDLE, TYPES_TAIL) \
  do { \
    const int ra = !is_complex() || REAL_ALPHA, rb = !is_complex() || REAL_BETA, single = is_single(); \
    void *pa = scalar(0, alpha, ra), *pb = scalar(1, beta, rb); \
    if (ra && rb && single) ((void (*)(TYPES_HEAD, float, TYPES_MIDDLE, float, TYPES_TAIL))F)(HEAD, *(float *)pa, MIDDLE, *(float *)pb, TAIL); \
    else if (ra && rb) ((void (*)(TYPES_HEAD, double, TYPES_MIDDLE, double, TYPES_TAIL))F)(HEAD, *(double *)pa, MIDDLE, *(double *)pb, TAIL); \
    else if (rb && single) ((void (*)(TYPES_HEAD, void *, TYPES_MIDDLE, float, TYPES_TAIL))F)(HEAD, pa, MIDDLE, *(float *)pb, TAIL); \
    else if (rb) ((void (*)(TYPES_HEAD, void *, TYPES_MIDDLE, double, TYPES_TAIL))F)(HEAD, pa, MIDDLE, *(double *)pb, TAIL); \
    else ((void (*)(TYPES_HEAD, void *, TYPES_MIDDLE, void *, TYPES_TAIL))F)(HEAD, pa, MIDDLE, pb, TAIL); \
  } while (0)
#define COMMA ,

static void gemm(int largest, int fortran) {
  const int order = fortran ? 102 : between(101, 102), ta = between(111, 113), tb = between(111, 113);
  int m = between(1, largest), n = between(1, largest), k = between(1, largest);
  matrix a = ta == 111 ? make(order, m, k, 1) : make(order, k, m, 1), b = tb == 111 ? make(order, k, n, 1) : make(order, n, k, 1), c = make(order, m, n, 1);
  const number alpha = some(0), beta = some(0);
  keep(&a), keep(&b), keep(&c);
  snprintf(text, sizeof text, "%cgemm%s order %d trans %d %d sizes %d %d %d beta %g", type, fortran ? "_" : "", order, ta, tb, m, n, k, creal(beta));
  if (fortran)
    ((void (*)(const char *, const char *, int *, int *, int *, void *, void *, int *, void *, int *, void *, void *, int *, size_t, size_t))find("%cgemm_"))(
        letter(ta), letter(tb), &m, &n, &k, scalar(0, alpha, 0), a.data, &a.ld, b.data, &b.ld, scalar(1, beta, 0), c.data, &c.ld, 1, 1);
  else
    CALL_AB(find("cblas_%cgemm"), 0, 0, order COMMA ta COMMA tb COMMA m COMMA n COMMA k, a.data COMMA a.ld COMMA b.data COMMA b.ld, c.data COMMA c.ld,
            int COMMA int COMMA int COMMA int COMMA int COMMA int, void * COMMA int COMMA void * COMMA int, void * COMMA int);
  number *want = malloc(sizeof(number) * (size_t)m * (size_t)n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      number sum = 0;
      for (int l = 0; l < k; ++l)
        sum += op(&a, GENERAL, 0, 0, ta, i, l) * op(&b, GENERAL, 0, 0, tb, l, j);
      want[(long)i * n + j] = alpha * sum + beta * get(c.before, at(&c, i, j));
    }
  compare(&c, want, 0);
  free(want), drop(&a), drop(&b), drop(&c);
}

static void symm(int largest, int fortran, int hermitian) {
  const int order = fortran ? 102 : between(101, 102), side = between(141, 142), uplo = between(121, 122);
  int m = between(1, largest), n = between(1, largest);
  const int size = side == 141 ? m : n;
  matrix a = make(order, size, size, 1), b = make(order, m, n, 1), c = make(order, m, n, 1);
  const number alpha = some(0), beta = some(0);
  keep(&a), keep(&b), keep(&c);
  snprintf(text, sizeof text, "%c%s%s order %d side %d uplo %d sizes %d %d", type, hermitian ? "hemm" : "symm", fortran ? "_" : "", order, side, uplo, m, n);
  if (fortran)
    ((void (*)(const char *, const char *, int *, int *, void *, void *, int *, void *, int *, void *, void *, int *, size_t, size_t))find(
        hermitian ? "%chemm_" : "%csymm_"))(letter(side), letter(uplo), &m, &n, scalar(0, alpha, 0), a.data, &a.ld, b.data, &b.ld, scalar(1, beta, 0), c.data,
                                            &c.ld, 1, 1);
  else
    CALL_AB(find(hermitian ? "cblas_%chemm" : "cblas_%csymm"), 0, 0, order COMMA side COMMA uplo COMMA m COMMA n, a.data COMMA a.ld COMMA b.data COMMA b.ld,
            c.data COMMA c.ld, int COMMA int COMMA int COMMA int COMMA int, void * COMMA int COMMA void * COMMA int, void * COMMA int);
  number *want = malloc(sizeof(number) * (size_t)m * (size_t)n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      number sum = 0;
      for (int l = 0; l < size; ++l)
        sum += side == 141 ? element(&a, hermitian ? HERMITIAN : SYMMETRIC, uplo, 131, i, l) * get(b.before, at(&b, l, j))
                           : get(b.before, at(&b, i, l)) * element(&a, hermitian ? HERMITIAN : SYMMETRIC, uplo, 131, l, j);
      want[(long)i * n + j] = alpha * sum + beta * get(c.before, at(&c, i, j));
    }
  compare(&c, want, 0);
  free(want), drop(&a), drop(&b), drop(&c);
}

/// syrk, herk, syr2k, her2k.
static void rank(int largest, int fortran, int hermitian, int two) {
  const int order = fortran ? 102 : between(101, 102), uplo = between(121, 122);
  const int trans = between(0, 1) ? 111 : hermitian ? 113 : is_complex() ? 112 : between(112, 113);
  int n = between(1, largest), k = between(1, largest);
  matrix a = trans == 111 ? make(order, n, k, 1) : make(order, k, n, 1), b = trans == 111 ? make(order, n, k, 1) : make(order, k, n, 1), c = make(order, n, n, 1);
  const number alpha = some(hermitian && !two), beta = some(hermitian);
  for (int i = 0; hermitian && i < n; ++i)
    set(c.data, at(&c, i, i), creal(get(c.data, at(&c, i, i))));
  keep(&a), keep(&b), keep(&c);
  static const char *const names[2][2][2] = {{{"cblas_%csyrk", "%csyrk_"}, {"cblas_%csyr2k", "%csyr2k_"}}, {{"cblas_%cherk", "%cherk_"}, {"cblas_%cher2k", "%cher2k_"}}};
  const char *name = names[hermitian][two][fortran];
  char shown[64];
  snprintf(shown, sizeof shown, name, type);
  snprintf(text, sizeof text, "%s order %d uplo %d trans %d sizes %d %d", shown, order, uplo, trans, n, k);
  any *f = find(name);
  if (fortran && two)
    ((void (*)(const char *, const char *, int *, int *, void *, void *, int *, void *, int *, void *, void *, int *, size_t, size_t))f)(
        letter(uplo), letter(trans), &n, &k, scalar(0, alpha, 0), a.data, &a.ld, b.data, &b.ld, scalar(1, beta, hermitian), c.data, &c.ld, 1, 1);
  else if (fortran)
    ((void (*)(const char *, const char *, int *, int *, void *, void *, int *, void *, void *, int *, size_t, size_t))f)(
        letter(uplo), letter(trans), &n, &k, scalar(0, alpha, hermitian), a.data, &a.ld, scalar(1, beta, hermitian), c.data, &c.ld, 1, 1);
  else if (two)
    CALL_AB(f, 0, hermitian, order COMMA uplo COMMA trans COMMA n COMMA k, a.data COMMA a.ld COMMA b.data COMMA b.ld, c.data COMMA c.ld,
            int COMMA int COMMA int COMMA int COMMA int, void * COMMA int COMMA void * COMMA int, void * COMMA int);
  else
    CALL_AB(f, hermitian, hermitian, order COMMA uplo COMMA trans COMMA n COMMA k, a.data COMMA a.ld, c.data COMMA c.ld,
            int COMMA int COMMA int COMMA int COMMA int, void * COMMA int, void * COMMA int);
  number *want = malloc(sizeof(number) * (size_t)n * (size_t)n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      number sum = 0;
      const matrix *right = two ? &b : &a;
      for (int l = 0; l < k; ++l) {
        number x = trans == 111 ? get(a.before, at(&a, i, l)) : get(a.before, at(&a, l, i)), y = trans == 111 ? get(right->before, at(right, j, l)) : get(right->before, at(right, l, j));
        number x2 = trans == 111 ? get(b.before, at(&b, i, l)) : get(b.before, at(&b, l, i)), y2 = trans == 111 ? get(a.before, at(&a, j, l)) : get(a.before, at(&a, l, j));
        if (hermitian && trans == 111)
          y = conj(y), y2 = conj(y2);
        else if (hermitian)
          x = conj(x), x2 = conj(x2);
        sum += alpha * x * y;
        if (two)
          sum += (hermitian ? conj(alpha) : alpha) * x2 * y2;
      }
      want[(long)i * n + j] = sum + beta * get(c.before, at(&c, i, j));
    }
  compare(&c, want, uplo);
  free(want), drop(&a), drop(&b), drop(&c);
}

/// trmm and trsm: of the second, the product of its result with the triangle is compared with what it was given.
static void triangle(int largest, int fortran, int solve) {
  const int order = fortran ? 102 : between(101, 102), side = between(141, 142), uplo = between(121, 122), trans = between(111, 113), diag = between(131, 132);
  int m = between(1, largest), n = between(1, largest);
  const int size = side == 141 ? m : n;
  matrix a = make(order, size, size, solve ? 8 * size : 1), b = make(order, m, n, 1);
  const number alpha = some(0) + 3;
  for (int i = 0; solve && i < size; ++i)
    set(a.data, at(&a, i, i), 1 + (int)next(2));
  keep(&a), keep(&b);
  snprintf(text, sizeof text, "%c%s%s order %d side %d uplo %d trans %d diag %d sizes %d %d", type, solve ? "trsm" : "trmm", fortran ? "_" : "", order, side, uplo, trans, diag, m, n);
  void *pa = scalar(0, alpha, 0);
  any *f = find(fortran ? solve ? "%ctrsm_" : "%ctrmm_" : solve ? "cblas_%ctrsm" : "cblas_%ctrmm");
  if (fortran)
    ((void (*)(const char *, const char *, const char *, const char *, int *, int *, void *, void *, int *, void *, int *, size_t, size_t, size_t, size_t))f)(
        letter(side), letter(uplo), letter(trans), letter(diag), &m, &n, pa, a.data, &a.ld, b.data, &b.ld, 1, 1, 1, 1);
  else if (type == 's')
    ((void (*)(int, int, int, int, int, int, int, float, void *, int, void *, int))f)(order, side, uplo, trans, diag, m, n, *(float *)pa, a.data, a.ld, b.data, b.ld);
  else if (type == 'd')
    ((void (*)(int, int, int, int, int, int, int, double, void *, int, void *, int))f)(order, side, uplo, trans, diag, m, n, *(double *)pa, a.data, a.ld, b.data, b.ld);
  else
    ((void (*)(int, int, int, int, int, int, int, void *, void *, int, void *, int))f)(order, side, uplo, trans, diag, m, n, pa, a.data, a.ld, b.data, b.ld);
  number *want = malloc(sizeof(number) * (size_t)m * (size_t)n), *bytes = malloc((size_t)(b.count * element_size()));
  memcpy(bytes, solve ? b.data : b.before, (size_t)(b.count * element_size()));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      number sum = 0;
      for (int l = 0; l < size; ++l)
        sum += side == 141 ? op(&a, TRIANGULAR, uplo, diag, trans, i, l) * get(bytes, at(&b, l, j)) : get(bytes, at(&b, i, l)) * op(&a, TRIANGULAR, uplo, diag, trans, l, j);
      want[(long)i * n + j] = solve ? sum : alpha * sum;
    }
  if (solve) { // what it was given, against the product of what it found
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const number given = alpha * get(b.before, at(&b, i, j)), product = want[(long)i * n + j];
        if (!(cabs(given - product) <= tolerance() * (1 + cabs(given))) && !failures++)
          printf("failed: %s: element %d,%d of the product is %g, not %g\n", text, i, j, creal(product), creal(given));
        want[(long)i * n + j] = get(b.data, at(&b, i, j));
      }
  }
  compare(&b, want, 0);
  free(want), free(bytes), drop(&a), drop(&b);
}

int main(int argc, char **argv) {
  const int rounds = atoi(argv[1]), largest = atoi(argv[2]);
  for (const char *letters = "sdcz"; *letters; ++letters)
    for (int round = 0; round < rounds; ++round)
      for (int fortran = 0; fortran < 2; ++fortran) {
        type = *letters;
        gemm(largest, fortran);
        triangle(largest, fortran, 0);
        triangle(largest, fortran, 1);
        symm(largest, fortran, 0);
        rank(largest, fortran, 0, 0);
        rank(largest, fortran, 0, 1);
        if (!is_complex())
          continue;
        symm(largest, fortran, 1);
        rank(largest, fortran, 1, 0);
        rank(largest, fortran, 1, 1);
      }
  printf("%d failed\n", failures);
  return failures != 0;
}
