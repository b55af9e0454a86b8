// Divergent control flow: 64 lanes that all go different ways give what the host gives one after the other.
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang -o %t
#include "inputs/lanes.h"

enum { COUNT = 12 };

// Loops with different trip counts, breaks and continues.
static uint64_t collatz(uint64_t n) {
  uint64_t steps = 0;
  while (n != 1 && steps < 500) {
    ++steps;
    if (n % 2) {
      n = 3 * n + 1;
      continue;
    }
    n /= 2;
    if (n % 97 == 5)
      break;
  }
  return steps * 1000 + n;
}

// A small machine whose program is the lane's own random numbers.
static uint64_t interpret(uint64_t seed) {
  uint64_t stack[16] = {seed, seed * 3, 1, 2}, result = 0;
  unsigned sp = 4, pc = 0;
  for (unsigned steps = 0; steps < 120; ++steps) {
    uint64_t code = random_at(seed, pc++ % 37);
    unsigned a = sp ? (sp - 1) % 16 : 0, b = (sp + 14) % 16;
    switch (code % 12) {
    case 0: stack[sp++ % 16] = code >> 8; break;
    case 1: stack[b] += stack[a]; break;
    case 2: stack[b] *= stack[a] | 1; break;
    case 3: if (stack[a] & 1) pc += code >> 60; break;
    case 4: stack[a] = stack[a] / ((code >> 20 & 0xff) + 1); break;
    case 5: stack[a] ^= stack[b] >> 3; break;
    case 6: result = mix(result + stack[a]); break;
    case 7: if (sp > 2) --sp; break;
    case 8: for (unsigned k = 0; k < stack[a] % 7; ++k) result += k * stack[b]; break;
    case 9: pc = (unsigned)(code >> 16) % 37; break;
    case 10: if (stack[b] > stack[a]) { uint64_t t = stack[a]; stack[a] = stack[b]; stack[b] = t; } break;
    default: if (code >> 8 & 1) return result ^ stack[a]; stack[a] = ~stack[a];
    }
  }
  return result;
}

// Function pointers that differ between the lanes, and recursion of different depth.
static uint64_t deep(uint64_t v, unsigned n);
static uint64_t by_two(uint64_t v, unsigned n) { return deep(v * 2 + n, n - 1); }
static uint64_t by_three(uint64_t v, unsigned n) { return deep(v * 3 ^ n, n - 1); }
static uint64_t twice(uint64_t v, unsigned n) { return deep(v + 1, n / 2) + deep(v + 2, n / 2); }
static uint64_t leaf(uint64_t v, unsigned n) { return mix(v) + n; }
static uint64_t (*volatile steps[])(uint64_t, unsigned) = {by_two, by_three, twice, leaf, by_two, by_three};
__attribute__((noinline)) static uint64_t deep(uint64_t v, unsigned n) { return n == 0 ? v : steps[v % 6](v, n); }

// Many ways out of nested loops.
static uint64_t search(uint64_t seed) {
  uint8_t board[8][8];
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      board[y][x] = (uint8_t)(random_at(seed, (uint64_t)(y * 8 + x)) >> 13);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      for (int k = 1; k < 8; ++k) {
        if (y + k >= 8 || x + k >= 8)
          goto next;
        if (board[y][x] == board[y + k][x + k])
          return (uint64_t)(y * 100 + x * 10 + k);
        if (board[y][x] > 250 && board[y + k][x + k] > 250)
          goto found;
      }
    next:
      if (board[y][x] == 42)
        goto found;
      continue;
    found:
      return 5000 + (uint64_t)(y + x);
    }
  return 9999;
}

static double newton(double v) {
  double x = v > 1 ? v : 1;
  int n = 0;
  while (n++ < 100) {
    double next = (x + v / x) / 2;
    if (next == x || (next - x) * (next - x) < v * 1e-30)
      break;
    x = next;
  }
  return x + n;
}

static uint64_t string_work(uint64_t seed) {
  char text[64], other[64];
  unsigned n = (unsigned)(seed % 40) + 1;
  for (unsigned i = 0; i < n; ++i)
    text[i] = (char)('a' + random_at(seed, i) % 26);
  text[n] = 0;
  snprintf(other, sizeof other, "%s:%llu:%x:%d", text + n / 2, (unsigned long long)seed % 1000000, n, (int)(seed % 2001) - 1000);
  uint64_t h = strlen(other);
  for (char *c = other; *c; ++c)
    h = h * 31 + (unsigned char)*c;
  return h + (uint64_t)(strcmp(text, "m") > 0) + (strchr(other, 'e') ? 7 : 0);
}

void lane(unsigned lane) {
  unsigned loops = check_named(0, "loops"), machine = check_named(1, "machine"), calls = check_named(2, "calls"),
           exits = check_named(3, "exits"), iterations = check_named(4, "iterations"), strings = check_named(5, "strings"),
           one = check_named(6, "one_lane"), odd = check_named(7, "odd_lanes");
  for (unsigned k = 0; k < COUNT; ++k) {
    uint64_t i = k * LANES + lane, seed = random_at(77, i);
    record(loops, i, collatz(seed % 100000 + 1));
    record(machine, i, interpret(seed));
    record(calls, i, deep(seed, (unsigned)(seed % 11)));
    record(exits, i, search(seed));
    record_double(iterations, i, newton((double)(seed % 1000000) / 7));
    record(strings, i, string_work(seed));
    if (lane == 5 * k)
      record(one, i, interpret(~seed));
    if (lane % 2) {
      if (lane % 3 == 0)
        record(odd, i, collatz(lane * 27 + k));
      else if (lane > 40)
        record(odd, i, deep(lane, k % 8));
      else
        record(odd, i, lane);
    }
  }
}
