#include <jansson.h>
#include <stdio.h>
int main(void) {
  json_error_t error;
  json_t *value = json_loads("{\"b\": [1, 2.5, null], \"a\": \"t\\u00e4xt\"}", 0, &error);
  json_object_set_new(value, "c", json_pack("{s:i, s:b}", "n", 7, "yes", 1));
  char *text = json_dumps(value, JSON_SORT_KEYS | JSON_INDENT(1));
  puts(text);
  json_t *none = json_loads("[1,", 0, &error);
  printf("%s %d: %s\n", JANSSON_VERSION, none == NULL, error.text);
  return 0;
}
