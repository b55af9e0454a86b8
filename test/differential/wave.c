// What lanes of a wave do together: votes, shuffles, reductions, scans, DPP, permutes, LDS, barriers, atomics. The host
// computes the same from what every lane would contribute.
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang --levels=-O0,-O1,-O2 -o %t
#include "inputs/lanes.h"

enum { ROUNDS = 20 };

/// What a lane brings to round k, and whether it takes part in round k.
static uint32_t value(unsigned lane, unsigned k) { return (uint32_t)random_at(k, lane) >> (k % 24); }
static int active(unsigned lane, unsigned k) { return k % 4 == 0 || random_at(k + 1000, lane) % 4 != 0; }

#if ON_DEVICE
static uint32_t shared[LANES] __attribute__((address_space(3), loader_uninitialized));
static uint64_t shared_sum __attribute__((address_space(3), loader_uninitialized));
#endif

static uint64_t mask_of(unsigned k, unsigned limit) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < limit; ++i)
    mask |= (uint64_t)active(i, k) << i;
  return mask;
}

static struct {
  uint32_t add32, max32, min32, or32, xor32, and32, exchanged, counter;
  uint64_t add64, max64;
  int32_t smin;
  float addf;
  double addd;
} atoms = {.min32 = ~0u, .and32 = ~0u, .smin = 0x7fffffff};

void lane(unsigned lane) {
  unsigned votes = check_named(0, "votes"), first = check_named(1, "first_lane"), shuffles = check_named(2, "shuffles"),
           sums = check_named(3, "reductions"), scans = check_named(4, "scans"), lds = check_named(5, "lds"),
           atomic = check_named(6, "atomics"), matches = check_named(7, "matches"), dpp = check_named(8, "dpp"),
           returned = check_named(9, "atomics_return"), permutes = check_named(11, "permutes");
  for (unsigned k = 0; k < ROUNDS; ++k) {
    uint32_t mine = value(lane, k);
    uint64_t key = k * LANES + lane;
    if (active(lane, k)) {
#if ON_DEVICE
      uint64_t mask = __gpu_lane_mask();
      record(votes, key, __gpu_ballot(mask, mine & 1) + __builtin_popcountll(mask));
      record(first, key, __gpu_read_first_lane_u32(mask, mine) + __gpu_first_lane_id(mask) * 3ull + __gpu_is_first_in_lane(mask));
      record(sums, key, __gpu_lane_sum_u32(mask, mine));
      record(scans, key, __gpu_lane_scan_u32(mask, mine));
      record(matches, key, __gpu_match_any_u32(mask, mine % 5) ^ __gpu_match_all_u32(mask, k % 2 ? mine : 7));
#else
      uint64_t mask = mask_of(k, LANES), ballot = 0, any = 0;
      uint32_t sum = 0, scan = 0;
      int all = 1;
      for (unsigned i = 0; i < LANES; ++i)
        if (mask >> i & 1) {
          ballot |= (uint64_t)(value(i, k) & 1) << i;
          sum += value(i, k);
          scan += i <= lane ? value(i, k) : 0;
          any |= (uint64_t)(value(i, k) % 5 == mine % 5) << i;
          all &= k % 2 == 0 || value(i, k) == value((unsigned)__builtin_ctzll(mask), k);
        }
      unsigned lowest = (unsigned)__builtin_ctzll(mask);
      record(votes, key, ballot + __builtin_popcountll(mask));
      record(first, key, value(lowest, k) + lowest * 3ull + (lowest == lane));
      record(sums, key, sum);
      record(scans, key, scan);
      record(matches, key, any ^ (all ? mask : 0));
#endif
    }
    // All lanes from here.
    unsigned from = (lane * 7 + k) % LANES;
#if ON_DEVICE
    record(shuffles, key, __gpu_shuffle_idx_u32(~0ull, from, mine, LANES));
    record(shuffles, key + 100000, __gpu_shuffle_idx_u64(~0ull, from, mine * 0x100000001ull, LANES));
    record(permutes, key, (uint32_t)__builtin_amdgcn_ds_bpermute((int)(from * 4), (int)mine));
    record(permutes, key + 100000, (uint32_t)__builtin_amdgcn_ds_permute((int)((lane ^ 5) * 4), (int)mine));
    record(permutes, key + 200000, (uint32_t)__builtin_amdgcn_readlane((int)mine, 17));
    record(permutes, key + 300000, (uint32_t)__builtin_amdgcn_ds_swizzle((int)mine, 0x041f)); // xor 1
    record(permutes, key + 400000, (uint32_t)__builtin_amdgcn_ds_swizzle((int)mine, 0x8000 | 0x1b)); // quads reversed
    // quad_perm 3,2,1,0; row_shr:1; row_ror:4; row_mirror; row_half_mirror; wave_shr:1; row_bcast:15 into rows 1 and 3
    record(dpp, key, (uint32_t)__builtin_amdgcn_update_dpp(-1, (int)mine, 0x1b, 15, 15, 0));
    record(dpp, key + 100000, (uint32_t)__builtin_amdgcn_update_dpp(77, (int)mine, 0x111, 15, 15, 0));
    record(dpp, key + 200000, (uint32_t)__builtin_amdgcn_update_dpp(77, (int)mine, 0x124, 15, 15, 0));
    record(dpp, key + 300000, (uint32_t)__builtin_amdgcn_update_dpp(77, (int)mine, 0x140, 15, 15, 0));
    record(dpp, key + 400000, (uint32_t)__builtin_amdgcn_update_dpp(77, (int)mine, 0x141, 15, 15, 0));
    record(dpp, key + 500000, (uint32_t)__builtin_amdgcn_update_dpp(77, (int)mine, 0x138, 15, 15, 0));
    record(dpp, key + 600000, (uint32_t)__builtin_amdgcn_update_dpp(77, (int)mine, 0x142, 10, 15, 0));
    record(dpp, key + 700000, (uint32_t)__builtin_amdgcn_update_dpp(77, (int)mine, 0x111, 5, 3, 1)); // masks, bound_ctrl
    record(dpp, key + 800000, (uint32_t)__builtin_amdgcn_mov_dpp((int)mine, 0x102, 15, 15, 1) + 1u); // row_shl:2

    if (lane == 0)
      shared_sum = k;
    shared[lane] = mine;
    __gpu_sync_threads();
    uint32_t other = shared[from];
    __gpu_sync_threads();
    __atomic_fetch_add(&shared[lane % 8], other, __ATOMIC_RELAXED);
    __atomic_fetch_add(&shared_sum, (uint64_t)mine << 16, __ATOMIC_RELAXED);
    __gpu_sync_threads();
    record(lds, key, other + shared_sum * 3 + ((uint64_t)shared[lane % 8] << 32));
    __gpu_sync_threads();
#else
    record(shuffles, key, value(from, k));
    record(shuffles, key + 100000, value(from, k) * 0x100000001ull);
    record(permutes, key, value(from, k));
    record(permutes, key + 100000, value(lane ^ 5, k));
    record(permutes, key + 200000, value(17, k));
    record(permutes, key + 300000, value(lane ^ 1, k));
    record(permutes, key + 400000, value(lane ^ 3, k));
    unsigned row = lane % 16;
    record(dpp, key, value(lane ^ 3, k));
    record(dpp, key + 100000, row ? value(lane - 1, k) : 77);
    record(dpp, key + 200000, value(lane - row + (row + 12) % 16, k));
    record(dpp, key + 300000, value(lane - row + 15 - row, k));
    record(dpp, key + 400000, value(lane ^ 7, k));
    record(dpp, key + 500000, lane ? value(lane - 1, k) : 77);
    record(dpp, key + 600000, lane / 16 % 2 ? value(lane / 16 * 16 - 1, k) : 77);
    record(dpp, key + 700000, lane / 16 % 2 == 0 && row < 8 ? (row ? value(lane - 1, k) : 0) : 77);
    record(dpp, key + 800000, (row < 14 ? value(lane + 2, k) : 0) + 1u);
    uint64_t total = k;
    uint32_t slot = value(lane % 8, k);
    for (unsigned i = 0; i < LANES; ++i) {
      total += (uint64_t)value(i, k) << 16;
      slot += i % 8 == lane % 8 ? value((i * 7 + k) % LANES, k) : 0;
    }
    record(lds, key, value(from, k) + total * 3 + ((uint64_t)slot << 32));
#endif
    // Memory that all lanes share; what a lane gets back depends on the order, but all of it together does not.
    __atomic_fetch_add(&atoms.add32, mine, __ATOMIC_RELAXED);
    __atomic_fetch_add(&atoms.add64, (uint64_t)mine << 20, __ATOMIC_SEQ_CST);
    __atomic_fetch_max(&atoms.max32, mine, __ATOMIC_RELAXED);
    __atomic_fetch_min(&atoms.min32, mine, __ATOMIC_RELAXED);
    __atomic_fetch_max(&atoms.max64, (uint64_t)mine * 3, __ATOMIC_RELAXED);
    __atomic_fetch_min(&atoms.smin, (int32_t)mine - 1000, __ATOMIC_ACQ_REL);
    __atomic_fetch_or(&atoms.or32, 1u << (mine % 32), __ATOMIC_RELAXED);
    __atomic_fetch_xor(&atoms.xor32, mine, __ATOMIC_RELAXED);
    __atomic_fetch_and(&atoms.and32, ~(1u << (mine % 31)), __ATOMIC_RELAXED);
    record(returned, 1, __atomic_fetch_add(&atoms.counter, 1, __ATOMIC_RELAXED));
    float old, next; // a compare-and-swap loop on a float
    __atomic_load(&atoms.addf, &old, __ATOMIC_RELAXED);
    do
      next = old + (float)(mine % 16);
    while (!__atomic_compare_exchange(&atoms.addf, &old, &next, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    __scoped_atomic_fetch_add(&atoms.addd, (double)(mine % 1024) * 0.25, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  }
#if ON_DEVICE
  __gpu_sync_threads();
#endif
  if (lane == LANES - 1) {
    record(atomic, 0, atoms.add32);
    record(atomic, 1, atoms.add64);
    record(atomic, 2, atoms.max32 + (uint64_t)atoms.min32 * 3);
    record(atomic, 3, atoms.max64 + (uint64_t)(int64_t)atoms.smin);
    record(atomic, 4, atoms.or32 ^ (uint64_t)atoms.and32 << 32 ^ atoms.xor32);
    record(atomic, 5, atoms.counter);
    record_float(atomic, 6, atoms.addf);
    record_double(atomic, 7, atoms.addd);
  }
}
