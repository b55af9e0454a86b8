// regex_differences PATTERNS SEED LETTERS [SHOWN]: compiles random regular expressions with the host's C library and with ours, matches
// random texts, and prints each difference, SHOWN at most, and a summary. Ours is compiled with the names ours_regcomp and so on.
//
// LETTERS: u texts and expressions in UTF-8; r back references; a anchors and words' borders anywhere; w expressions that may be wrong;
// n repeated groups in repeated groups. With r, a and n glibc itself is wrong at times, ends in a fault or not at all (a limit of 2
// seconds; use a loop of short runs): docs/c-library.md.
#include <locale.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Our regex_t and functions: libc-shim/include/regex.h. regmatch_t is the same.
typedef struct {
  size_t re_nsub;
  void *program;
} our_regex;
int ours_regcomp(our_regex *, const char *, int);
int ours_regexec(const our_regex *, const char *, size_t, regmatch_t *, int);
void ours_regfree(our_regex *);

static uint64_t state;
static char pattern[600];
static size_t length;
static int utf8, references, anchors, wrong, nested, extended;

static unsigned below(unsigned limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 20) % limit;
}

static void put(const char *text) {
  const size_t size = strlen(text);
  if (length + size < sizeof pattern - 20) {
    memcpy(pattern + length, text, size);
    length += size;
  }
}

#define PICK(list) (list)[below(sizeof(list) / sizeof *(list))]

static const char *const ascii[] = {"a", "b", "c", "a", "b", "A", "_", "1", " ", "x"};
static const char *const wide[] = {"é", "Ж", "ж", "€", "ß", "中", "É", "😀", "ı"};

static void put_character(void) {
  put(utf8 && below(3) == 0 ? PICK(wide) : PICK(ascii));
}

static void put_list(void) {
  static const char *const plain[] = {"a-c", "[:alpha:]", "[:digit:]", "0-9", "[:upper:]", "[:space:]"};
  static const char *const odd[] = {"-", "[=a=]", "[.b.]", "a-", "[:wrong:]", "b-a", "[.-.]"};
  put(below(3) ? "[" : "[^");
  if (below(12) == 0)
    put("]");
  for (unsigned left = 1 + below(3); left; --left) {
    if (wrong && below(3) == 0)
      put(PICK(odd));
    else if (below(4) == 0)
      put_character();
    else
      put(PICK(plain));
  }
  if (!wrong || below(40))
    put("]");
}

static void put_repetition(void) {
  static const char *const of_extended[] = {"*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "{0}", "*", "*"};
  static const char *const of_basic[] = {"*", "\\+", "\\?", "\\{2\\}", "\\{1,2\\}", "\\{,2\\}", "\\{2,\\}", "\\{0\\}", "*", "*"};
  put(extended ? PICK(of_extended) : PICK(of_basic));
}

static void put_expression(int depth, int repeated);

// A group, or another piece; it will be repeated or not.
static void put_piece(int depth, int repeated, int repeats) {
  static const char *const classes[] = {"\\w", "\\W", "\\s", "\\S"};
  static const char *const places[] = {"^", "$", "^", "$", "\\b", "\\B", "\\<", "\\>", "\\`", "\\'"};
  static const char *const odd[] = {"*", "+", "?", "{", "}", "{2}", "\\{1\\}", "\\", "\\+", "\\?", "|", "\\|", ")", "\\)", "^*", "a**", "\\n", "]", "---", "a\n"};
  char reference[3] = {'\\', (char)('1' + below(3)), 0};
  const unsigned kind = below(16);
  if (kind < 3 && depth > 0 && (nested || !(repeated && repeats))) {
    put(extended ? "(" : "\\(");
    put_expression(depth - 1, repeated || repeats);
    if (!wrong || below(30))
      put(extended ? ")" : "\\)");
  } else if (kind == 3) {
    put(".");
  } else if (kind == 4) {
    put_list();
  } else if (kind == 5) {
    put(PICK(classes));
  } else if (kind == 6 && anchors) {
    put(PICK(places));
  } else if (kind == 7 && references) {
    put(reference);
  } else if (kind == 8 && wrong) {
    put(PICK(odd));
  } else {
    put_character();
  }
}

static void put_expression(int depth, int repeated) {
  const unsigned branches = below(3) ? 1 : 2 + below(2);
  for (unsigned i = 0; i < branches; ++i) {
    if (i)
      put(extended ? "|" : "\\|");
    for (unsigned left = below(10) ? 1 + below(3) : 0; left; --left) {
      const int repeats = below(5) < 2;
      put_piece(depth, repeated, repeats);
      if (repeats)
        put_repetition();
      if (repeats && nested && extended && below(10) == 0)
        put("*");
    }
  }
}

static void make_text(char *text) {
  *text = 0;
  for (unsigned left = below(12); left; --left) {
    const char *piece = below(9) == 0 ? "\n" : PICK(ascii);
    if (utf8 && below(3) == 0)
      piece = below(12) ? PICK(wide) : "\xc3"; // the begin of a character alone
    strcat(text, piece);
  }
}

static void show_matches(const char *whose, int error, const regmatch_t *matches, size_t groups) {
  printf(" %s", whose);
  for (size_t i = 0; !error && i <= groups && i < 8; ++i)
    printf(" %d-%d", (int)matches[i].rm_so, (int)matches[i].rm_eo);
  if (error)
    printf(" %d", error);
}

static long cases, matched, different, shown = 20;
static const char *volatile at_work; // whose function takes long, if one does

static void compare_text(const regex_t *theirs, const our_regex *ours, const char *text, int flags) {
  regmatch_t of_theirs[8], of_ours[8];
  int how = (below(5) ? 0 : REG_NOTBOL) | (below(5) ? 0 : REG_NOTEOL);
  size_t count = below(4) ? 8 : below(8);
  memset(of_theirs, 7, sizeof of_theirs);
  if (below(6) == 0 && count) {
    how |= REG_STARTEND;
    of_theirs[0] = (regmatch_t){utf8 || !*text ? 0 : (regoff_t)below((unsigned)strlen(text)), (regoff_t)strlen(text)};
  }
  memcpy(of_ours, of_theirs, sizeof of_ours);
  at_work = "glibc";
  const int error = regexec(theirs, text, count, of_theirs, how);
  at_work = "ours";
  const int our_error = ours_regexec(ours, text, count, of_ours, how);
  ++cases;
  matched += error == 0;
  if (error == our_error && !memcmp(of_theirs, of_ours, sizeof of_ours))
    return;
  if (++different > shown)
    return;
  printf("'%s' %d, text '", pattern, flags);
  for (const char *c = text; *c; ++c)
    printf(*c == '\n' ? "\\n" : "%c", *c);
  printf("' %d:", how);
  show_matches("glibc", error, of_theirs, count ? ours->re_nsub : 0);
  show_matches("ours", our_error, of_ours, count ? ours->re_nsub : 0);
  puts("");
}

static void compare_pattern(void) {
  const int flags = (extended ? REG_EXTENDED : 0) | (below(4) ? 0 : REG_ICASE) | (below(3) ? 0 : REG_NEWLINE) | (below(12) ? 0 : REG_NOSUB);
  regex_t theirs;
  our_regex ours;
  char text[80];
  const int error = regcomp(&theirs, pattern, flags), our_error = ours_regcomp(&ours, pattern, flags);
  if (error != our_error || (!error && theirs.re_nsub != ours.re_nsub)) {
    if (++different <= shown)
      printf("'%s' %d: glibc %d ours %d\n", pattern, flags, error, our_error);
  }
  for (int i = 0; i < 6 && !error && !our_error; ++i) {
    make_text(text);
    compare_text(&theirs, &ours, text, flags);
  }
  if (!error)
    regfree(&theirs);
  ours_regfree(&ours);
}

static sigjmp_buf next;
static void too_late(int signal) { siglongjmp(next, signal); }

int main(int argc, char **argv) {
  const long patterns = atol(argv[1]), seed = atol(argv[2]);
  utf8 = strchr(argv[3], 'u') && setlocale(LC_ALL, "C.UTF-8");
  references = strchr(argv[3], 'r') != NULL;
  anchors = strchr(argv[3], 'a') != NULL;
  wrong = strchr(argv[3], 'w') != NULL;
  nested = strchr(argv[3], 'n') != NULL;
  if (argc > 4)
    shown = atol(argv[4]);
  signal(SIGALRM, too_late);
  static volatile long i, late;
  for (i = 0; i < patterns; ++i) {
    state = ((uint64_t)seed * 1000003 + (uint64_t)i + 1) * 0x9e3779b97f4a7c15;
    below(2);
    length = 0;
    extended = (int)below(2);
    put_expression(2, 0);
    pattern[length] = 0;
    if (sigsetjmp(next, 1)) {
      ++late;
      printf("'%s': %s takes more than 2 s\n", pattern, at_work);
      continue;
    }
    alarm(2);
    compare_pattern();
  }
  printf("%ld patterns, %ld cases, %ld matched, %ld differ\n", patterns, cases, matched, different);
  return different || late;
}
