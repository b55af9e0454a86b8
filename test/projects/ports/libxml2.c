#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  const char *text = "<list><item n='1'>one</item><item n='2'>t&#228;o</item></list>";
  xmlDocPtr document = xmlReadMemory(text, strlen(text), "list.xml", NULL, 0);
  xmlXPathContextPtr context = xmlXPathNewContext(document);
  xmlXPathObjectPtr sum = xmlXPathEval(BAD_CAST "sum(//@n)", context), word = xmlXPathEval(BAD_CAST "string(//item[@n=2])", context);
  printf("%s %g %s\n", LIBXML_DOTTED_VERSION, sum->floatval, word->stringval);
  xmlDocDump(stdout, document);
  return 0;
}
