//===-- test/cuda/Inputs/thrust.cu - Thrust of Debian on the device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's algorithms on the device against those of the C++ library, for
// sizes and types at which its kernels take different paths.
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <vector>

static int failures;
#define EXPECT(CONDITION)                                                      \
  if (!(CONDITION)) {                                                          \
    printf("failed: %s, %s, %zu elements, line %d\n", #CONDITION, type, n,     \
           __LINE__);                                                          \
    ++failures;                                                                \
  }

template <class T> struct Square {
  __host__ __device__ T operator()(T x) const { return T(x * x); }
};
template <class T> struct IsOdd {
  __host__ __device__ bool operator()(T x) const { return (long)x & 1; }
};
template <class T> struct AddTo {
  T *sum;
  __device__ void operator()(T x) const {
    if ((long)x & 1)
      atomicAdd(sum, 1);
  }
};

template <class T> std::vector<T> to_host(const thrust::device_vector<T> &v) {
  thrust::host_vector<T> h = v;
  return std::vector<T>(h.begin(), h.end());
}

/// n values of few enough kinds that keys repeat.
template <class T> std::vector<T> values(size_t n) {
  std::vector<T> v(n);
  unsigned long state = 12345;
  for (T &x : v) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x = T(state >> 40) / 16;
    if (sizeof(T) > 1)
      x = T((state >> 40) % 100000);
  }
  return v;
}

template <class T> void run(const char *type, size_t n) {
  const std::vector<T> h = values<T>(n);
  const thrust::device_vector<T> d(h.begin(), h.end());
  thrust::device_vector<T> r(n);

  thrust::transform(d.begin(), d.end(), r.begin(), Square<T>());
  std::vector<T> expected(n);
  std::transform(h.begin(), h.end(), expected.begin(), Square<T>());
  EXPECT(to_host(r) == expected);

  EXPECT(thrust::reduce(d.begin(), d.end(), long(0)) ==
         std::accumulate(h.begin(), h.end(), long(0)));
  EXPECT(thrust::transform_reduce(d.begin(), d.end(), Square<T>(), T(0),
                                  thrust::plus<T>()) ==
         (T)std::accumulate(expected.begin(), expected.end(), T(0)));

  thrust::inclusive_scan(d.begin(), d.end(), r.begin());
  std::partial_sum(h.begin(), h.end(), expected.begin());
  EXPECT(to_host(r) == expected);
  thrust::exclusive_scan(d.begin(), d.end(), r.begin(), T(3));
  for (size_t i = n; i-- > 1;)
    expected[i] = T(expected[i - 1] + 3);
  if (n)
    expected[0] = 3;
  EXPECT(to_host(r) == expected);

  r = d;
  thrust::sort(r.begin(), r.end());
  std::vector<T> sorted = h;
  std::sort(sorted.begin(), sorted.end());
  EXPECT(to_host(r) == sorted);
  std::vector<T> unique = sorted;
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  thrust::device_vector<T> u = r;
  u.erase(thrust::unique(u.begin(), u.end()), u.end());
  EXPECT(to_host(u) == unique);

  thrust::device_vector<T> keys(n);
  thrust::device_vector<int> counts(n);
  auto ends = thrust::reduce_by_key(r.begin(), r.end(),
                                    thrust::constant_iterator<int>(1),
                                    keys.begin(), counts.begin());
  EXPECT(size_t(ends.first - keys.begin()) == unique.size());
  keys.resize(unique.size());
  EXPECT(to_host(keys) == unique);
  EXPECT(thrust::reduce(counts.begin(), ends.second) == (int)n);

  thrust::sort(r.begin(), r.end(), thrust::greater<T>());
  std::reverse(sorted.begin(), sorted.end());
  EXPECT(to_host(r) == sorted);

  // Stable: equal keys keep the order of their numbers.
  thrust::device_vector<T> k = d;
  thrust::device_vector<int> index(n);
  thrust::sequence(index.begin(), index.end());
  thrust::stable_sort_by_key(k.begin(), k.end(), index.begin());
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return h[a] < h[b]; });
  EXPECT(to_host(index) == order);

  thrust::gather(index.begin(), index.end(), d.begin(), r.begin());
  EXPECT(to_host(r) == to_host(k));
  thrust::scatter(r.begin(), r.end(), index.begin(), k.begin());
  EXPECT(to_host(k) == h);
  EXPECT(thrust::equal(
      thrust::make_permutation_iterator(d.begin(), index.begin()),
      thrust::make_permutation_iterator(d.begin(), index.end()), r.begin()));

  thrust::device_vector<T> odd(n);
  odd.resize(thrust::copy_if(d.begin(), d.end(), odd.begin(), IsOdd<T>()) -
             odd.begin());
  std::vector<T> odd_expected;
  std::copy_if(h.begin(), h.end(), std::back_inserter(odd_expected),
               IsOdd<T>());
  EXPECT(to_host(odd) == odd_expected);
  EXPECT(thrust::count_if(d.begin(), d.end(), IsOdd<T>()) ==
         (long)odd_expected.size());
  r = d;
  EXPECT(thrust::partition(r.begin(), r.end(), IsOdd<T>()) - r.begin() ==
         (long)odd_expected.size());

  auto ends_of = thrust::minmax_element(d.begin(), d.end());
  auto of_host = std::minmax_element(h.begin(), h.end());
  EXPECT(ends_of.first - d.begin() == of_host.first - h.begin());
  if (n)
    EXPECT(*ends_of.second == *of_host.second);

  // Products of neighbours' numbers, by iterators that hold no memory.
  auto zip = thrust::make_zip_iterator(thrust::make_tuple(
      thrust::make_counting_iterator(0L), thrust::make_counting_iterator(1L)));
  long sum = thrust::transform_reduce(
      zip, zip + n,
      [] __host__ __device__(const thrust::tuple<long, long> &t) {
        return thrust::get<0>(t) * thrust::get<1>(t) % 7;
      },
      0L, thrust::plus<long>());
  long sum_expected = 0;
  for (long i = 0; i < (long)n; ++i)
    sum_expected += i * (i + 1) % 7;
  EXPECT(sum == sum_expected);

  thrust::sort(r.begin(), r.end());
  thrust::device_vector<int> lower(n);
  thrust::lower_bound(r.begin(), r.end(), d.begin(), d.end(), lower.begin());
  std::reverse(sorted.begin(), sorted.end());
  std::vector<int> lower_expected(n);
  for (size_t i = 0; i < n; ++i)
    lower_expected[i] =
        std::lower_bound(sorted.begin(), sorted.end(), h[i]) - sorted.begin();
  EXPECT(to_host(lower) == lower_expected);
}

struct Random {
  __host__ __device__ float operator()(unsigned i) const {
    thrust::default_random_engine engine(7);
    engine.discard(i);
    return thrust::uniform_real_distribution<float>(0, 1)(engine);
  }
};

struct Pair {
  double key;
  char name[9];
};
struct Before {
  __host__ __device__ bool operator()(const Pair &a, const Pair &b) const {
    return a.key < b.key;
  }
};

void random_and_structures(size_t n) {
  const char *type = "Pair";
  thrust::device_vector<float> d(n);
  thrust::host_vector<float> h(n);
  thrust::transform(thrust::make_counting_iterator(0u),
                    thrust::make_counting_iterator(unsigned(n)), d.begin(),
                    Random());
  thrust::transform(thrust::make_counting_iterator(0u),
                    thrust::make_counting_iterator(unsigned(n)), h.begin(),
                    Random());
  EXPECT(d == h);
  thrust::host_vector<Pair> pairs(n);
  for (size_t i = 0; i < n; ++i)
    pairs[i] = {double(i * 7919 % 10007), "x"};
  thrust::device_vector<Pair> on_device = pairs;
  thrust::stable_sort(on_device.begin(), on_device.end(), Before());
  std::stable_sort(pairs.begin(), pairs.end(), Before());
  thrust::host_vector<Pair> back = on_device;
  bool same = true;
  for (size_t i = 0; i < n; ++i)
    same &= back[i].key == pairs[i].key && back[i].name[0] == 'x';
  EXPECT(same);
  thrust::device_vector<int> counter(1);
  thrust::for_each(thrust::make_counting_iterator(0),
                   thrust::make_counting_iterator(int(n)),
                   AddTo<int>{thrust::raw_pointer_cast(counter.data())});
  EXPECT(counter[0] == int(n / 2));
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const size_t n = atol(argv[i]);
    run<int>("int", n);
    random_and_structures(n);
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
