// Parallel algorithms of the standard library: each must do what it does without a policy, for few elements and for many, numbers,
// strings and what can only be moved.
// Here by threads of the host, under the thread sanitizer: the library's headers with ours in between.
// REQUIRES: gfx942, long
// RUN: rm -rf %t && mkdir %t && cp -r /usr/include/c++/12/pstl %t && cp %source/toolchain/libstdcxx/include/pstl/*.h %t/pstl
// RUN: clang++ -std=c++17 -w -O1 -D_GLIBCXX_USE_TBB_PAR_BACKEND=0 -fsanitize=thread -I %t %s %S/inputs/grid_on_host.cpp -o %t/host
// RUN: for threads in 1 3 40; do env THREADS=$threads %t/host 700 || { echo "failed: $threads threads" >&2; exit 1; }; done
#include <algorithm>
#include <execution>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdio.h>
#include <string>
#include <vector>

static int failures;

static void expect(bool is_right, const char *what, size_t n) {
  if (is_right)
    return;
  ++failures;
  printf("wrong: %s of %zu\n", what, n);
}

static unsigned long state = 1;
static unsigned next(unsigned below) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return unsigned(state >> 33) % below;
}

static std::vector<int> numbers(size_t n, unsigned below) {
  std::vector<int> all(n);
  for (int &one : all)
    one = int(next(below)) - int(below / 3);
  return all;
}

/// A key and where it was: whether a sort is stable shows.
struct Item {
  int key, place;
  bool operator==(const Item &other) const { return key == other.key && place == other.place; }
};

/// Too large for registers, and not trivial.
struct Named {
  std::string name;
  int key;
  bool operator<(const Named &other) const { return key < other.key; }
  bool operator==(const Named &other) const { return key == other.key && name == other.name; }
};

struct Matrix { // products do not commute
  unsigned a = 1, b = 0, c = 0, d = 1;
  bool operator==(const Matrix &o) const { return a == o.a && b == o.b && c == o.c && d == o.d; }
  friend Matrix operator*(const Matrix &x, const Matrix &y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};

template <typename POLICY> static void elements(const POLICY &policy, size_t n) {
  const std::vector<int> in = numbers(n, 1000);
  std::vector<int> here(n), there(n);
  const auto twice = [](int x) { return 2 * x + 1; };
  std::transform(in.begin(), in.end(), there.begin(), twice);
  std::transform(policy, in.begin(), in.end(), here.begin(), twice);
  expect(here == there, "transform", n);
  std::transform(policy, in.begin(), in.end(), here.begin(), here.begin(), [](int a, int b) { return a - b; });
  std::transform(in.begin(), in.end(), there.begin(), there.begin(), [](int a, int b) { return a - b; });
  expect(here == there, "transform of two", n);
  std::for_each(policy, here.begin(), here.end(), [](int &x) { x ^= 5; });
  std::for_each(there.begin(), there.end(), [](int &x) { x ^= 5; });
  expect(here == there, "for_each", n);
  std::replace_if(policy, here.begin(), here.end(), [](int x) { return x % 3 == 0; }, 7);
  std::replace_if(there.begin(), there.end(), [](int x) { return x % 3 == 0; }, 7);
  expect(here == there, "replace_if", n);
  std::reverse(policy, here.begin(), here.end());
  std::reverse(there.begin(), there.end());
  expect(here == there, "reverse", n);
  std::rotate(policy, here.begin(), here.begin() + n / 3, here.end());
  std::rotate(there.begin(), there.begin() + n / 3, there.end());
  expect(here == there, "rotate", n);
  std::adjacent_difference(policy, in.begin(), in.end(), here.begin());
  std::adjacent_difference(in.begin(), in.end(), there.begin());
  expect(here == there, "adjacent_difference", n);
  std::fill(policy, here.begin(), here.end(), 3);
  std::generate(policy, there.begin(), there.end(), [] { return 3; });
  expect(here == there && std::equal(policy, here.begin(), here.end(), there.begin()), "fill and generate", n);
  std::vector<std::string> words(n);
  std::for_each(policy, words.begin(), words.end(), [](std::string &word) { word = "a rather long word in the heap"; });
  expect(std::all_of(policy, words.begin(), words.end(), [](const std::string &word) { return word.size() == 30; }), "strings", n);
}

template <typename POLICY> static void sums(const POLICY &policy, size_t n) {
  const std::vector<int> in = numbers(n, 1000);
  expect(std::reduce(policy, in.begin(), in.end(), 11L) == std::accumulate(in.begin(), in.end(), 11L), "reduce", n);
  const auto square = [](int x) { return long(x) * x; };
  expect(std::transform_reduce(policy, in.begin(), in.end(), 0L, std::plus<>(), square) ==
             std::transform_reduce(in.begin(), in.end(), 0L, std::plus<>(), square), "transform_reduce", n);
  expect(std::transform_reduce(policy, in.begin(), in.end(), in.begin(), 5L) ==
             std::inner_product(in.begin(), in.end(), in.begin(), 5L), "inner product", n);
  expect(std::count_if(policy, in.begin(), in.end(), [](int x) { return x < 17; }) ==
             std::count_if(in.begin(), in.end(), [](int x) { return x < 17; }), "count_if", n);
  expect(std::min_element(policy, in.begin(), in.end()) == std::min_element(in.begin(), in.end()), "min_element", n);
  expect(std::minmax_element(policy, in.begin(), in.end()) == std::minmax_element(in.begin(), in.end()), "minmax_element", n);
  const std::vector<double> halves(n, 0.5);
  expect(std::reduce(policy, halves.begin(), halves.end()) == 0.5 * double(n), "reduce of doubles", n);

  std::vector<long> here(n), there(n);
  std::inclusive_scan(policy, in.begin(), in.end(), here.begin(), std::plus<>(), 3L);
  std::inclusive_scan(in.begin(), in.end(), there.begin(), std::plus<>(), 3L);
  expect(here == there, "inclusive_scan", n);
  std::exclusive_scan(policy, in.begin(), in.end(), here.begin(), 9L);
  std::exclusive_scan(in.begin(), in.end(), there.begin(), 9L);
  expect(here == there, "exclusive_scan", n);
  std::transform_inclusive_scan(policy, in.begin(), in.end(), here.begin(), std::plus<>(), square, 1L);
  std::transform_inclusive_scan(in.begin(), in.end(), there.begin(), std::plus<>(), square, 1L);
  expect(here == there, "transform_inclusive_scan", n);
  std::vector<double> parts(n), wanted(n);
  std::inclusive_scan(policy, halves.begin(), halves.end(), parts.begin());
  std::inclusive_scan(halves.begin(), halves.end(), wanted.begin());
  expect(parts == wanted, "inclusive_scan of doubles", n);
  // In the order of the elements, though nobody says in which groups.
  std::vector<Matrix> matrices(n), products(n), expected(n);
  for (Matrix &one : matrices)
    one = {next(9), next(9), next(9), next(9)};
  std::inclusive_scan(policy, matrices.begin(), matrices.end(), products.begin(), std::multiplies<>());
  std::inclusive_scan(matrices.begin(), matrices.end(), expected.begin(), std::multiplies<>());
  expect(products == expected, "inclusive_scan of matrices", n);
}

template <typename POLICY> static void searches(const POLICY &policy, size_t n) {
  const std::vector<int> in = numbers(n, 400);
  const auto wanted = [](int x) { return x == 211; };
  expect(std::find_if(policy, in.begin(), in.end(), wanted) == std::find_if(in.begin(), in.end(), wanted), "find_if", n);
  expect(std::any_of(policy, in.begin(), in.end(), wanted) == std::any_of(in.begin(), in.end(), wanted), "any_of", n);
  expect(std::none_of(policy, in.begin(), in.end(), [](int x) { return x == 4000; }), "none_of", n);
  expect(std::adjacent_find(policy, in.begin(), in.end()) == std::adjacent_find(in.begin(), in.end()), "adjacent_find", n);
  const int pair[] = {in[n / 3], in[std::min(n - 1, n / 3 + 1)]};
  expect(std::search(policy, in.begin(), in.end(), pair, pair + 2) == std::search(in.begin(), in.end(), pair, pair + 2), "search", n);
  std::vector<int> other = in;
  other[n - 1 - n / 5] += 1;
  expect(std::mismatch(policy, in.begin(), in.end(), other.begin()) == std::mismatch(in.begin(), in.end(), other.begin()), "mismatch", n);
  expect(std::lexicographical_compare(policy, in.begin(), in.end(), other.begin(), other.end()), "lexicographical_compare", n);

  std::vector<int> here(n), there(n);
  const auto odd = [](int x) { return x % 2 != 0; };
  const auto end = std::copy_if(policy, in.begin(), in.end(), here.begin(), odd);
  const auto expected = std::copy_if(in.begin(), in.end(), there.begin(), odd);
  expect(end - here.begin() == expected - there.begin() && here == there, "copy_if", n);
  here = there = in;
  here.erase(std::unique(policy, here.begin(), here.end(), [](int a, int b) { return a % 2 == b % 2; }), here.end());
  there.erase(std::unique(there.begin(), there.end(), [](int a, int b) { return a % 2 == b % 2; }), there.end());
  expect(here == there, "unique", n);
  here = there = in;
  here.erase(std::remove_if(policy, here.begin(), here.end(), odd), here.end());
  there.erase(std::remove_if(there.begin(), there.end(), odd), there.end());
  expect(here == there, "remove_if", n);
  here = there = in;
  std::stable_partition(policy, here.begin(), here.end(), odd);
  std::stable_partition(there.begin(), there.end(), odd);
  expect(here == there, "stable_partition", n);
}

template <typename POLICY> static void sorts(const POLICY &policy, size_t n) {
  std::vector<int> here = numbers(n, n / 2 + 2), there = here;
  std::sort(policy, here.begin(), here.end());
  std::sort(there.begin(), there.end());
  expect(here == there && std::is_sorted(policy, here.begin(), here.end()), "sort", n);
  here = there = numbers(n, 1000000);
  std::sort(policy, here.begin(), here.end(), std::greater<>());
  std::sort(there.begin(), there.end(), std::greater<>());
  expect(here == there, "sort by >", n);
  here = there = numbers(n, 1000000);
  std::partial_sort(policy, here.begin(), here.begin() + n / 7, here.end());
  std::partial_sort(there.begin(), there.begin() + n / 7, there.end());
  expect(std::equal(here.begin(), here.begin() + n / 7, there.begin()), "partial_sort", n);
  const std::vector<int> in = numbers(n, 1000000);
  std::vector<int> some(n / 3 + 1), same(n / 3 + 1);
  std::partial_sort_copy(policy, in.begin(), in.end(), some.begin(), some.end());
  std::partial_sort_copy(in.begin(), in.end(), same.begin(), same.end());
  expect(some == same, "partial_sort_copy", n);
  here = there = numbers(n, 1000000);
  std::nth_element(policy, here.begin(), here.begin() + n / 2, here.end());
  std::nth_element(there.begin(), there.begin() + n / 2, there.end());
  expect(here[n / 2] == there[n / 2], "nth_element", n);

  std::vector<Item> items(n);
  for (size_t i = 0; i < n; ++i)
    items[i] = {int(next(unsigned(n / 8 + 1))), int(i)};
  std::vector<Item> ordered = items;
  const auto by_key = [](const Item &a, const Item &b) { return a.key < b.key; };
  std::stable_sort(policy, items.begin(), items.end(), by_key);
  std::stable_sort(ordered.begin(), ordered.end(), by_key);
  expect(items == ordered, "stable_sort", n);
  std::vector<Named> named(n);
  for (size_t i = 0; i < n; ++i)
    named[i] = {"number " + std::to_string(i) + " of several", int(next(unsigned(n / 8 + 1)))};
  std::vector<Named> sorted = named;
  std::stable_sort(policy, named.begin(), named.end());
  std::stable_sort(sorted.begin(), sorted.end());
  expect(named == sorted, "stable_sort of strings", n);
  std::vector<std::unique_ptr<int>> owners(n);
  for (auto &owner : owners)
    owner = std::make_unique<int>(int(next(1000)));
  std::sort(policy, owners.begin(), owners.end(), [](const auto &a, const auto &b) mutable { return *a < *b; }); // not const
  expect(std::is_sorted(owners.begin(), owners.end(), [](const auto &a, const auto &b) { return *a < *b; }), "sort of unique_ptr", n);

  std::vector<int> a = numbers(n, 300), b = numbers(n / 2 + 1, 300);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<int> merged(a.size() + b.size()), wanted(a.size() + b.size());
  std::merge(policy, a.begin(), a.end(), b.begin(), b.end(), merged.begin());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), wanted.begin());
  expect(merged == wanted, "merge", n);
  std::vector<int> both = a;
  both.insert(both.end(), b.begin(), b.end());
  std::inplace_merge(policy, both.begin(), both.begin() + n, both.end(), [](int x, int y) mutable { return x < y; });
  expect(both == wanted, "inplace_merge", n);
  std::vector<int> common, really;
  common.resize(std::min(a.size(), b.size()));
  common.erase(std::set_intersection(policy, a.begin(), a.end(), b.begin(), b.end(), common.begin()), common.end());
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(really));
  expect(common == really, "set_intersection", n);
  std::vector<int> all(a.size() + b.size()), any;
  all.erase(std::set_union(policy, a.begin(), a.end(), b.begin(), b.end(), all.begin()), all.end());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(any));
  expect(all == any, "set_union", n);
  expect(std::includes(policy, all.begin(), all.end(), a.begin(), a.end()), "includes", n);
}

template <typename POLICY> static void everything(const POLICY &policy, size_t n) {
  elements(policy, n);
  sums(policy, n);
  searches(policy, n);
  sorts(policy, n);
}

int main(int argc, char **argv) {
  const size_t most = argc > 1 ? strtoul(argv[1], nullptr, 0) : 3000;
  for (size_t n : {size_t(1), size_t(2), size_t(17), size_t(64), size_t(65), size_t(257), most}) {
    everything(std::execution::par, n);
    everything(std::execution::par_unseq, n);
  }
  // In a parallel algorithm another one has a team of one thread.
  std::vector<std::vector<int>> rows(70, numbers(90, 50));
  std::for_each(std::execution::par, rows.begin(), rows.end(), [](std::vector<int> &row) { std::sort(std::execution::par, row.begin(), row.end()); });
  expect(std::all_of(rows.begin(), rows.end(), [](const auto &row) { return std::is_sorted(row.begin(), row.end()); }), "sorts inside", 70);
  puts(failures ? "failed" : "all as without a policy");
  return failures != 0;
}
