// Calls whose types differ from the functions': without prototypes or with wrong ones, of this file and of another. They do what
// they do on x86-64, whose registers hold whole integers, and the link says where the widths differ.
// RUN: %hostcc -DOTHER -w -c %s -o %t.other.o
// RUN: %hostcc -w %s %t.other.o -o %t.host
// RUN: %gpucc -O0 -DOTHER -w -c %s -o %t.0.o
// RUN: %gpucc -O0 -w %s %t.0.o -o %t.0 2> %t.0.warnings
// RUN: FileCheck %s --check-prefix=WARNING < %t.0.warnings
// RUN: %gpucc -O2 -DOTHER -g -w -c %s -o %t.2.o
// RUN: %gpucc -O2 -g -w %s %t.2.o -o %t.2 2> %t.2.warnings
// RUN: FileCheck %s --check-prefixes=WARNING,PLACE < %t.2.warnings
// RUN: %t.host > %t.expected
// RUN: %run %t.0 | diff %t.expected -
// RUN: %run %t.2 | diff %t.expected -
// WARNING-DAG: warning: {{.*}}main() calls malloc() with integers of another width than its definition has
// PLACE-DAG: warning: {{.*}}call-types.c:{{[0-9]+}}: main() calls wide()
// WARNING-NOT: same()
#ifdef OTHER
#include <stdio.h>
int wide(long a, unsigned long b, short c) { return printf("wide %ld %lu %d\n", a, b, c); }
long narrow(signed char a, int b) { return a + 1000l * b; }
void nothing(void) { puts("nothing"); }
int same(int a, char *b) { return printf("same %d %s\n", a, b); }
void *address(char *a) { return a + 1; }
double fraction(double a, int b) { return a * b; }
#else
extern void *malloc(unsigned);
extern void free();
int printf(const char *, ...);
char *strcpy();
unsigned long strlen();
int wide(), same(), nothing();
int narrow();
unsigned long address();
double fraction();
extern int abs(long);

int main(int argc) {
  char *text = malloc(argc + 20);
  if (!text)
    return 1;
  strcpy(text, "of malloc");
  printf("%s, %d\n", text, (int)strlen(text));
  wide(argc + 1, 3000000000u, 700 + argc, "one more");
  printf("%d\n", narrow(argc + 30, 5l));
  nothing(argc);
  same(argc, text);
  printf("%s\n", (char *)address(text));
  printf("%.2f %d\n", fraction(1.25, argc + 1), abs(-5l));
  free(text);
  return 0;
}
#endif
