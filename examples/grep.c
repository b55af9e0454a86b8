/* Prints the lines that match a regular expression, as grep -E does. The expression becomes a small automaton whose
   states are followed all at once, so that no expression takes more than (its length) x (the text's length).
   usage: grep [-c] [-i] [-n] [-v] EXPRESSION [FILE...]
   Knows: . [a-z] [^a-z] * + ? | ( ) ^ $ and \ before a special character. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE_SET, SPLIT, BEGIN_LINE, END_LINE, MATCH };
enum { MOST_STATES = 2000, MOST_SETS = 500 };

struct state {
  int kind, set; /* index of a set of bytes */
  int to, other; /* where it goes; SPLIT goes both ways */
};

static struct state states[MOST_STATES];
static int state_count;
static unsigned char sets[MOST_SETS][32];
static int set_count;
static int ignore_case;
static const char *pattern;

static void fail(const char *why) {
  fprintf(stderr, "grep: %s\n", why);
  exit(2);
}

static int new_state(int kind, int set, int to, int other) {
  if (state_count == MOST_STATES)
    fail("the expression is too long");
  states[state_count] = (struct state){kind, set, to, other};
  return state_count++;
}

static void put_in_set(int set, int byte) {
  sets[set][byte / 8] |= (unsigned char)(1 << byte % 8);
  if (ignore_case && isalpha(byte)) {
    int other = islower(byte) ? toupper(byte) : tolower(byte);
    sets[set][other / 8] |= (unsigned char)(1 << other % 8);
  }
}

static int new_set(void) {
  if (set_count == MOST_SETS)
    fail("the expression is too long");
  return set_count++;
}

static int bracket_set(void) {
  int set = new_set(), negated = 0, first = 1;
  if (*pattern == '^') {
    negated = 1;
    pattern++;
  }
  for (; first || *pattern != ']'; first = 0) {
    if (!*pattern)
      fail("'[' without its ']'");
    unsigned char from = (unsigned char)*pattern++, to = from;
    if (pattern[0] == '-' && pattern[1] && pattern[1] != ']') {
      to = (unsigned char)pattern[1];
      pattern += 2;
    }
    if (to < from)
      fail("a range in brackets runs backwards");
    for (int byte = from; byte <= to; byte++)
      put_in_set(set, byte);
  }
  pattern++;
  if (negated)
    for (int i = 0; i < 32; i++)
      sets[set][i] = (unsigned char)~sets[set][i];
  return set;
}

/* A piece of automaton: where it begins, and its end state, whose 'to' the caller sets. */
struct piece {
  int begin, end;
};

static struct piece alternatives(void);

static struct piece atom(void) {
  int set, s;
  switch (*pattern++) {
  case '(': {
    struct piece inner = alternatives();
    if (*pattern++ != ')')
      fail("'(' without its ')'");
    return inner;
  }
  case '^': s = new_state(BEGIN_LINE, 0, -1, -1); break;
  case '$': s = new_state(END_LINE, 0, -1, -1); break;
  case '[': s = new_state(BYTE_SET, bracket_set(), -1, -1); break;
  case '.':
    set = new_set();
    memset(sets[set], 255, sizeof sets[set]);
    s = new_state(BYTE_SET, set, -1, -1);
    break;
  case '*':
  case '+':
  case '?': fail("a repetition of nothing");
  case '\\':
    if (!*pattern)
      fail("'\\' at the end");
    pattern++; /* fall through */
  default:
    set = new_set();
    put_in_set(set, (unsigned char)pattern[-1]);
    s = new_state(BYTE_SET, set, -1, -1);
  }
  return (struct piece){s, s};
}

static struct piece repeated(void) {
  struct piece p = atom();
  for (; *pattern && strchr("*+?", *pattern); pattern++) {
    int end = new_state(SPLIT, 0, -1, -1); /* both ways lead on */
    int split = new_state(SPLIT, 0, p.begin, end);
    states[p.end].to = *pattern == '?' ? end : split;
    p = (struct piece){*pattern == '+' ? p.begin : split, end};
  }
  return p;
}

static struct piece sequence(void) {
  int nothing = new_state(SPLIT, 0, -1, -1);
  struct piece all = {nothing, nothing};
  while (*pattern && *pattern != '|' && *pattern != ')') {
    struct piece p = repeated();
    states[all.end].to = p.begin;
    all.end = p.end;
  }
  return all;
}

static struct piece alternatives(void) {
  struct piece all = sequence();
  while (*pattern == '|') {
    pattern++;
    struct piece other = sequence();
    int end = new_state(SPLIT, 0, -1, -1);
    states[all.end].to = states[other.end].to = end;
    all = (struct piece){new_state(SPLIT, 0, all.begin, other.begin), end};
  }
  return all;
}

/* The states the automaton is in, each once. */
struct set_of_states {
  int count, list[MOST_STATES];
};

static unsigned marks[MOST_STATES], mark;

/* Adds a state and what it leads to without a byte; 1 when the end is among them. */
static int follow(struct set_of_states *now, int state, int at_begin, int at_end) {
  static int todo[2 * MOST_STATES];
  int count = 0, matched = 0;
  todo[count++] = state;
  while (count) {
    state = todo[--count];
    if (state < 0 || marks[state] == mark)
      continue;
    marks[state] = mark;
    switch (states[state].kind) {
    case MATCH: matched = 1; break;
    case BYTE_SET: now->list[now->count++] = state; break;
    case BEGIN_LINE:
      if (at_begin)
        todo[count++] = states[state].to;
      break;
    case END_LINE:
      if (at_end)
        todo[count++] = states[state].to;
      break;
    case SPLIT:
      todo[count++] = states[state].to;
      todo[count++] = states[state].other;
    }
  }
  return matched;
}

static int matches(int begin, const unsigned char *line, size_t length) {
  static struct set_of_states one, two;
  struct set_of_states *now = &one, *next = &two;
  now->count = 0;
  mark++;
  for (size_t i = 0;; i++) {
    if (follow(now, begin, i == 0, i == length)) /* a match may begin anywhere */
      return 1;
    if (i == length)
      return 0;
    next->count = 0;
    mark++;
    unsigned char byte = line[i];
    int found = 0;
    for (int s = 0; s < now->count && !found; s++) {
      const struct state *state = &states[now->list[s]];
      if (sets[state->set][byte / 8] >> byte % 8 & 1)
        found = follow(next, state->to, 0, i + 1 == length);
    }
    if (found)
      return 1;
    struct set_of_states *swap = now;
    now = next;
    next = swap;
  }
}

int main(int argc, char **argv) {
  int first = 1, count_only = 0, numbers = 0, inverted = 0, found = 0, status = 0;
  for (; first < argc && argv[first][0] == '-' && argv[first][1]; first++)
    for (const char *option = argv[first] + 1; *option; option++)
      switch (*option) {
      case 'c': count_only = 1; break;
      case 'i': ignore_case = 1; break;
      case 'n': numbers = 1; break;
      case 'v': inverted = 1; break;
      default: fail("unknown option");
      }
  if (first == argc)
    fail("usage: grep [-c] [-i] [-n] [-v] EXPRESSION [FILE...]");
  pattern = argv[first++];
  struct piece whole = alternatives();
  if (*pattern)
    fail("')' without its '('");
  states[whole.end].to = new_state(MATCH, 0, -1, -1);

  int files = argc - first;
  for (int i = 0; i < (files ? files : 1); i++) {
    const char *name = files ? argv[first + i] : "-";
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    static char line[1 << 16];
    long number = 0, selected = 0;
    if (!file) {
      fprintf(stderr, "grep: ");
      perror(name);
      status = 2;
      continue;
    }
    while (fgets(line, sizeof line, file)) {
      size_t length = strlen(line);
      int ended = length && line[length - 1] == '\n';
      number++;
      if (matches(whole.begin, (unsigned char *)line, length - ended) == inverted)
        continue;
      selected++;
      if (count_only)
        continue;
      if (files > 1)
        printf("%s:", name);
      if (numbers)
        printf("%ld:", number);
      printf("%s%s", line, ended ? "" : "\n");
    }
    if (count_only)
      printf(files > 1 ? "%s:%ld\n" : "%.0s%ld\n", name, selected);
    found |= selected > 0;
    if (file != stdin)
      fclose(file);
  }
  return status ? status : !found;
}
