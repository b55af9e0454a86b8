// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- framebuffer_service.c - Pictures computed on the device -----------===*\
 * An example of a service. It writes every frame that the program shows as
 * DIR/frame-0000.png ...:
 *   gpuexec --service libgpuexec-framebuffer.so,DIR program
 *
 * SHOW  C {P[0] = width, P[1] = height, P[2] = address of the pixels}
 *       S {P[0] = number of the frame or -1, P[1] = errno}
 * There are width * height pixels of 4 bytes: red, green, blue, unused. Only
 * the frame of the wave's first lane is shown.
\*===----------------------------------------------------------------------===*/
#include "rpc/include/gpuexec_service.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { SHOW = GPUEXEC_USER_OPCODE(0xfb00) };
enum { MAX_SIDE = 16384 };

typedef struct framebuffer {
  char directory[4096];
  pthread_mutex_t mutex;
  unsigned next;
} framebuffer;

static void put32(unsigned char *to, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    to[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* A PNG chunk: length, type, data, CRC of the last two. */
static void put_chunk(FILE *file, const char *type, const unsigned char *data,
                      uint32_t size) {
  unsigned char word[4];
  put32(word, size);
  fwrite(word, 1, 4, file);
  fwrite(type, 1, 4, file);
  if (size)
    fwrite(data, 1, size, file);
  uLong crc = crc32(0, (const unsigned char *)type, 4);
  if (size)
    crc = crc32(crc, data, size);
  put32(word, (uint32_t)crc);
  fwrite(word, 1, 4, file);
}

static int write_png(const char *path, const unsigned char *pixels,
                     uint32_t width, uint32_t height) {
  size_t row = 1 + (size_t)width * 3;
  uLong packed_size = compressBound(row * height);
  unsigned char *raw = malloc(row * height), *packed = malloc(packed_size);
  FILE *file = raw && packed ? fopen(path, "wb") : NULL;
  int error = raw && packed ? (file ? 0 : errno) : ENOMEM;
  if (!error) {
    for (uint32_t y = 0; y < height; ++y) {
      unsigned char *to = raw + y * row;
      *to++ = 0; /* this row is not filtered */
      for (uint32_t x = 0; x < width; ++x, to += 3)
        memcpy(to, pixels + ((size_t)y * width + x) * 4, 3);
    }
    if (compress2(packed, &packed_size, raw, row * height, 6) != Z_OK)
      error = ENOMEM;
  }
  if (!error) {
    unsigned char header[13] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0};
    put32(header, width);
    put32(header + 4, height);
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
    put_chunk(file, "IHDR", header, sizeof header);
    put_chunk(file, "IDAT", packed, (uint32_t)packed_size);
    put_chunk(file, "IEND", NULL, 0);
  }
  if (file && (ferror(file) | fclose(file)) && !error)
    error = EIO;
  free(raw);
  free(packed);
  return error;
}

static int show_frame(framebuffer *screen, const gpuexec_host *host,
                      gpuexec_call *call, const uint64_t words[3],
                      int64_t *number) {
  uint64_t width = words[0], height = words[1];
  if (width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE)
    return EINVAL;
  unsigned char *pixels = malloc(width * height * 4);
  if (!pixels)
    return ENOMEM;
  int error = host->read_device(call, pixels, words[2], width * height * 4);
  if (!error) {
    pthread_mutex_lock(&screen->mutex);
    *number = screen->next++;
    pthread_mutex_unlock(&screen->mutex);
    char path[4200];
    snprintf(path, sizeof path, "%s/frame-%04lld.png", screen->directory,
             (long long)*number);
    error = write_png(path, pixels, (uint32_t)width, (uint32_t)height);
  }
  free(pixels);
  return error;
}

static int serve(void *state, const gpuexec_host *host, gpuexec_call *call) {
  uint32_t lane = (uint32_t)__builtin_ctzll(call->lane_mask);
  uint64_t words[3];
  memcpy(words, call->inputs[lane].data, sizeof words);
  int64_t number = -1;
  int error = show_frame(state, host, call, words, &number);
  int64_t answer[2] = {error ? -1 : number, error};
  for (lane = 0; lane < GPUEXEC_MAX_LANES; ++lane)
    if (call->lane_mask >> lane & 1)
      host->reply(call, 0, lane, answer, sizeof answer);
  return 0;
}

static int open_screen(const gpuexec_host *host, const char *argument,
                       void **state, char *error, size_t error_size) {
  (void)host;
  const char *directory = *argument ? argument : ".";
  struct stat status;
  if (stat(directory, &status) || !S_ISDIR(status.st_mode) ||
      strlen(directory) >= sizeof((framebuffer *)0)->directory) {
    snprintf(error, error_size, "'%s' is not a directory", directory);
    return 1;
  }
  framebuffer *screen = calloc(1, sizeof *screen);
  if (!screen) {
    snprintf(error, error_size, "out of memory");
    return 1;
  }
  strcpy(screen->directory, directory);
  pthread_mutex_init(&screen->mutex, NULL);
  *state = screen;
  return 0;
}

static void close_screen(void *state) {
  framebuffer *screen = state;
  pthread_mutex_destroy(&screen->mutex);
  free(screen);
}

static const gpuexec_operation operations[] = {
    {SHOW, 0, "FRAMEBUFFER_SHOW", "pP", serve},
};

const gpuexec_service_description *gpuexec_service(void) {
  static const gpuexec_service_description description = {
      sizeof description, GPUEXEC_SERVICE_VERSION,
      "framebuffer",      1,
      operations,         open_screen,
      close_screen,       NULL};
  return &description;
}
