// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the n-th object of a thread has where sizes are mixed, for ours and for CUDA's alike: 16 bytes to `most`, as many
// of each power of two as of the next.
static inline unsigned long mixed_size(unsigned thread, unsigned n, unsigned long most) {
  unsigned random = (thread * 2654435761u + n) * 2246822519u;
  random ^= random >> 15;
  random *= 3266489917u;
  random ^= random >> 16;
  unsigned powers = 60 - (unsigned)__builtin_clzl(most); // 16 counts as the first
  unsigned long below = 8ul << random % powers;
  return below + 1 + (random >> 8) % below;
}
