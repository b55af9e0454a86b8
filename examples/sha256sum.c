/* Prints the SHA-256 (FIPS 180-4) of standard input or of the named files, as sha256sum does.
   usage: sha256sum [FILE...] */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct sha256 {
  uint32_t state[8];
  uint64_t length;
  unsigned char block[64];
};

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void compress(struct sha256 *s, const unsigned char *block) {
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  memcpy(v, s->state, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t t1 = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) +
                  K[i] + w[i];
    uint32_t t2 = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) +
                  ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++)
    s->state[i] += v[i];
}

static void start(struct sha256 *s) {
  static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(s->state, initial, sizeof initial);
  s->length = 0;
}

static void add(struct sha256 *s, const unsigned char *data, size_t size) {
  size_t used = s->length % 64;
  s->length += size;
  if (used + size < 64) {
    memcpy(s->block + used, data, size);
    return;
  }
  if (used) {
    memcpy(s->block + used, data, 64 - used);
    compress(s, s->block);
    data += 64 - used;
    size -= 64 - used;
  }
  for (; size >= 64; data += 64, size -= 64)
    compress(s, data);
  memcpy(s->block, data, size);
}

static void finish(struct sha256 *s, unsigned char digest[32]) {
  uint64_t bits = s->length * 8;
  unsigned char end[72] = {0x80};
  size_t padding = (s->length % 64 < 56 ? 56 : 120) - s->length % 64;
  for (int i = 0; i < 8; i++)
    end[padding + i] = (unsigned char)(bits >> (56 - 8 * i));
  add(s, end, padding + 8);
  for (int i = 0; i < 32; i++)
    digest[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}

static int print_sum(FILE *stream, const char *name) {
  static unsigned char buffer[65536];
  struct sha256 s;
  unsigned char digest[32];
  size_t length;
  start(&s);
  while ((length = fread(buffer, 1, sizeof buffer, stream)) > 0)
    add(&s, buffer, length);
  if (ferror(stream))
    return 1;
  finish(&s, digest);
  for (int i = 0; i < 32; i++)
    printf("%02x", digest[i]);
  printf("  %s\n", name);
  return 0;
}

int main(int argc, char **argv) {
  int status = 0;
  if (argc == 1)
    return print_sum(stdin, "-");
  for (int i = 1; i < argc; i++) {
    int is_stdin = strcmp(argv[i], "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(argv[i], "rb");
    if (!file || print_sum(file, argv[i])) {
      fprintf(stderr, "sha256sum: ");
      perror(argv[i]);
      status = 1;
    }
    if (file && !is_stdin)
      fclose(file);
  }
  return status;
}
