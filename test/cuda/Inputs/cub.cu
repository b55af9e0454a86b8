//===-- test/cuda/Inputs/cub.cu - CUB of Debian on the device -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's algorithms of a device, a block and a warp against plain loops, for
// sizes and types at which its kernels take different paths.
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

static int failures;
#define EXPECT(CONDITION)                                                      \
  if (!(CONDITION)) {                                                          \
    printf("failed: %s, %s, %d elements, line %d\n", #CONDITION, type, n,      \
           __LINE__);                                                          \
    ++failures;                                                                \
  }

/// Memory of the device that the host reads and writes as a vector.
template <class T> struct Array {
  T *data = nullptr;
  size_t size;
  explicit Array(size_t size) : size(size) {
    cudaMalloc(&data, std::max<size_t>(size, 1) * sizeof(T));
    cudaMemset(data, 0, size * sizeof(T));
  }
  explicit Array(const std::vector<T> &from) : Array(from.size()) {
    cudaMemcpy(data, from.data(), size * sizeof(T), cudaMemcpyHostToDevice);
  }
  Array(const Array &) = delete;
  ~Array() { cudaFree(data); }
  std::vector<T> get() const {
    std::vector<T> to(size);
    cudaMemcpy(to.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost);
    return to;
  }
};

/// Calls an algorithm of a device, first for the size of its memory.
template <class F> cudaError_t with_memory(F algorithm) {
  size_t size = 0;
  if (cudaError_t error = algorithm(nullptr, size))
    return error;
  Array<char> memory(size);
  if (cudaError_t error = algorithm(memory.data, size))
    return error;
  return cudaDeviceSynchronize();
}
#define CALL(ALGORITHM, ...)                                                   \
  EXPECT(with_memory([&](void *memory, size_t &size) {                         \
           return ALGORITHM(memory, size, __VA_ARGS__);                        \
         }) == cudaSuccess)

template <class T> std::vector<T> values(int n) {
  std::vector<T> v(n);
  unsigned long state = 99;
  for (T &x : v) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x = sizeof(T) == 1 ? T(state >> 60) : T((state >> 40) % 100000);
  }
  return v;
}

struct IsSmall {
  template <class T> __host__ __device__ bool operator()(T x) const {
    return x < T(9);
  }
};

template <class T> void on_device(const char *type, int n) {
  const std::vector<T> h = values<T>(n);
  const Array<T> in(h);
  Array<T> out(n), one(1);
  Array<int> number(1);

  CALL(cub::DeviceReduce::Sum, in.data, one.data, n);
  EXPECT(one.get()[0] == std::accumulate(h.begin(), h.end(), T(0)));
  if (n) {
    CALL(cub::DeviceReduce::Max, in.data, one.data, n);
    EXPECT(one.get()[0] == *std::max_element(h.begin(), h.end()));
    Array<cub::KeyValuePair<int, T>> least(1);
    CALL(cub::DeviceReduce::ArgMin, in.data, least.data, n);
    EXPECT(least.get()[0].key ==
           std::min_element(h.begin(), h.end()) - h.begin());
  }
  std::vector<T> expected(n);
  CALL(cub::DeviceScan::InclusiveSum, in.data, out.data, n);
  std::partial_sum(h.begin(), h.end(), expected.begin());
  EXPECT(out.get() == expected);
  CALL(cub::DeviceScan::ExclusiveSum, in.data, out.data, n);
  expected.insert(expected.begin(), T(0));
  expected.resize(n);
  EXPECT(out.get() == expected);

  std::vector<T> sorted = h;
  std::sort(sorted.begin(), sorted.end());
  CALL(cub::DeviceRadixSort::SortKeys, in.data, out.data, n);
  EXPECT(out.get() == sorted);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  const Array<int> index(order);
  Array<int> moved(n);
  CALL(cub::DeviceRadixSort::SortPairsDescending, in.data, out.data, index.data,
       moved.data, n);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return h[a] > h[b]; });
  EXPECT(moved.get() == order);

  CALL(cub::DeviceSelect::If, in.data, out.data, number.data, n, IsSmall());
  expected.clear();
  std::copy_if(h.begin(), h.end(), std::back_inserter(expected), IsSmall());
  std::vector<T> got = out.get();
  got.resize(number.get()[0]);
  EXPECT(got == expected);
  const Array<T> in_order(sorted);
  CALL(cub::DeviceSelect::Unique, in_order.data, out.data, number.data, n);
  expected = sorted;
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  got = out.get();
  got.resize(number.get()[0]);
  EXPECT(got == expected);
  Array<int> lengths(n);
  CALL(cub::DeviceRunLengthEncode::Encode, in_order.data, out.data,
       lengths.data, number.data, n);
  EXPECT(number.get()[0] == (int)expected.size());
  const std::vector<int> runs = lengths.get();
  EXPECT(std::accumulate(runs.begin(), runs.end(), 0) == n);

  if (n) {
    Array<int> bins(10);
    CALL(cub::DeviceHistogram::HistogramEven, in.data, bins.data, 11, T(0),
         T(100), n);
    std::vector<int> of_host(10);
    for (T x : h)
      if (x < T(100))
        ++of_host[int(x) / 10];
    EXPECT(bins.get() == of_host);
  }

  // Segments of 0, 1, 2 ... elements.
  std::vector<int> offsets{0};
  for (int i = 0; offsets.back() + i <= n && i < 500; ++i)
    offsets.push_back(offsets.back() + i);
  const int segments = (int)offsets.size() - 1;
  const Array<int> starts(offsets);
  Array<T> sums(segments);
  CALL(cub::DeviceSegmentedReduce::Sum, in.data, sums.data, segments,
       starts.data, starts.data + 1);
  expected.clear();
  for (int i = 0; i < segments; ++i)
    expected.push_back(std::accumulate(h.begin() + offsets[i],
                                       h.begin() + offsets[i + 1], T(0)));
  EXPECT(sums.get() == expected);
}

/// A block of 128 threads with 4 elements each sorts, sums and scans them.
template <class T>
__global__ void block_algorithms(const T *in, T *sorted, T *scanned, T *sum) {
  using Load = cub::BlockLoad<T, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<T, 128, 4, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<T, 128, 4>;
  using Scan = cub::BlockScan<T, 128, cub::BLOCK_SCAN_WARP_SCANS>;
  using Raking = cub::BlockScan<T, 128, cub::BLOCK_SCAN_RAKING>;
  using Reduce = cub::BlockReduce<T, 128>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    typename Raking::TempStorage raking;
    typename Reduce::TempStorage reduce;
  } memory;
  T items[4], results[4], others[4];
  Load(memory.load).Load(in, items);
  __syncthreads();
  Scan(memory.scan).InclusiveSum(items, results);
  __syncthreads();
  Raking(memory.raking).InclusiveSum(items, others);
  for (int i = 0; i < 4; ++i)
    if (results[i] != others[i])
      results[i] = 0;
  __syncthreads();
  Store(memory.store).Store(scanned, results);
  __syncthreads();
  T total = Reduce(memory.reduce).Sum(items);
  if (threadIdx.x == 0)
    *sum = total;
  __syncthreads();
  Sort(memory.sort).Sort(items);
  __syncthreads();
  Store(memory.store).Store(sorted, items);
}

template <class T>
__global__ void warp_algorithms(const T *in, T *sums, T *scanned, T *quarter) {
  __shared__ typename cub::WarpReduce<T>::TempStorage reduce[4];
  __shared__ typename cub::WarpScan<T>::TempStorage scan[4];
  __shared__ typename cub::WarpReduce<T, 8>::TempStorage part[16];
  const int warp = threadIdx.x / 32;
  T sum = cub::WarpReduce<T>(reduce[warp]).Sum(in[threadIdx.x]);
  if (threadIdx.x % 32 == 0)
    sums[warp] = sum;
  cub::WarpScan<T>(scan[warp])
      .InclusiveSum(in[threadIdx.x], scanned[threadIdx.x]);
  sum = cub::WarpReduce<T, 8>(part[threadIdx.x / 8]).Sum(in[threadIdx.x]);
  if (threadIdx.x % 8 == 0)
    quarter[threadIdx.x / 8] = sum;
}

template <class T> void on_block_and_warp(const char *type) {
  const int n = 512;
  const std::vector<T> h = values<T>(n);
  const Array<T> in(h);
  Array<T> sorted(n), scanned(n), sum(1), sums(4), warp_scanned(128),
      quarter(16);
  block_algorithms<<<1, 128>>>(in.data, sorted.data, scanned.data, sum.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<T> expected = h;
  std::sort(expected.begin(), expected.end());
  EXPECT(sorted.get() == expected);
  std::partial_sum(h.begin(), h.end(), expected.begin());
  EXPECT(scanned.get() == expected);
  EXPECT(sum.get()[0] == expected.back());

  warp_algorithms<<<1, 128>>>(in.data, sums.data, warp_scanned.data,
                              quarter.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<T> totals(4), parts(16), prefix(128);
  for (int i = 0; i < 128; ++i) {
    totals[i / 32] = T(totals[i / 32] + h[i]);
    parts[i / 8] = T(parts[i / 8] + h[i]);
    prefix[i] = totals[i / 32];
  }
  EXPECT(sums.get() == totals);
  EXPECT(quarter.get() == parts);
  EXPECT(warp_scanned.get() == prefix);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const int n = atoi(argv[i]);
    on_device<int>("int", n);
    on_device<double>("double", n);
  }
  on_block_and_warp<double>("double");
  on_block_and_warp<unsigned char>("unsigned char");
  printf("%d failures\n", failures);
  return failures != 0;
}
