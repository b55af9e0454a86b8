// What is wrong in a call of LAPACK: LAPACKE prints the number of a wrong argument and returns it, Fortran's names call xerbla_; a length of
// -1 asks for the best one; an address that is not the program's ends it; and what a program makes up of its own (row numbers that
// point anywhere, sizes that overflow) is refused.
// RUN: %hostcc -w -DHOST %s -o %t.host -llapacke -lopenblas -lm && %t.host | grep -v 'Wrong parameter\|On entry to' > %t.expected
// RUN: %gpucc -O2 -w %s -o %t -llapacke
// RUN: %run %t > %t.out 2> %t.errors
// RUN: diff %t.expected %t.out
// RUN: FileCheck %s --check-prefix=ERRORS < %t.errors
// RUN: for what in rows pair huge query; do %run %t $what; echo "$what: $?"; done > %t.hostile 2>&1
// RUN: FileCheck %s < %t.hostile
// RUN: not %run %t address 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: %if emulator %{ %run --service %build/lib/gpuexec/services/libgpuexec-blas.so,/usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3 %t nan | FileCheck %s --check-prefix=NAN %}
// RUN: %gpucc -O2 -w %s -o %t.own -DOWN -llapack
// RUN: %run %t.own own | FileCheck %s --check-prefix=OWN
#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef HOST
#include <gpuexec/client.h>

// A request as services/blas/request.h has it; `number`: the place in a table, with 0x10000 in lapack.txt.
static unsigned long ask(unsigned number, int count, const unsigned long *words) {
  struct {
    unsigned function, count;
    unsigned long words[24];
  } request = {number, count};
  memcpy(request.words, words, count * 8);
  rpc_port port = rpc_open(0x47001800);
  rpc_send_n(&port, &request, 8 + 8 * count);
  const unsigned long answer = rpc_recv(&port)->words[0];
  rpc_close(&port);
  return answer;
}
static void hostile(const char *what, double *a, int *ipiv) {
  unsigned long refused = 1;
  if (!strcmp(what, "rows")) { // dgetrs: rows that are not the matrix's
    ipiv[1] = 1000000;
    refused = LAPACKE_dgetrs(102, 'N', 2, 1, a, 2, ipiv, a + 4, 2);
  }
  if (!strcmp(what, "pair")) { // dsytrs: half a block of two rows
    ipiv[0] = 1, ipiv[1] = -1;
    refused = LAPACKE_dsytrs(102, 'U', 2, 1, a, 2, ipiv, a + 4, 2);
  }
  if (!strcmp(what, "query")) // no function without lengths computes without arrays
    for (unsigned long function = 0; function < 400; ++function)
      refused &= ask(0x10000 | function, 6, (unsigned long[6]){102, 1, 'U', 2, 0, 2}) != 0;
  if (!strcmp(what, "huge")) // 2^30 columns, 2^30 elements apart, of 16 bytes: 2^64 and a few
    for (unsigned function = 0; function < 142; ++function)
      refused &= ask(function, 13, (unsigned long[13]){102, 111, 1, 0x40000001, 0, 0, (unsigned long)a, 0x40000000, (unsigned long)a, 1, 0, 0,
                                                       (unsigned long)a}) != 0;
  printf("refused %d\n", refused != 0);
}
#endif

#ifdef OWN
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info) { puts("a function of the program's own"); }
#endif

int main(int argc, char **argv) {
  static double a[64] = {4, 1, 1, 3, 5, 6}, best;
  static int ipiv[8];
  int n = 8, lda = 8, length = -1, info, few = 3;
#ifndef HOST
  if (argc > 1 && !strcmp(argv[1], "address"))
    LAPACKE_dpotrf(102, 'U', 2, (double *)16, 2);
  static double scale[2];
  if (argc > 1 && !strcmp(argv[1], "nan")) { // the reference's library ends its process for them
    a[1] = __builtin_nan("");
    printf("gebal: %d\n", LAPACKE_dgebal(102, 'B', 2, a, 2, ipiv, ipiv + 1, scale));
    return 0;
  }
  if (argc > 1 && !strcmp(argv[1], "own"))
    LAPACK_dpotrf("U", &n, a, &lda, &info);
  else if (argc > 1)
    hostile(argv[1], a, ipiv);
  if (argc > 1)
    return 0;
#endif
  printf("%d\n", LAPACKE_dgesv(100, 2, 1, a, 2, ipiv, a + 4, 2));
  printf("%d\n", LAPACKE_dgesv(LAPACK_ROW_MAJOR, 2, 1, a, 1, ipiv, a + 4, 1));
  printf("%d\n", LAPACKE_dgesv(LAPACK_COL_MAJOR, -2, 1, a, 1, ipiv, a + 4, 1));
  printf("%d\n", LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', 3, a, 2));
  printf("%d\n", LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'u', 2, a, 2));
  static double singular[4];
  printf("%d\n", LAPACKE_dgesv(LAPACK_ROW_MAJOR, 2, 1, singular, 2, ipiv, a + 4, 1));
  printf("%d\n", LAPACKE_dgesv(LAPACK_ROW_MAJOR, 0, 0, 0, 1, 0, 0, 1));
  fflush(stdout);
  LAPACK_dgeqrf(&n, &n, a, &lda, a, &best, &length, &info);
  printf("%d %d\n", info, best >= n);
  printf("%g %g %g %g\n", LAPACKE_dlamch('e'), LAPACKE_dlamch('S'), (double)LAPACKE_slamch('P'), (double)LAPACKE_slamch('O'));
  for (const char *letter = "ESBPNRMULOx"; *letter; ++letter)
    printf("%g %g\n", LAPACKE_dlamch(*letter), (double)LAPACKE_slamch(*letter));
  return 0;
}
// CHECK: BLAS: Invalid argument
// CHECK: rows: {{[1-9]}}
// CHECK: BLAS: Invalid argument
// CHECK: pair: {{[1-9]}}
// CHECK: refused 1
// CHECK-NEXT: huge: 0
// CHECK: refused 1
// CHECK-NEXT: query: 0
// ERRORS: Wrong parameter 1 in LAPACKE_dgesv
// ERRORS-NEXT: Wrong parameter 5 in LAPACKE_dgesv
// ERRORS-NEXT: Wrong parameter 2 in LAPACKE_dgesv
// ERRORS-NEXT: Wrong parameter 5 in LAPACKE_dpotrf
// ADDRESS: BLAS: Bad address
// NAN: gebal: -4
// OWN: a function of the program's own
