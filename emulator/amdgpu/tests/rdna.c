// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for RDNA processors in waves of 32 lanes: what Vega and CDNA lack, or
// encode otherwise. x and y are one value per lane; the results go to out, 64
// lanes per result.
typedef unsigned u32;
typedef unsigned long u64;
#define KERNEL __attribute__((device_kernel))
#define LANE __builtin_amdgcn_workitem_id_x()
#define RESULT(n, value) out[64 * (n) + LANE] = (value)
#define OP1(text, old, a)                                                      \
  ({                                                                           \
    u32 d_ = (old);                                                            \
    __asm__ volatile(text : "+&v"(d_) : "v"(a) : "vcc");                       \
    d_;                                                                        \
  })
#define OP2(text, old, a, b)                                                   \
  ({                                                                           \
    u32 d_ = (old);                                                            \
    __asm__ volatile(text : "+&v"(d_) : "v"(a), "v"(b) : "vcc");               \
    d_;                                                                        \
  })

#if defined(__gfx1010__) || defined(__gfx1030__)
#define RDNA1_OR_2
#endif

#ifndef RDNA1_OR_2
// Both halves read before either writes.
KERNEL void dual(u32 *out, const u32 *x, const u32 *y) {
  u32 a, b;
  __asm__ volatile("v_mov_b32 v2, %2\n\tv_mov_b32 v3, %3\n\t"
                   "v_dual_mov_b32 v2, v3 :: v_dual_mov_b32 v3, v2\n\t"
                   "v_mov_b32 %0, v2\n\tv_mov_b32 %1, v3"
                   : "=&v"(a), "=&v"(b)
                   : "v"(x[LANE]), "v"(y[LANE])
                   : "v2", "v3");
  RESULT(0, a);
  RESULT(1, b);
  __asm__ volatile("v_mov_b32 v2, 0x40400000\n\tv_mov_b32 v3, 2.0\n\t"
                   "v_dual_fmac_f32 v2, v3, v3 :: v_dual_add_f32 v3, v2, v2\n\t"
                   "v_mov_b32 %0, v2\n\tv_mov_b32 %1, v3"
                   : "=&v"(a), "=&v"(b)
                   :
                   : "v2", "v3");
  RESULT(2, a); // 3 + 2 * 2
  RESULT(3, b); // 3 + 3
}
#endif

// A mask is one register; the next one keeps its value. So does vcc_hi.
KERNEL void masks(u32 *out, const u32 *x, const u32 *y) {
  u32 mask, next, high, carry, saved, null_sum;
  __asm__ volatile("s_mov_b32 s41, 77\n\ts_mov_b32 vcc_hi, 55\n\t"
                   "v_cmp_gt_u32_e64 s40, 7, %3\n\t"
                   "s_mov_b32 %0, s40\n\ts_mov_b32 %1, s41\n\t"
                   "v_cmp_gt_u32_e32 vcc_lo, 7, %3\n\ts_mov_b32 %2, vcc_hi"
                   : "=&s"(mask), "=&s"(next), "=&s"(high)
                   : "v"(LANE)
                   : "s40", "s41", "vcc");
  RESULT(0, mask);
  RESULT(1, next);
  RESULT(2, high);
  __asm__ volatile("s_mov_b32 vcc_hi, 1\n\tv_cmp_ne_u32_e32 vcc_lo, %1, %1\n\t"
                   "s_mov_b32 %0, 1\n\ts_cbranch_vccz 1f\n\t"
                   "s_mov_b32 %0, 0\n\t1:"
                   : "=&s"(mask)
                   : "v"(LANE)
                   : "vcc");
  RESULT(3, mask); // vccz looks at vcc_lo alone
  __asm__ volatile("v_add_co_u32 %0, s40, %3, %4\n\t"
                   "v_add_co_ci_u32_e64 %1, null, 0, 0, s40\n\t"
                   "s_and_saveexec_b32 %2, s40\n\ts_mov_b32 exec_lo, %2"
                   : "=&v"(null_sum), "=&v"(carry), "=&s"(saved)
                   : "v"(x[LANE]), "v"(y[LANE])
                   : "s40", "scc");
  RESULT(4, carry);
  RESULT(5, saved);
  __asm__ volatile("s_mov_b32 s40, exec_lo\n\tv_mov_b32 %0, 1\n\t"
                   "v_cmpx_gt_u32_e32 5, %1\n\tv_mov_b32 %0, 2\n\t"
                   "s_mov_b32 exec_lo, s40"
                   : "=&v"(null_sum)
                   : "v"(LANE)
                   : "s40");
  RESULT(6, null_sum);
}

KERNEL void halves(u32 *out, const u32 *x, const u32 *y) {
  u32 a = x[LANE], b = y[LANE];
#ifdef __gfx1100__
  __asm__ volatile("v_mov_b32 v2, %1\n\tv_mov_b32 v3, %2\n\t"
                   "v_add_nc_u16 v2.h, v2.l, v3.h\n\tv_mov_b32 %0, v2"
                   : "=&v"(a)
                   : "v"(x[LANE]), "v"(b)
                   : "v2", "v3");
  RESULT(0, a);
  __asm__ volatile("v_mov_b32 v2, %1\n\tv_mov_b32 v3, %2\n\t"
                   "v_xor_b16 v2.l, v2.h, v3.l\n\tv_mov_b32 %0, v2"
                   : "=&v"(a)
                   : "v"(x[LANE]), "v"(b)
                   : "v2", "v3");
  RESULT(1, a);
  __asm__ volatile("v_mov_b32 v2, %1\n\tv_mov_b32 v3, %2\n\t"
                   "v_swap_b16 v2.l, v3.h\n\tv_mov_b32 %0, v2"
                   : "=&v"(a)
                   : "v"(x[LANE]), "v"(b)
                   : "v2", "v3");
  RESULT(2, a);
#endif
}

static __attribute__((address_space(3),
                      loader_uninitialized)) volatile u32 shared_words[32];

// What x[LANE] becomes elsewhere. (--check=uninit follows it.)
KERNEL void between_lanes(u32 *out, const u32 *x, const u32 *y) {
  u32 mine = x[LANE];
  RESULT(0, (u32)__builtin_amdgcn_permlanex16(7, (int)mine, 0x76543210,
                                              (int)0xfedcba98, 0, 0));
  RESULT(1, (u32)__builtin_amdgcn_permlane16(7, (int)mine, 0x01234567,
                                             (int)0x89abcdef, 0, 0));
  RESULT(2, (u32)__builtin_amdgcn_ds_bpermute((int)(LANE + 35) * 4, (int)mine));
  shared_words[LANE] = 0;
  __asm__ volatile("ds_mskor_b32 %0, %1, %2"
                   :
                   : "v"((u32)&shared_words[LANE]), "v"(0), "v"(mine)
                   : "memory");
  RESULT(8, shared_words[LANE]);
#if defined(__gfx1100__) || defined(__gfx1201__)
  RESULT(3, OP1("v_permlane64_b32 %0, %1", 0, mine));
#endif
#ifdef __gfx1201__
  RESULT(4, OP2("v_permlane16_var_b32 %0, %1, %2", 0, mine, 15 - LANE));
  RESULT(5, OP2("v_permlanex16_var_b32 %0, %1, %2", 0, LANE, mine));
  u32 byte, sign, half;
  __asm__ volatile("s_load_u8 %0, %3, 0x0\n\ts_load_i8 %1, %3, 0x0\n\t"
                   "s_load_u16 %2, %3, 0x4\n\ts_wait_kmcnt 0x0"
                   : "=&s"(byte), "=&s"(sign), "=&s"(half)
                   : "s"(x));
  RESULT(9, byte);
  RESULT(10, sign);
  RESULT(11, half);
#endif
#ifdef __gfx1100__
  u32 low, high;
  __asm__ volatile("v_mov_b32 v2, %2\n\tv_mov_b32 v3, 0\n\t"
                   "v_swap_b16 v2.l, v3.h\n\tv_mov_b32 %0, v2\n\t"
                   "v_mov_b32 %1, v3"
                   : "=&v"(low), "=&v"(high)
                   : "v"(mine)
                   : "v2", "v3");
  RESULT(6, low);
  RESULT(7, high);
#endif
}

KERNEL void lanes(u32 *out, const u32 *x, const u32 *y) {
  u32 i = LANE;
  RESULT(0, OP1("v_mov_b32_dpp %0, %1 dpp8:[7,6,5,4,3,2,1,0]", 9, i));
  RESULT(1, OP1("v_mov_b32_dpp %0, %1 row_xmask:5 row_mask:0xf bank_mask:0xf",
                9, i));
  RESULT(2, OP1("v_mov_b32_dpp %0, %1 row_share:3 row_mask:0xf bank_mask:0xf",
                9, i));
  RESULT(3, OP1("v_mov_b32_dpp %0, %1 row_shr:1 row_mask:0xf bank_mask:0xf",
                1000, i));
  RESULT(4, (u32)__builtin_amdgcn_permlanex16(7, (int)i, 0x76543210,
                                              (int)0xfedcba98, 0, 0));
  RESULT(5, (u32)__builtin_amdgcn_permlane16(7, (int)i, 0x01234567,
                                             (int)0x89abcdef, 0, 0));
  // Lane numbers are modulo 32.
  RESULT(6, (u32)__builtin_amdgcn_ds_bpermute((int)(i + 35) * 4, (int)i));
  u32 lane;
  __asm__ volatile("s_mov_b32 s40, 37\n\tv_readlane_b32 %0, %1, s40"
                   : "=s"(lane)
                   : "v"(i)
                   : "s40");
  RESULT(7, lane);
  // Half of the lanes off: what they have is fetched when fi says so.
  u32 plain = 50, inactive = 50;
  if (i & 1) {
    plain = OP1("v_mov_b32_dpp %0, %1 dpp8:[1,0,3,2,5,4,7,6]", 60, i);
    inactive = OP1("v_mov_b32_dpp %0, %1 dpp8:[1,0,3,2,5,4,7,6] fi:1", 60, i);
  }
  RESULT(8, plain);
  RESULT(9, inactive);
}

static __attribute__((address_space(3), loader_uninitialized)) u32 words[64];
KERNEL void memory(u32 *out, const u32 *x, const u32 *y) {
  u32 i = LANE;
  words[i] = i;
  words[32 + i] = x[i];
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  u32 expected = i & 1 ? i : 1000;
  __atomic_compare_exchange_n(&words[i], &expected, 500, 0, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  RESULT(0, words[i]);
  RESULT(1, expected);
  volatile u32 local[8];
  for (u32 k = 0; k < 8; ++k)
    local[k] = k * i;
  RESULT(2, local[i & 7]);
  RESULT(3, words[32 + (31 - i)]);
  RESULT(4, __atomic_fetch_add(&out[64 * 5], 1, __ATOMIC_RELAXED) < 2000);
}

KERNEL void moved(u32 *out, const u32 *x, const u32 *y) {
  typedef u32 v8 __attribute__((ext_vector_type(8)));
  v8 v = {x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]};
  u32 n = __builtin_amdgcn_readfirstlane((int)y[0]) & 7;
  v[n] += LANE;
  u32 sum = 0;
  for (u32 k = 0; k < 8; ++k)
    sum = sum * 3 + v[(k + n) & 7];
  RESULT(0, sum);
}

KERNEL void blocks(u32 *out, const u32 *x, const u32 *y) {
  RESULT(0, __builtin_amdgcn_workgroup_id_x() |
                __builtin_amdgcn_workgroup_id_y() << 8 |
                __builtin_amdgcn_workgroup_id_z() << 16);
  RESULT(1, __builtin_amdgcn_wavefrontsize());
  RESULT(2, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  RESULT(3, __builtin_readsteadycounter() != 0);
  words[LANE] = LANE;
  __builtin_amdgcn_s_barrier();
  RESULT(4, words[63 - LANE]);
}

#ifdef __gfx1201__
#define SCALAR1(text, a)                                                       \
  ({                                                                           \
    u32 d_;                                                                    \
    __asm__ volatile(text : "=s"(d_) : "s"(a) : "scc");                        \
    d_;                                                                        \
  })
#define SCALAR2(text, a, b)                                                    \
  ({                                                                           \
    u32 d_;                                                                    \
    __asm__ volatile(text : "=s"(d_) : "s"(a), "s"(b) : "scc");                \
    d_;                                                                        \
  })
KERNEL void scalars(u32 *out, const u32 *x, const u32 *y) {
  const unsigned char *bytes = (const unsigned char *)x;
  u32 a = 0x40400000, b = 0xc0000000; // 3 and -2
  RESULT(0, SCALAR2("s_mul_f32 %0, %1, %2", a, b));
  RESULT(1, SCALAR2("s_fmaak_f32 %0, %1, %2, 0x40a00000", a, b));
  RESULT(2, SCALAR1("s_cvt_i32_f32 %0, %1", b));
  RESULT(3, SCALAR1("v_s_rcp_f32 %0, %1", b));
  RESULT(4, SCALAR2("s_cmp_lt_f32 %1, %2\n\ts_cselect_b32 %0, 8, 9", a, b));
  u32 byte, half, sign;
  __asm__ volatile("s_load_u8 %0, %3, 0x1\n\ts_load_u16 %1, %3, 0x2\n\t"
                   "s_load_i8 %2, %3, 0x3\n\ts_wait_kmcnt 0x0"
                   : "=&s"(byte), "=&s"(half), "=&s"(sign)
                   : "s"(bytes));
  RESULT(5, byte);
  RESULT(6, half);
  RESULT(7, sign);
  RESULT(8, OP2("v_minimum_f32 %0, %1, %2", 0, 0x7fc00000, a));
  RESULT(9, OP2("v_min_num_f32 %0, %1, %2", 0, 0x7fc00000, a));
  RESULT(10, OP2("v_permlane16_var_b32 %0, %1, %2", 0, LANE, 15 - LANE));
}
#endif

#ifdef RDNA1_OR_2
// SDWA, which later processors lack; halves by op_sel; null is register 125.
KERNEL void parts(u32 *out, const u32 *x, const u32 *y) {
  u32 a = x[LANE], b = y[LANE], mask, next;
  RESULT(0, OP2("v_add_nc_u16 %0, %1, %2 op_sel:[0,1,1]", a, a, b));
  RESULT(1, OP2("v_add_f16 %0, %1, %2", a, 0x3c00, 0x4000)); // 1 + 2
  RESULT(2, OP2("v_add_nc_u32_sdwa %0, %1, %2 dst_sel:BYTE_1 "
                "dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_3",
                a, a, b));
  __asm__ volatile("s_mov_b32 s41, 77\n\t"
                   "v_cmp_lt_u32_sdwa s40, %2, %3 src0_sel:BYTE_0 "
                   "src1_sel:BYTE_0\n\ts_mov_b32 %0, s40\n\ts_mov_b32 %1, s41"
                   : "=&s"(mask), "=&s"(next)
                   : "v"(a), "v"(b)
                   : "s40", "s41");
  RESULT(3, mask);
  RESULT(4, next);
  u32 which;
  __asm__ volatile("s_mov_b32 s40, exec_lo\n\ts_mov_b32 vcc_lo, 5\n\t"
                   "v_mov_b32 %0, 1\n\t"
                   "v_cmpx_lt_u32_sdwa %2, %3 src0_sel:BYTE_0 "
                   "src1_sel:BYTE_0\n\tv_mov_b32 %0, 2\n\t"
                   "s_mov_b32 exec_lo, s40\n\ts_mov_b32 %1, vcc_lo"
                   : "=&v"(which), "=&s"(mask)
                   : "v"(a), "v"(b)
                   : "s40", "vcc");
  RESULT(5, which);
  RESULT(6, mask); // v_cmpx writes EXEC alone
  __asm__ volatile("s_mov_b32 null, 5\n\ts_add_u32 %0, null, 3"
                   : "=&s"(next)
                   :
                   : "scc");
  RESULT(7, next);
  RESULT(8, OP2("v_mul_legacy_f32 %0, %1, %2", 0, 0, 0x7f800000));
#ifdef __gfx1010__
  RESULT(9, OP2("v_mac_legacy_f32 %0, %1, %2", 0x40400000, 0, 0x7f800000));
#else
  RESULT(9, OP2("v_fmac_legacy_f32 %0, %1, %2", 0x40400000, 0, 0x7f800000));
#endif
}

KERNEL void addresses(u32 *out, const u32 *x, const u32 *y) {
  const u32 *behind = x + LANE + 1;
  u32 word;
  __asm__ volatile("global_load_dword %0, %1, off offset:-4\n\t"
                   "s_waitcnt vmcnt(0)"
                   : "=v"(word)
                   : "v"(behind));
  RESULT(0, word);
  double *least = (double *)(out + 64 * 8), two = 2.5 + LANE;
  if (LANE == 0)
    *least = 100;
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier(); // two waves
  __asm__ volatile("global_atomic_fmin_x2 %0, %1, off\n\t"
                   "s_waitcnt_vscnt null, 0x0"
                   :
                   : "v"(least), "v"(two)
                   : "memory");
  __builtin_amdgcn_s_barrier();
  RESULT(1, *(volatile double *)least == 2.5);
  RESULT(2, ((volatile u32 *)x)[63 - LANE]);
#ifdef __gfx1010__
  u32 wave;
  __asm__ volatile("s_get_waveid_in_workgroup %0\n\ts_waitcnt lgkmcnt(0)"
                   : "=s"(wave));
  RESULT(3, wave);
#endif
}
#endif
