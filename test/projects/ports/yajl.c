#include <stdio.h>
#include <string.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>
static int number(void *to, long long value) { return yajl_gen_integer(to, 2 * value) == yajl_gen_status_ok; }
static int begin(void *to) { return yajl_gen_array_open(to) == yajl_gen_status_ok; }
static int end(void *to) { return yajl_gen_array_close(to) == yajl_gen_status_ok; }
int main(void) {
  static yajl_callbacks callbacks = {.yajl_integer = number, .yajl_start_array = begin, .yajl_end_array = end};
  const char *text = "[1, [20, -300], []]";
  const unsigned char *made;
  size_t size;
  yajl_gen to = yajl_gen_alloc(NULL);
  yajl_handle parser = yajl_alloc(&callbacks, NULL, to);
  int status = yajl_parse(parser, (const unsigned char *)text, strlen(text));
  status += yajl_complete_parse(parser);
  yajl_gen_get_buf(to, &made, &size);
  printf("%d %.*s\n", status, (int)size, made);
  return 0;
}
