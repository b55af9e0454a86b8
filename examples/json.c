/* Checks and formats JSON (RFC 8259): two spaces a level, or compact. Nesting is limited by memory alone.
   usage: json [-c] [FILE]        (-c without any white space; standard input without a file) */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *input;
static const char *name = "standard input";
static long line = 1, column;
static int compact;

/* One byte of input behind a buffer; EOF at the end. */
static int current;

static int next(void) {
  if (current == '\n') {
    line++;
    column = 0;
  }
  column++;
  return current = getc(input);
}

static void fail(const char *expected) {
  fflush(stdout);
  if (current == EOF)
    fprintf(stderr, "json: %s:%ld:%ld: %s expected at the end\n", name, line, column, expected);
  else if (current >= ' ' && current < 127)
    fprintf(stderr, "json: %s:%ld:%ld: %s expected, found '%c'\n", name, line, column, expected, current);
  else
    fprintf(stderr, "json: %s:%ld:%ld: %s expected, found byte 0x%02x\n", name, line, column, expected, current);
  exit(1);
}

static void copy(void) {
  putchar(current);
  next();
}

static void skip_space(void) {
  while (current == ' ' || current == '\t' || current == '\n' || current == '\r')
    next();
}

static void string(void) {
  copy();
  while (current != '"') {
    if (current == EOF || current < ' ')
      fail("end of string");
    if (current == '\\') {
      copy();
      if (current == 'u') {
        copy();
        for (int i = 0; i < 4; i++) {
          if (!isxdigit(current))
            fail("hexadecimal digit");
          copy();
        }
      } else if (current != EOF && strchr("\"\\/bfnrt", current)) {
        copy();
      } else {
        fail("escape");
      }
    } else {
      copy();
    }
  }
  copy();
}

static void digits(void) {
  if (!isdigit(current))
    fail("digit");
  while (isdigit(current))
    copy();
}

static void number(void) {
  if (current == '-')
    copy();
  if (current == '0')
    copy();
  else
    digits();
  if (current == '.') {
    copy();
    digits();
  }
  if (current == 'e' || current == 'E') {
    copy();
    if (current == '+' || current == '-')
      copy();
    digits();
  }
}

static void word(const char *text) {
  for (; *text; text++) {
    if (current != *text)
      fail("true, false or null");
    copy();
  }
}

/* What encloses the current place: '{' or '[' per level. */
static char *levels;
static size_t depth, capacity;

static void push(char level) {
  if (depth == capacity) {
    levels = realloc(levels, capacity = capacity ? 2 * capacity : 64);
    if (!levels) {
      fputs("json: out of memory\n", stderr);
      exit(2);
    }
  }
  levels[depth++] = level;
}

static void new_line(void) {
  if (compact)
    return;
  putchar('\n');
  for (size_t i = 0; i < depth; i++)
    fputs("  ", stdout);
}

static void key(void) {
  if (current != '"')
    fail("string");
  string();
  skip_space();
  if (current != ':')
    fail("':'");
  next();
  fputs(compact ? ":" : ": ", stdout);
  skip_space();
}

/* One value; containers are entered and left without recursion. */
static void value(void) {
  for (;;) {
    skip_space();
    if (current == '{' || current == '[') {
      char open = (char)current, close = open == '{' ? '}' : ']';
      copy();
      skip_space();
      if (current != close) {
        push(open);
        new_line();
        if (open == '{')
          key();
        continue;
      }
      copy();
    } else if (current == '"') {
      string();
    } else if (current == '-' || isdigit(current)) {
      number();
    } else if (current == 't') {
      word("true");
    } else if (current == 'f') {
      word("false");
    } else if (current == 'n') {
      word("null");
    } else {
      fail("value");
    }
    for (;;) { /* after a value: the next one, or the end of what encloses it */
      skip_space();
      if (!depth)
        return;
      char close = levels[depth - 1] == '{' ? '}' : ']';
      if (current == ',') {
        copy();
        new_line();
        skip_space();
        if (close == '}')
          key();
        break;
      }
      if (current != close)
        fail(close == '}' ? "',' or '}'" : "',' or ']'");
      depth--;
      new_line();
      copy();
    }
  }
}

int main(int argc, char **argv) {
  int first = 1;
  if (first < argc && strcmp(argv[first], "-c") == 0) {
    compact = 1;
    first++;
  }
  input = stdin;
  if (first < argc) {
    name = argv[first];
    input = fopen(name, "rb");
    if (!input) {
      fprintf(stderr, "json: ");
      perror(name);
      return 2;
    }
  }
  next();
  value();
  putchar('\n');
  if (current != EOF)
    fail("end of input");
  free(levels);
  return fflush(stdout) ? 2 : 0;
}
