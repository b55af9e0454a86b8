//===-- test/cuda/Inputs/cufft.cu - cuFFT on the emulated device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms against the sums that define them, on memory that kernels have
// written.
//===----------------------------------------------------------------------===//
#include <cmath>
#include <complex>
#include <cstdio>
#include <cufft.h>
#include <vector>

static int failures;
#define EXPECT(CONDITION)                                                      \
  if (!(CONDITION)) {                                                          \
    printf("failed: %s, line %d\n", #CONDITION, __LINE__);                     \
    ++failures;                                                                \
  }

template <class T> __global__ void fill(T *to, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = T((i * 7 + 3) % 11 - 5);
}
template <class T> struct Array {
  T *data;
  explicit Array(int n) {
    cudaMallocManaged(&data, n * sizeof(T));
    fill<<<1, 1>>>(data, n); // nothing waits for it here
  }
  ~Array() { cudaFree(data); }
  T &operator[](int i) const { return data[i]; }
};

using Complex = std::complex<double>;
static bool is_near(Complex a, Complex b, double limit = 1e-3) {
  return std::abs(a - b) <= limit * (1 + std::abs(b));
}
template <class T> Complex at(const T *data, int i) {
  return {double(data[2 * i]), double(data[2 * i + 1])};
}

/// Element k of the transform of n elements, `step` apart.
template <class F> Complex transformed(int n, int k, int sign, F element) {
  Complex sum;
  for (int i = 0; i < n; ++i)
    sum += element(i) * std::polar(1.0, sign * 2 * M_PI * i * k / n);
  return sum;
}

void one_dimension() {
  const int n = 12, batch = 3;
  const Array<float> in(2 * n * batch), out(2 * n * batch);
  cufftHandle plan;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  EXPECT(!cufftPlan1d(&plan, n, CUFFT_C2C, batch));
  EXPECT(!cufftSetStream(plan, stream));
  cudaDeviceSynchronize();
  EXPECT(!cufftExecC2C(plan, (cufftComplex *)in.data, (cufftComplex *)out.data,
                       CUFFT_FORWARD));
  cudaStreamSynchronize(stream);
  for (int b = 0; b < batch; ++b)
    for (int k = 0; k < n; ++k)
      EXPECT(is_near(at(out.data, b * n + k), transformed(n, k, -1, [&](int i) {
                       return at(in.data, b * n + i);
                     })));
  // Back, in place: n times what it was.
  EXPECT(!cufftExecC2C(plan, (cufftComplex *)out.data, (cufftComplex *)out.data,
                       CUFFT_INVERSE));
  for (int i = 0; i < n * batch; ++i)
    EXPECT(is_near(at(out.data, i), double(n) * at(in.data, i)));
  EXPECT(cufftExecZ2Z(plan, nullptr, nullptr, CUFFT_FORWARD) ==
         CUFFT_INVALID_TYPE);
  EXPECT(!cufftDestroy(plan));
  EXPECT(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
}

/// Real numbers, out of place and in place with padded lines, and back.
void real_numbers() {
  const int nx = 4, ny = 6, half = ny / 2 + 1;
  const Array<double> in(nx * ny), out(2 * nx * half), place(2 * nx * half),
      back(nx * ny);
  cudaDeviceSynchronize();
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      place[i * 2 * half + j] = in[i * ny + j];
  cufftHandle forward, backward;
  EXPECT(!cufftPlan2d(&forward, nx, ny, CUFFT_D2Z));
  EXPECT(!cufftPlan2d(&backward, nx, ny, CUFFT_Z2D));
  EXPECT(!cufftExecD2Z(forward, in.data, (cufftDoubleComplex *)out.data));
  EXPECT(!cufftExecD2Z(forward, place.data, (cufftDoubleComplex *)place.data));
  for (int k = 0; k < nx; ++k)
    for (int l = 0; l < half; ++l) {
      const Complex expected = transformed(nx, k, -1, [&](int i) {
        return transformed(ny, l, -1,
                           [&](int j) { return Complex(in[i * ny + j]); });
      });
      EXPECT(is_near(at(out.data, k * half + l), expected, 1e-9));
      EXPECT(is_near(at(place.data, k * half + l), expected, 1e-9));
    }
  EXPECT(!cufftExecZ2D(backward, (cufftDoubleComplex *)out.data, back.data));
  for (int i = 0; i < nx * ny; ++i)
    EXPECT(is_near(back[i], in[i] * nx * ny, 1e-9));
  EXPECT(!cufftDestroy(forward) && !cufftDestroy(backward));
}

/// Columns of a matrix by rows: elements are a line apart, transforms one.
void columns() {
  const int rows = 5, width = 3;
  int n[] = {rows}, embed[] = {rows};
  const Array<double> in(2 * rows * width), out(2 * rows * width);
  cufftHandle plan;
  size_t size = 1;
  EXPECT(!cufftCreate(&plan));
  EXPECT(cufftExecZ2Z(plan, (cufftDoubleComplex *)in.data,
                      (cufftDoubleComplex *)out.data,
                      CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  EXPECT(!cufftMakePlanMany(plan, 1, n, embed, width, 1, embed, width, 1,
                            CUFFT_Z2Z, width, &size));
  cudaDeviceSynchronize();
  EXPECT(!cufftExecZ2Z(plan, (cufftDoubleComplex *)in.data,
                       (cufftDoubleComplex *)out.data, CUFFT_INVERSE));
  for (int c = 0; c < width; ++c)
    for (int k = 0; k < rows; ++k)
      EXPECT(is_near(
          at(out.data, k * width + c),
          transformed(rows, k, 1,
                      [&](int i) { return at(in.data, i * width + c); }),
          1e-9));
  EXPECT(!cufftDestroy(plan));
}

int main() {
  one_dimension();
  real_numbers();
  columns();
  cufftHandle plan;
  EXPECT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  EXPECT(!cufftPlan3d(&plan, 4, 4, 4, CUFFT_R2C) && !cufftDestroy(plan));
  printf("%d failures\n", failures);
  return failures != 0;
}
