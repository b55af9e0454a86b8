/* A small animation computed on the device and written as pictures by a service on the host:

       gpucc -O2 animation.c -o animation
       mkdir frames
       gpuexec --service lib/gpuexec/services/libgpuexec-framebuffer.so,frames --threads 256 animation [FRAMES [WIDTH HEIGHT]]

   Waves on water: sources move about, every thread computes its share of the pixels. The block's first wave hands the
   picture's address to the service, which copies it out of device memory by itself. */
#include "../grid.h"
#include <gpuexec/client.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOW = 0x5500fb00 };

static unsigned *pixels;
static int failed;

static unsigned color(float height) {
  float light = 0.5f + 0.5f * height;
  unsigned red = (unsigned)(40 + 180 * light * light);
  unsigned green = (unsigned)(70 + 170 * light);
  unsigned blue = (unsigned)(140 + 110 * light);
  return red | green << 8 | blue << 16 | 0xff000000u;
}

static float height_at(float x, float y, float time) {
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    float dx = x - 0.7f * cosf(time * (1 + i) * 0.5f + (float)i * 2);
    float dy = y - 0.7f * sinf(time * (3 - i) * 0.4f + (float)i);
    float distance = sqrtf(dx * dx + dy * dy);
    sum += sinf(distance * 20 - time * 6) / (1 + 4 * distance);
  }
  return sum / 3;
}

/* One picture for the wave; the number of the frame or -1. */
static long show(unsigned width, unsigned height) {
  rpc_port port = rpc_open(SHOW);
  rpc_packet *packet = rpc_send_begin(&port);
  packet->words[0] = width;
  packet->words[1] = height;
  packet->words[2] = (uint64_t)pixels;
  rpc_send_end(&port);
  long frame = (long)rpc_recv(&port)->words[0];
  rpc_close(&port);
  return frame;
}

int main(int argc, char **argv) {
  unsigned frames = argc > 1 ? (unsigned)atoi(argv[1]) : 10;
  unsigned width = argc > 3 ? (unsigned)atoi(argv[2]) : 320;
  unsigned height = argc > 3 ? (unsigned)atoi(argv[3]) : 200;
  unsigned me = thread_number(), all = thread_count();
  if (me == 0)
    pixels = malloc((size_t)width * height * 4);
  wait_for_block();
  if (!pixels)
    return 1;
  for (unsigned frame = 0; frame < frames && !failed; ++frame) {
    float time = (float)frame * 0.1f;
    for (unsigned i = me; i < width * height; i += all) {
      float x = 2 * ((float)(i % width) + 0.5f) / (float)width - 1;
      float y = 2 * ((float)(i / width) + 0.5f) / (float)height - 1;
      pixels[i] = color(height_at(x, y * (float)height / (float)width, time));
    }
    wait_for_block();
    if (me == 0 && show(width, height) < 0)
      failed = 1;
    wait_for_block();
  }
  if (me == 0)
    printf("%u pictures of %u x %u by %u threads\n", frames, width, height, all);
  return failed;
}
