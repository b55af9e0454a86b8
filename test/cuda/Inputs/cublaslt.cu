//===-- test/cuda/Inputs/cublaslt.cu - cuBLASLt on the emulated device ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of cuBLASLt against plain loops, on memory that kernels have
// written.
//===----------------------------------------------------------------------===//
#include <cmath>
#include <complex>
#include <cstdio>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

static int failures;
static const char *current = "";
#define EXPECT(CONDITION)                                                      \
  if (!(CONDITION)) {                                                          \
    printf("failed: %s, line %d, %s\n", #CONDITION, __LINE__, current);        \
    ++failures;                                                                \
  }
static bool is_near(double a, double b, double tolerance = 1e-5) {
  return std::abs(a - b) <= tolerance * (1 + std::abs(b));
}

template <class T> __global__ void fill(T *to, int n, int seed) {
  for (int i = 0; i < n; ++i)
    to[i] = T((i * 7 + seed * 13) % 11 - 5);
}

template <class T> struct Array {
  T *data;
  Array(int size, int seed) {
    cudaMallocManaged(&data, size * sizeof(T));
    fill<<<1, 1>>>(data, size, seed); // nothing waits for it here
  }
  ~Array() { cudaFree(data); }
  double operator[](int i) const { return double(data[i]); }
};

static cublasLtHandle_t handle;
static cublasLtMatmulPreference_t preference;

/// A product's descriptors, by default of float.
struct Product {
  cublasLtMatmulDesc_t operation;
  cublasLtMatrixLayout_t a, b, c, d;

  Product(int m, int n, int k, cudaDataType type = CUDA_R_32F,
          cudaDataType out = CUDA_R_32F,
          cublasComputeType_t compute = CUBLAS_COMPUTE_32F,
          cudaDataType scale = CUDA_R_32F, bool ta = false, bool tb = false) {
    EXPECT(!cublasLtMatmulDescCreate(&operation, compute, scale));
    EXPECT(!cublasLtMatrixLayoutCreate(&a, type, ta ? k : m, ta ? m : k,
                                       ta ? k : m));
    EXPECT(!cublasLtMatrixLayoutCreate(&b, type, tb ? n : k, tb ? k : n,
                                       tb ? n : k));
    EXPECT(!cublasLtMatrixLayoutCreate(&c, out, m, n, m));
    EXPECT(!cublasLtMatrixLayoutCreate(&d, out, m, n, m));
    const cublasOperation_t t = CUBLAS_OP_T;
    if (ta)
      set(CUBLASLT_MATMUL_DESC_TRANSA, t);
    if (tb)
      set(CUBLASLT_MATMUL_DESC_TRANSB, t);
  }
  ~Product() {
    EXPECT(!cublasLtMatmulDescDestroy(operation));
    for (cublasLtMatrixLayout_t layout : {a, b, c, d})
      EXPECT(!cublasLtMatrixLayoutDestroy(layout));
  }
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T &value) {
    EXPECT(!cublasLtMatmulDescSetAttribute(operation, attribute, &value,
                                           sizeof value));
  }
  template <class T>
  void set_all(cublasLtMatrixLayoutAttribute_t attribute, const T &value) {
    for (cublasLtMatrixLayout_t layout : {a, b, c, d})
      EXPECT(!cublasLtMatrixLayoutSetAttribute(layout, attribute, &value,
                                               sizeof value));
  }
  cublasStatus_t run(const void *alpha, const void *in_a, const void *in_b,
                     const void *beta, const void *in_c, void *out) {
    cublasLtMatmulHeuristicResult_t found[3];
    int count = 0;
    if (cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
            handle, operation, a, b, c, d, preference, 3, found, &count))
      return status;
    EXPECT(count == 1 && found[0].state == CUBLAS_STATUS_SUCCESS);
    const cublasStatus_t status =
        cublasLtMatmul(handle, operation, alpha, in_a, a, in_b, b, beta, in_c,
                       c, out, d, &found[0].algo, nullptr, 0, nullptr);
    cudaDeviceSynchronize();
    return status;
  }
};

constexpr int M = 8, N = 4, K = 3;

/// The sum of op(A) op(B) at a place, of matrices that begin at these elements.
template <class T>
static double sum_of(const Array<T> &a, const Array<T> &b, bool ta, bool tb,
                     int i, int j, int start_a = 0, int start_b = 0) {
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum += a[start_a + (ta ? i * K + k : k * M + i)] *
           b[start_b + (tb ? k * N + j : j * K + k)];
  return sum;
}

template <class T, class Out, class Scale>
static void try_types(const char *name, cudaDataType type, cudaDataType out,
                      cublasComputeType_t compute, cudaDataType scale,
                      double alpha_value = 2, double beta_value = 3) {
  current = name;
  for (int trans = 0; trans < 4; ++trans) {
    const bool ta = trans & 1, tb = trans & 2;
    const Array<T> a(M * K, 1), b(K * N, 2);
    const Array<Out> c(M * N, 3), d(M * N, 4);
    const Scale alpha = Scale(alpha_value), beta = Scale(beta_value);
    Product product(M, N, K, type, out, compute, scale, ta, tb);
    EXPECT(!product.run(&alpha, a.data, b.data, &beta, c.data, d.data));
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j)
        EXPECT(is_near(d[j * M + i], alpha_value * sum_of(a, b, ta, tb, i, j) +
                                         beta_value * c[j * M + i]));
  }
  current = "";
}

static void try_complex() {
  const Array<float> a(2 * M * K, 1), b(2 * K * N, 2), d(2 * M * N, 4);
  using Complex = std::complex<float>;
  const Complex alpha(0, 1), beta(0);
  Product product(M, N, K, CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F,
                  CUDA_C_32F, true);
  product.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_C);
  EXPECT(!product.run(&alpha, a.data, b.data, &beta, nullptr, d.data));
  const Complex *ca = (const Complex *)a.data, *cb = (const Complex *)b.data,
                *cd = (const Complex *)d.data;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      Complex sum;
      for (int k = 0; k < K; ++k)
        sum += std::conj(ca[i * K + k]) * cb[j * K + k];
      EXPECT(std::abs(cd[j * M + i] - alpha * sum) < 1e-4);
    }
}

static void try_batches_and_rows() {
  constexpr int COUNT = 3;
  const Array<float> a(COUNT * M * K, 1), b(K * N, 2), d(COUNT * M * N, 4);
  const float alpha = 1, beta = 0;
  const int64_t step_a = M * K, none = 0, step_d = M * N;
  Product product(M, N, K);
  product.set_all(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, COUNT);
  auto step = [](cublasLtMatrixLayout_t layout, int64_t value) {
    EXPECT(!cublasLtMatrixLayoutSetAttribute(
        layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &value,
        sizeof value));
  };
  step(product.a, step_a);
  step(product.b, none); // one matrix for all
  step(product.c, step_d);
  step(product.d, step_d);
  EXPECT(!product.run(&alpha, a.data, b.data, &beta, d.data, d.data));
  for (int batch = 0; batch < COUNT; ++batch)
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j)
        EXPECT(d[batch * M * N + j * M + i] ==
               sum_of(a, b, false, false, i, j, batch * M * K));

  // By rows, each matrix is what its transpose is by columns.
  Product rows(M, N, K);
  rows.set_all(CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_ORDER_ROW);
  const int64_t ld_a = K, ld_b = N, ld_d = N;
  auto ld = [](cublasLtMatrixLayout_t layout, const int64_t &value) {
    EXPECT(!cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_LD,
                                             &value, sizeof value));
  };
  ld(rows.a, ld_a);
  ld(rows.b, ld_b);
  ld(rows.c, ld_d);
  ld(rows.d, ld_d);
  EXPECT(!rows.run(&alpha, a.data, b.data, &beta, nullptr, d.data));
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j)
      EXPECT(d[i * N + j] == sum_of(a, b, true, true, i, j));
}

static void try_factors() {
  const Array<float> a(M * K, 1), b(K * N, 2), c(M * N, 3), d(M * N, 4);
  const Array<float> alphas(M, 5), betas(M, 6);
  const float three = 3;
  auto expect = [&](bool alpha_vector, int beta_kind) {
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j)
        EXPECT(d[j * M + i] ==
               alphas[alpha_vector ? i : 0] * sum_of(a, b, false, false, i, j) +
                   (beta_kind == 0   ? betas[0]
                    : beta_kind == 1 ? betas[i]
                    : beta_kind == 2 ? 0
                                     : 3) *
                       c[j * M + i]);
  };
  Product product(M, N, K);
  product.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_POINTER_MODE_DEVICE);
  EXPECT(!product.run(alphas.data, a.data, b.data, betas.data, c.data, d.data));
  expect(false, 0);
  product.set(CUBLASLT_MATMUL_DESC_POINTER_MODE,
              CUBLASLT_POINTER_MODE_DEVICE_VECTOR);
  EXPECT(!product.run(alphas.data, a.data, b.data, betas.data, c.data, d.data));
  expect(true, 1);
  product.set(CUBLASLT_MATMUL_DESC_POINTER_MODE,
              CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO);
  EXPECT(!product.run(alphas.data, a.data, b.data, nullptr, c.data, d.data));
  expect(true, 2);
  product.set(CUBLASLT_MATMUL_DESC_POINTER_MODE,
              CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST);
  EXPECT(!product.run(alphas.data, a.data, b.data, &three, c.data, d.data));
  expect(true, 3);
}

static double gelu(double x) {
  return 0.5 * x *
         (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

static void try_epilogues() {
  const Array<float> a(M * K, 1), b(K * N, 2), d(M * N, 4), bias(M, 5),
      aux(M * N, 6);
  const float alpha = 0.0625f, beta = 0;
  auto run = [&](cublasLtEpilogue_t epilogue, float *bias_or_sums) {
    Product product(M, N, K);
    product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    product.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias_or_sums);
    product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.data);
    product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(M));
    EXPECT(!product.run(&alpha, a.data, b.data, &beta, nullptr, d.data));
  };
  auto product_at = [&](int i, int j) {
    return alpha * sum_of(a, b, false, false, i, j);
  };
#define EXPECT_EACH(NAME, VALUE)                                               \
  current = NAME;                                                              \
  for (int i = 0; i < M; ++i)                                                  \
    for (int j = 0; j < N; ++j) {                                              \
      const double x = product_at(i, j);                                       \
      EXPECT(is_near(d[j * M + i], VALUE));                                    \
    }
  run(CUBLASLT_EPILOGUE_RELU, nullptr);
  EXPECT_EACH("relu", std::fmax(x, 0))
  run(CUBLASLT_EPILOGUE_BIAS, bias.data);
  EXPECT_EACH("bias", x + bias[i])
  run(CUBLASLT_EPILOGUE_RELU_BIAS, bias.data);
  EXPECT_EACH("relu and bias", std::fmax(x + bias[i], 0))
  run(CUBLASLT_EPILOGUE_GELU, nullptr);
  EXPECT_EACH("gelu", gelu(x))
  run(CUBLASLT_EPILOGUE_GELU_BIAS, bias.data);
  EXPECT_EACH("gelu and bias", gelu(x + bias[i]))
  run(CUBLASLT_EPILOGUE_GELU_AUX_BIAS, bias.data);
  EXPECT_EACH("gelu, aux and bias", gelu(x + bias[i]))
  EXPECT_EACH("input of gelu", gelu(aux[j * M + i]))

  // The gradient of GELU at what is in aux, and its sums over the columns.
  const Array<float> sums(M, 7);
  auto gradient = [](double x) {
    return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5;
  };
  run(CUBLASLT_EPILOGUE_DGELU_BGRAD, sums.data);
  EXPECT_EACH("gradient of gelu", x * gradient(aux[j * M + i]))
  for (int i = 0; i < M; ++i) {
    double sum = 0;
    for (int j = 0; j < N; ++j)
      sum += d[j * M + i];
    EXPECT(is_near(sums[i], sum));
  }

  // Sums of the factors.
  const Array<float> sums_a(M, 7), sums_b(N, 8);
  run(CUBLASLT_EPILOGUE_BGRADA, sums_a.data);
  EXPECT_EACH("sums of A", x)
  run(CUBLASLT_EPILOGUE_BGRADB, sums_b.data);
  EXPECT_EACH("sums of B", x)
  for (int i = 0; i < M; ++i)
    EXPECT(sums_a[i] == a[i] + a[M + i] + a[2 * M + i]);
  for (int j = 0; j < N; ++j)
    EXPECT(sums_b[j] == b[j * K] + b[j * K + 1] + b[j * K + 2]);
  current = "";

  // ReLU's mask leads its gradient to the same places.
  const Array<unsigned> mask(4 * N, 0);
  for (auto epilogue : {CUBLASLT_EPILOGUE_RELU_AUX, CUBLASLT_EPILOGUE_DRELU}) {
    Product product(M, N, K);
    product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, mask.data);
    product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(128));
    EXPECT(!product.run(&alpha, a.data, b.data, &beta, nullptr, d.data));
    EXPECT_EACH("mask of relu", std::fmax(x, 0))
  }
}

static void try_attributes() {
  Product product(M, N, K);
  float *bias = nullptr;
  int32_t order = CUBLASLT_ORDER_COL32;
  size_t written = 0;
  EXPECT(cublasLtMatmulDescSetAttribute(
             product.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, 4) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(!cublasLtMatmulDescGetAttribute(product.operation,
                                         CUBLASLT_MATMUL_DESC_EPILOGUE, nullptr,
                                         0, &written) &&
         written == 4);
  uint64_t rows = 0;
  EXPECT(!cublasLtMatrixLayoutGetAttribute(product.a,
                                           CUBLASLT_MATRIX_LAYOUT_ROWS, &rows,
                                           sizeof rows, &written) &&
         rows == M && written == 8);
  // Scales of 8 bit floats are not there, but may be null.
  EXPECT(!cublasLtMatmulDescSetAttribute(product.operation,
                                         CUBLASLT_MATMUL_DESC_A_SCALE_POINTER,
                                         &bias, sizeof bias));
  bias = (float *)&rows;
  EXPECT(cublasLtMatmulDescSetAttribute(
             product.operation, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &bias,
             sizeof bias) == CUBLAS_STATUS_NOT_SUPPORTED);

  // What cannot be computed has no algorithm.
  const float one = 1;
  const Array<float> a(M * K, 1), d(M * N, 2);
  EXPECT(!cublasLtMatrixLayoutSetAttribute(
      product.b, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  EXPECT(product.run(&one, a.data, a.data, &one, d.data, d.data) ==
         CUBLAS_STATUS_NOT_SUPPORTED);
  Product other(M, N, K, CUDA_R_32F, CUDA_R_64F);
  EXPECT(other.run(&one, a.data, a.data, &one, d.data, d.data) ==
         CUBLAS_STATUS_NOT_SUPPORTED);
  Product shape(M, N, K);
  rows = M + 1;
  EXPECT(!cublasLtMatrixLayoutSetAttribute(shape.d, CUBLASLT_MATRIX_LAYOUT_ROWS,
                                           &rows, sizeof rows));
  EXPECT(shape.run(&one, a.data, a.data, &one, d.data, d.data) ==
         CUBLAS_STATUS_INVALID_VALUE);
  Product needs_bias(M, N, K);
  needs_bias.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  EXPECT(needs_bias.run(&one, a.data, a.data, &one, d.data, d.data) ==
         CUBLAS_STATUS_INVALID_VALUE);
}

static void try_transform() {
  // From columns of half to rows of float, with descriptors on the stack.
  const Array<half> a(M * N, 1);
  const Array<float> c(M * N, 2);
  cublasLtMatrixLayoutOpaque_t from, to;
  cublasLtMatrixTransformDescOpaque_t transform;
  const int32_t by_rows = CUBLASLT_ORDER_ROW;
  const float two = 2;
  EXPECT(!cublasLtMatrixLayoutInit(&from, CUDA_R_16F, M, N, M) &&
         !cublasLtMatrixLayoutInit(&to, CUDA_R_32F, M, N, N) &&
         !cublasLtMatrixTransformDescInit(&transform, CUDA_R_32F));
  EXPECT(!cublasLtMatrixLayoutSetAttribute(&to, CUBLASLT_MATRIX_LAYOUT_ORDER,
                                           &by_rows, sizeof by_rows));
  EXPECT(!cublasLtMatrixTransform(handle, &transform, &two, a.data, &from,
                                  nullptr, nullptr, nullptr, c.data, &to,
                                  nullptr));
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j)
      EXPECT(c[i * N + j] == 2 * a[j * M + i]);
}

int main() {
  EXPECT(!cublasLtCreate(&handle));
  EXPECT(cublasLtGetVersion() == CUBLAS_VERSION);
  EXPECT(!cublasLtMatmulPreferenceCreate(&preference));
  const size_t workspace = 1 << 20;
  EXPECT(!cublasLtMatmulPreferenceSetAttribute(
      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
      sizeof workspace));
  try_types<float, float, float>("float", CUDA_R_32F, CUDA_R_32F,
                                 CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F);
  try_types<double, double, double>("double", CUDA_R_64F, CUDA_R_64F,
                                    CUBLAS_COMPUTE_64F, CUDA_R_64F);
  try_types<half, half, float>("half", CUDA_R_16F, CUDA_R_16F,
                               CUBLAS_COMPUTE_32F, CUDA_R_32F);
  try_types<half, half, half>("half by half", CUDA_R_16F, CUDA_R_16F,
                              CUBLAS_COMPUTE_16F, CUDA_R_16F);
  try_types<__nv_bfloat16, __nv_bfloat16, float>(
      "bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 1,
      1);
  try_types<__nv_bfloat16, float, float>("bfloat16 to float", CUDA_R_16BF,
                                         CUDA_R_32F, CUBLAS_COMPUTE_32F,
                                         CUDA_R_32F);
  try_types<signed char, int, int>("int8 to int32", CUDA_R_8I, CUDA_R_32I,
                                   CUBLAS_COMPUTE_32I, CUDA_R_32I);
  try_types<signed char, signed char, float>("int8 to int8", CUDA_R_8I,
                                             CUDA_R_8I, CUBLAS_COMPUTE_32I,
                                             CUDA_R_32F, 1, 2);
  try_complex();
  try_batches_and_rows();
  try_factors();
  try_epilogues();
  try_attributes();
  try_transform();
  EXPECT(!cublasLtMatmulPreferenceDestroy(preference));
  EXPECT(!cublasLtDestroy(handle));
  printf("%d failures\n", failures);
  return failures != 0;
}
