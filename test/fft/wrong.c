// What is wrong in a transform: a plan that the host has not, requests that no program of ours makes, memory that is not the program's, a
// machine without FFTW.
// RUN: %gpucc -O2 -w %s -o %t -lfftw3
// RUN: %run %t requests | FileCheck %s
// RUN: not %run %t address 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: %run %t place | FileCheck %s --check-prefix=PLACE
// RUN: not %run --service %build/lib/gpuexec/services/libgpuexec-fft.so,/no/such/library.so %t requests 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: %run --sandbox %t place | FileCheck %s --check-prefix=PLACE
// RUN: rm -rf %t.root && mkdir -p %t.root/bin %t.root/lib/gpuexec && cp %build/bin/gpuexec %t.root/bin && ln -s %build/lib/gpuexec/lib* %t.root/lib/gpuexec
// RUN: %if emulator %{ not %t.root/bin/gpuexec --device=emulator --server=off %t place 2>&1 | FileCheck %s --check-prefix=MISSING %}
#include <fftw3.h>
#include <gpuexec/client.h>
#include <stdio.h>
#include <string.h>

// A request as services/fft/request.h has it: a transform of four complex numbers, with one word changed.
static unsigned long ask(int changed, unsigned long value, int words) {
  static double data[8];
  unsigned long request[40] = {0, 0, 0, 1, 1, 1, 64, (unsigned long)data, (unsigned long)data, 1, 4, 1, 4, 4, 4, 4};
  if (changed >= 0)
    request[changed] = value;
  rpc_port port = rpc_open(0x47001801);
  rpc_send_n(&port, request, words * 8);
  const unsigned long answer = rpc_recv(&port)->words[0];
  rpc_close(&port);
  return answer;
}

int main(int argc, char **argv) {
  static fftw_complex data[16];
  if (!strcmp(argv[1], "address")) {
    fftw_plan plan = fftw_plan_dft_1d(16, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_execute_dft(plan, (fftw_complex *)16, data);
  }
  if (!strcmp(argv[1], "place")) { // rows of real and of complex numbers that lie in each other's way
    static double real[200];
    const int n[] = {4};
    fftw_plan plan = fftw_plan_many_dft_r2c(1, n, 3, real, NULL, 1, 7, (fftw_complex *)real, NULL, 2, 5, FFTW_ESTIMATE);
    printf("%s\n", plan ? "a plan" : "no plan");
    return 0;
  }
  printf("right %lu\n", ask(-1, 0, 16));
  const unsigned long odd[] = {0, 3, -1ul, 0x7fffffff, 0x40000000, 0x100000000};
  int refused = 0, asked = 0;
  for (int word = 0; word < 16; ++word)
    for (int i = 0; i < 6; ++i) {
      // Words in which any number is right: 2 (only a plan), 6 (flags), 10 and 12 (distances of one transform), 14 and 15 (of one dimension).
      if (word == 2 || word == 6 || word == 10 || word >= 12 && word != 13)
        continue;
      if (odd[i] == 0 && word < 2 || odd[i] == -1ul && word == 5)
        continue; // 0 is a kind and a precision, -1 a sign
      if (odd[i] == 3 && (word == 4 || word == 9 || word == 11 || word == 13))
        continue; // three transforms, every third number, a transform of three
      ++asked, refused += ask(word, odd[i], 16) != 0;
    }
  printf("refused %d of %d\n", refused, asked);
  printf("cut off %d %d\n", ask(-1, 0, 5) != 0, ask(-1, 0, 39) != 0);
  return 0;
}
// CHECK: right 0
// CHECK: refused [[N:[0-9]+]] of [[N]]
// CHECK: cut off 1 1
// ADDRESS: FFTW: Bad address
// PLACE: no plan
// MISSING: it calls a service that is not there: {{.*}}libgpuexec-fft.so
// LIBRARY: libgpuexec-fft.so': no FFTW on this machine (Debian: apt-get install libfftw3-double3 libfftw3-single3): /no/such/library.so: cannot open
