// Matrix instructions that gfx942 alone has, of xf32 and with a sparse A: what clang's builtins compute is what sums of
// products in double are.
// REQUIRES: emulator, gfx942
// RUN: %gpucc -O2 %s -o %t
// RUN: %run --threads=64 %t | FileCheck %s
// RUN: %run --threads=64 --check=uninit %t | FileCheck %s
// CHECK: xf32 right
// CHECK: f16 right
// CHECK: i8 right
#include <stdint.h>
#include <stdio.h>

typedef float Float2 __attribute__((ext_vector_type(2)));
typedef float Float4 __attribute__((ext_vector_type(4)));
typedef float Float16 __attribute__((ext_vector_type(16)));
typedef _Float16 Half4 __attribute__((ext_vector_type(4)));
typedef _Float16 Half8 __attribute__((ext_vector_type(8)));
typedef int Int2 __attribute__((ext_vector_type(2)));
typedef int Int4 __attribute__((ext_vector_type(4)));

static double a[32][64], b[64][32], result[32][32]; // a[i][k], b[k][j]

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

// The two columns of each four that are not zero in a row of a.
static int first(int row, int group) { return (row + group) % 3; }
static int second(int row, int group) {
  int after = first(row, group) + 1;
  return after + (row * 5 + group) % (4 - after);
}

int main(void) {
  const int lane = __builtin_amdgcn_workitem_id_x();
  for (int k = lane / 32; k < 64; k += 2) {
    a[lane % 32][k] = (lane * 7 + k * 5) % 31 - 15;
    b[k][lane % 32] = (lane * 3 + k * 11) % 29 - 14;
  }
  __builtin_amdgcn_s_barrier();

  Float4 sums;
  const int column = lane % 16, part = lane / 16;
  for (int r = 0; r < 4; r++)
    sums[r] = part * 4 + r - column;
  // The lower bits do not count.
  const Float2 x = {a[column][part * 2] * (1 + 0x1p-12), a[column][part * 2 + 1]},
               y = {b[part * 2][column], b[part * 2 + 1][column] * (1 + 0x1p-14)};
  Float4 d = __builtin_amdgcn_mfma_f32_16x16x8_xf32(x, y, sums, 0, 0, 0);
  for (int r = 0; r < 4; r++)
    result[part * 4 + r][column] = d[r];
  verify("xf32", 16, 8);

  for (int k = lane / 32; k < 64; k += 2)
    if (k % 4 != first(lane % 32, k / 4) && k % 4 != second(lane % 32, k / 4))
      a[lane % 32][k] = 0;
  __builtin_amdgcn_s_barrier();

  // 32 x 32 x 16: a lane has eight columns of a, four of them in registers.
  Float16 wide;
  const int group32 = lane / 32, j = lane % 32;
  for (int r = 0; r < 16; r++)
    wide[r] = r / 4 * 8 + group32 * 4 + r % 4 - j;
  Half4 halves;
  Half8 all;
  int indices = 0;
  for (int e = 0; e < 4; e++) {
    const int four = group32 * 2 + e / 2, k = e % 2 ? second(j, four) : first(j, four);
    halves[e] = a[j][four * 4 + k];
    indices |= k << (2 * e + 8); // in the second set
  }
  for (int e = 0; e < 8; e++)
    all[e] = b[group32 * 8 + e][j];
  wide = __builtin_amdgcn_smfmac_f32_32x32x16_f16(halves, all, wide, indices, 0, 1);
  for (int r = 0; r < 16; r++)
    result[r / 4 * 8 + group32 * 4 + r % 4][j] = wide[r];
  verify("f16", 32, 16);

  // 16 x 16 x 64: sixteen columns, eight of them in registers.
  Int4 totals;
  int8_t given[8], bytes[16];
  indices = 0;
  for (int r = 0; r < 4; r++)
    totals[r] = part * 4 + r - column;
  for (int e = 0; e < 8; e++) {
    const int four = part * 4 + e / 2, k = e % 2 ? second(column, four) : first(column, four);
    given[e] = (int8_t)a[column][four * 4 + k];
    indices |= k << (2 * e);
  }
  for (int e = 0; e < 16; e++)
    bytes[e] = (int8_t)b[part * 16 + e][column];
  Int2 packed;
  Int4 dense;
  __builtin_memcpy(&packed, given, sizeof packed);
  __builtin_memcpy(&dense, bytes, sizeof dense);
  totals = __builtin_amdgcn_smfmac_i32_16x16x64_i8(packed, dense, totals, indices, 1, 1); // cbsz: the first set
  for (int r = 0; r < 4; r++)
    result[part * 4 + r][column] = totals[r];
  verify("i8", 16, 64);
  return 0;
}
