//===-- test/cuda/Inputs/cublas_old.cu - cublas.h on the emulated device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of cuBLAS's first interface against plain loops, on memory that
// kernels have written.
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <cublas.h>
#include <vector>

static int failures;
#define EXPECT(CONDITION)                                                      \
  if (!(CONDITION)) {                                                          \
    printf("failed: %s, line %d\n", #CONDITION, __LINE__);                     \
    ++failures;                                                                \
  }
static bool is_near(double a, double b) {
  return std::abs(a - b) <= 1e-5 * (1 + std::abs(b));
}

template <class T> __global__ void fill(T *to, int n, int seed) {
  for (int i = 0; i < n; ++i)
    to[i] = T((i * 7 + seed * 13) % 11 - 5);
}

/// Memory of cublasAlloc() that a kernel fills; nothing waits for it here.
template <class T> struct Array {
  T *data = nullptr;
  int size;
  Array(int size, int seed) : size(size) {
    EXPECT(!cublasAlloc(size, sizeof(T), (void **)&data));
    fill<<<1, 1>>>(data, size, seed);
  }
  ~Array() { EXPECT(!cublasFree(data)); }
  std::vector<T> on_host() const {
    std::vector<T> values(size);
    EXPECT(!cublasGetVector(size, sizeof(T), data, 1, values.data(), 1));
    return values;
  }
};

static void try_level_1() {
  const Array<double> x(10, 1), y(10, 2);
  const auto a = x.on_host(), b = y.on_host();
  double dot = 0, sum = 0;
  int largest = 0, least = 0;
  for (int i = 0; i < 10; ++i) {
    dot += a[i] * b[i];
    sum += std::abs(a[i]);
    if (std::abs(a[i]) > std::abs(a[largest]))
      largest = i;
    if (std::abs(a[i]) < std::abs(a[least]))
      least = i;
  }
  EXPECT(cublasDdot(10, x.data, 1, y.data, 1) == dot);
  EXPECT(cublasDasum(10, x.data, 1) == sum);
  EXPECT(cublasIdamax(10, x.data, 1) == largest + 1);
  EXPECT(cublasIdamin(10, x.data, 1) == least + 1);
  cublasDaxpy(10, 3.0, x.data, 1, y.data, 1);
  EXPECT(y.on_host()[4] == b[4] + 3 * a[4]);
  cublasDscal(5, -1.0, y.data, 2);
  EXPECT(y.on_host()[4] == -b[4] - 3 * a[4]);
  cublasDcopy(10, x.data, 1, y.data, 1);
  EXPECT(y.on_host() == a);

  const Array<float> z(8, 5);
  const cuComplex *numbers = (const cuComplex *)z.data;
  const cuComplex product = cublasCdotc(4, numbers, 1, numbers, 1);
  const float norm = cublasScnrm2(4, numbers, 1);
  EXPECT(is_near(product.x, norm * norm) && product.y == 0);

  // A rotation that makes the second number 0, of complex numbers.
  cuDoubleComplex p{3, 1}, q{2, -1}, s, u = p, v = q;
  double c;
  cublasZrotg(&u, v, &c, &s);
  const Array<double> rotated(4, 0);
  const double start[4] = {p.x, p.y, q.x, q.y};
  EXPECT(!cublasSetVector(4, sizeof(double), start, 1, rotated.data, 1));
  cuDoubleComplex *pair = (cuDoubleComplex *)rotated.data;
  cublasZrot(1, pair, 1, pair + 1, 1, c, s);
  const auto end = rotated.on_host();
  EXPECT(is_near(end[0], u.x) && is_near(end[1], u.y));
  EXPECT(is_near(end[2], 0) && is_near(end[3], 0));
}

static void try_levels_2_and_3() {
  constexpr int M = 5, N = 4, K = 3;
  const Array<float> a(M * K, 1), b(N * K, 2), c(M * N, 3), v(K, 4), w(M, 5);
  const auto ha = a.on_host(), hb = b.on_host(), hc = c.on_host(),
             hv = v.on_host(), hw = w.on_host();
  cublasSgemv('n', M, K, 2, a.data, M, v.data, 1, 3, w.data, 1);
  const auto product = w.on_host();
  for (int i = 0; i < M; ++i) {
    float sum = 3 * hw[i];
    for (int k = 0; k < K; ++k)
      sum += 2 * ha[k * M + i] * hv[k];
    EXPECT(product[i] == sum);
  }
  cublasSgemm('N', 't', M, N, K, 2, a.data, M, b.data, N, 3, c.data, M);
  const auto sums = c.on_host();
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 3 * hc[j * M + i];
      for (int k = 0; k < K; ++k)
        sum += 2 * ha[k * M + i] * hb[k * N + j];
      EXPECT(sums[j * M + i] == sum);
    }

  // A triangle times B in B's place, and back.
  const Array<double> triangle(9, 4), right(9, 5);
  const auto ht = triangle.on_host(), hr = right.on_host();
  cublasDtrmm('L', 'U', 'N', 'U', 3, 3, 1, triangle.data, 3, right.data, 3);
  EXPECT(right.on_host()[0] == hr[0] + ht[3] * hr[1] + ht[6] * hr[2]);
  cublasDtrsm('l', 'u', 'n', 'u', 3, 3, 1, triangle.data, 3, right.data, 3);
  const auto back = right.on_host();
  for (int i = 0; i < 9; ++i)
    EXPECT(is_near(back[i], hr[i]));

  // H = x x^H has the real factor of cher.
  const Array<float> x(4, 6), h(8, 0);
  const auto hx = x.on_host(), before = h.on_host();
  cublasCher('U', 2, 2, (const cuComplex *)x.data, 1, (cuComplex *)h.data, 2);
  EXPECT(h.on_host()[6] == before[6] + 2 * (hx[2] * hx[2] + hx[3] * hx[3]));
}

int main() {
  EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasSasum(1, nullptr, 1) == 0);
  EXPECT(cublasGetError() == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(!cublasInit());
  int version = 0;
  EXPECT(!cublasGetVersion(&version) && version == CUBLAS_VERSION);
  try_level_1();
  try_levels_2_and_3();
  EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS);

  // An error stays until it is asked for.
  void *memory = nullptr;
  EXPECT(cublasAlloc(0, 4, &memory) == CUBLAS_STATUS_INVALID_VALUE);
  cublasSgemv('x', 1, 1, 1, nullptr, 1, nullptr, 1, 1, nullptr, 1);
  EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS);

  // Work waits for the kernel's stream.
  cudaStream_t stream;
  EXPECT(!cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  EXPECT(!cublasSetKernelStream(stream));
  float *late;
  cudaMallocManaged(&late, 100000 * sizeof *late);
  fill<<<1, 1, 0, stream>>>(late, 100000, 0);
  float sum = 0;
  const float found = cublasSasum(100000, late, 1);
  for (int i = 0; i < 100000; ++i)
    sum += std::abs(late[i]);
  EXPECT(found == sum);
  EXPECT(!cublasShutdown());
  printf("%d failures\n", failures);
  return failures != 0;
}
