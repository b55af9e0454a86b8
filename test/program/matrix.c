// Matrix instructions of CDNA2 and CDNA3: what clang's builtins compute is what sums of products in double are.
// REQUIRES: emulator, gfx9
// RUN: %gpucc -O2 %s -o %t
// RUN: %run --threads=64 %t | FileCheck %s
// RUN: %compiler --arch=gfx90a -O2 %s -o %t.90a
// RUN: %run --threads=64 %t.90a | FileCheck %s
// RUN: %run --threads=64 --check=uninit %t | FileCheck %s
// CHECK: f32 right
// CHECK: f16 right
// CHECK: bf16 right
// CHECK: i8 right
// CHECK: f64 right
#include <stdint.h>
#include <stdio.h>

typedef float Float4 __attribute__((ext_vector_type(4)));
typedef float Float16 __attribute__((ext_vector_type(16)));
typedef _Float16 Half4 __attribute__((ext_vector_type(4)));
typedef short Short4 __attribute__((ext_vector_type(4)));
typedef int Int4 __attribute__((ext_vector_type(4)));
typedef double Double4 __attribute__((ext_vector_type(4)));

static double a[32][32], b[32][32], result[32][32]; // a[i][k], b[k][j]

static void verify(const char *name, int size, int depth) {
  __builtin_amdgcn_s_barrier();
  if (__builtin_amdgcn_workitem_id_x() == 0) {
    int wrong = 0;
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++) {
        double sum = i - j; // C
        for (int k = 0; k < depth; k++)
          sum += a[i][k] * b[k][j];
        wrong += sum != result[i][j];
      }
    if (wrong)
      printf("%s: %d wrong\n", name, wrong);
    else
      printf("%s right\n", name);
  }
  __builtin_amdgcn_s_barrier();
}

static uint16_t bf16(double value) {
  const float single = (float)value;
  uint32_t bits;
  __builtin_memcpy(&bits, &single, 4);
  return bits >> 16;
}

int main(void) {
  const int lane = __builtin_amdgcn_workitem_id_x();
  for (int k = lane / 32; k < 32; k += 2) {
    a[lane % 32][k] = (lane * 7 + k * 5) % 31 - 15;
    b[k][lane % 32] = (lane * 3 + k * 11) % 29 - 14;
  }
  __builtin_amdgcn_s_barrier();

  Float16 wide;
  for (int r = 0; r < 16; r++)
    wide[r] = (r / 4 * 8 + lane / 32 * 4 + r % 4) - lane % 32;
  wide = __builtin_amdgcn_mfma_f32_32x32x2f32((float)a[lane % 32][lane / 32], (float)b[lane / 32][lane % 32], wide, 0, 0, 0);
  for (int r = 0; r < 16; r++)
    result[r / 4 * 8 + lane / 32 * 4 + r % 4][lane % 32] = wide[r];
  verify("f32", 32, 2);

  const int row = lane % 16, group = lane / 16;
  Float4 four;
  Half4 ha, hb;
  Short4 sa, sb;
  for (int r = 0; r < 4; r++) {
    four[r] = group * 4 + r - row;
    ha[r] = (_Float16)a[row][group * 4 + r];
    hb[r] = (_Float16)b[group * 4 + r][row];
    sa[r] = (short)bf16(a[row][group * 4 + r]);
    sb[r] = (short)bf16(b[group * 4 + r][row]);
  }
  const Float4 halves = __builtin_amdgcn_mfma_f32_16x16x16f16(ha, hb, four, 0, 0, 0);
  for (int r = 0; r < 4; r++)
    result[group * 4 + r][row] = halves[r];
  verify("f16", 16, 16);

  const Float4 brains = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(sa, sb, four, 0, 0, 0);
  for (int r = 0; r < 4; r++)
    result[group * 4 + r][row] = brains[r];
  verify("bf16", 16, 16);

  Int4 whole;
  uint64_t ia = 0, ib = 0;
#ifdef __gfx942__
  const int each = 8;
#else
  const int each = 4;
#endif
  for (int r = 0; r < each; r++) {
    ia |= (uint64_t)(uint8_t)(int)a[row][group * each + r] << 8 * r;
    ib |= (uint64_t)(uint8_t)(int)b[group * each + r][row] << 8 * r;
  }
  for (int r = 0; r < 4; r++)
    whole[r] = group * 4 + r - row;
#ifdef __gfx942__
  whole = __builtin_amdgcn_mfma_i32_16x16x32_i8((long)ia, (long)ib, whole, 0, 0, 0);
#else
  whole = __builtin_amdgcn_mfma_i32_16x16x16i8((int)ia, (int)ib, whole, 0, 0, 0);
#endif
  for (int r = 0; r < 4; r++)
    result[group * 4 + r][row] = whole[r];
  verify("i8", 16, 4 * each);

  Double4 doubles;
  for (int r = 0; r < 4; r++)
    doubles[r] = r * 4 + group - row;
  doubles = __builtin_amdgcn_mfma_f64_16x16x4f64(a[row][group], b[group][row], doubles, 0, 0, 0);
  for (int r = 0; r < 4; r++)
    result[r * 4 + group][row] = doubles[r];
  verify("f64", 16, 4);
  return 0;
}
