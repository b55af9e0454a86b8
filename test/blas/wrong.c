// What is wrong in a call of BLAS: an argument ends the program as the reference does; a request that no function of ours makes, or
// memory that is not the program's, is refused; a service that is not installed ends it with a message.
// RUN: %gpucc -O2 -w %s -o %t -lcblas
// RUN: for what in size function words address huge small; do %run %t $what; echo "$what: $?"; done > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: not %run %t parameter 2>&1 | FileCheck %s --check-prefix=PARAMETER
// RUN: not %run --service %build/lib/gpuexec/services/libgpuexec-blas.so,/no/such/library.so %t ok 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: %run %t ok
// RUN: rm -rf %t.root && mkdir -p %t.root/bin %t.root/lib/gpuexec && cp %build/bin/gpuexec %t.root/bin && ln -s %build/lib/gpuexec/lib* %t.root/lib/gpuexec
// RUN: %if emulator %{ not %t.root/bin/gpuexec --device=emulator --server=off %t ok 2>&1 | FileCheck %s --check-prefix=MISSING %}
#include <cblas.h>
#include <gpuexec/client.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// cblas_dscal as services/blas/tables/blas.txt has it: n, alpha, the array's address, its increment.
static unsigned long ask(unsigned function, unsigned count, unsigned long n, const void *array) {
  struct {
    unsigned function, count;
    unsigned long words[24];
  } request = {function, count, {n, 0x4000000000000000, (unsigned long)array, 1}};
  rpc_port port = rpc_open(0x47001800);
  rpc_send_n(&port, &request, count > 24 ? 4 : 8 + 8 * count);
  const unsigned long answer = rpc_recv(&port)->words[0];
  rpc_close(&port);
  return answer;
}

// The same as a small call: vectors with increments.
static unsigned long ask_small(unsigned function, const unsigned long *words) {
  struct {
    unsigned function, count;
    unsigned long words[5];
  } request = {function, 5};
  memcpy(request.words, words, sizeof request.words);
  rpc_port port = rpc_open(0x47001802);
  rpc_send_n(&port, &request, sizeof request);
  const unsigned long answer = rpc_recv(&port)->words[0];
  rpc_close(&port);
  return answer;
}

int main(int argc, char **argv) {
  static double x[4] = {1, 2, 3, 4};
  const char *what = argv[1];
  if (!strcmp(what, "parameter"))
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, x, 2, x, 1, 1, x, 2);
  cblas_dscal(4, 2, x, 1);
  if (x[3] != 8)
    return 1;
  unsigned long answer = 0;
  if (!strcmp(what, "size"))
    answer = ask(0, 99, 0, x);
  if (!strcmp(what, "function"))
    answer = ask(100000, 4, 4, x);
  if (!strcmp(what, "words"))
    answer = ask(0, 1, 4, x);
  // Which of all functions it is does not matter: none may touch what is not the program's.
  for (unsigned function = 0; function < 200; ++function) {
    if (!strcmp(what, "address"))
      answer |= ask(function, 4, 4, (void *)0x10);
    if (!strcmp(what, "huge"))
      answer |= ask(function, 4, 0x7fffffff, x);
  }
  // What the server does at once must be little: an element that is read 2^31 times is not.
  if (!strcmp(what, "small")) {
    answer = 1;
    for (unsigned function = 0; function < 200; ++function)
      answer &= ask_small(function, (unsigned long[5]){0x7fffffff, (unsigned long)x, 0, (unsigned long)(x + 1), 0}) != 0;
  }
  printf("answer %d\n", answer != 0);
  return 0;
}
// CHECK: answer 1
// CHECK-NEXT: size: 0
// CHECK: answer 1
// CHECK-NEXT: function: 0
// CHECK: answer 1
// CHECK-NEXT: words: 0
// CHECK: answer 1
// CHECK-NEXT: address: 0
// CHECK: answer 1
// CHECK-NEXT: huge: 0
// CHECK: answer 1
// CHECK-NEXT: small: 0
// PARAMETER: Parameter 11 to routine cblas_dgemm was incorrect
// MISSING: it calls a service that is not there: {{.*}}libgpuexec-blas.so
// LIBRARY: libgpuexec-blas.so': no BLAS on this machine (Debian: apt-get install libopenblas0): /no/such/library.so: cannot open
