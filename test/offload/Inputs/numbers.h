// Numbers of the four types, in one of which a test calls functions at a time: read and written as complex ones of double precision.
#include <complex.h>

typedef double complex number;
static char type; // s d c z

static int is_complex(void) { return type == 'c' || type == 'z'; }
static int is_single(void) { return type == 's' || type == 'c'; }
static int real_size(void) { return is_single() ? 4 : 8; }
static int element_size(void) { return real_size() << is_complex(); }

static number get(const void *p, long i) {
  return type == 's'   ? ((const float *)p)[i]
         : type == 'd' ? ((const double *)p)[i]
         : type == 'c' ? ((const float complex *)p)[i]
                       : ((const double complex *)p)[i];
}
static void set(void *p, long i, number v) {
  if (type == 's')
    ((float *)p)[i] = (float)creal(v);
  else if (type == 'd')
    ((double *)p)[i] = creal(v);
  else if (type == 'c')
    ((float complex *)p)[i] = (float complex)v;
  else
    ((double complex *)p)[i] = v;
}
