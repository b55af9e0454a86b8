#include <png.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
int main(void) {
  static unsigned char pixels[64 * 64 * 3], again[64 * 64 * 3], file[20000];
  for (int i = 0; i < (int)sizeof pixels; i++)
    pixels[i] = i * i / 7;
  png_image image = {.version = PNG_IMAGE_VERSION, .width = 64, .height = 64, .format = PNG_FORMAT_RGB};
  png_alloc_size_t size = sizeof file;
  int a = png_image_write_to_memory(&image, file, &size, 0, pixels, 0, NULL);
  png_image other = {.version = PNG_IMAGE_VERSION};
  int b = png_image_begin_read_from_memory(&other, file, size);
  other.format = PNG_FORMAT_RGB;
  int c = png_image_finish_read(&other, NULL, again, 0, NULL);
  printf("%s %d %d %d %lu %d %08lx\n", PNG_LIBPNG_VER_STRING, a, b, c, (unsigned long)size, memcmp(pixels, again, sizeof pixels), crc32(0, file, size));
  return 0;
}
