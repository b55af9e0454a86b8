//===-- test/cuda/Inputs/cusolver.cu - cuSOLVER on the emulated device ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factorisations, equations, eigenvalues and singular values of all four types
// of numbers, from matrices that kernels have written.
//===----------------------------------------------------------------------===//
#include <cmath>
#include <complex>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>

static int failures;
static const char *current = "";
#define EXPECT(CONDITION)                                                      \
  if (!(CONDITION)) {                                                          \
    printf("failed: %s, line %d, %s\n", #CONDITION, __LINE__, current);        \
    ++failures;                                                                \
  }

static float conjugate(float x) { return x; }
static double conjugate(double x) { return x; }
template <class T> static std::complex<T> conjugate(std::complex<T> x) {
  return std::conj(x);
}

/// Numbers from -1 to 1, for a complex matrix two each.
template <class T> __global__ void fill(T *to, int n, int seed) {
  for (int i = 0; i < n; ++i)
    to[i] = T((i * 37 + seed * 13) % 41 - 20) / 20;
}

/// A matrix by columns in memory that device and host share.
template <class T, class Element> struct Matrix {
  Element *data;
  int rows, columns;
  Matrix(int rows, int columns, int seed = -1) : rows(rows), columns(columns) {
    using Real = decltype(std::real(T()));
    cudaMallocManaged(&data, sizeof(T) * rows * columns);
    if (seed >= 0) {
      fill<<<1, 1>>>((Real *)data,
                     rows * columns * int(sizeof(T) / sizeof(Real)), seed);
      cudaDeviceSynchronize();
    }
  }
  Matrix(const Matrix &other) : Matrix(other.rows, other.columns) {
    for (int i = 0; i < rows * columns; ++i)
      numbers()[i] = other.numbers()[i];
  }
  ~Matrix() { cudaFree(data); }
  T *numbers() const { return (T *)data; }
  T &at(int i, int j) const { return numbers()[j * rows + i]; }
};
template <class T, class E>
static Matrix<T, E> operator*(const Matrix<T, E> &a, const Matrix<T, E> &b) {
  Matrix<T, E> result(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j) {
      T sum = T();
      for (int k = 0; k < a.columns; ++k)
        sum += a.at(i, k) * b.at(k, j);
      result.at(i, j) = sum;
    }
  return result;
}
/// The conjugate transpose.
template <class T, class E> static Matrix<T, E> turned(const Matrix<T, E> &a) {
  Matrix<T, E> result(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j)
      result.at(j, i) = conjugate(a.at(i, j));
  return result;
}
template <class T, class E>
static bool are_near(const Matrix<T, E> &a, const Matrix<T, E> &b) {
  const double tolerance = sizeof(std::real(T())) == 4 ? 1e-4 : 1e-10;
  for (int i = 0; i < a.rows * a.columns; ++i)
    if (!(std::abs(a.numbers()[i] - b.numbers()[i]) <= tolerance))
      return false;
  return a.rows == b.rows && a.columns == b.columns;
}

static cusolverDnHandle_t handle;
/// In the device's memory.
static int *info, *pivots;

template <class T> struct Api;
#define API(TYPE, NUMBER, ELEMENT, GQR, MQR, SY)                               \
  template <> struct Api<NUMBER> {                                             \
    using Element = ELEMENT;                                                   \
    static constexpr const char *NAME = #TYPE;                                 \
    static constexpr auto potrf_size = cusolverDn##TYPE##potrf_bufferSize;     \
    static constexpr auto potrf = cusolverDn##TYPE##potrf;                     \
    static constexpr auto potrf_batched = cusolverDn##TYPE##potrfBatched;      \
    static constexpr auto potrs_batched = cusolverDn##TYPE##potrsBatched;      \
    static constexpr auto potrs = cusolverDn##TYPE##potrs;                     \
    static constexpr auto potri = cusolverDn##TYPE##potri;                     \
    static constexpr auto getrf_size = cusolverDn##TYPE##getrf_bufferSize;     \
    static constexpr auto getrf = cusolverDn##TYPE##getrf;                     \
    static constexpr auto getrs = cusolverDn##TYPE##getrs;                     \
    static constexpr auto laswp = cusolverDn##TYPE##laswp;                     \
    static constexpr auto geqrf_size = cusolverDn##TYPE##geqrf_bufferSize;     \
    static constexpr auto geqrf = cusolverDn##TYPE##geqrf;                     \
    static constexpr auto gqr = cusolverDn##TYPE##GQR;                         \
    static constexpr auto mqr = cusolverDn##TYPE##MQR;                         \
    static constexpr auto gesvd_size = cusolverDn##TYPE##gesvd_bufferSize;     \
    static constexpr auto gesvd = cusolverDn##TYPE##gesvd;                     \
    static constexpr auto gesvdj = cusolverDn##TYPE##gesvdj;                   \
    static constexpr auto evd_size = cusolverDn##TYPE##SY##evd_bufferSize;     \
    static constexpr auto evd = cusolverDn##TYPE##SY##evd;                     \
    static constexpr auto evj = cusolverDn##TYPE##SY##evj;                     \
    static constexpr auto gvd = cusolverDn##TYPE##SY##gvd;                     \
  };
API(S, float, float, orgqr, ormqr, sy)
API(D, double, double, orgqr, ormqr, sy)
API(C, std::complex<float>, cuComplex, ungqr, unmqr, he)
API(Z, std::complex<double>, cuDoubleComplex, ungqr, unmqr, he)

constexpr int N = 6;

/// A A^H + 1, which is hermitian and positive definite.
template <class M> static M definite(int seed) {
  const M a(N, N, seed);
  M result = a * turned(a);
  for (int i = 0; i < N; ++i)
    result.at(i, i) += 1;
  return result;
}

template <class T> static void try_equations() {
  using A = Api<T>;
  using M = Matrix<T, typename A::Element>;
  int size = 0;
  const M x(N, 2, 3);

  // Cholesky's, alone and two at once.
  const M a = definite<M>(1);
  M factor(a), right = a * x;
  EXPECT(!A::potrf_size(handle, CUBLAS_FILL_MODE_LOWER, N, factor.data, N,
                        &size) &&
         size > 0);
  *info = -1;
  EXPECT(!A::potrf(handle, CUBLAS_FILL_MODE_LOWER, N, factor.data, N, nullptr,
                   size, info) &&
         *info == 0);
  EXPECT(!A::potrs(handle, CUBLAS_FILL_MODE_LOWER, N, 2, factor.data, N,
                   right.data, N, info) &&
         *info == 0);
  EXPECT(are_near(right, x));
  EXPECT(!A::potri(handle, CUBLAS_FILL_MODE_LOWER, N, factor.data, N, nullptr,
                   size, info));
  for (int i = 0; i < N; ++i) // the upper triangle is not written
    for (int j = i + 1; j < N; ++j)
      factor.at(i, j) = conjugate(factor.at(j, i));
  M one(N, N);
  for (int i = 0; i < N * N; ++i)
    one.numbers()[i] = i % (N + 1) ? T(0) : T(1);
  EXPECT(are_near(factor * a, one));
  M first(a), second(definite<M>(2)), b = first * x, c = second * x;
  typename A::Element **matrices, **rights;
  cudaMallocManaged(&matrices, 2 * sizeof *matrices);
  cudaMallocManaged(&rights, 2 * sizeof *rights);
  matrices[0] = first.data, matrices[1] = second.data;
  rights[0] = b.data, rights[1] = c.data;
  EXPECT(!A::potrf_batched(handle, CUBLAS_FILL_MODE_UPPER, N, matrices, N, info,
                           2) &&
         info[0] == 0 && info[1] == 0);
  EXPECT(!A::potrs_batched(handle, CUBLAS_FILL_MODE_UPPER, N, 2, matrices, N,
                           rights, N, info, 2));
  EXPECT(are_near(b, x) && are_near(c, x));
  cudaFree(matrices);
  cudaFree(rights);
  // The third minor is not positive.
  M indefinite(one);
  indefinite.at(2, 2) = -1;
  EXPECT(!A::potrf(handle, CUBLAS_FILL_MODE_UPPER, N, indefinite.data, N,
                   nullptr, 1, info) &&
         *info == 3);

  // LU, with interchanges and without.
  M general(N, N, 5);
  // Far from singular, with the largest numbers beside the diagonal.
  for (int i = 0; i < N; ++i)
    general.at((i + 1) % N, i) += 4;
  for (int *interchanges : {pivots, (int *)nullptr}) {
    const M &lu = interchanges ? general : a;
    M parts(lu), sides = turned(lu) * x;
    EXPECT(!A::getrf_size(handle, N, N, parts.data, N, &size) && size > 0);
    EXPECT(
        !A::getrf(handle, N, N, parts.data, N, nullptr, interchanges, info) &&
        *info == 0);
    EXPECT(!A::getrs(handle, CUBLAS_OP_C, N, 2, parts.data, N, interchanges,
                     sides.data, N, info) &&
           *info == 0);
    EXPECT(are_near(sides, x));
  }
  M swapped(x);
  pivots[0] = 2, pivots[1] = 2;
  EXPECT(!A::laswp(handle, 2, swapped.data, N, 1, 2, pivots, 1));
  EXPECT(swapped.at(0, 1) == x.at(1, 1) && swapped.at(1, 1) == x.at(0, 1));

  // QR: A = Q R, and Q^H A = R.
  const M tall(N + 2, N, 7);
  M qr(tall), tau(N, 1), r(N, N), to_turn(tall);
  EXPECT(!A::geqrf_size(handle, N + 2, N, qr.data, N + 2, &size) && size > 0);
  EXPECT(!A::geqrf(handle, N + 2, N, qr.data, N + 2, tau.data, nullptr, size,
                   info) &&
         *info == 0);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      r.at(i, j) = i <= j ? qr.at(i, j) : T();
  EXPECT(
      !A::mqr(handle, CUBLAS_SIDE_LEFT,
              sizeof(T) == sizeof(std::real(T())) ? CUBLAS_OP_T : CUBLAS_OP_C,
              N + 2, N, N, qr.data, N + 2, tau.data, to_turn.data, N + 2,
              nullptr, size, info) &&
      *info == 0);
  EXPECT(!A::gqr(handle, N + 2, N, N, qr.data, N + 2, tau.data, nullptr, size,
                 info) &&
         *info == 0);
  EXPECT(are_near(qr * r, tall));
  EXPECT(are_near(turned(qr) * tall, r));
  bool is_upper = true;
  for (int j = 0; j < N; ++j)
    for (int i = j + 1; i < N + 2; ++i)
      is_upper = is_upper && std::abs(to_turn.at(i, j)) < 1e-4;
  EXPECT(is_upper && std::abs(to_turn.at(0, 1) - r.at(0, 1)) < 1e-4);
}

/// The columns of `of` times numbers.
template <class M, class Real>
static M scaled(const M &of, const Real *factors, int columns) {
  M result(of.rows, columns);
  for (int i = 0; i < of.rows; ++i)
    for (int j = 0; j < columns; ++j)
      result.at(i, j) = of.at(i, j) * factors[j];
  return result;
}

template <class T> static void try_values() {
  using A = Api<T>;
  using M = Matrix<T, typename A::Element>;
  using Real = decltype(std::real(T()));
  int size = 0;
  Real *values;
  cudaMallocManaged(&values, N * sizeof *values);

  const M a = definite<M>(1), b = definite<M>(2);
  for (bool jacobi : {false, true}) {
    M vectors(a);
    EXPECT(!A::evd_size(handle, CUSOLVER_EIG_MODE_VECTOR,
                        CUBLAS_FILL_MODE_UPPER, N, a.data, N, values, &size) &&
           size > 0);
    *info = -1;
    syevjInfo_t how;
    EXPECT(!cusolverDnCreateSyevjInfo(&how) &&
           !cusolverDnXsyevjSetTolerance(how, 1e-7));
    EXPECT(
        !(jacobi
              ? A::evj(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER,
                       N, vectors.data, N, values, nullptr, size, info, how)
              : A::evd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER,
                       N, vectors.data, N, values, nullptr, size, info)) &&
        *info == 0);
    EXPECT(!cusolverDnDestroySyevjInfo(how));
    EXPECT(are_near(a * vectors, scaled(vectors, values, N)));
    for (int i = 1; i < N; ++i)
      EXPECT(values[i - 1] <= values[i]);
  }
  M vectors(a), other(b);
  EXPECT(!A::gvd(handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR,
                 CUBLAS_FILL_MODE_LOWER, N, vectors.data, N, other.data, N,
                 values, nullptr, 1, info) &&
         *info == 0);
  EXPECT(are_near(a * vectors, scaled(b * vectors, values, N)));

  // A = U S V^H, of a tall matrix; Jacobi's of a wide one, too.
  const M tall(N + 2, N, 7);
  M destroyed(tall), u(N + 2, N + 2), vt(N, N), u_part(N + 2, N);
  EXPECT(!A::gesvd_size(handle, N + 2, N, &size) && size > 0);
  EXPECT(!A::gesvd(handle, 'A', 'A', N + 2, N, destroyed.data, N + 2, values,
                   u.data, N + 2, vt.data, N, nullptr, size, nullptr, info) &&
         *info == 0);
  EXPECT(are_near(scaled(u, values, N) * vt, tall));
  for (int i = 1; i < N; ++i)
    EXPECT(values[i - 1] >= values[i] && values[i] >= 0);
  EXPECT(A::gesvd(handle, 'A', 'A', N, N + 2, destroyed.data, N, values, u.data,
                  N, vt.data, N + 2, nullptr, size, nullptr,
                  info) == CUSOLVER_STATUS_INVALID_VALUE);
  const M wide(N - 2, N, 8);
  M gone(wide), left(N - 2, N - 2), v(N, N - 2);
  gesvdjInfo_t how;
  EXPECT(!cusolverDnCreateGesvdjInfo(&how));
  EXPECT(!A::gesvdj(handle, CUSOLVER_EIG_MODE_VECTOR, 1, N - 2, N, gone.data,
                    N - 2, values, left.data, N - 2, v.data, N, nullptr, 1,
                    info, how) &&
         *info == 0);
  EXPECT(!cusolverDnDestroyGesvdjInfo(how));
  EXPECT(are_near(scaled(left, values, N - 2) * turned(v), wide));
  cudaFree(values);
}

template <class T> static void try_type() {
  current = Api<T>::NAME;
  try_equations<T>();
  try_values<T>();
}

int main() {
  int version = 0, size = 0;
  EXPECT(!cusolverGetVersion(&version) && version == CUSOLVER_VERSION);
  EXPECT(cusolverDnSpotrf_bufferSize(nullptr, CUBLAS_FILL_MODE_LOWER, 1,
                                     nullptr, 1,
                                     &size) == CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT(!cusolverDnCreate(&handle));
  cudaStream_t stream, got;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  EXPECT(!cusolverDnSetStream(handle, stream) &&
         !cusolverDnGetStream(handle, &got) && got == stream);
  cudaMallocManaged(&info, 2 * sizeof *info);
  cudaMallocManaged(&pivots, N * sizeof *pivots);
  try_type<float>();
  try_type<double>();
  try_type<std::complex<float>>();
  try_type<std::complex<double>>();
  current = "";

  // Work waits for the kernel's stream: a matrix of one number.
  double *late;
  cudaMallocManaged(&late, 100000 * sizeof *late);
  fill<<<1, 1, 0, stream>>>(late, 100000, 27);
  EXPECT(!cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, 1, late + 99999, 1,
                           nullptr, 1, info));
  cudaDeviceSynchronize();
  const double was = double((99999 * 37 + 27 * 13) % 41 - 20) / 20;
  EXPECT(was > 0 && *info == 0 && late[99999] == std::sqrt(was));
  EXPECT(cusolverDnDgetrf(handle, 3, 3, late, 2, nullptr, pivots, info) ==
         CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(!cusolverDnDestroy(handle));
  printf("%d failures\n", failures);
  return failures != 0;
}
