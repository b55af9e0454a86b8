// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the Mandelbrot set: gpucc mandelbrot.cu -o mandelbrot
//   ./mandelbrot [WIDTH HEIGHT] > picture.ppm
// Each thread computes a pixel from four points in it.
#include <cstdio>
#include <cstdlib>

#define CHECK(CALL)                                                            \
  do {                                                                         \
    cudaError_t error = CALL;                                                  \
    if (error != cudaSuccess) {                                                \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #CALL,            \
              cudaGetErrorString(error));                                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

constexpr int MOST_STEPS = 500;
constexpr float CENTRE_X = -0.7f, CENTRE_Y = 0, HEIGHT = 2.5f;

/// How many steps z takes to leave the circle of radius 16, with a fraction
/// that makes the colours continuous; MOST_STEPS when it does not.
__device__ float steps_outside(float x, float y) {
  float re = 0, im = 0;
  for (int step = 0; step < MOST_STEPS; ++step) {
    const float re2 = re * re, im2 = im * im;
    if (re2 + im2 > 256)
      return step + 1 - log2f(log2f(re2 + im2) / 2);
    im = 2 * re * im + y;
    re = re2 - im2 + x;
  }
  return MOST_STEPS;
}

__device__ float3 colour_of(float steps) {
  if (steps >= MOST_STEPS)
    return make_float3(0, 0, 0);
  const float turn = 0.3f * sqrtf(steps);
  return make_float3(0.5f - 0.5f * cospif(turn),
                     0.5f - 0.5f * cospif(turn + 0.2f),
                     0.5f - 0.5f * cospif(turn + 0.45f));
}

__global__ void draw(uchar3 *picture, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;
  const float size = HEIGHT / height;
  float3 sum = make_float3(0, 0, 0);
  for (int sample = 0; sample < 4; ++sample) {
    const float x = column - width * 0.5f + 0.25f + 0.5f * (sample % 2);
    const float y = row - height * 0.5f + 0.25f + 0.5f * (sample / 2);
    const float3 colour =
        colour_of(steps_outside(CENTRE_X + x * size, CENTRE_Y + y * size));
    sum.x += colour.x;
    sum.y += colour.y;
    sum.z += colour.z;
  }
  picture[row * width + column] =
      make_uchar3((unsigned char)(sum.x * 63.75f + 0.5f),
                  (unsigned char)(sum.y * 63.75f + 0.5f),
                  (unsigned char)(sum.z * 63.75f + 0.5f));
}

int main(int argc, char **argv) {
  const int width = argc > 2 ? atoi(argv[1]) : 320;
  const int height = argc > 2 ? atoi(argv[2]) : 200;
  if (width <= 0 || height <= 0) {
    fprintf(stderr, "usage: mandelbrot [WIDTH HEIGHT] > picture.ppm\n");
    return 2;
  }
  // Both the host and the device can use managed memory.
  uchar3 *picture;
  CHECK(cudaMallocManaged(&picture, sizeof(uchar3) * width * height));
  const dim3 block(16, 16);
  const dim3 grid((width + 15) / 16, (height + 15) / 16);
  draw<<<grid, block>>>(picture, width, height);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  printf("P6 %d %d 255\n", width, height);
  fwrite(picture, sizeof(uchar3), (size_t)width * height, stdout);
  CHECK(cudaFree(picture));
  return fflush(stdout) != 0;
}
