// Large variables leave the stack by a call at the function's start, behind which an exception may come. Variables that stand behind
// that call keep their fixed places all the same: they became dynamic ones, and LLVM joined the ends of their scopes, which it forbids.
// RUN: %hostcxx %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -O0 %s -o %t.0 && %run %t.0 | diff %t.expected -
// RUN: %gpucxx -O2 %s -o %t.2 -Wl,--save-temps=precodegen && %run %t.2 | diff %t.expected -
// RUN: llvm-dis-22 < %t.2.0.5.precodegen.bc | FileCheck %s
// CHECK-LABEL: define {{.*}}@_Z4worki(
// CHECK: @__gpuexec_begin_variables(
// CHECK-NOT: = alloca
// CHECK: {{^}}}
#include <cstdio>

struct Table {
  double values[40000];
};
struct Word {
  char text[24];
  explicit Word(int n) { snprintf(text, sizeof text, "word %d", n); }
  ~Word() { text[0] = 0; }
};

__attribute__((noinline)) int look(const Word &word, int n) {
  if (n == 7)
    throw word.text[5];
  return word.text[5] - '0' + n;
}
__attribute__((noinline)) void fill(Table &table, int n) {
  for (double &value : table.values)
    value = n;
}

__attribute__((noinline)) int work(int from) {
  Table first, second;
  Word name(from);
  fill(first, from);
  fill(second, from + 1);
  int sum = 0;
  for (int i = from; i < 9; ++i) {
    Word word(i);
    if (look(word, i) == 12)
      break;
    for (int j = 0;; ++j) {
      Word inner(j + i);
      sum += look(inner, j);
      if (sum > 60)
        return sum;
      Word last(sum);
      if (look(last, sum % 5) > 3)
        break;
      if (j == 5)
        continue;
    }
    if (sum % 2) {
      Word odd(sum % 7);
      sum += look(odd, i);
    } else {
      Word even(sum % 5);
      sum += look(even, i);
    }
    printf("%d %d\n", i, sum);
  }
  return sum + static_cast<int>(first.values[39999] + second.values[17]) +
         look(name, 1);
}

int main() {
  for (int from = 0; from < 9; ++from) {
    try {
      printf("from %d: %d\n", from, work(from));
    } catch (char c) {
      printf("from %d: caught %c\n", from, c);
    }
  }
}
