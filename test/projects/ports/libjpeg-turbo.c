#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
int main(void) {
  struct jpeg_error_mgr errors;
  struct jpeg_compress_struct out = {.err = jpeg_std_error(&errors)};
  unsigned char row[64 * 3], *file = NULL, *rows[] = {row};
  unsigned long size = 0, sum = 0;
  jpeg_create_compress(&out);
  jpeg_mem_dest(&out, &file, &size);
  out.image_width = out.image_height = 64, out.input_components = 3, out.in_color_space = JCS_RGB;
  jpeg_set_defaults(&out);
  jpeg_start_compress(&out, TRUE);
  for (int y = 0; y < 64; y++) {
    for (int x = 0; x < 64 * 3; x++)
      row[x] = x * y / 9;
    jpeg_write_scanlines(&out, rows, 1);
  }
  jpeg_finish_compress(&out);
  struct jpeg_decompress_struct in = {.err = &errors};
  jpeg_create_decompress(&in);
  jpeg_mem_src(&in, file, size);
  jpeg_read_header(&in, TRUE);
  jpeg_start_decompress(&in);
  while (in.output_scanline < in.output_height) {
    jpeg_read_scanlines(&in, rows, 1);
    for (int x = 0; x < 64 * 3; x++)
      sum = sum * 31 + row[x];
  }
  printf("%d %lu %u %u %lu\n", JPEG_LIB_VERSION, size, in.output_width, in.output_height, sum);
  return 0;
}
