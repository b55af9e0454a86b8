/* Ray-traces three shining spheres over a chessboard: as a picture in the terminal, or as a PNG file.
   usage: raytracer [-w WIDTH] [-h HEIGHT] [-s SAMPLES] [-a] [FILE.png]

   Without a file the picture is drawn with coloured half blocks; -a draws it with plain characters. All threads that the
   program is started with (gpuexec --threads 64 --blocks 8) share the work, pixel by pixel. */
#include "grid.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 1024, HIGHEST = 1024, DEEPEST = 5 };

typedef struct {
  float x, y, z;
} vec;

static vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec scale(vec a, float f) { return (vec){a.x * f, a.y * f, a.z * f}; }
static vec times(vec a, vec b) { return (vec){a.x * b.x, a.y * b.y, a.z * b.z}; }
static float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec normal(vec a) { return scale(a, 1.0f / sqrtf(dot(a, a))); }
static vec mix(vec a, vec b, float f) { return add(scale(a, 1 - f), scale(b, f)); }

struct sphere {
  vec centre;
  float radius;
  vec colour;
  float mirror;
};

static const struct sphere spheres[] = {
    {{0.0f, 1.0f, 0.0f}, 1.0f, {0.95f, 0.95f, 0.95f}, 0.75f},   {{-2.1f, 0.75f, 0.6f}, 0.75f, {0.90f, 0.15f, 0.10f}, 0.20f},
    {{1.9f, 0.7f, 0.9f}, 0.7f, {0.10f, 0.35f, 0.90f}, 0.25f},   {{-0.75f, 0.35f, 2.0f}, 0.35f, {0.95f, 0.75f, 0.10f}, 0.15f},
    {{0.75f, 0.3f, 1.75f}, 0.3f, {0.10f, 0.75f, 0.30f}, 0.15f}, {{3.6f, 1.2f, -2.2f}, 1.2f, {0.70f, 0.25f, 0.80f}, 0.30f},
    {{-3.9f, 1.0f, -1.9f}, 1.0f, {0.15f, 0.75f, 0.75f}, 0.30f},
};
enum { SPHERES = sizeof spheres / sizeof *spheres };

static const vec light = {-0.53f, 0.74f, 0.42f}; /* its direction, about of length 1 */

/* Distance along the ray to the nearest sphere, and which; -1 for none. */
static int nearest(vec origin, vec direction, float *distance) {
  int hit = -1;
  for (int i = 0; i < SPHERES; i++) {
    vec to = sub(spheres[i].centre, origin);
    float along = dot(to, direction);
    float inside = spheres[i].radius * spheres[i].radius - dot(to, to) + along * along;
    if (along <= 0 || inside <= 0)
      continue;
    float t = along - sqrtf(inside);
    if (t > 0.001f && t < *distance) {
      *distance = t;
      hit = i;
    }
  }
  return hit;
}

static vec sky(vec direction) {
  float up = direction.y < 0 ? 0 : direction.y;
  vec colour = mix((vec){0.95f, 0.80f, 0.65f}, (vec){0.20f, 0.40f, 0.80f}, sqrtf(up));
  float sun = dot(direction, light);
  if (sun > 0.995f)
    colour = add(colour, scale((vec){1.0f, 0.9f, 0.6f}, (sun - 0.995f) * 200));
  return colour;
}

static float power32(float x) {
  for (int i = 0; i < 5; i++)
    x *= x;
  return x;
}

static vec trace(vec origin, vec direction) {
  vec result = {0, 0, 0}, weight = {1, 1, 1};
  for (int depth = 0; depth < DEEPEST; depth++) {
    float distance = 1e9f, mirror;
    vec at, up, colour;
    int hit = nearest(origin, direction, &distance);
    float floor_distance = direction.y < -1e-4f ? -origin.y / direction.y : 1e9f;
    if (floor_distance > 0.001f && floor_distance < distance) {
      at = add(origin, scale(direction, floor_distance));
      int white = ((int)floorf(at.x) + (int)floorf(at.z)) & 1;
      colour = white ? (vec){0.85f, 0.82f, 0.75f} : (vec){0.20f, 0.13f, 0.10f};
      up = (vec){0, 1, 0};
      mirror = 0.12f;
      /* Far away the squares would flicker: they fade into the horizon. */
      float far = floor_distance / 60;
      colour = mix(colour, (vec){0.95f, 0.80f, 0.65f}, far > 1 ? 1 : far);
    } else if (hit >= 0) {
      at = add(origin, scale(direction, distance));
      up = scale(sub(at, spheres[hit].centre), 1.0f / spheres[hit].radius);
      colour = spheres[hit].colour;
      mirror = spheres[hit].mirror;
    } else {
      return add(result, times(weight, sky(direction)));
    }
    float shadow_distance = 1e9f, lit = dot(up, light);
    if (lit < 0 || nearest(at, light, &shadow_distance) >= 0)
      lit = 0;
    vec bounce = sub(direction, scale(up, 2 * dot(up, direction)));
    float shine = lit > 0 ? dot(bounce, light) : 0;
    vec own = add(scale(colour, 0.22f + 0.85f * lit), scale((vec){1, 1, 1}, shine > 0 ? power32(shine) : 0));
    result = add(result, scale(times(weight, own), 1 - mirror));
    weight = times(weight, scale(mix((vec){1, 1, 1}, colour, 0.5f), mirror));
    origin = at;
    direction = bounce;
  }
  return result;
}

static unsigned char to_byte(float f) {
  f = f < 0 ? 0 : f > 1 ? 1 : f;
  return (unsigned char)(sqrtf(f) * 255.0f + 0.5f); /* about the screen's own curve */
}

static int width = 78, height = 40, samples = 2, plain;
static unsigned char picture[HIGHEST][WIDEST][3];
static unsigned arrived;

static void draw_pixel(int x, int y) {
  vec eye = {0.3f, 1.9f, 6.5f}, sum = {0, 0, 0};
  for (int i = 0; i < samples * samples; i++) {
    float px = ((float)x + ((float)(i % samples) + 0.5f) / (float)samples) / (float)width * 2 - 1;
    float py = 1 - ((float)y + ((float)(i / samples) + 0.5f) / (float)samples) / (float)height * 2;
    float wide = (float)width / (float)height;
    vec direction = normal((vec){px * wide * 0.5f - 0.03f, py * 0.5f - 0.16f, -1.0f});
    sum = add(sum, trace(eye, direction));
  }
  sum = scale(sum, 1.0f / (float)(samples * samples));
  picture[y][x][0] = to_byte(sum.x);
  picture[y][x][1] = to_byte(sum.y);
  picture[y][x][2] = to_byte(sum.z);
}

/* PNG: a stored (uncompressed) zlib stream needs two sums and nothing else. */
static uint32_t crc_table[256];

static uint32_t crc(uint32_t sum, const unsigned char *data, size_t size) {
  while (size--)
    sum = crc_table[(sum ^ *data++) & 255] ^ sum >> 8;
  return sum;
}

static void put_number(unsigned char *to, uint32_t n) {
  for (int i = 0; i < 4; i++)
    to[i] = (unsigned char)(n >> (24 - 8 * i));
}

static void chunk(FILE *file, const char *type, const unsigned char *data, size_t size) {
  unsigned char number[4];
  put_number(number, (uint32_t)size);
  fwrite(number, 1, 4, file);
  fwrite(type, 1, 4, file);
  fwrite(data, 1, size, file);
  put_number(number, ~crc(crc(~0u, (const unsigned char *)type, 4), data, size));
  fwrite(number, 1, 4, file);
}

static int write_png(const char *name) {
  FILE *file = fopen(name, "wb");
  if (!file) {
    fprintf(stderr, "raytracer: ");
    perror(name);
    return 1;
  }
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; bit++)
      c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    crc_table[i] = c;
  }
  unsigned char header[13] = {0};
  put_number(header, (uint32_t)width);
  put_number(header + 4, (uint32_t)height);
  header[8] = 8; /* bits */
  header[9] = 2; /* red, green, blue */
  fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
  chunk(file, "IHDR", header, sizeof header);

  size_t row = 1 + 3 * (size_t)width, size = 2 + (size_t)height * (row + 5) + 4;
  unsigned char *data = malloc(size), *out = data;
  if (!data) {
    fputs("raytracer: out of memory\n", stderr);
    fclose(file);
    return 1;
  }
  *out++ = 0x78;
  *out++ = 0x01;
  uint32_t a = 1, b = 0;
  for (int y = 0; y < height; y++) { /* one stored block a row: 0 = no filter, then the pixels */
    *out++ = y + 1 == height;
    *out++ = (unsigned char)row;
    *out++ = (unsigned char)(row >> 8);
    *out++ = (unsigned char)~row;
    *out++ = (unsigned char)(~row >> 8);
    *out = 0;
    memcpy(out + 1, picture[y], row - 1);
    for (size_t i = 0; i < row; i++) {
      a = (a + out[i]) % 65521;
      b = (b + a) % 65521;
    }
    out += row;
  }
  put_number(out, b << 16 | a);
  chunk(file, "IDAT", data, size);
  chunk(file, "IEND", NULL, 0);
  free(data);
  if (fclose(file)) {
    perror(name);
    return 1;
  }
  return 0;
}

static void show(void) {
  for (int y = 0; y + 1 < height; y += 2) {
    for (int x = 0; x < width; x++) {
      const unsigned char *top = picture[y][x], *low = picture[y + 1][x];
      if (plain) {
        int light = (3 * top[0] + 6 * top[1] + top[2] + 3 * low[0] + 6 * low[1] + low[2]) / 20;
        putchar(" .:-=+*%#@"[light * 10 / 256]);
      } else {
        printf("\x1b[38;2;%d;%d;%dm\x1b[48;2;%d;%d;%dm\xe2\x96\x80", top[0], top[1], top[2], low[0], low[1], low[2]);
      }
    }
    puts(plain ? "" : "\x1b[0m");
  }
}

static const char *file_name;

static int number(const char *text, int most) {
  int n = text ? atoi(text) : 0;
  if (n < 1 || n > most) {
    if (thread_number() == 0)
      fprintf(stderr, "raytracer: a number from 1 to %d expected\n", most);
    exit(2);
  }
  return n;
}

int main(int argc, char **argv) {
  /* Every thread reads the options: they all write the same values. */
  int w = 78, h = 44, s = 2, a = 0;
  const char *name = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-w") == 0)
      w = number(argv[++i], WIDEST);
    else if (strcmp(argv[i], "-h") == 0)
      h = number(argv[++i], HIGHEST);
    else if (strcmp(argv[i], "-s") == 0)
      s = number(argv[++i], 16);
    else if (strcmp(argv[i], "-a") == 0)
      a = 1;
    else
      name = argv[i];
  }
  width = w;
  height = h;
  samples = s;
  plain = a;
  file_name = name;
  for (int i = (int)thread_number(); i < w * h; i += (int)thread_count())
    draw_pixel(i % w, i / w);
  if (!last_to_arrive(&arrived))
    return 0;
  if (file_name)
    return write_png(file_name);
  show();
  return 0;
}
