// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code of the instruction set's own tests, compiled at several levels of
// optimisation and for each processor.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
#define KERNEL __attribute__((device_kernel))
#define LDS static __attribute__((address_space(3), loader_uninitialized))

static u32 lane(void) { return __builtin_amdgcn_workitem_id_x(); }
static u32 global_id(void) {
  return __builtin_amdgcn_workgroup_id_x() *
             __builtin_amdgcn_workgroup_size_x() +
         lane();
}

KERNEL void empty(void) {}
KERNEL void add(u32 *p, u32 n) { p[global_id()] += n; }

__attribute__((noinline)) static u32 fibonacci(u32 n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
KERNEL void recursion(u32 *p, u32 n) { p[lane()] = fibonacci(n + lane() % 3); }

KERNEL void divide(u64 *quotients, u64 *remainders, const u64 *a,
                   const u64 *b) {
  u32 i = global_id();
  quotients[i] = a[i] / b[i];
  remainders[i] = a[i] % b[i];
}

KERNEL void floats(double *d, float *f, const double *x, const double *y) {
  u32 i = global_id();
  d[4 * i] = x[i] / y[i];
  d[4 * i + 1] = __builtin_sqrt(x[i]);
  d[4 * i + 2] = __builtin_fma(x[i], y[i], -x[i]);
  d[4 * i + 3] = x[i] * y[i] - y[i];
  f[4 * i] = (float)x[i] / (float)y[i];
  f[4 * i + 1] = __builtin_sqrtf((float)x[i]);
  f[4 * i + 2] = (float)(int)x[i];
  f[4 * i + 3] = (float)(unsigned long)(y[i] < 0 ? -y[i] : y[i]);
}

LDS u32 tile[256];
KERNEL void reverse(u32 *p) {
  tile[lane()] = p[global_id()];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  p[global_id()] = tile[__builtin_amdgcn_workgroup_size_x() - 1 - lane()];
}

KERNEL void count_up(u32 *counter, u64 *wide, float *sum, u32 *smallest) {
  __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(wide, 1ul << 33, __ATOMIC_RELAXED);
  __atomic_fetch_min(smallest, 1000 - global_id(), __ATOMIC_RELAXED);
  u32 old = __atomic_load_n((u32 *)sum, __ATOMIC_RELAXED), next;
  do
    next = __builtin_bit_cast(u32, __builtin_bit_cast(float, old) + 1.0f);
  while (!__atomic_compare_exchange_n((u32 *)sum, &old, next, 0,
                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

// Each block waits for the one after it: only fair scheduling ends this.
KERNEL void chain(u32 *flags, u32 blocks) {
  u32 block = __builtin_amdgcn_workgroup_id_x();
  if (lane() == 0) {
    if (block + 1 < blocks)
      while (!__atomic_load_n(&flags[block + 1], __ATOMIC_ACQUIRE))
        __builtin_amdgcn_s_sleep(1);
    __atomic_store_n(&flags[block], 1 + block, __ATOMIC_RELEASE);
  }
}

// A lock that waves contend for, one lane of each. (Lanes of one wave cannot:
// those that wait and the one that holds it are in the same loop.)
KERNEL void locked(u32 *lock, u32 *value) {
  if (lane() == 0) {
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
      ;
    *(volatile u32 *)value += 1;
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
  }
}

KERNEL void small_types(u8 *b, u16 *h) {
  u32 i = global_id();
  b[i] = (u8)(b[i] * b[i + 1] + 3);
  h[i] = (u16)((h[i] >> 3) + (u16)(short)(signed char)h[i + 1]);
}

KERNEL void stack(u32 *p, u32 n) {
  volatile u32 local[64];
  for (u32 i = 0; i < 64; ++i)
    local[i] = i * n + lane();
  u32 sum = 0;
  for (u32 i = 0; i < 64; ++i)
    sum += local[(i * 7 + lane()) % 64];
  volatile u8 bytes[16];
  for (u32 i = 0; i < 16; ++i)
    bytes[i] = (u8)(i + lane());
  u64 eight;
  __builtin_memcpy(&eight, (const void *)(bytes + 3), 8);
  p[lane()] = sum + (u32)eight + (u32)(eight >> 32);
}

__attribute__((noinline)) static void through_pointer(u32 *p, u32 x) {
  *p = *p * 3 + x;
}
KERNEL void flat(u32 *p) {
  u32 local = 5;
  __attribute__((address_space(3))) u32 *shared = &tile[lane()];
  *shared = 7;
  through_pointer(&local, lane());
  through_pointer((u32 *)shared, lane());
  through_pointer(&p[lane()], local + *shared);
}

// One instruction's lanes in three segments.
KERNEL void flat_mixed(u32 *p) {
  u32 local = 100 + lane();
  tile[lane()] = 200 + lane();
  u32 *at = lane() % 3 == 0   ? &local
            : lane() % 3 == 1 ? (u32 *)&tile[lane()]
                              : &p[lane()];
  through_pointer(at, lane());
  p[64 + lane()] = local;
  p[128 + lane()] = tile[lane()];
}

KERNEL void cross(u32 *p) {
  u32 i = lane(), at = 0;
#define PUT(x) p[64 * at++ + i] = (x)
  PUT(__builtin_amdgcn_ds_bpermute((int)((i ^ 5) * 4), (int)i * 10));
  PUT((u32)__builtin_amdgcn_ds_permute((int)((i + 1) % 64 * 4), (int)i * 10));
  PUT((u32)__builtin_amdgcn_ds_swizzle((int)i, 0x041f)); // xor 1
  PUT((u32)__builtin_amdgcn_readfirstlane((int)i + 9));
  PUT((u32)__builtin_amdgcn_readlane((int)i, 17));
  PUT((u32)__builtin_amdgcn_update_dpp(1000, (int)i, 0x111, 0xf, 0xf,
                                       0)); // row_shr:1
  PUT((u32)__builtin_amdgcn_update_dpp(1000, (int)i, 0x140, 0xf, 0xf,
                                       1)); // row_mirror
#ifdef __GFX9__
  PUT((u32)__builtin_amdgcn_update_dpp(1000, (int)i, 0x142, 0xa, 0xf,
                                       0)); // row_bcast:15
#else                                       // which RDNA lacks
  PUT(i / 16 % 2 ? i / 16 * 16 - 1 : 1000);
#endif
  PUT((u32)__builtin_amdgcn_update_dpp(1000, (int)i, 0x1b, 0xf, 0xf,
                                       0)); // quad_perm:[3,2,1,0]
  PUT((u32)(__builtin_amdgcn_ballot_w64(i % 3 == 0) >> 32));
  PUT(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)));
}

KERNEL void trap(u32 *p) {
  if (*p)
    __builtin_trap();
}
KERNEL void touch(u32 *p, u32 x) { *(volatile u32 *)&p[lane()] = x; }
KERNEL void peek(volatile u32 *from, u32 *to) { to[lane()] = from[lane()]; }
KERNEL void decide(volatile u32 *from, u32 *to) {
  if (from[lane()] == 5)
    to[lane()] = 1;
}
KERNEL void overflow(u32 *p, u32 n) {
  volatile u32 local[4];
  ((volatile u32 *)local)[n] = 1;
  *p = local[0];
}

KERNEL void identity(u32 *p, u64 *clock) {
  u32 n =
      __builtin_amdgcn_workgroup_size_x() * __builtin_amdgcn_workgroup_size_y();
  u32 in_block = lane() + __builtin_amdgcn_workitem_id_y() *
                              __builtin_amdgcn_workgroup_size_x();
  u32 block = __builtin_amdgcn_workgroup_id_x() +
              __builtin_amdgcn_workgroup_id_y() *
                  __builtin_amdgcn_grid_size_x() /
                  __builtin_amdgcn_workgroup_size_x();
  u32 *to = p + 4 * (block * n + in_block);
  to[0] = lane() | __builtin_amdgcn_workitem_id_y() << 8 |
          __builtin_amdgcn_workitem_id_z() << 16;
  to[1] = __builtin_amdgcn_workgroup_id_x() |
          __builtin_amdgcn_workgroup_id_y() << 8 |
          __builtin_amdgcn_workgroup_id_z() << 16;
  to[2] = __builtin_amdgcn_workgroup_size_x() |
          __builtin_amdgcn_workgroup_size_y() << 8;
  to[3] = __builtin_amdgcn_grid_size_x();
  clock[0] = __builtin_readsteadycounter();
}

// A vector indexed at run time lives in registers: VGPR index mode.
typedef u32 v8 __attribute__((ext_vector_type(8)));
KERNEL void indexed(u32 *p, u32 n) {
  v8 v = {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]};
  v[n & 7] += lane();
  u32 sum = 0;
  for (u32 k = 0; k < 8; ++k)
    sum = sum * 3 + v[(k + n) & 7];
  p[8 + lane()] = sum;
}

// Lanes of `lanes` copy from an address of their own to another, `rounds` times
// with other addresses.
typedef u32 four_words __attribute__((ext_vector_type(4)));
typedef u32 three_words __attribute__((ext_vector_type(3)));
#define COPY(name, type, stored)                                               \
  typedef type from_##name __attribute__((aligned(1)));                        \
  typedef stored to_##name __attribute__((aligned(1)));                        \
  KERNEL void copy_##name(const u64 *from, const u64 *to, u64 lanes,           \
                          u32 rounds) {                                        \
    if (lanes >> lane() & 1)                                                   \
      for (u32 at = lane(); rounds--; at += 64)                                \
        *(to_##name *)to[at] = (stored) * (const from_##name *)from[at];       \
  }
COPY(1, u8, u8)
COPY(2, u16, u16)
COPY(4, u32, u32)
COPY(8, u64, u64)
COPY(12, three_words, three_words)
COPY(16, four_words, four_words)
COPY(signed, signed char, int)

// Loads and stores of 8 bytes at multiples of 4, again and again: long enough
// that the code is compiled.
typedef u64 __attribute__((aligned(4))) half_aligned;
KERNEL void move_numbers(half_aligned *to, const half_aligned *from, u64 *sums,
                         u32 times) {
  const __attribute__((address_space(4))) half_aligned *uniform =
      (const __attribute__((address_space(4))) half_aligned *)from;
  u64 sum = 0;
  for (u32 k = 0; k < times; ++k) {
    u32 i = lane() + k % 4;
    u64 v = *(const volatile half_aligned *)&from[i];
    *(volatile half_aligned *)&to[i] = v + k;
    sum = sum * 31 + v + uniform[k % 64];
  }
  sums[lane()] = sum;
}

// Lanes of `lanes` load from one address, but LLVM does not know that it is
// one. Counts the rounds in which a lane's value differs from the first lane's.
// `from`: the address, for each lane; `base`: the same address; `zero` is 0.
// The host writes there all the time.
static int lanes_differ(const u32 *words, u32 count) {
  int differ = 0;
  for (u32 k = 0; k < count; ++k)
    differ |= words[k] != __builtin_amdgcn_readfirstlane((int)words[k]);
  return __builtin_amdgcn_ballot_w64(differ) != 0;
}
#define GLOBAL __attribute__((address_space(1)))
#define AGREE(name, type)                                                      \
  union loaded_##name {                                                        \
    type value;                                                                \
    u32 words[(sizeof(type) + 3) / 4];                                         \
  };                                                                           \
  static int differ_##name(type value) {                                       \
    union loaded_##name loaded = {.words = {0}};                               \
    loaded.value = value;                                                      \
    return lanes_differ(loaded.words, (sizeof(type) + 3) / 4);                 \
  }                                                                            \
  KERNEL void agree_##name(const u64 *from, const char *base, u64 lanes,       \
                           u32 rounds, u32 zero, u32 *differing) {             \
    if (lanes >> lane() & 1) {                                                 \
      const volatile type *flat = (const volatile type *)from[lane()];         \
      const GLOBAL char *global = (const GLOBAL char *)base;                   \
      u32 offset = zero * lane();                                              \
      u32 flat_differs = 0, global_differs = 0;                                \
      while (rounds--) {                                                       \
        flat_differs += differ_##name(*flat);                                  \
        __asm__ volatile("" : "+v"(offset)); /* added in each round */         \
        global_differs +=                                                      \
            differ_##name(*(const volatile GLOBAL type *)(global + offset));   \
      }                                                                        \
      differing[0] = flat_differs;                                             \
      differing[1] = global_differs;                                           \
    }                                                                          \
  }
AGREE(1, u8)
AGREE(2, u16)
AGREE(4, u32)
AGREE(8, u64)
AGREE(16, four_words)
AGREE(signed, signed char)

// The same in LDS, where the block's second wave writes.
KERNEL void agree_lds(u64 lanes, u32 rounds, u32 zero, u32 *differing) {
  typedef __attribute__((address_space(3))) u32 shared;
  volatile shared *const words = (volatile shared *)tile, *const end =
                                                              words + 64;
  *end = 0;
  __builtin_amdgcn_s_barrier();
  if (lane() >= 64) {
    for (u32 value = 0; !*end; ++value)
      for (u32 k = 0; k < 4; ++k)
        words[k] = value;
  } else {
    shared *p = (shared *)tile + zero * lane();
    if (lanes >> lane() & 1)
      for (u32 k = 0; k < rounds; ++k) {
        u32 one = *(volatile shared *)p;
        differing[0] += lanes_differ(&one, 1);
        __asm__ volatile("" ::: "memory");
        u32 two[2] = {p[0], p[2]}; // one instruction
        __asm__ volatile("" ::: "memory");
        differing[1] += lanes_differ(two, 2);
      }
    *end = 1;
  }
}

// Words of LDS at the lanes' byte offsets; word k holds k * 0x9e3779b9. The last
// result was stored there before.
KERNEL void lds_words(const u32 *offsets, u32 *out, u64 lanes) {
  typedef __attribute__((address_space(3))) u32 shared;
  typedef __attribute__((address_space(3))) u64 shared_pair;
  static __attribute__((address_space(3), loader_uninitialized)) u32 words[256],
      stored[64];
  for (u32 k = lane(); k < 256; k += 64)
    words[k] = k * 0x9e3779b9u;
  __builtin_amdgcn_s_barrier();
  if (!(lanes >> lane() & 1))
    return;
  const u32 offset = offsets[lane()];
  volatile shared *one = (volatile shared *)words + offset / 4;
  out[lane()] = *one;
  const u64 pair = *((volatile shared_pair *)words + offset / 8);
  out[64 + lane()] = (u32)pair;
  out[128 + lane()] = pair >> 32;
  __asm__ volatile("" ::: "memory");
  const shared *two = (const shared *)one;
  out[192 + lane()] = two[3]; // one instruction
  out[256 + lane()] = two[130];
  __asm__ volatile("" ::: "memory");
  volatile shared *other = (volatile shared *)stored + offset / 4;
  *other = offset + 1;
  out[320 + lane()] = *other;
}
