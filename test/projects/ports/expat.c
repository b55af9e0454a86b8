#include <expat.h>
#include <stdio.h>
#include <string.h>
static void begin(void *depth, const char *name, const char **attributes) {
  printf("%*s%s", 2 * (*(int *)depth)++, "", name);
  for (; *attributes; attributes += 2)
    printf(" %s=%s", attributes[0], attributes[1]);
  puts("");
}
static void end(void *depth, const char *name) { --*(int *)depth; }
int main(void) {
  const char *text = "<a x='1'><b y='&lt;&#228;'/><c><d/></c></a><a/>";
  int depth = 0;
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetUserData(parser, &depth);
  XML_SetElementHandler(parser, begin, end);
  int status = XML_Parse(parser, text, strlen(text), 1);
  printf("%s %d %s at %lu\n", XML_ExpatVersion(), status, XML_ErrorString(XML_GetErrorCode(parser)), (unsigned long)XML_GetCurrentColumnNumber(parser));
  XML_ParserFree(parser);
  return 0;
}
