#include <stdio.h>
#include <string.h>
#include <yaml.h>
int main(void) {
  const char *text = "a: [1, two]\nb:\n  - c: 'x: y'\n";
  yaml_parser_t parser;
  yaml_event_t event;
  yaml_parser_initialize(&parser);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
  for (int done = 0; !done && yaml_parser_parse(&parser, &event); yaml_event_delete(&event)) {
    printf("%d%s%s ", event.type, event.type == YAML_SCALAR_EVENT ? "=" : "", event.type == YAML_SCALAR_EVENT ? (char *)event.data.scalar.value : "");
    done = event.type == YAML_STREAM_END_EVENT;
  }
  printf("%s\n", yaml_get_version_string());
  return 0;
}
