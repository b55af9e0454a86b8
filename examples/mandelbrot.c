/* Draws a part of the Mandelbrot set with OpenMP: characters on standard output, or a picture in a file (PPM).
   usage: mandelbrot [-s SIZE] [-i ITERATIONS] [-c X,Y] [-z ZOOM] [PICTURE.ppm]
   gpucc -O2 -fopenmp mandelbrot.c -o mandelbrot && gpuexec mandelbrot -s 4000 -z 300 -c -0.7453,0.1127 picture.ppm
   The same source on a host: cc -O2 -fopenmp mandelbrot.c -o mandelbrot -lm */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int width = 76, height = 32, most = 500;
static double centre_x = -0.6, centre_y = 0, zoom = 1;

static int escape(double x, double y) {
  double a = 0, b = 0;
  int i = 0;
  for (; i < most && a * a + b * b <= 4; ++i) {
    const double next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
  }
  return i;
}

static void draw(int *image, double aspect) {
  const double step = 3.0 / zoom / width;
  /* Neighbouring threads have neighbouring points, which take about the same time. */
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < width * height; ++i)
    image[i] = escape(centre_x + (i % width - width / 2) * step, centre_y + (i / width - height / 2) * step * aspect);
}

static void print(const int *image) {
  static const char shades[] = " .:-=+*%@";
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int count = image[y * width + x];
      putchar(count == most ? '#' : shades[count < 40 ? count / 5 : 8]);
    }
    putchar('\n');
  }
}

static int save(const int *image, const char *path) {
  FILE *file = fopen(path, "wb");
  unsigned char *pixels = malloc((size_t)width * height * 3);
  if (!file || !pixels) {
    perror(path);
    return 1;
  }
#pragma omp parallel for
  for (int i = 0; i < width * height; ++i) {
    const int count = image[i] == most ? 0 : image[i];
    pixels[3 * i] = (unsigned char)(count * 5);
    pixels[3 * i + 1] = (unsigned char)(count * 3);
    pixels[3 * i + 2] = (unsigned char)(count ? 60 + count * 7 % 196 : 0);
  }
  fprintf(file, "P6\n%d %d\n255\n", width, height);
  const size_t size = (size_t)width * height * 3;
  const int failed = fwrite(pixels, 1, size, file) != size;
  free(pixels);
  if (fclose(file) || failed) {
    perror(path);
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  double aspect = 2; /* characters are twice as high as wide */
  for (int option; (option = getopt(argc, argv, "s:i:c:z:")) != -1;) {
    if (option == 's') {
      width = height = atoi(optarg);
      aspect = 1;
    } else if (option == 'i') {
      most = atoi(optarg);
    } else if (option == 'z') {
      zoom = atof(optarg);
    } else if (option != 'c' || sscanf(optarg, "%lf,%lf", &centre_x, &centre_y) != 2) {
      fputs("usage: mandelbrot [-s SIZE] [-i ITERATIONS] [-c X,Y] [-z ZOOM] [PICTURE.ppm]\n", stderr);
      return 2;
    }
  }
  if (width < 1 || width > 30000 || most < 1 || zoom <= 0) {
    fputs("mandelbrot: the size is 1 to 30000, iterations and zoom are more than 0\n", stderr);
    return 2;
  }
  int *image = malloc(sizeof *image * (size_t)width * height);
  if (!image) {
    perror("mandelbrot");
    return 1;
  }
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  draw(image, aspect);
  clock_gettime(CLOCK_MONOTONIC, &end);
  fprintf(stderr, "%.2f ms\n", (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6);
  if (optind < argc)
    return save(image, argv[optind]);
  print(image);
  return 0;
}
