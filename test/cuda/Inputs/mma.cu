// Products of matrices by warps, compared with the host's.
#include <cstdio>
#include <cstdlib>
#include <mma.h>
#include <type_traits>
using namespace nvcuda;

// What a fragment's type is in memory.
template <class T> struct memory { typedef T type; };
template <> struct memory<wmma::precision::tf32> { typedef float type; };

enum { PAD = 8 };

// d = scale * (a * b) + c. A fragment's elements can be scaled one by one.
template <int M, int N, int K, class T, class D, class C, class LA, class LB>
__global__ void product(const typename memory<T>::type *a,
                        const typename memory<T>::type *b, const C *c, D *d,
                        int stride_a, int stride_b, wmma::layout_t layout,
                        int stride) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fragment<wmma::accumulator, M, N, K, D> zero, fd;
  wmma::load_matrix_sync(fa, a, stride_a);
  wmma::load_matrix_sync(fb, b, stride_b);
  wmma::load_matrix_sync(fc, c, stride, layout);
  wmma::fill_fragment(zero, D(0));
  wmma::mma_sync(fd, fa, fb, zero);
  for (int i = 0; i < fd.num_elements; ++i)
    fd.x[i] = fd.x[i] + fd.x[i];
  wmma::mma_sync(fd, fa, fb, fd);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fd.num_elements; ++i)
    fd.x[i] = D(float(fd.x[i]) + float(fc.x[i]));
  wmma::store_matrix_sync(d, fd, stride, layout);
}

template <class T> T *managed(size_t count) {
  T *p = nullptr;
  if (cudaMallocManaged(&p, count * sizeof(T)) != cudaSuccess)
    exit(1);
  return p;
}

template <class L>
constexpr bool by_columns = std::is_same<L, wmma::col_major>::value;

static int products, wrong;

template <int M, int N, int K, class T, class D, class C, class LA, class LB>
void one(wmma::layout_t layout) {
  typedef typename memory<T>::type E;
  const bool columns = layout == wmma::mem_col_major;
  const int sa = (by_columns<LA> ? M : K) + PAD,
            sb = (by_columns<LB> ? K : N) + PAD, sc = (columns ? M : N) + PAD;
  E *a = managed<E>(40 * 48), *b = managed<E>(40 * 48);
  C *c = managed<C>(40 * 48);
  D *d = managed<D>(40 * 48);
  const int low = std::is_unsigned<E>::value ? 0 : -3;
  auto in_a = [&](int i, int k) {
    return by_columns<LA> ? k * sa + i : i * sa + k;
  };
  auto in_b = [&](int k, int j) {
    return by_columns<LB> ? j * sb + k : k * sb + j;
  };
  auto in_c = [&](int i, int j) { return columns ? j * sc + i : i * sc + j; };
  for (int i = 0; i < 40 * 48; ++i) {
    a[i] = E(float(rand() % 7 + low));
    b[i] = E(float(rand() % 7 + low));
    c[i] = C(float(rand() % 100 - 50));
    d[i] = D(77);
  }
  product<M, N, K, T, D, C, LA, LB><<<1, 32>>>(a, b, c, d, sa, sb, layout, sc);
  if (cudaDeviceSynchronize() != cudaSuccess)
    ++wrong;
  // Four times the product and c; nothing between the rows is touched.
  int expected[40 * 48];
  for (int &e : expected)
    e = 77;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      int sum = int(float(c[in_c(i, j)]));
      for (int k = 0; k < K; ++k)
        sum += 4 * int(float(a[in_a(i, k)])) * int(float(b[in_b(k, j)]));
      expected[in_c(i, j)] = sum;
    }
  bool equal = true;
  for (int i = 0; i < 40 * 48; ++i)
    equal &= float(d[i]) == float(expected[i]);
  ++products;
  wrong += !equal;
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

template <int M, int N, int K, class T, class D, class C>
void layouts(wmma::layout_t layout) {
  one<M, N, K, T, D, C, wmma::row_major, wmma::row_major>(layout);
  one<M, N, K, T, D, C, wmma::row_major, wmma::col_major>(layout);
  one<M, N, K, T, D, C, wmma::col_major, wmma::row_major>(layout);
  one<M, N, K, T, D, C, wmma::col_major, wmma::col_major>(layout);
}

template <class T, class D, class C> void shapes(wmma::layout_t layout) {
  layouts<16, 16, 16, T, D, C>(layout);
  layouts<32, 8, 16, T, D, C>(layout);
  layouts<8, 32, 16, T, D, C>(layout);
}

// One shape in all layouts, the others in one.
template <class T, class D, class C> void few(wmma::layout_t layout) {
  layouts<16, 16, 16, T, D, C>(layout);
  one<32, 8, 16, T, D, C, wmma::row_major, wmma::col_major>(layout);
  one<8, 32, 16, T, D, C, wmma::col_major, wmma::row_major>(layout);
}

static void say(const char *name) {
  printf("%s: %d products, %d wrong\n", name, products, wrong);
  products = wrong = 0;
}

#ifndef HALF_ONLY
// Eight numbers in a word; a by rows, b by columns.
__global__ void four_bits(const unsigned *a, const unsigned *b, int *d,
                          bool is_signed) {
  using namespace wmma::experimental::precision;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> c;
  wmma::fill_fragment(c, 5);
  if (is_signed) {
    wmma::fragment<wmma::matrix_a, 8, 8, 32, s4, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, s4, wmma::col_major> fb;
    wmma::load_matrix_sync(fa, a, 32);
    wmma::load_matrix_sync(fb, b, 32);
    wmma::mma_sync(c, fa, fb, c);
  } else {
    wmma::fragment<wmma::matrix_a, 8, 8, 32, u4, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, u4, wmma::col_major> fb;
    wmma::load_matrix_sync(fa, a, 32);
    wmma::load_matrix_sync(fb, b, 32);
    wmma::mma_sync(c, fa, fb, c);
  }
  wmma::store_matrix_sync(d, c, 8, wmma::mem_row_major);
}
__global__ void one_bit(const unsigned *a, const unsigned *b, int *d,
                        bool both) {
  using namespace wmma::experimental;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> c;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> fb;
  wmma::fill_fragment(c, -7);
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  wmma::bmma_sync(c, fa, fb, c, both ? bmmaBitOpAND : bmmaBitOpXOR);
  wmma::store_matrix_sync(d, c, 8, wmma::mem_row_major);
}
__global__ void saturated(const signed char *a, const signed char *b, int *d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(c, 0x7fffff00);
  wmma::mma_sync(c, fa, fb, c, true);
  wmma::store_matrix_sync(d, c, 16, wmma::mem_row_major);
}
__global__ void rounded(float *x) { *x = __float_to_tf32(*x); }

static int nibble(const unsigned *words, int i, bool is_signed) {
  const int value = words[i / 8] >> i % 8 * 4 & 15;
  return is_signed && value > 7 ? value - 16 : value;
}
static void small_numbers() {
  unsigned *a = managed<unsigned>(32), *b = managed<unsigned>(32);
  int *d = managed<int>(256);
  int bad = 0;
  for (int i = 0; i < 32; ++i)
    a[i] = unsigned(rand()) * 3, b[i] = unsigned(rand()) * 5;
  for (bool is_signed : {false, true}) {
    four_bits<<<1, 32>>>(a, b, d, is_signed);
    bad += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 64; ++i) {
      int sum = 5;
      for (int k = 0; k < 32; ++k)
        sum += nibble(a, i / 8 * 32 + k, is_signed) *
               nibble(b, i % 8 * 32 + k, is_signed);
      bad += d[i] != sum;
    }
  }
  printf("four bits: %d wrong\n", bad);
  bad = 0;
  for (bool both : {false, true}) {
    one_bit<<<1, 32>>>(a, b, d, both);
    bad += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 64; ++i) {
      int sum = -7;
      for (int k = 0; k < 4; ++k) {
        const unsigned x = a[i / 8 * 4 + k], y = b[i % 8 * 4 + k];
        sum += __builtin_popcount(both ? x & y : x ^ y);
      }
      bad += d[i] != sum;
    }
  }
  printf("one bit: %d wrong\n", bad);
  signed char *s = managed<signed char>(256);
  for (int i = 0; i < 256; ++i)
    s[i] = i < 128 ? 100 : -100;
  saturated<<<1, 32>>>(s, s, d);
  bad = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 256; ++i)
    bad += d[i] !=
           ((i / 16 < 8) == (i % 16 < 8) ? 0x7fffffff : 0x7fffff00 - 160000);
  printf("saturated: %d wrong\n", bad);
  float *x = managed<float>(1);
  *x = 1 + 1 / 2048.f;
  rounded<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  printf("tf32 of 1.00048828125 is %f\n", *x);
}
#endif

int main() {
  for (auto layout : {wmma::mem_row_major, wmma::mem_col_major})
    shapes<__half, float, float>(layout);
  say("half float");
  few<__half, __half, __half>(wmma::mem_row_major);
  say("half half");
#ifndef HALF_ONLY
  few<__half, float, __half>(wmma::mem_row_major);
  say("half, c half, d float");
  few<__nv_bfloat16, float, float>(wmma::mem_row_major);
  say("bfloat16");
  few<signed char, int, int>(wmma::mem_col_major);
  say("signed char");
  few<unsigned char, int, int>(wmma::mem_col_major);
  say("unsigned char");
  layouts<16, 16, 8, wmma::precision::tf32, float, float>(wmma::mem_row_major);
  say("tf32");
  layouts<8, 8, 4, double, double, double>(wmma::mem_row_major);
  say("double");
  small_numbers();
#endif
}
