// Parallel algorithms use the whole grid: transform, reduce, scan and sort of numbers, in as many threads as there are, or in few.
// RUN: %gpucxx -O2 -std=c++17 -Wno-deprecated-declarations %s -o %t
// RUN: %run %t 20000 | FileCheck %s
// RUN: %run --blocks 2 --threads 128 %t 20000 | FileCheck %s
// RUN: %run --threads 64 %t 3000 | FileCheck %s --check-prefix=FEW
// CHECK: sum 100060907
// CHECK-NEXT: sorted 1, first 10006, all there 1
// CHECK-NEXT: stable 1
// CHECK-NEXT: scan 1
// CHECK-NEXT: found 4242, minimum at 0
// FEW: sorted 1
// FEW: scan 1
// RUN: not %run %t 1000 throw 2>&1 | FileCheck %s --check-prefix=THROWS
// THROWS: terminate called after throwing an instance of 'int'
#include <algorithm>
#include <execution>
#include <numeric>
#include <stdio.h>
#include <stdlib.h>

struct Item {
  int key, place;
};

int main(int argc, char **argv) {
  const long n = atol(argv[1]);
  int *const in = (int *)malloc(n * sizeof(int)), *const out = (int *)malloc(n * sizeof(int));
  Item *const items = (Item *)malloc(n * sizeof(Item));
  std::for_each(std::execution::par, in, in + n, [in](int &x) { x = int((&x - in) * 7919 % 10007); });
  if (argc > 2)
    std::for_each(std::execution::par, in, in + n, [](int &x) {
      if (x == 7919)
        throw x;
    });
  const long sum = std::reduce(std::execution::par, in, in + n, 0L);
  printf("sum %ld\n", sum);

  std::copy(std::execution::par_unseq, in, in + n, out);
  std::sort(std::execution::par, out, out + n, [](int a, int b) { return a > b; });
  const long same = std::transform_reduce(std::execution::par, out, out + n, 0L, [](long a, long b) { return a + b; }, [](int x) { return long(x); });
  printf("sorted %d, first %d, all there %d\n", std::is_sorted(out, out + n, [](int a, int b) { return a > b; }), out[0], same == sum);

  std::for_each(std::execution::par, items, items + n, [items, in](Item &item) { item = {in[&item - items] % 100, int(&item - items)}; });
  std::stable_sort(std::execution::par, items, items + n, [](const Item &a, const Item &b) { return a.key < b.key; });
  bool stable = true;
  for (long i = 1; i < n; ++i)
    stable &= items[i - 1].key < items[i].key || (items[i - 1].key == items[i].key && items[i - 1].place < items[i].place);
  printf("stable %d\n", stable);

  std::inclusive_scan(std::execution::par, in, in + n, out);
  bool right = true;
  for (long i = 0, total = 0; i < n; ++i)
    right &= out[i] == int(total += in[i]);
  printf("scan %d\n", right);
  const int *const found = std::find(std::execution::par, in, in + n, int(4242L * 7919 % 10007));
  printf("found %td, minimum at %td\n", found - in, std::min_element(std::execution::par, in, in + n) - in);
}
