// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that access memory by a buffer resource. Each lane has an index, an
// offset and four words of data; instructions add 8 to the offset. A kernel's
// name ends with what its address has: off, offen, idxen, bothen.
typedef unsigned u32;
typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u32 u32x3 __attribute__((ext_vector_type(3)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
#define KERNEL __attribute__((device_kernel))
#define LANE __builtin_amdgcn_workitem_id_x()

#if defined(__gfx1100__) || defined(__gfx1201__)
#define NAME(old, new) new
#else
#define NAME(old, new) old
#endif
#ifdef __gfx1201__
#define WAIT "\n\ts_wait_loadcnt 0x0\n\ts_wait_storecnt 0x0\n\ts_wait_kmcnt 0x0"
#define RETURN " th:TH_ATOMIC_RETURN"
#else
#define WAIT "\n\ts_waitcnt vmcnt(0) lgkmcnt(0)"
#ifdef __gfx942__
#define RETURN " sc0"
#else
#define RETURN " glc"
#endif
#endif

#define PARAMETERS                                                             \
  u32 *out, const u32x4 *resource, const u32 *index, const u32 *offset,        \
      const u32 *in, u32 soffset

// `constraint`: of the data. After a store, out is what was stored.
#define ACCESS(name, text, modifier, type, constraint)                         \
  KERNEL void name##_off(PARAMETERS) {                                         \
    type d = *(const type *)(in + 4 * LANE);                                   \
    __asm__ volatile(text " %0, off, %1, %2 offset:8" modifier WAIT            \
                     : constraint(d)                                           \
                     : "s"(*resource), "s"(soffset)                            \
                     : "memory");                                              \
    *(type *)(out + 4 * LANE) = d;                                             \
  }                                                                            \
  ACCESS_BY(name##_offen, text, " offen", modifier, type, constraint,          \
            offset[LANE])                                                      \
  ACCESS_BY(name##_idxen, text, " idxen", modifier, type, constraint,          \
            index[LANE])                                                       \
  ACCESS_BY(name##_bothen, text, " idxen offen", modifier, type, constraint,   \
            ((u32x2){index[LANE], offset[LANE]}))
#define ACCESS_BY(name, text, mode, modifier, type, constraint, address)       \
  KERNEL void name(PARAMETERS) {                                               \
    type d = *(const type *)(in + 4 * LANE);                                   \
    __asm__ volatile(text " %0, %1, %2, %3" mode " offset:8" modifier WAIT     \
                     : constraint(d)                                           \
                     : "v"(address), "s"(*resource), "s"(soffset)              \
                     : "memory");                                              \
    *(type *)(out + 4 * LANE) = d;                                             \
  }
#define LOAD(name, text, type) ACCESS(name, text, "", type, "+&v")
LOAD(load_u8, NAME("buffer_load_ubyte", "buffer_load_u8"), u32)
LOAD(load_i16, NAME("buffer_load_sshort", "buffer_load_i16"), u32)
LOAD(load_high, NAME("buffer_load_short_d16_hi", "buffer_load_d16_hi_b16"), u32)
LOAD(load_1, NAME("buffer_load_dword", "buffer_load_b32"), u32)
LOAD(load_2, NAME("buffer_load_dwordx2", "buffer_load_b64"), u32x2)
LOAD(load_3, NAME("buffer_load_dwordx3", "buffer_load_b96"), u32x3)
LOAD(load_4, NAME("buffer_load_dwordx4", "buffer_load_b128"), u32x4)
LOAD(store_u8, NAME("buffer_store_byte", "buffer_store_b8"), u32)
LOAD(store_1, NAME("buffer_store_dword", "buffer_store_b32"), u32)
LOAD(store_3, NAME("buffer_store_dwordx3", "buffer_store_b96"), u32x3)
LOAD(store_4, NAME("buffer_store_dwordx4", "buffer_store_b128"), u32x4)
ACCESS(add_1, NAME("buffer_atomic_add", "buffer_atomic_add_u32"), RETURN, u32,
       "+&v")
ACCESS(add_2, NAME("buffer_atomic_add_x2", "buffer_atomic_add_u64"), RETURN,
       u32x2, "+&v")

// A load whose result overwrites its address.
KERNEL void load_4_over_address(PARAMETERS) {
  u32x4 d;
  __asm__ volatile(
      "v_mov_b32 v8, %4\n\t"
      "v_mov_b32 v9, %5\n\t" NAME(
          "buffer_load_dwordx4",
          "buffer_load_b128") " v[8:11], v[8:9], %6, %7 idxen offen "
                              "offset:8" WAIT
                              "\n\tv_mov_b32 %0, v8\n\tv_mov_b32 %1, v9"
                              "\n\tv_mov_b32 %2, v10\n\tv_mov_b32 %3, v11"
      : "=&v"(d.x), "=&v"(d.y), "=&v"(d.z), "=&v"(d.w)
      : "v"(index[LANE]), "v"(offset[LANE]), "s"(*resource), "s"(soffset)
      : "memory", "v8", "v9", "v10", "v11");
  *(u32x4 *)(out + 4 * LANE) = d;
}

KERNEL void scalar_1(PARAMETERS) {
  u32 d;
  __asm__ volatile(
      NAME("s_buffer_load_dword", "s_buffer_load_b32") " %0, %1, %2" WAIT
      : "=&s"(d)
      : "s"(*resource), "s"(soffset));
  out[0] = d;
}
KERNEL void scalar_4(PARAMETERS) {
  u32x4 d;
  __asm__ volatile(
      NAME("s_buffer_load_dwordx4", "s_buffer_load_b128") " %0, %1, %2" WAIT
      : "=&s"(d)
      : "s"(*resource), "s"(soffset));
  *(u32x4 *)out = d;
}
