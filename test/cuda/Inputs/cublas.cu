//===-- test/cuda/Inputs/cublas.cu - cuBLAS on the emulated device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of cuBLAS against plain loops, on memory that kernels have written.
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <vector>

static int failures;
#define EXPECT(CONDITION)                                                      \
  if (!(CONDITION)) {                                                          \
    printf("failed: %s, line %d\n", #CONDITION, __LINE__);                     \
    ++failures;                                                                \
  }
static bool is_near(double a, double b) {
  return std::abs(a - b) <= 1e-4 * (1 + std::abs(b));
}

template <class T> __global__ void fill(T *to, int n, int seed) {
  for (int i = 0; i < n; ++i)
    to[i] = T((i * 7 + seed * 13) % 11 - 5);
}

constexpr int M = 5, N = 4, K = 3;

template <class T> struct Matrix {
  T *data;
  int size;
  Matrix(int size, int seed) : size(size) {
    cudaMallocManaged(&data, size * sizeof(T));
    fill<<<1, 1>>>(data, size, seed); // nothing waits for it here
  }
  ~Matrix() { cudaFree(data); }
  T &operator[](int i) const { return data[i]; }
};

/// Row i, column k of op(A), whose rows are n.
template <class T>
double op(const T *a, bool is_transposed, int rows, int columns, int i, int k) {
  return double(is_transposed ? a[i * columns + k] : a[k * rows + i]);
}

template <class A, class C, class Gemm> void try_gemm(Gemm gemm) {
  for (int trans = 0; trans < 4; ++trans) {
    const bool ta = trans & 1, tb = trans & 2;
    const Matrix<A> a(M * K, 1), b(K * N, 2);
    const Matrix<C> c(M * N, 3), before(M * N, 3);
    EXPECT(gemm(ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N,
                a.data, ta ? K : M, b.data, tb ? N : K,
                c.data) == CUBLAS_STATUS_SUCCESS);
    cudaDeviceSynchronize();
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j) {
        double sum = 0;
        for (int k = 0; k < K; ++k)
          sum += op(a.data, ta, M, K, i, k) * op(b.data, tb, K, N, k, j);
        EXPECT(is_near(double(c[j * M + i]),
                       2 * sum + 3 * double(before[j * M + i])));
      }
  }
}

int main() {
  cublasHandle_t handle;
  EXPECT(!cublasCreate(&handle));
  cudaStream_t stream, got;
  cudaStreamCreate(&stream);
  EXPECT(!cublasSetStream(handle, stream) && !cublasGetStream(handle, &got));
  EXPECT(got == stream);
  int version[3] = {}, whole = 0;
  EXPECT(!cublasGetProperty(MAJOR_VERSION, &version[0]) &&
         !cublasGetProperty(MINOR_VERSION, &version[1]) &&
         !cublasGetProperty(PATCH_LEVEL, &version[2]) &&
         !cublasGetVersion(handle, &whole));
  EXPECT(whole / 10000 == version[0] && whole / 100 % 100 == version[1] &&
         whole % 100 == version[2]);
  EXPECT(cublasGetProperty(MAJOR_VERSION, nullptr) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(!cublasSetStream(handle, nullptr));

  // Level 1, with results on the host and on the device.
  const Matrix<double> x(10, 1), y(10, 2);
  double dot = 0, expected = 0;
  EXPECT(!cublasDdot(handle, 10, x.data, 1, y.data, 1, &dot));
  for (int i = 0; i < 10; ++i)
    expected += x[i] * y[i];
  EXPECT(dot == expected);
  const Matrix<double> result(1, 0);
  EXPECT(!cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  EXPECT(!cublasDasum(handle, 10, x.data, 1, result.data));
  EXPECT(!cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  expected = 0;
  for (int i = 0; i < 10; ++i)
    expected += std::abs(x[i]);
  EXPECT(result[0] == expected);
  double three = 3, before = y[4];
  EXPECT(!cublasDaxpy(handle, 10, &three, x.data, 1, y.data, 1));
  EXPECT(y[4] == before + 3 * x[4]);
  EXPECT(!cublasDscal(handle, 10, &three, y.data, 1));
  EXPECT(y[4] == 3 * (before + 3 * x[4]));
  EXPECT(!cublasDcopy(handle, 10, x.data, 1, y.data, 1) && y[7] == x[7]);
  int largest = 0, least = 0;
  EXPECT(!cublasIdamax(handle, 10, x.data, 1, &largest));
  EXPECT(!cublasIdamin(handle, 10, x.data, 1, &least));
  for (int i = 0; i < 10; ++i) {
    EXPECT(std::abs(x[largest - 1]) >= std::abs(x[i]));
    EXPECT(std::abs(x[least - 1]) <= std::abs(x[i]));
  }
  const Matrix<float> z(8, 5);
  cuComplex product;
  EXPECT(!cublasCdotc(handle, 4, (cuComplex *)z.data, 1, (cuComplex *)z.data, 1,
                      &product));
  float norm = 0;
  EXPECT(!cublasSnrm2(handle, 8, z.data, 1, &norm));
  EXPECT(is_near(product.x, norm * norm) && product.y == 0);

  // Copies by increments and columns.
  std::vector<float> host{1, 0, 2, 0, 3, 0}, back(6);
  const Matrix<float> copy(6, 0);
  cudaDeviceSynchronize();
  EXPECT(!cublasSetVector(3, 4, host.data(), 2, copy.data, 1));
  EXPECT(copy[0] == 1 && copy[1] == 2 && copy[2] == 3);
  EXPECT(!cublasGetVector(3, 4, copy.data, 1, back.data(), 2));
  EXPECT(back == host);
  EXPECT(!cublasSetMatrix(2, 2, 4, host.data(), 3, copy.data, 2));
  EXPECT(copy[2] == 0 && copy[3] == 3);
  EXPECT(cublasSetMatrix(4, 2, 4, host.data(), 3, copy.data, 4) ==
         CUBLAS_STATUS_INVALID_VALUE);

  // Level 2 and 3.
  const Matrix<double> a(M * K, 1), v(K, 2), w(M, 3), w_before(M, 3);
  const double two = 2;
  EXPECT(!cublasDgemv(handle, CUBLAS_OP_N, M, K, &two, a.data, M, v.data, 1,
                      &three, w.data, 1));
  cudaDeviceSynchronize();
  for (int i = 0; i < M; ++i) {
    expected = 3 * w_before[i];
    for (int k = 0; k < K; ++k)
      expected += 2 * a[k * M + i] * v[k];
    EXPECT(w[i] == expected);
  }
  auto dgemm = [&](cublasOperation_t ta, cublasOperation_t tb, const double *a,
                   int lda, const double *b, int ldb, double *c) {
    return cublasDgemm(handle, ta, tb, M, N, K, &two, a, lda, b, ldb, &three, c,
                       M);
  };
  try_gemm<double, double>(dgemm);
  const float two_f = 2, three_f = 3;
  try_gemm<float, float>([&](cublasOperation_t ta, cublasOperation_t tb,
                             const float *a, int lda, const float *b, int ldb,
                             float *c) {
    return cublasSgemmStridedBatched(handle, ta, tb, M, N, K, &two_f, a, lda, 0,
                                     b, ldb, 0, &three_f, c, M, 0, 1);
  });
  try_gemm<half, half>([&](cublasOperation_t ta, cublasOperation_t tb,
                           const half *a, int lda, const half *b, int ldb,
                           half *c) {
    return cublasGemmEx(handle, ta, tb, M, N, K, &two_f, a, CUDA_R_16F, lda, b,
                        CUDA_R_16F, ldb, &three_f, c, CUDA_R_16F, M,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  });
  const int two_i = 2, three_i = 3;
  try_gemm<signed char, int>([&](cublasOperation_t ta, cublasOperation_t tb,
                                 const signed char *a, int lda,
                                 const signed char *b, int ldb, int *c) {
    return cublasGemmEx(handle, ta, tb, M, N, K, &two_i, a, CUDA_R_8I, lda, b,
                        CUDA_R_8I, ldb, &three_i, c, CUDA_R_32I, M,
                        CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
  });

  // trmm has a place of its own for its result, geam transposes, dgmm scales.
  const Matrix<double> triangle(9, 4), right(9, 5), out(9, 6);
  const double one = 1, zero = 0;
  EXPECT(!cublasDtrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER,
                      CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 3, 3, &one, triangle.data,
                      3, right.data, 3, out.data, 3));
  EXPECT(out[0] == right[0] + triangle[3] * right[1] + triangle[6] * right[2]);
  EXPECT(out[2] == right[2]);
  EXPECT(!cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER,
                      CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 3, 3, &one, triangle.data,
                      3, out.data, 3));
  for (int i = 0; i < 9; ++i)
    EXPECT(is_near(out[i], right[i]));
  EXPECT(!cublasDgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, &one, right.data,
                      3, &zero, (double *)nullptr, 3, out.data, 3));
  EXPECT(out[1] == right[3] && out[5] == right[7]);
  EXPECT(!cublasDdgmm(handle, CUBLAS_SIDE_RIGHT, 3, 3, right.data, 3, v.data, 1,
                      out.data, 3));
  EXPECT(out[4] == right[4] * v[1]);

  // A stream that blocks waits for the default stream's kernels, too.
  constexpr int MANY = 1 << 22;
  const Matrix<float> late(MANY, 0);
  EXPECT(!cublasSetStream(handle, stream));
  float total = 0, all = 0;
  EXPECT(!cublasSasum(handle, 16, late.data + MANY - 16, 1, &total));
  cudaDeviceSynchronize();
  for (int i = MANY - 16; i < MANY; ++i)
    all += std::abs(late[i]);
  EXPECT(total == all && all > 0);
  EXPECT(!cublasSetStream(handle, nullptr));

  // Arguments that are wrong.
  EXPECT(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &two, a.data,
                     M - 1, a.data, K, &three, w.data,
                     M) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasDscal(nullptr, 1, &two, x.data, 1) ==
         CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(!cublasDestroy(handle));
  printf("%d failures\n", failures);
  return failures != 0;
}
