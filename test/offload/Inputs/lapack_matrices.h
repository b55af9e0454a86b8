// Matrices by columns of the four types, for tests that call functions of LAPACK by their names: numbers are read and written as complex
// ones of double precision. A matrix has a leading dimension that is larger than its rows; what lies between its columns and behind it must
// stay as it was.
#include "numbers.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static char text[200]; // what is being tried

static double tolerance(void) { return is_single() ? 2e-4 : 1e-11; } // for numbers of about 1, 40 rows

#define FAIL(...) (printf("failed: %s: ", text), printf(__VA_ARGS__), printf("\n"), ++failures)
#define CHECK(CONDITION, ...) ((CONDITION) ? 0 : FAIL(__VA_ARGS__))

/// The function for the type, by its names for real and for complex matrices. Whatever its parameters are, they are pointers; behind them
/// are lengths of letters.
typedef void function();
static function *find(const char *real, const char *for_complex) {
  char name[40];
  snprintf(name, sizeof name, "%c%s_", type, is_complex() ? for_complex : real);
  function *found = (function *)dlsym(RTLD_DEFAULT, name);
  if (!found) {
    printf("failed: there is no %s\n", name);
    exit(1);
  }
  return found;
}

static unsigned long state = 12345;
static double random_number(void) { return (double)((state = state * 6364136223846793005ul + 1442695040888963407ul) >> 40) / (1 << 23) - 1; }

static double get_real(const void *p, long i) { return is_single() ? ((const float *)p)[i] : ((const double *)p)[i]; }

typedef struct {
  int rows, columns, ld;
  size_t bytes;
  char *data, *before;
} matrix;

static matrix make(int rows, int columns) {
  matrix m = {rows, columns, rows + 3};
  const long count = (long)m.ld * columns + 5;
  m.bytes = (size_t)count * (size_t)element_size();
  m.data = malloc(m.bytes), m.before = malloc(m.bytes);
  for (long i = 0; i < count; ++i)
    set(m.data, i, random_number() + (is_complex() ? random_number() * I : 0));
  memcpy(m.before, m.data, m.bytes);
  return m;
}
static void drop(matrix *m) {
  free(m->data);
  free(m->before);
}
static long at(const matrix *m, int i, int j) { return (long)j * m->ld + i; }
static number element(const matrix *m, int i, int j) { return get(m->data, at(m, i, j)); }
static void put(matrix *m, int i, int j, number v) { set(m->data, at(m, i, j), v); }
/// What is there now is what must stay.
static void keep(matrix *m) { memcpy(m->before, m->data, m->bytes); }
static matrix copy(const matrix *m) {
  matrix c = *m;
  c.data = malloc(m->bytes), c.before = malloc(m->bytes);
  memcpy(c.data, m->data, m->bytes);
  keep(&c);
  return c;
}
static void same_bytes(const matrix *m, const char *name) { CHECK(!memcmp(m->data, m->before, m->bytes), "%s was written", name); }
/// What is not an element of its first rows and columns was not written.
static void check_beside(const matrix *m, const char *name, int columns) {
  const long count = (long)(m->bytes / (size_t)element_size());
  for (long i = 0; i < count; ++i)
    if ((i % m->ld >= m->rows || i / m->ld >= columns) && memcmp(m->data + i * element_size(), m->before + i * element_size(), (size_t)element_size())) {
      FAIL("element %ld beside %s was written", i, name);
      return;
    }
}
static void close_to(number found, number want, const char *what, int i, int j) {
  CHECK(cabs(found - want) <= tolerance() * (1 + cabs(want)), "%s: element %d,%d is %g%+gi, not %g%+gi", what, i, j, creal(found), cimag(found), creal(want),
        cimag(want));
}
/// Columns [0, columns) are orthonormal; or rows, where `of_rows`.
static void check_orthonormal(const matrix *m, const char *name, int of_rows, int count) {
  const int failed_before = failures, length = of_rows ? m->columns : m->rows;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j <= i && failures == failed_before; ++j) {
      number sum = 0;
      for (int l = 0; l < length; ++l)
        sum += of_rows ? element(m, i, l) * conj(element(m, j, l)) : conj(element(m, l, i)) * element(m, l, j);
      char what[80];
      snprintf(what, sizeof what, "%s is not orthonormal", name);
      close_to(sum, i == j, what, i, j);
    }
}

static int is_from(const char *name, int value, int want) { return CHECK(value == want, "%s is %d, not %d", name, value, want); }
