// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions for bench/regex: cases NAME TIMES matches a case's text
// TIMES times and prints how often it matched and where. Without arguments it
// prints the names.
#include <locale.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *pattern;
  int flags;
  const char *text;
  int copies;       ///< of the text, one behind the other
  const char *tail; ///< behind them
  int all;          ///< looks for the next match until there is none
} test;

static const char log_line[] =
    "192.168.100.17 - frank [10/Oct/2000:13:55:36 -0700] \"GET /apache_pb.gif "
    "HTTP/1.0\" 200 2326";
static const char prose[] = "The quick brown fox, having jumped over the lazy "
                            "dog, ran on; nobody saw it again that day. ";
static const char russian[] =
    "Съешь же ещё этих мягких французских булок, да выпей чаю. ";

static const test tests[] = {
    {"log line, 9 groups",
     "^([0-9.]+) ([^ ]+) ([^ ]+) \\[([^]]+)\\] \"([A-Z]+) ([^ ]+) [^\"]*\" "
     "([0-9]{3}) ([0-9]+|-)",
     REG_EXTENDED, log_line, 1, "", 0},
    {"log line, no groups",
     "^([0-9.]+) ([^ ]+) ([^ ]+) \\[([^]]+)\\] \"([A-Z]+) ([^ ]+) [^\"]*\" "
     "([0-9]{3}) ([0-9]+|-)",
     REG_EXTENDED | REG_NOSUB, log_line, 1, "", 0},
    {"each word", "[[:alpha:]]+", REG_EXTENDED, prose, 4, "", 1},
    {"without case", "lazy (cat|dog)", REG_EXTENDED | REG_ICASE, prose, 1,
     "THE LAZY DOG", 1},
    {"20 words",
     "apple|banana|cherry|date|elder|fig|grape|hazel|iris|juniper|kiwi|lemon|"
     "mango|nut|olive|pear|quince|rose|saffron|thyme",
     REG_EXTENDED, prose, 10, "thyme", 0},
    {"(a*)*b", "(a*)*b", REG_EXTENDED, "aaaaaaaa", 4, "c", 0},
    {"back reference", "\\<([a-z]+) \\1\\>", REG_EXTENDED, prose, 2,
     "it was was there", 0},
    {"line of 64 KB", "needle [0-9]+", REG_EXTENDED, prose, 712, "needle 42",
     0},
    {".* first", ".*: (.*)", REG_EXTENDED, prose, 2, "key: value", 0},
    {"anchored, none", "^#include", 0, prose, 20, "", 0},
    {"lists of ranges", "[A-Za-z_][A-Za-z0-9_]*[ \t]*=[ \t]*([0-9]+)",
     REG_EXTENDED, prose, 2, "limit = 500", 0},
    {"UTF-8", "\\w+ (ещё|чаю)", REG_EXTENDED, russian, 6, "", 1},
    {"lines", "^key [0-9]+$", REG_EXTENDED | REG_NEWLINE,
     "some other line of text\n", 40, "key 17\nlast", 0},
};

static char *text_of(const test *t) {
  const size_t length = strlen(t->text), tail = strlen(t->tail);
  char *text = malloc(length * t->copies + tail + 1), *end = text;
  for (int i = 0; i < t->copies; ++i, end += length)
    memcpy(end, t->text, length);
  memcpy(end, t->tail, tail + 1);
  return text;
}

static long run(const test *t, long times) {
  char *text = text_of(t);
  regmatch_t matches[10];
  regex_t compiled;
  long found = 0;
  if (regcomp(&compiled, t->pattern, t->flags))
    return -1;
  for (long i = 0; i < times; ++i)
    for (const char *from = text;
         !regexec(&compiled, from, 10, matches, from > text ? REG_NOTBOL : 0);
         from += matches[0].rm_eo) {
      ++found;
      if (!t->all)
        break;
    }
  regfree(&compiled);
  free(text);
  return found;
}

int main(int argc, char **argv) {
  setlocale(LC_ALL, "C.UTF-8");
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
    if (argc < 3)
      puts(tests[i].name);
    else if (!strcmp(tests[i].name, argv[1]))
      return printf("%ld\n", run(tests + i, atol(argv[2]))) < 0;
  }
  return argc >= 3;
}
