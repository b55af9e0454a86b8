// Structs, bit-fields, unaligned data, big frames, alloca, varargs, relocations, recursion, function pointers.
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang -o %t
#include "inputs/lanes.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

enum { COUNT = 200 };

struct small { uint8_t a; uint16_t b; };
struct medium { int32_t a; double b; char name[13]; struct small s[3]; };
struct large { struct medium m[5]; uint64_t tail[9]; };
struct fields {
  unsigned a : 1; int b : 3; unsigned c : 12; int64_t d : 37; uint8_t e; int f : 31; unsigned : 0; uint64_t g : 63; int h : 2;
};
struct __attribute__((packed)) unaligned { uint8_t a; uint32_t b; uint8_t c; uint64_t d; uint16_t e; float f; double g; };
union punned { uint64_t u; double d; uint8_t bytes[8]; struct { uint32_t low, high; } half; };

// Initialisers that need relocations: data, functions, strings, offsets, pointers to pointers.
static int add3(int a) { return a + 3; }
static int mul5(int a) { return a * 5; }
static int (*operations[])(int) = {add3, mul5, add3};
static const char *const names[] = {"zero", "one", "", "a longer string with\ttab"};
struct entry { const char *name; int (*op)(int); int *where; void *self; };
static struct entry entries[2];
static int numbers[10] = {1, 2, 3};
static struct entry entries[2] = {
    {"first", mul5, &numbers[4], entries}, {"second", add3, numbers + 2, &entries[1].where}};
static int **indirect[] = {&entries[0].where, &entries[1].where};
static struct large big_constant = {{{1, 2.5, "abc"}, {.a = 0}, {.name = "third", .s = {{1, 2}, {3, 4}}}}, {1, 2, 3, [8] = 9}};

static uint64_t hash_bytes(const void *p, size_t n) {
  uint64_t h = 14695981039346656037u;
  for (const uint8_t *c = p; n--; ++c)
    h = (h ^ *c) * 1099511628211u;
  return h;
}

__attribute__((noinline)) static struct large change(struct large v, unsigned i) {
  v.m[i % 5].a += (int)i;
  v.m[(i + 1) % 5] = v.m[i % 5];
  v.tail[i % 9] ^= i;
  return v;
}
static uint64_t hash_large(const struct large *v) {
  uint64_t h = 0;
  for (int i = 0; i < 5; ++i) {
    h = mix(h + (uint64_t)v->m[i].a + (uint64_t)(v->m[i].b * 4) + hash_bytes(v->m[i].name, 13));
    for (int k = 0; k < 3; ++k)
      h = mix(h + v->m[i].s[k].a + ((uint64_t)v->m[i].s[k].b << 9));
  }
  for (int i = 0; i < 9; ++i)
    h = mix(h + v->tail[i]);
  return h;
}

__attribute__((noinline)) static uint64_t variadic(const char *types, ...) {
  va_list list, copy;
  va_start(list, types);
  va_copy(copy, list);
  uint64_t h = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (const char *t = types; *t; ++t) {
      va_list *l = pass ? &copy : &list;
      switch (*t) {
      case 'i': h = mix(h + (unsigned)va_arg(*l, int)); break;
      case 'l': h = mix(h + va_arg(*l, uint64_t)); break;
      case 'd': h = mix(h + (uint64_t)(int64_t)(va_arg(*l, double) * 16)); break;
      case 's': { struct small s = va_arg(*l, struct small); h = mix(h + s.a + s.b * 256u); break; }
      case 'm': { struct medium m = va_arg(*l, struct medium); h = mix(h + (uint64_t)m.a + (uint64_t)m.s[1].b); break; }
      case 'p': h = mix(h + hash_bytes(va_arg(*l, char *), 3)); break;
      }
    }
  va_end(list);
  va_end(copy);
  return h;
}

__attribute__((noinline)) static uint64_t ackermann(uint64_t m, uint64_t n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static uint64_t odd(uint64_t n);
__attribute__((noinline)) static uint64_t even(uint64_t n) { return n == 0 ? 1 : odd(n - 1) * 3; }
__attribute__((noinline)) static uint64_t odd(uint64_t n) { return n == 0 ? 2 : even(n - 1) + n; }

__attribute__((noinline)) static uint64_t large_frame(unsigned seed, unsigned depth) {
  volatile uint32_t frame[600];
  for (unsigned i = 0; i < 600; ++i)
    frame[i] = seed * i + depth;
  uint64_t deeper = depth ? large_frame(seed + 1, depth - 1) : 0;
  uint64_t h = deeper;
  for (unsigned i = 0; i < 600; i += 7)
    h = mix(h + frame[(i * seed) % 600]);
  return h;
}
__attribute__((noinline)) static uint64_t on_the_stack(unsigned n, unsigned seed) {
  uint16_t *a = __builtin_alloca(n * sizeof *a);
  uint64_t variable[n / 2 + 1];
  for (unsigned i = 0; i < n; ++i)
    a[i] = (uint16_t)(i * seed);
  for (unsigned i = 0; i <= n / 2; ++i)
    variable[i] = a[(i * 2) % n] * 3ull;
  return hash_bytes(a, n * sizeof *a) + hash_bytes(variable, sizeof variable);
}
static int descending(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? 1 : *(const int *)a > *(const int *)b ? -1 : 0; }

void lane(unsigned lane) {
  unsigned structs = check_named(0, "structs"), bits = check_named(1, "bit_fields"), packed = check_named(2, "packed"),
           blocks = check_named(3, "blocks"), varargs = check_named(4, "varargs"), pointers = check_named(5, "pointers"),
           recursion = check_named(6, "recursion"), frames = check_named(7, "frames"), unions = check_named(8, "unions"),
           sorting = check_named(9, "sorting"), layout = check_named(10, "layout");
  if (lane == 0) {
    size_t sizes[] = {sizeof(struct medium), sizeof(struct large), sizeof(struct fields), sizeof(struct unaligned), offsetof(struct medium, name),
                      offsetof(struct medium, s), offsetof(struct unaligned, g), _Alignof(struct large), _Alignof(long double) > 0, sizeof(union punned)};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i)
      record(layout, i, sizes[i]);
  }
  for (unsigned i = lane; i < COUNT; i += LANES) {
    struct large v = big_constant, w;
    for (unsigned k = 0; k < 6; ++k)
      v = change(v, i + k);
    w = v;
    record(structs, i, hash_large(&w));

    struct fields f = {0};
    for (int k = 0; k < 20; ++k) {
      uint64_t r = random_at(i, (uint64_t)k);
      f.a = (unsigned)r; f.b = (int)(r >> 3); f.c += (unsigned)(r >> 7); f.d -= (int64_t)(r >> 11); f.e ^= (uint8_t)r; f.f = (int)(r >> 20); f.g = f.g * 3 + r; f.h--;
      record(bits, i * 32u + (unsigned)k, mix((uint64_t)f.a + (uint64_t)f.b * 8 + f.c) ^ mix((uint64_t)f.d + f.e) ^ mix((uint64_t)f.f + f.g) ^ (uint64_t)f.h);
    }

    uint8_t buffer[400];
    for (unsigned k = 0; k < sizeof buffer; ++k)
      buffer[k] = (uint8_t)(k * i + (k >> 3));
    struct unaligned *u = (struct unaligned *)(buffer + 1 + i % 13);
    u->b += i; u->d *= 3; u->e--; u->f = (float)i; u->g = i / 8.0;
    u[3].d = u->d ^ 0x0123456789abcdef;
    record(packed, i, hash_bytes(buffer, sizeof buffer));

    unsigned n = i % 97, from = i % 31, to = (i * 7) % 41;
    memmove(buffer + to, buffer + from, n);
    memcpy(buffer + 200 + from, buffer + to, n);
    memset(buffer + 350, (int)i, i % 50);
    record(blocks, 2 * i, hash_bytes(buffer, sizeof buffer));
    record(blocks, 2 * i + 1, (uint64_t)(memcmp(buffer, buffer + 200, n) > 0) + 2 * (memchr(buffer, (int)(i & 255), 400) != 0) + 4 * strlen(names[i % 4]));

    struct small s = {(uint8_t)i, (uint16_t)(i * 300)};
    struct medium m = {(int32_t)i, 1.5, "xyz", {{1, 2}, {3, (uint16_t)i}}};
    record(varargs, i, variadic("ilsdpmi", i, (uint64_t)i << 40, s, i / 4.0, "abc", m, -5) + variadic("dddddddddd", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, i * 0.5));

    record(pointers, 4 * i, (uint64_t)operations[i % 3]((int)i));
    record(pointers, 4 * i + 1, (uint64_t)entries[i % 2].op((int)i) + (uint64_t)(*indirect[i % 2] - numbers));
    record(pointers, 4 * i + 2, (uint64_t)(entries[1].self == &entries[1].where) + 2 * (entries[0].self == entries));
    record(pointers, 4 * i + 3, hash_bytes(names[i % 4], strlen(names[i % 4])));

    record(recursion, 2 * i, ackermann(2, i % 9));
    record(recursion, 2 * i + 1, even(i % 50));
    record(frames, 2 * i, large_frame(i, i % 5));
    record(frames, 2 * i + 1, on_the_stack(1 + i % 60, i));

    union punned p = {.d = i * 0.75};
    p.half.high ^= i; p.bytes[i % 4] += 7;
    record(unions, i, p.u);

    int values[40];
    for (int k = 0; k < 40; ++k)
      values[k] = (int)random_at(i, (uint64_t)k + 99) % 1000;
    qsort(values, 40, sizeof *values, descending);
    record(sorting, i, hash_bytes(values, sizeof values));
  }
}
