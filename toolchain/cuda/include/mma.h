//===-- toolchain/cuda/include/mma.h - Matrices of a warp -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA C++ Programming Guide, "Warp Matrix Functions": d = a * b + c, where the
// 32 threads of a warp hold pieces ("fragments") of the matrices. All threads
// of the warp call each function, with the same arguments but the fragments.
// Which thread holds which element is not said, neither there nor here.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_MMA_H
#define GPUEXEC_CUDA_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifdef __CUDA__
/// The number that the matrix unit takes for `value`: the nearest with 10 bits
/// of fraction, away from zero where two are as near.
static __inline__ __device__ float __float_to_tf32(float value) {
  int result;
  __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(result) : "f"(value));
  return __int_as_float(result);
}

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4; ///< eight in an int, the first in the lowest bits
struct s4;
struct b1; ///< 32 in an int
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/// What a thread holds of a matrix: N numbers in SLOTS of type Stored.
template <class Number, class Stored, int N, int SLOTS> struct gpuexec_pieces {
  typedef Number element_type;
  typedef Stored storage_element_type;
  enum { num_elements = N, num_storage_elements = SLOTS };
  Stored x[SLOTS];
};

/// The pieces of a matrix of a product of (M x K) and (K x N), and the
/// instructions that load and store them. Only these products exist.
template <class Use, int M, int N, int K, class T> struct gpuexec_matrix;

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment : public gpuexec_matrix<Use, M, N, K, T>::pieces {};

/// COUNT elements of type Number, which are in SLOTS variables of type Stored.
/// LD is clang's builtin that loads them; its pointers are to Word.
#define GPUEXEC_LOADED(Use, M, N, K, T, Number, Stored, COUNT, SLOTS, Word, LD) \
  template <> struct gpuexec_matrix<Use, M, N, K, T> {                         \
    typedef gpuexec_pieces<Number, Stored, COUNT, SLOTS> pieces;               \
    template <int BY_COLUMNS>                                                  \
    static __device__ void load(pieces &to, const void *from,                  \
                                unsigned stride) {                             \
      LD((Word *)to.x, (const Word *)from, stride, BY_COLUMNS);                \
    }                                                                          \
  };
#define GPUEXEC_ADDED(M, N, K, T, COUNT, Word, LD, ST)                         \
  template <> struct gpuexec_matrix<accumulator, M, N, K, T> {                 \
    typedef gpuexec_pieces<T, T, COUNT, COUNT> pieces;                         \
    template <int BY_COLUMNS>                                                  \
    static __device__ void load(pieces &to, const void *from,                  \
                                unsigned stride) {                             \
      LD((Word *)to.x, (const Word *)from, stride, BY_COLUMNS);                \
    }                                                                          \
    template <int BY_COLUMNS>                                                  \
    static __device__ void store(void *to, const pieces &from,                 \
                                 unsigned stride) {                            \
      ST((Word *)to, (const Word *)from.x, stride, BY_COLUMNS);                \
    }                                                                          \
  };
#define GPUEXEC_BOTH_LOADED(M, N, K, T, Number, Stored, A, B, SLOTS_A,         \
                            SLOTS_B, Word, LD_A, LD_B)                         \
  GPUEXEC_LOADED(matrix_a, M, N, K, T, Number, Stored, A, SLOTS_A, Word, LD_A) \
  GPUEXEC_LOADED(matrix_b, M, N, K, T, Number, Stored, B, SLOTS_B, Word, LD_B)

// The three shapes of half, bfloat16 and integers of 8 bits.
#define GPUEXEC_SHAPE(M, N, NAME, A8, B8, A16, B16)                            \
  GPUEXEC_BOTH_LOADED(M, N, 16, __half, __half, __half, 16, 16, 16, 16, int,   \
                      __hmma_##NAME##_ld_a, __hmma_##NAME##_ld_b)              \
  GPUEXEC_ADDED(M, N, 16, __half, 8, int, __hmma_##NAME##_ld_c_f16,            \
                __hmma_##NAME##_st_c_f16)                                      \
  GPUEXEC_ADDED(M, N, 16, float, 8, float, __hmma_##NAME##_ld_c_f32,           \
                __hmma_##NAME##_st_c_f32)                                      \
  GPUEXEC_BOTH_LOADED(M, N, 16, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16,   \
                      A16, B16, A16, B16, int, __mma_bf16_##NAME##_ld_a,       \
                      __mma_bf16_##NAME##_ld_b)                                \
  GPUEXEC_BOTH_LOADED(M, N, 16, signed char, signed char, signed char, A8, B8, \
                      A8, B8, int, __imma_##NAME##_ld_a_s8,                    \
                      __imma_##NAME##_ld_b_s8)                                 \
  GPUEXEC_BOTH_LOADED(M, N, 16, unsigned char, unsigned char, unsigned char,   \
                      A8, B8, A8, B8, int, __imma_##NAME##_ld_a_u8,            \
                      __imma_##NAME##_ld_b_u8)                                 \
  GPUEXEC_ADDED(M, N, 16, int, 8, int, __imma_##NAME##_ld_c,                   \
                __imma_##NAME##_st_c_i32)
GPUEXEC_SHAPE(16, 16, m16n16k16, 8, 8, 8, 8)
GPUEXEC_SHAPE(32, 8, m32n8k16, 16, 4, 16, 4)
GPUEXEC_SHAPE(8, 32, m8n32k16, 4, 16, 4, 16)
#undef GPUEXEC_SHAPE

GPUEXEC_BOTH_LOADED(16, 16, 8, precision::tf32, float, float, 4, 4, 4, 4, int,
                    __mma_tf32_m16n16k8_ld_a, __mma_tf32_m16n16k8_ld_b)
GPUEXEC_ADDED(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c,
              __mma_m16n16k8_st_c_f32)
GPUEXEC_BOTH_LOADED(8, 8, 4, double, double, double, 1, 1, 1, 1, double,
                    __dmma_m8n8k4_ld_a, __dmma_m8n8k4_ld_b)
GPUEXEC_ADDED(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c,
              __dmma_m8n8k4_st_c_f64)
GPUEXEC_BOTH_LOADED(8, 8, 32, experimental::precision::u4, unsigned, unsigned,
                    8, 8, 1, 1, int, __imma_m8n8k32_ld_a_u4,
                    __imma_m8n8k32_ld_b_u4)
GPUEXEC_BOTH_LOADED(8, 8, 32, experimental::precision::s4, int, int, 8, 8, 1, 1,
                    int, __imma_m8n8k32_ld_a_s4, __imma_m8n8k32_ld_b_s4)
GPUEXEC_ADDED(8, 8, 32, int, 2, int, __imma_m8n8k32_ld_c,
              __imma_m8n8k32_st_c_i32)
GPUEXEC_BOTH_LOADED(8, 8, 128, experimental::precision::b1, unsigned, unsigned,
                    32, 32, 1, 1, int, __bmma_m8n8k128_ld_a_b1,
                    __bmma_m8n8k128_ld_b_b1)
GPUEXEC_ADDED(8, 8, 128, int, 2, int, __bmma_m8n8k128_ld_c,
              __bmma_m8n8k128_st_c_i32)
#undef GPUEXEC_BOTH_LOADED
#undef GPUEXEC_ADDED
#undef GPUEXEC_LOADED

template <class Layout> struct gpuexec_by_columns;
template <> struct gpuexec_by_columns<row_major> {
  enum { value = 0 };
};
template <> struct gpuexec_by_columns<col_major> {
  enum { value = 1 };
};

/// Loads a or b, whose rows (or columns) begin `stride` elements apart.
/// `from`: 32 bytes aligned, the same in all threads.
template <class Use, int M, int N, int K, class T, class Layout, class Element>
static __device__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &to,
                                        const Element *from, unsigned stride) {
  gpuexec_matrix<Use, M, N, K, T>::template load<
      gpuexec_by_columns<Layout>::value>(to, from, stride);
}
/// Loads c.
template <int M, int N, int K, class T>
static __device__ void load_matrix_sync(fragment<accumulator, M, N, K, T> &to,
                                        const T *from, unsigned stride,
                                        layout_t layout) {
  typedef gpuexec_matrix<accumulator, M, N, K, T> Matrix;
  if (layout == mem_row_major)
    Matrix::template load<0>(to, from, stride);
  else
    Matrix::template load<1>(to, from, stride);
}
/// Stores d.
template <int M, int N, int K, class T>
static __device__ void
store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &from,
                  unsigned stride, layout_t layout) {
  typedef gpuexec_matrix<accumulator, M, N, K, T> Matrix;
  if (layout == mem_row_major)
    Matrix::template store<0>(to, from, stride);
  else
    Matrix::template store<1>(to, from, stride);
}
/// Makes all elements `value`.
template <class Use, int M, int N, int K, class T, class Layout>
static __device__ void fill_fragment(
    fragment<Use, M, N, K, T, Layout> &to,
    const typename fragment<Use, M, N, K, T, Layout>::storage_element_type
        &value) {
  for (int i = 0; i < to.num_storage_elements; i++)
    to.x[i] = value;
}

/// The instruction of a product of T with c of type C and d of type D.
template <int M, int N, int K, class T, class D, class C>
struct gpuexec_product;
#define GPUEXEC_PRODUCT(M, N, K, T, D, C, Word, WordD, WordC, MMA)             \
  template <> struct gpuexec_product<M, N, K, T, D, C> {                       \
    template <int LAYOUT>                                                      \
    static __device__ void multiply(void *d, const void *a, const void *b,     \
                                    const void *c, bool saturate) {            \
      if (saturate)                                                            \
        MMA((WordD *)d, (const Word *)a, (const Word *)b, (const WordC *)c,    \
            LAYOUT, 1);                                                        \
      else                                                                     \
        MMA((WordD *)d, (const Word *)a, (const Word *)b, (const WordC *)c,    \
            LAYOUT, 0);                                                        \
    }                                                                          \
  };
/// The same, of an instruction that cannot saturate.
#define GPUEXEC_PLAIN_PRODUCT(M, N, K, T, D, Word, WordD, MMA)                 \
  template <> struct gpuexec_product<M, N, K, T, D, D> {                       \
    template <int LAYOUT>                                                      \
    static __device__ void multiply(void *d, const void *a, const void *b,     \
                                    const void *c, bool) {                     \
      MMA((WordD *)d, (const Word *)a, (const Word *)b, (const WordD *)c,      \
          LAYOUT, 0);                                                          \
    }                                                                          \
  };
#define GPUEXEC_SHAPE(M, N, NAME)                                              \
  GPUEXEC_PRODUCT(M, N, 16, __half, __half, __half, int, int, int,             \
                  __hmma_##NAME##_mma_f16f16)                                  \
  GPUEXEC_PRODUCT(M, N, 16, __half, float, __half, int, float, int,            \
                  __hmma_##NAME##_mma_f32f16)                                  \
  GPUEXEC_PRODUCT(M, N, 16, __half, __half, float, int, int, float,            \
                  __hmma_##NAME##_mma_f16f32)                                  \
  GPUEXEC_PRODUCT(M, N, 16, __half, float, float, int, float, float,           \
                  __hmma_##NAME##_mma_f32f32)                                  \
  GPUEXEC_PLAIN_PRODUCT(M, N, 16, __nv_bfloat16, float, int, float,            \
                        __mma_bf16_##NAME##_mma_f32)                           \
  GPUEXEC_PRODUCT(M, N, 16, signed char, int, int, int, int, int,              \
                  __imma_##NAME##_mma_s8)                                      \
  GPUEXEC_PRODUCT(M, N, 16, unsigned char, int, int, int, int, int,            \
                  __imma_##NAME##_mma_u8)
GPUEXEC_SHAPE(16, 16, m16n16k16)
GPUEXEC_SHAPE(32, 8, m32n8k16)
GPUEXEC_SHAPE(8, 32, m8n32k16)
#undef GPUEXEC_SHAPE
GPUEXEC_PLAIN_PRODUCT(16, 16, 8, precision::tf32, float, int, float,
                      __mma_tf32_m16n16k8_mma_f32)
GPUEXEC_PLAIN_PRODUCT(8, 8, 4, double, double, double, double,
                      __dmma_m8n8k4_mma_f64)
GPUEXEC_PRODUCT(8, 8, 32, experimental::precision::u4, int, int, int, int, int,
                __imma_m8n8k32_mma_u4)
GPUEXEC_PRODUCT(8, 8, 32, experimental::precision::s4, int, int, int, int, int,
                __imma_m8n8k32_mma_s4)
#undef GPUEXEC_PLAIN_PRODUCT
#undef GPUEXEC_PRODUCT

/// d = a * b + c. `saturate`: sums of integers, and of half, stay in their
/// range, and no NaN results. Integers of 4 bits: a by rows, b by columns.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D,
          class C>
static __device__ void
mma_sync(fragment<accumulator, M, N, K, D> &d,
         const fragment<matrix_a, M, N, K, T, LayoutA> &a,
         const fragment<matrix_b, M, N, K, T, LayoutB> &b,
         const fragment<accumulator, M, N, K, C> &c, bool saturate = false) {
  gpuexec_product<M, N, K, T, D, C>::template multiply<
      2 * gpuexec_by_columns<LayoutA>::value +
      gpuexec_by_columns<LayoutB>::value>(d.x, a.x, b.x, c.x, saturate);
}

/// d = c + the number of ones in (row of a) OP (column of b); OP is AND from
/// compute capability 8.0 on.
static __inline__ __device__ void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1,
                         row_major> &a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1,
                         col_major> &b,
          const fragment<accumulator, 8, 8, 128, int> &c,
          experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp =
              experimental::bmmaAccumulateOpPOPC) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if (operation == experimental::bmmaBitOpAND)
    __bmma_m8n8k128_mma_and_popc_b1(d.x, (const int *)a.x, (const int *)b.x,
                                    c.x, 1);
  else
#endif
    __bmma_m8n8k128_mma_xor_popc_b1(d.x, (const int *)a.x, (const int *)b.x,
                                    c.x, 1);
}

namespace experimental {
using wmma::bmma_sync;
}

} // namespace wmma
} // namespace nvcuda
#endif

#endif
