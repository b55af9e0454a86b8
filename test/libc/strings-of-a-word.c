// A constant string of exactly 8 bytes, at several addresses, that is the only one of its function: the C library reads aligned words, of
// which the first begins before the string. LLVM took the first word for the string itself, whatever its address, and bytes were lost.
// RUN: for before in 2 3 4 5 6 7; do %gpucc -O2 -DBEFORE=$before %s -o %t && %run %t | FileCheck %s || { echo "failed: $before bytes before" >&2; exit 1; }; done
// CHECK: {{^}}numbers
// CHECK-NEXT: letters
// CHECK-NEXT: nothing{{$}}
#include <stdio.h>

const char before[BEFORE] = "b";
__attribute__((noinline)) static void nothing(void) { puts("nothing"); }

int main(void) {
  fwrite(&"numbers\n"[*(volatile const char *)before - 'b'], 1, 8, stdout);
  fputs("letters", stdout);
  putchar('\n');
  nothing();
  return 0;
}
