// Code that others wrote for hosts, as Debian has it: stb (formatting, pictures, hash tables), uthash, utlist, utstring, xxHash, jsmn,
// qoi. What it computes is the same as on the host, byte for byte, with one thread and with 4096 at once.
// RUN: rm -rf %t.include && mkdir %t.include && (cd /usr/include && cp -r stb xxhash.h jsmn.h qoi.h uthash.h utlist.h utstring.h %t.include) && %hostcc -I%source/test/libc -I%t.include %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc -I%t.include %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
#define SLICES 16
#include "libc_test.h"
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define STB_SPRINTF_NOUNALIGNED // it writes words where they are not aligned: NVIDIA's GPUs fault
#define STB_SPRINTF_STATIC
#define STB_SPRINTF_IMPLEMENTATION
#include <stb/stb_sprintf.h>
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_SIMD // the host's SSE2 rounds otherwise than its own C
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
#define STB_DS_IMPLEMENTATION
#include <stb/stb_ds.h>
#define STB_RECT_PACK_IMPLEMENTATION
#include <stb/stb_rect_pack.h>
#define STB_PERLIN_IMPLEMENTATION
#include <stb/stb_perlin.h>
#define XXH_NO_INLINE_HINTS 1 // or each of its functions is there ten times
#define XXH_INLINE_ALL
#include <xxhash.h>
#define QOI_IMPLEMENTATION
#define QOI_NO_STDIO
#include <qoi.h>
#include <jsmn.h>
#include <uthash.h>
#include <utlist.h>
#include <utstring.h>

enum { WIDTH = 24, HEIGHT = 17 };

typedef struct {
  unsigned char data[8192];
  int size;
} file;
static void append(void *context, void *data, int size) {
  file *to = context;
  if (to->size + size > (int)sizeof to->data)
    abort();
  memcpy(to->data + to->size, data, (size_t)size);
  to->size += size;
}

static void paint(unsigned char *pixels, int channels) {
  uint32_t noise = 12345;
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x)
      for (int c = 0; c < channels; ++c) {
        noise = noise * 1103515245 + 12345;
        *pixels++ = (unsigned char)(c == 3 ? 255 - x : x < 12 ? x * 9 + y * c : (y & 4 ? noise >> 28 : 77));
      }
}

__attribute__((noinline)) static uint64_t hash(const void *data, size_t size) { return XXH64(data, size, 0); }

static void pictures(struct test *t) {
  for (int channels = 1; channels <= 4; ++channels) {
    unsigned char pixels[WIDTH * HEIGHT * 4];
    paint(pixels, channels);
    for (int kind = 0; kind < 4; ++kind) {
      if (!section(t))
        continue;
      file *to = calloc(1, sizeof *to);
      int good = kind == 0   ? stbi_write_png_to_func(append, to, WIDTH, HEIGHT, channels, pixels, WIDTH * channels)
                 : kind == 1 ? stbi_write_bmp_to_func(append, to, WIDTH, HEIGHT, channels, pixels)
                 : kind == 2 ? stbi_write_tga_to_func(append, to, WIDTH, HEIGHT, channels, pixels)
                             : stbi_write_jpg_to_func(append, to, WIDTH, HEIGHT, channels, pixels, 80);
      out(t, "%d channels, kind %d: %d, %d bytes, %016llx", channels, kind, good, to->size, (long long)hash(to->data, to->size));
      int width = 0, height = 0, found = 0;
      unsigned char *back = stbi_load_from_memory(to->data, to->size, &width, &height, &found, 0);
      out(t, "  back: %d x %d x %d, %016llx", width, height, found,
          back ? (long long)hash(back, (size_t)(width * height * found)) : 0);
      free(back);
      free(to);
    }
    if (channels >= 3 && section(t)) {
      qoi_desc desc = {WIDTH, HEIGHT, (unsigned char)channels, QOI_SRGB}, read;
      int size = 0;
      void *packed = qoi_encode(pixels, &desc, &size);
      void *plain = qoi_decode(packed, size, &read, 0);
      out(t, "qoi: %d bytes %016llx, the same %d", size, (long long)hash(packed, (size_t)size),
          plain && !memcmp(plain, pixels, (size_t)(WIDTH * HEIGHT * channels)));
      free(packed);
      free(plain);
    }
  }
}

static void texts(struct test *t) {
  static const double numbers[] = {0, -0.0, 1, -1.5, 3.14159265358979, 1e-300, 1.7976931348623157e308, 123456789.125, 0.1, 5e-324};
  for (int i = 0; i < 10; ++i)
    if (section(t)) {
      char text[600];
      stbsp_snprintf(text, sizeof text, "%f|%.3f|%10.2e|%g|%a|%'d|%08x|%-12s|%+d|%c|%llu", numbers[i], numbers[i], numbers[i], numbers[i],
                     numbers[i], i * 1234567, i * 987654321u, "left", -i, 'a' + i, (unsigned long long)i << 60);
      out(t, "%s", text);
    }
  // jsmn
  static const char json[] = "{\"name\": [1, -2.5e3, true, null, \"a\\u00e9\\n\"], \"deep\": {\"er\": {\"x\": [[], {}]}}, \"n\": 0}";
  if (section(t)) {
    jsmntok_t tokens[40];
    jsmn_parser parser;
    for (size_t length = sizeof json - 1; length > sizeof json - 20; length -= 6) {
      jsmn_init(&parser);
      int count = jsmn_parse(&parser, json, length, tokens, 40);
      out(t, "jsmn: %d", count);
      for (int i = 0; i < count; ++i)
        out(t, " %d %d..%d %d", tokens[i].type, tokens[i].start, tokens[i].end, tokens[i].size);
    }
  }
}

typedef struct {
  char word[16];
  int count;
  UT_hash_handle hh;
} entry;
typedef struct node {
  int value;
  struct node *prev, *next;
} node;
static int by_word(const entry *a, const entry *b) { return strcmp(a->word, b->word); }
static int by_value(node *a, node *b) { return a->value - b->value; }

static void tables(struct test *t) {
  static const char text[] = "the quick brown fox jumps over the lazy dog the fox the end of the quick story dog";
  if (section(t)) {
    entry *all = NULL, *item, *next;
    for (const char *at = text; *at;) {
      int length = (int)strcspn(at, " ");
      HASH_FIND(hh, all, at, length, item);
      if (!item) {
        item = calloc(1, sizeof *item);
        memcpy(item->word, at, (size_t)length);
        HASH_ADD_KEYPTR(hh, all, item->word, length, item);
      }
      ++item->count;
      at += length + (at[length] != 0);
    }
    HASH_SORT(all, by_word);
    UT_string *line;
    utstring_new(line);
    HASH_ITER(hh, all, item, next) {
      utstring_printf(line, "%s=%d ", item->word, item->count);
      HASH_DEL(all, item);
      free(item);
    }
    out(t, "%s(%d)", utstring_body(line), (int)utstring_len(line));
    utstring_free(line);
  }
  if (section(t)) {
    node nodes[40], *head = NULL, *each;
    for (int i = 0; i < 40; ++i) {
      nodes[i].value = i * 37 % 41;
      DL_PREPEND(head, &nodes[i]);
    }
    DL_SORT(head, by_value);
    uint64_t sum = 0;
    DL_FOREACH(head, each) sum = sum * 43 + (uint64_t)each->value;
    out(t, "utlist %016llx", (long long)sum);
  }
  if (section(t)) {
    struct {
      char *key;
      int value;
    } *names = NULL;
    struct {
      int key;
      double value;
    } *numbers = NULL;
    int *array = NULL;
    sh_new_arena(names);
    for (int i = 0; i < 60; ++i) {
      char name[16];
      snprintf(name, sizeof name, "name-%d", i * i % 50);
      const int before = shget(names, name);
      shput(names, name, before + i);
      hmput(numbers, i * 7919 % 101, sqrt(i));
      arrput(array, i);
    }
    arrdelswap(array, 3);
    hmdel(numbers, 7919 % 101);
    double total = 0;
    for (int i = 0; i < hmlen(numbers); ++i)
      total += numbers[i].value * numbers[i].key;
    out(t, "stb_ds: %d names, name-4 is %d, %d numbers %.10g, array %d %d", (int)shlen(names), shget(names, "name-4"),
        (int)hmlen(numbers), total, (int)arrlen(array), array[3]);
    shfree(names), hmfree(numbers), arrfree(array);
  }
  if (section(t)) {
    stbrp_context context;
    stbrp_node nodes[64];
    stbrp_rect rects[20];
    for (int i = 0; i < 20; ++i)
      rects[i] = (stbrp_rect){.id = i, .w = 3 + i * 7 % 11, .h = 2 + i * 5 % 9};
    stbrp_init_target(&context, 48, 48, nodes, 64);
    int good = stbrp_pack_rects(&context, rects, 20);
    out(t, "packed %d, %016llx", good, (long long)hash(rects, sizeof rects));
  }
  if (section(t))
    for (int i = 0; i < 12; ++i)
      out(t, "noise %.9g %.9g", stb_perlin_noise3(i * 0.3f, i * 0.7f, 1.1f, 0, 0, 0),
          stb_perlin_fbm_noise3(i * 0.11f, 0.5f, i * 0.9f, 2, 0.5f, 4));
}

static void hashes(struct test *t) {
  static const int lengths[] = {0, 1, 3, 4, 7, 8, 9, 16, 17, 31, 64, 65, 128, 129, 200, 240, 241, 255, 256, 511, 1024, 1025, 2000};
  unsigned char data[2000];
  for (int i = 0; i < 2000; ++i)
    data[i] = (unsigned char)(i * 2654435761u >> 11);
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; ++i)
    if (section(t)) {
      const size_t length = (size_t)lengths[i];
      XXH128_hash_t both = XXH3_128bits_withSeed(data, length, i);
      out(t, "xxhash %d: %08x %016llx %016llx %016llx%016llx", (int)length, XXH32(data, length, i), (long long)XXH64(data, length, i),
          (long long)XXH3_64bits(data, length), (long long)both.high64, (long long)both.low64);
    }
}

static void run(struct test *t) {
  pictures(t);
  texts(t);
  tables(t);
  hashes(t);
}
