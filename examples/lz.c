/* A small LZ77 compressor: hash chains over a window of 64 KiB, bytes only, no entropy coder.
   usage: lz < FILE > FILE.lz            lz -d < FILE.lz > FILE

   Format: "LZ77", then until the end of the file sequences of: literal count, literals, match length, and when that is
   not zero the distance (2 bytes). Counts are 7 bits a byte, low ones first, the top bit saying that more follow; match
   length 0 ends the stream and is followed by the sum of all bytes (Adler-32, 4 bytes, low first). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 65535, SHORTEST = 4, HASH_BITS = 15, LONGEST_CHAIN = 16 };

struct bytes {
  unsigned char *data;
  size_t size, capacity;
};

static void fail(const char *why) {
  fprintf(stderr, "lz: %s\n", why);
  exit(1);
}

static void reserve(struct bytes *b, size_t more) {
  if (b->capacity - b->size >= more)
    return;
  while (b->capacity - b->size < more)
    b->capacity = b->capacity ? 2 * b->capacity : 1 << 16;
  b->data = realloc(b->data, b->capacity);
  if (!b->data)
    fail("out of memory");
}

static void add(struct bytes *b, const void *data, size_t size) {
  reserve(b, size);
  if (size)
    memcpy(b->data + b->size, data, size);
  b->size += size;
}

static void add_byte(struct bytes *b, unsigned value) {
  unsigned char byte = (unsigned char)value;
  add(b, &byte, 1);
}

static void add_count(struct bytes *b, size_t count) {
  for (; count >= 128; count >>= 7)
    add_byte(b, (count & 127) | 128);
  add_byte(b, (unsigned)count);
}

static uint32_t adler(const unsigned char *data, size_t size) {
  uint32_t a = 1, b = 0;
  while (size) {
    size_t run = size < 5552 ? size : 5552; /* as far as the sums cannot overflow */
    size -= run;
    while (run--) {
      a += *data++;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}

static uint32_t load(const unsigned char *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static size_t match_length(const unsigned char *a, const unsigned char *b, size_t most) {
  size_t length = 0;
  while (length < most && a[length] == b[length])
    length++;
  return length;
}

static void compress(const struct bytes *in, struct bytes *out) {
  int32_t *head = malloc(sizeof *head << HASH_BITS), *previous = malloc((in->size + 1) * sizeof *previous);
  if (!head || !previous)
    fail("out of memory");
  memset(head, -1, sizeof *head << HASH_BITS);
  size_t at = 0, literals = 0;
  add(out, "LZ77", 4);
  while (at + SHORTEST <= in->size) {
    uint32_t hash = load(in->data + at) * 2654435761u >> (32 - HASH_BITS);
    size_t best = 0, distance = 0;
    int32_t candidate = head[hash];
    for (int chain = 0; candidate >= 0 && at - (size_t)candidate <= WINDOW && chain < LONGEST_CHAIN; chain++) {
      if (in->data[(size_t)candidate + best] == in->data[at + best]) {
        size_t length = match_length(in->data + candidate, in->data + at, in->size - at);
        if (length > best) {
          best = length;
          distance = at - (size_t)candidate;
          if (at + best == in->size)
            break;
        }
      }
      candidate = previous[candidate];
    }
    size_t step = best >= SHORTEST ? best : 1;
    if (best >= SHORTEST) {
      add_count(out, at - literals);
      add(out, in->data + literals, at - literals);
      add_count(out, best);
      add_byte(out, distance & 255);
      add_byte(out, (unsigned)(distance >> 8));
      literals = at + best;
    }
    for (size_t i = 0; i < step && at + i + SHORTEST <= in->size; i++) {
      uint32_t h = load(in->data + at + i) * 2654435761u >> (32 - HASH_BITS);
      previous[at + i] = head[h];
      head[h] = (int32_t)(at + i);
    }
    at += step;
  }
  add_count(out, in->size - literals);
  add(out, in->data + literals, in->size - literals);
  add_byte(out, 0);
  uint32_t sum = adler(in->data, in->size);
  for (int i = 0; i < 4; i++)
    add_byte(out, sum >> (8 * i) & 255);
  free(head);
  free(previous);
}

static size_t at_input;

static unsigned take(const struct bytes *in) {
  if (at_input >= in->size)
    fail("the compressed file is cut off");
  return in->data[at_input++];
}

static size_t take_count(const struct bytes *in) {
  size_t count = 0;
  for (int shift = 0; shift < 63; shift += 7) {
    unsigned byte = take(in);
    count |= (size_t)(byte & 127) << shift;
    if (byte < 128)
      return count;
  }
  fail("a count is too large");
  return 0;
}

static void decompress(const struct bytes *in, struct bytes *out) {
  if (in->size < 4 || memcmp(in->data, "LZ77", 4) != 0)
    fail("not a file that lz made");
  at_input = 4;
  for (;;) {
    size_t literals = take_count(in);
    if (literals > in->size - at_input)
      fail("the compressed file is cut off");
    add(out, in->data + at_input, literals);
    at_input += literals;
    size_t length = take_count(in);
    if (!length)
      break;
    size_t distance = take(in);
    distance |= (size_t)take(in) << 8;
    if (!distance || distance > out->size)
      fail("a match begins before the file");
    reserve(out, length);
    for (size_t i = 0; i < length; i++) /* may overlap itself: byte by byte */
      out->data[out->size + i] = out->data[out->size + i - distance];
    out->size += length;
  }
  uint32_t sum = 0;
  for (int i = 0; i < 4; i++)
    sum |= (uint32_t)take(in) << (8 * i);
  if (sum != adler(out->data, out->size))
    fail("the sum is wrong: the file is damaged");
}

int main(int argc, char **argv) {
  struct bytes in = {0}, out = {0};
  size_t length;
  do {
    reserve(&in, 1 << 16);
    length = fread(in.data + in.size, 1, in.capacity - in.size, stdin);
    in.size += length;
  } while (length);
  if (ferror(stdin))
    fail("cannot read standard input");
  if (argc > 1 && strcmp(argv[1], "-d") == 0)
    decompress(&in, &out);
  else
    compress(&in, &out);
  if (fwrite(out.data, 1, out.size, stdout) != out.size || fflush(stdout))
    fail("cannot write standard output");
  free(in.data);
  free(out.data);
  return 0;
}
