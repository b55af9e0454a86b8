// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel per family of instructions that ordinary C at one level of
// optimisation may not reach. x and y are one value per lane; the results go
// to out, 64 lanes per result.
typedef unsigned u32;
typedef unsigned long u64;
#define KERNEL __attribute__((device_kernel))
#define LANE __builtin_amdgcn_workitem_id_x()
#define RESULT(n, value) out[64 * (n) + LANE] = (value)
// Outputs are "early clobber", so that an instruction's old destination is what
// we say.
#define OP1(text, old, a)                                                      \
  ({                                                                           \
    u32 d_ = (old);                                                            \
    __asm__ volatile("s_nop 4\n\t" text "\n\ts_nop 4"                          \
                     : "+&v"(d_)                                               \
                     : "v"(a)                                                  \
                     : "vcc");                                                 \
    d_;                                                                        \
  })
#define OP2(text, old, a, b)                                                   \
  ({                                                                           \
    u32 d_ = (old);                                                            \
    __asm__ volatile("s_nop 4\n\t" text "\n\ts_nop 4"                          \
                     : "+&v"(d_)                                               \
                     : "v"(a), "v"(b)                                          \
                     : "vcc");                                                 \
    d_;                                                                        \
  })
#define OP3(text, old, a, b, c)                                                \
  ({                                                                           \
    u32 d_ = (old);                                                            \
    __asm__ volatile("s_nop 4\n\t" text "\n\ts_nop 4"                          \
                     : "+&v"(d_)                                               \
                     : "v"(a), "v"(b), "v"(c)                                  \
                     : "vcc");                                                 \
    d_;                                                                        \
  })

KERNEL void swap(u32 *out, const u32 *x, const u32 *y) {
  u32 a = x[LANE], b = y[LANE];
  __asm__ volatile("v_swap_b32 %0, %1" : "+v"(a), "+v"(b));
  RESULT(0, a);
  RESULT(1, b);
}

KERNEL void sdwa(u32 *out, const u32 *x, const u32 *y) {
  u32 a = x[LANE], b = y[LANE];
  RESULT(0, OP1("v_mov_b32_sdwa %0, %1 dst_sel:DWORD src0_sel:BYTE_1", 0, a));
  RESULT(1, OP1("v_mov_b32_sdwa %0, sext(%1) dst_sel:DWORD src0_sel:WORD_1", 0,
                a));
  RESULT(2, OP1("v_mov_b32_sdwa %0, %1 dst_sel:BYTE_2 "
                "dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3",
                0x11223344, a));
  RESULT(3, OP1("v_mov_b32_sdwa %0, %1 dst_sel:WORD_1 dst_unused:UNUSED_PAD "
                "src0_sel:WORD_0",
                0x11223344, a));
  RESULT(4, OP1("v_mov_b32_sdwa %0, %1 dst_sel:BYTE_0 dst_unused:UNUSED_SEXT "
                "src0_sel:DWORD",
                0x11223344, a));
  RESULT(5, OP2("v_add_u32_sdwa %0, %1, %2 dst_sel:DWORD src0_sel:BYTE_0 "
                "src1_sel:WORD_1",
                0, a, b));
  RESULT(6, OP2("v_add_u32_sdwa %0, sext(%1), %2 dst_sel:WORD_1 "
                "dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:DWORD",
                0xaaaabbbb, a, b));
  u32 yes;
  __asm__ volatile("s_nop 4\n\tv_cmp_lt_u32_sdwa vcc, %1, %2 src0_sel:BYTE_0 "
                   "src1_sel:BYTE_1\n\ts_nop 4\n\t"
                   "v_cndmask_b32_e64 %0, 0, 1, vcc"
                   : "=v"(yes)
                   : "v"(a), "v"(b)
                   : "vcc");
  RESULT(7, yes);
}

KERNEL void dpp(u32 *out, const u32 *x, const u32 *y) {
  u32 a = x[LANE], b = y[LANE];
  RESULT(0, OP2("v_add_u32_dpp %0, %1, %2 row_shr:3 row_mask:0xf bank_mask:0xf",
                7, a, b));
  RESULT(1, OP2("v_add_u32_dpp %0, %1, %2 row_shl:2 row_mask:0xf bank_mask:0xf "
                "bound_ctrl:0",
                7, a, b));
  RESULT(2, OP2("v_add_u32_dpp %0, %1, %2 row_ror:5 row_mask:0x5 bank_mask:0xf",
                7, a, b));
  RESULT(3, OP2("v_add_u32_dpp %0, %1, %2 quad_perm:[2,2,0,1] row_mask:0xf "
                "bank_mask:0x6",
                7, a, b));
  RESULT(4,
         OP1("v_mov_b32_dpp %0, %1 row_half_mirror row_mask:0xf bank_mask:0xf",
             7, a));
  RESULT(5, OP1("v_mov_b32_dpp %0, %1 row_bcast:31 row_mask:0xc bank_mask:0xf",
                7, a));
  // Only odd lanes on: an even source is off.
  u32 odd = 7;
  if (LANE & 1)
    odd =
        OP1("v_mov_b32_dpp %0, %1 row_shr:1 row_mask:0xf bank_mask:0xf", 9, a);
  RESULT(6, odd);
}

KERNEL void modifiers(u32 *out, const u32 *x, const u32 *y) {
  u32 a = x[LANE], b = y[LANE];
  RESULT(0, OP2("v_add_f32_e64 %0, -%1, |%2|", 0, a, b));
  RESULT(1, OP2("v_mul_f32_e64 %0, -|%1|, %2 clamp", 0, a, b));
  RESULT(2, OP2("v_add_u32_e64 %0, %1, %2 clamp", 0, a, b));
  RESULT(3, OP2("s_mov_b32 vcc_lo, 0x55555555\n\ts_mov_b32 vcc_hi, "
                "0x0f0f0f0f\n\ts_nop 4\n\t"
                "v_cndmask_b32_e64 %0, -%1, |%2|, vcc",
                0, a, b));
  RESULT(4,
         OP3("v_mad_u16 %0, %1, %2, %3 op_sel:[1,0,1,0]", 0x11223344, a, b, a));
  RESULT(5,
         OP3("v_mad_u16 %0, %1, %2, %3 op_sel:[0,1,0,1]", 0x11223344, a, b, a));
  RESULT(6,
         OP2("v_pk_add_u16 %0, %1, %2 op_sel:[1,0] op_sel_hi:[0,1]", 0, a, b));
  RESULT(7, OP2("v_pk_add_u16 %0, %1, %2 clamp", 0, a, b));
  RESULT(8, OP2("v_pk_sub_i16 %0, %1, %2", 0, a, b));
}

KERNEL void mixed(u32 *out, const u32 *x, const u32 *y) {
  // x holds two halves, y a float.
  u32 a = x[LANE], b = y[LANE];
  RESULT(0, OP3("v_fma_mix_f32 %0, %1, %2, %3 op_sel:[1,0,0] op_sel_hi:[1,0,0]",
                0, a, b, b));
  RESULT(1,
         OP3("v_fma_mix_f32 %0, -%1, |%2|, %3 op_sel_hi:[1,0,0]", 0, a, b, b));
  RESULT(2, OP3("v_fma_mixlo_f16 %0, %1, %2, %3 op_sel_hi:[1,1,0]", 0x11223344,
                a, a, b));
  RESULT(3, OP3("v_fma_mixhi_f16 %0, %1, %2, %3 op_sel_hi:[1,1,0]", 0x11223344,
                a, a, b));
}

static __attribute__((address_space(3), loader_uninitialized)) u32 shared[256];
KERNEL void lds(u32 *out, const u32 *x, const u32 *y) {
  u32 a = x[LANE], b = y[LANE], at = (u32)&shared[4 * LANE];
  shared[4 * LANE] = shared[4 * LANE + 1] = shared[4 * LANE + 2] =
      shared[4 * LANE + 3] = 5;
  u64 two;
#define DS(text, ...)                                                          \
  __asm__ volatile(text "\n\ts_waitcnt lgkmcnt(0)" __VA_ARGS__)
  DS("ds_write2_b32 %0, %1, %2 offset0:0 offset1:3", ::"v"(at), "v"(a),
     "v"(b) : "memory");
  DS("ds_read2_b32 %0, %1 offset0:3 offset1:0", : "=&v"(two) : "v"(
                                                    at) : "memory");
  RESULT(0, (u32)two);
  RESULT(1, (u32)(two >> 32));
  u32 old;
  DS("ds_add_rtn_u32 %0, %1, %2 offset:4", : "=&v"(old) : "v"(at),
     "v"(a) : "memory");
  RESULT(2, old);
  DS("ds_cmpst_rtn_b32 %0, %1, %2, %3 offset:8", : "=&v"(old) : "v"(at), "v"(5),
     "v"(b) : "memory");
  RESULT(3, old);
  DS("ds_max_rtn_i32 %0, %1, %2 offset:8", : "=&v"(old) : "v"(at),
     "v"(a) : "memory");
  RESULT(4, old);
  DS("ds_mskor_b32 %0, %1, %2 offset:4", ::"v"(at), "v"(0xff00),
     "v"(b) : "memory");
  DS("ds_read_b32 %0, %1 offset:4", : "=&v"(old) : "v"(at) : "memory");
  RESULT(5, old);
  DS("ds_write_b8 %0, %1 offset:7", ::"v"(at), "v"(a) : "memory");
  DS("ds_read_i8 %0, %1 offset:7", : "=&v"(old) : "v"(at) : "memory");
  RESULT(6, old);
  old = 0x11223344;
  DS("ds_read_u16_d16_hi %0, %1", : "+v"(old) : "v"(at) : "memory");
  RESULT(7, old);
  DS("ds_inc_rtn_u32 %0, %1, %2 offset:12", : "=&v"(old) : "v"(at),
     "v"(b) : "memory");
  DS("ds_read_b32 %0, %1 offset:12", : "=&v"(old) : "v"(at) : "memory");
  RESULT(8, old);
}

KERNEL void memory(u32 *out, u32 *x, const u32 *y) {
  u32 *at = x + 4 * LANE;
  u32 old, b = y[LANE];
#ifdef __gfx90a__
#define RETURN " glc"
#else
#define RETURN " sc0"
#endif
#define MEM(text, ...)                                                         \
  __asm__ volatile(text "\n\ts_waitcnt vmcnt(0)" __VA_ARGS__)
  MEM("global_atomic_umax %0, %1, %2, off" RETURN, : "=&v"(old) : "v"(at),
      "v"(b) : "memory");
  RESULT(0, old);
  MEM("global_atomic_dec %0, %1, %2, off offset:4" RETURN, : "=&v"(old) : "v"(at),
      "v"(b) : "memory");
  RESULT(1, old);
  u64 pair = (u64)7 << 32 | b, before;
  MEM("global_atomic_cmpswap %0, %1, %2, off offset:8" RETURN, : "=&v"(old) : "v"(at),
      "v"(pair) : "memory");
  RESULT(2, old);
  MEM("global_atomic_swap_x2 %0, %1, %2, off offset:8" RETURN, : "=&v"(before) : "v"(at),
      "v"(pair) : "memory");
  RESULT(3, (u32)before);
  old = 0x11223344;
  MEM("global_load_ubyte_d16_hi %0, %1, off offset:1", : "+v"(old) : "v"(
                                                           at) : "memory");
  RESULT(4, old);
  MEM("global_load_sshort %0, %1, off offset:2", : "=v"(old) : "v"(
                                                     at) : "memory");
  RESULT(5, old);
  MEM("global_store_short_d16_hi %0, %1, off offset:12", ::"v"(at),
      "v"(b) : "memory");
  MEM("global_load_dword %0, %1, off offset:12", : "=v"(old) : "v"(
                                                     at) : "memory");
  RESULT(6, old);
}

KERNEL void scalars(u32 *out, const u32 *x, const u32 *y) {
  u32 a = __builtin_amdgcn_readfirstlane(x[0]), r;
  u64 mask;
  __asm__ volatile("s_getreg_b32 %0, hwreg(HW_REG_MODE, 0, 10)" : "=s"(r));
  RESULT(0, r);
  __asm__ volatile("s_bfe_u64 %0, %1, 0x100008"
                   : "=s"(mask)
                   : "s"((u64)a << 16 | a)
                   : "scc");
  RESULT(1, (u32)mask);
  __asm__ volatile(
      "s_cmp_eq_u32 %1, %1\n\ts_cselect_b32 %0, 5, 6\n\ts_mov_b32 %0, src_scc"
      : "=s"(r)
      : "s"(a)
      : "scc");
  RESULT(2, r);
  __asm__ volatile("s_mov_b64 vcc, 0\n\ts_nop 4\n\ts_mov_b32 %0, src_vccz"
                   : "=s"(r)::"vcc");
  RESULT(3, r);
  u64 base;
  __asm__ volatile("s_mov_b64 %0, src_shared_base" : "=s"(base));
  RESULT(4, (u32)(base >> 32));
  __asm__ volatile("s_mulk_i32 %0, -3" : "=s"(r) : "0"(a) : "scc");
  RESULT(5, r);
  u32 above = 0;
  __asm__ volatile("v_cmpx_lt_u32_e64 %0, 30, %2\n\ts_nop 4\n\tv_mov_b32 %1, "
                   "1\n\ts_mov_b64 exec, -1"
                   : "=&s"(mask), "+&v"(above)
                   : "v"(LANE));
  RESULT(6, above);
  RESULT(7, (u32)mask);
}

KERNEL void matrix(u32 *out) {
  u32 d;
  __asm__ volatile("s_mov_b64 s[10:11], exec\n\ts_mov_b64 exec, -1\n\t"
                   "v_mov_b32 v40, 1.0\n\tv_mov_b32 v41, 2.0\n\t"
                   "v_mov_b32 v44, 3.0\n\tv_mov_b32 v45, 4.0\n\t"
                   "v_mov_b32 v46, 5.0\n\tv_mov_b32 v47, 6.0\n\t"
                   "s_mov_b64 exec, 0\n\ts_nop 7\n\t"
                   "v_mfma_f32_16x16x4f32 v[48:51], v40, v41, v[44:47]\n\t"
                   "s_nop 7\n\ts_nop 7\n\ts_mov_b64 exec, s[10:11]\n\t"
                   "v_cvt_u32_f32 %0, v48"
                   : "=v"(d)
                   :
                   : "s10", "s11", "v40", "v41", "v44", "v45", "v46", "v47",
                     "v48", "v49", "v50", "v51");
  out[LANE] = d;
}

KERNEL void roi(u32 *out, const char *name) {
  u64 at = (u64)name;
  u32 begin = 0x47524f42, end = 0x47524f45, low = (u32)at,
      high = (u32)(at >> 32);
#define MARK(magic)                                                            \
  __asm__ volatile("s_mov_b32 m0, %0\n\ts_nop 0\n\ts_ttracedata\n\t"           \
                   "s_mov_b32 m0, %1\n\ts_nop 0\n\ts_ttracedata\n\t"           \
                   "s_mov_b32 m0, %2\n\ts_nop 0\n\ts_ttracedata" ::"s"(        \
                       __builtin_amdgcn_readfirstlane(magic)),                 \
                   "s"(__builtin_amdgcn_readfirstlane(low)),                   \
                   "s"(__builtin_amdgcn_readfirstlane(high))                   \
                   : "memory")
  out[LANE] = 1;
  MARK(begin);
  out[64 + LANE] = 2;
  out[128 + LANE] = 3;
  MARK(end);
  out[192 + LANE] = 4;
}

static double double_of(u32 low, u32 high) {
  u64 bits = low | (u64)high << 32;
  double d;
  __builtin_memcpy(&d, &bits, 8);
  return d;
}
#define RESULT_DOUBLE(n, value)                                                \
  ({                                                                           \
    double d_ = (value);                                                       \
    u64 bits_;                                                                 \
    __builtin_memcpy(&bits_, &d_, 8);                                          \
    RESULT(n, (u32)bits_);                                                     \
    RESULT((n) + 1, (u32)(bits_ >> 32));                                       \
  })
#define DIV_SCALE(n, value, denominator, numerator)                            \
  ({                                                                           \
    double scaled_;                                                            \
    u32 bit_;                                                                  \
    __asm__ volatile("v_div_scale_f64 %0, vcc, %2, %3, %4\n\ts_nop 4\n\t"      \
                     "v_cndmask_b32_e64 %1, 0, 1, vcc\n\ts_nop 4"              \
                     : "=&v"(scaled_), "=&v"(bit_)                             \
                     : "v"(value), "v"(denominator), "v"(numerator)            \
                     : "vcc");                                                 \
    RESULT_DOUBLE(n, scaled_);                                                 \
    RESULT((n) + 2, bit_);                                                     \
  })
KERNEL void scale(u32 *out, const u32 *x, const u32 *y) {
  double numerator = double_of(x[LANE], x[64 + LANE]),
         denominator = double_of(x[128 + LANE], x[192 + LANE]), scaled;
  DIV_SCALE(0, denominator, denominator, numerator);
  DIV_SCALE(3, numerator, denominator, numerator);
  __asm__ volatile("s_nop 4\n\tv_ldexp_f64 %0, %1, %2\n\ts_nop 4"
                   : "=&v"(scaled)
                   : "v"(numerator), "v"(y[LANE]));
  RESULT_DOUBLE(6, scaled);
}

// Registers that the one leaves behind and the other does not write.
KERNEL void leave_registers(u32 *out, const u32 *x, const u32 *y) {
  u32 value = x[LANE];
  __asm__ volatile("v_mov_b32 v120, %0\n\tv_accvgpr_write_b32 a99, %0"
                   :
                   : "v"(value)
                   : "v120", "a99");
  RESULT(0, value);
}
KERNEL void find_registers(u32 *out, const u32 *x, const u32 *y) {
  u32 a, b;
  __asm__ volatile("v_mov_b32 %0, v120\n\tv_accvgpr_read_b32 %1, a99"
                   : "=&v"(a), "=&v"(b));
  RESULT(0, a);
  RESULT(1, b);
}

// More basic blocks than a wave counts one by one.
KERNEL void many_blocks(u32 *out) {
  u32 a = 1;
  __asm__ volatile(".rept 40000\n\tv_mov_b32 %0, %0\n\ts_cbranch_scc0 0\n\t"
                   ".endr"
                   : "+v"(a));
  out[LANE] = a;
}

// Four instructions behind one that may fault.
KERNEL void maybe_fault(u32 *at) {
  __asm__ volatile("s_waitcnt 0\n\tglobal_store_dword %0, %1, %2\n\t"
                   "s_nop 0\n\tv_mov_b32 v0, 0\n\ts_nop 0\n\ts_endpgm"
                   :
                   : "v"(0), "v"(1), "s"(at)
                   : "v0", "memory");
}
