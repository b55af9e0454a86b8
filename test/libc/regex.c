// regcomp, regexec, regerror: errors, options, GNU's operators, groups, back references; and an expression that all threads share.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 128 --blocks 8 %t $(tail -1 %t.expected)
#define SLICES 8
#include "libc_test.h"
#include <regex.h>

#define COUNT(array) (sizeof array / sizeof *array)
#define E REG_EXTENDED
#define I REG_ICASE
#define N REG_NEWLINE

typedef struct {
  const char *expression;
  int flags;
  const char *texts[4];
} row;

static void show(struct test *t, const regex_t *compiled, const char *text,
                 int flags) {
  regmatch_t m[10] = {{-7, -7}, {-7, -7}};
  m[0] = (regmatch_t){*text != 0, (regoff_t)strlen(text)}; // read with REG_STARTEND alone
  const int error = regexec(compiled, text, compiled->re_nsub + 2, m, flags);
  char line[200];
  int length = sprintf(line, "  '%s' %d: %d", text, flags, error);
  for (size_t i = 0; i < compiled->re_nsub + 2 && !error; ++i)
    length +=
        sprintf(line + length, " %d-%d", (int)m[i].rm_so, (int)m[i].rm_eo);
  out(t, "%s", line);
}

static void match_all(struct test *t, const row *rows, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!section(t))
      continue;
    regex_t compiled;
    const int error = regcomp(&compiled, rows[i].expression, rows[i].flags);
    out(t, "'%s' %d: %d %d", rows[i].expression, rows[i].flags, error,
        error ? 0 : (int)compiled.re_nsub);
    if (error)
      continue;
    for (int j = 0; j < 4 && rows[i].texts[j]; ++j)
      for (int flags = 0; flags < 8; flags = flags == 3 ? REG_STARTEND
                                             : flags == REG_STARTEND
                                                 ? 8
                                                 : flags + 1)
        show(t, &compiled, rows[i].texts[j], flags);
    regfree(&compiled);
  }
}

static const row gnu[] = {
    {"a\\|b", 0, {"b", "xa"}},
    {"a\\+$", 0, {"aa", "aab"}},
    {"^a\\?b", 0, {"b", "ab", "aab"}},
    {"^\\w*$", 0, {"ab_1", "a b"}},
    {"\\W\\s", E, {"a. ", "a b"}},
    {"\\S\\+", 0, {" ab c"}},
    {"\\bfoo\\b", 0, {"a foo", "food"}},
    {"\\<foo", E, {"a foo", "afoo"}},
    {"foo\\>", E, {"foo.", "food"}},
    {"\\Boo", E, {"foo", "oo"}},
    {"\\`a", N | E, {"a\na", "b\na"}},
    {"a\\'", N | E, {"a\nb", "b\na"}},
    {"", 0, {"", "abc"}},
    {"", E, {"abc"}},
    {"a||b", E, {"b", "c"}},
    {"(|a)b", E, {"ab", "b"}},
    {"()", E, {"x"}},
    {"a|", E, {"ba"}},
    {"(a)\\1", E, {"aa", "aba"}},
    {"x\\{2\\}", 0, {"xxx"}},
    {"nanny", 0, {"nannanny", "nann", "a nanny goat", "nnanny"}}, // begins with characters of its own
    {"(ne)e+d[l]*", E, {"nneneedle needdle", "need", "nee", "n"}},
    {"(ab)+c", E, {"ababc", "abab abc", "aabc"}},
    {"\\(^a\\)", 0, {"ab"}},
    {"a\\|^b", 0, {"b", "cb"}},
    {"*a", 0, {"*a", "a"}},
    {"\\(*a\\)", 0, {"*a"}},
    {"a\\n", 0, {"an"}},
    {"^*", 0, {"*"}},
    {"a^b$c", 0, {"a^b$c"}},
    {"\\(b$\\)", 0, {"ab"}},
    {"a)", E, {"a)"}},
    {"a]}", E, {"a]}"}},
};

static const row groups[] = {
    {"(a|ab)(c|bcd)(d*)", E, {"abcd"}},
    {"(a*)(ab)*(b*)", E, {"abb"}},
    {"(a*)*", E, {"aab", "b"}},
    {"(a|b)*", E, {"abba"}},
    {"((a)|b)*", E, {"ab", "ba"}},
    {"(a*)+", E, {"b", "aa"}},
    {"(a?){0,3}", E, {"aa", ""}},
    {"(a{0,2}){0,2}b", E, {"ab", "aab"}},
    {"(ab|a|b){0,2}", E, {"ab", "aab"}},
    {"(x)?y", E, {"y", "xy"}},
    {"(a)|(b)|(c)", E, {"c"}},
    {"((((((((a))))))))", E, {"a"}},
    {"(a+|b+)(c)?$", E, {"aabbc"}},
    {"([a-z]+)://([^/]+)(/.*)?", E, {"see http://a.b/c"}},
    {"(.*)(.*)", E, {"ab"}},
    {"(a|b?){1,3}c", E, {"abc", "c"}},
    {"x*", E, {"axx"}},
};

static const row references[] = {
    {"\\(a*\\)\\1", 0, {"aaaa", "aaa"}},
    {"(a)(b)\\2\\1", E, {"abba"}},
    {"(.)(.)(.)\\3\\2\\1", E, {"xabccba"}},
    {"\\([a-z]*\\) \\1$", 0, {"to be be", "a b"}},
    {"(A)\\1", E | I, {"aA"}},
    {"(a*)b\\1c", E, {"aabac", "abaac"}},
    {"^(.*)\\1$", E, {"abab", "aba"}},
    {"(a)|b\\1", E, {"ba"}},
    {"\\(x\\)*\\1", 0, {"xxx"}},
};

static const row options[] = {
    {"hello", I, {"HeLLo", "help"}},
    {"[a-c]x", I, {"BX"}},
    {"[^a]", I, {"A", "b"}},
    {"[[:upper:]]", I, {"a"}},
    {"[[:lower:]]", E, {"Aa", "A"}},
    {"^b", N, {"a\nb", "ab"}},
    {"a$", N, {"a\nb", "ab"}},
    {"a.b", N, {"a\nb", "axb"}},
    {"a[^x]b", N, {"a\nb", "acb"}},
    {"a.b", 0, {"a\nb"}},
    {"^$", N, {"a\n\nb", "a"}},
    {"^$", 0, {"", "a\n\nb"}},
    {"ab", REG_NOSUB, {"xab"}},
    {"(a)b", E | REG_NOSUB, {"ab"}},
    {"a$|^b", E, {"ba", "cb", "bac"}},
    {"a{2}", E, {"aaa", "a"}},
    {"a{2,}", E, {"aaa"}},
    {"a{,2}b", E, {"aaab", "b"}},
    {"a{0}b", E, {"ab"}},
    {"(ab){2,3}", E, {"abababab"}},
    {"[]a]", 0, {"]"}},
    {"[^]a]", 0, {"]b"}},
    {"[a-]", 0, {"-"}},
    {"[[.-.]x]", 0, {"-"}},
    {"[[=a=]b]", 0, {"a"}},
    {"[[:digit:][:space:]]+", E, {"a1 2b"}},
    {"[\\n]", 0, {"\\", "n"}},
    {"[a\\]]", 0, {"a]", "\\]"}},
    {"[+--]", 0, {",", "."}},
    {"[[:alnum:]_.-]+@x", E, {"a.b-c@x"}},
};

static const row wrong[] = {
    {"(", E, {0}},
    {")", 0, {0}},
    {"\\)", 0, {0}},
    {"\\(a", 0, {0}},
    {"a\\", 0, {0}},
    {"[a", 0, {0}},
    {"[a-", 0, {0}},
    {"[z-a]", 0, {0}},
    {"[[:none:]]", 0, {0}},
    {"[[:alpha:", 0, {0}},
    {"[[.xy.]]", 0, {0}},
    {"[[=ab=]]", 0, {0}},
    {"[[:alpha:]-z]", 0, {0}},
    {"[a-[:digit:]]", 0, {0}},
    {"*", E, {0}},
    {"a|*", E, {0}},
    {"(*a)", E, {0}},
    {"^*", E, {0}},
    {"{1}", E, {0}},
    {"a{", E, {0}},
    {"a{1", E, {0}},
    {"a{x}", E, {0}},
    {"a{2,1}", E, {0}},
    {"a{1,2,3}", E, {0}},
    {"a{32768}", E, {0}},
    {"a{}", E, {0}},
    {"\\{1\\}", 0, {0}},
    {"a**", 0, {0}},
    {"a\\{1", 0, {0}},
    {"(a\\1)", E, {0}},
    {"\\2", 0, {0}},
    {"(a)|\\1", E, {0}},
    {"a**", E, {"aa"}},
    {"a+?", E, {"aa"}},
    {"a{,}", E, {"aa"}},
    {"a{1}{2}", E, {"aa"}},
};

static void messages(struct test *t) {
  if (!section(t))
    return;
  for (int error = 0; error <= 16; ++error) {
    char text[100], start[5] = "....";
    const size_t size = regerror(error, NULL, text, sizeof text);
    out(t, "%d: %s %d %d %.5s", error, text, (int)size,
        (int)regerror(error, NULL, start, 4), start);
  }
}

// A text with bytes 0, of which REG_STARTEND says the end.
static void zeros(struct test *t) {
  static const char text[] = "ab\0cd\0e";
  if (!section(t))
    return;
  static const char *const expressions[] = {"c", "b.c", "b[^x]c", "[^a]*$",
                                            "d\\W*e"};
  static const char *const cut[] = {"needle", "need", "ne*", "x"};
  for (size_t i = 0; i < COUNT(expressions); ++i) {
    regex_t compiled;
    regmatch_t match = {0, sizeof text - 1};
    regcomp(&compiled, expressions[i], 0);
    const int error = regexec(&compiled, text, 1, &match, REG_STARTEND);
    out(t, "%s: %d %d-%d", expressions[i], error, (int)match.rm_so,
        (int)match.rm_eo);
    regfree(&compiled);
  }
  for (size_t i = 0; i < COUNT(cut); ++i) { // a string that goes on behind the end
    regex_t compiled;
    regmatch_t match = {1, 9};
    regcomp(&compiled, cut[i], 0);
    const int error = regexec(&compiled, "a needle needle", 1, &match, REG_STARTEND);
    out(t, "%s: %d %d-%d", cut[i], error, (int)match.rm_so, (int)match.rm_eo);
    match = (regmatch_t){3, 7};
    out(t, "%d", regexec(&compiled, "a needle needle", 1, &match, REG_STARTEND));
    regfree(&compiled);
  }
}

static regex_t shared;

__attribute__((constructor)) static void compile_shared(void) {
  if (regcomp(&shared, "^([a-z]+)=([0-9]+|\"[^\"]*\")(;|$)", REG_EXTENDED))
    abort();
}

// Each thread adds states to the one expression, or to a copy of them while
// another thread has it.
static void shared_by_all(struct test *t) {
  if (!section(t))
    return;
  static const char *const texts[] = {"a=1", "key=\"a b\";", "none", "x=12;y",
                                      "=1",  "abc=\"",       "q=9 "};
  for (size_t i = 0; i < COUNT(texts); ++i)
    show(t, &shared, texts[i], 0);
}

static void run(struct test *t) {
  match_all(t, gnu, COUNT(gnu));
  match_all(t, groups, COUNT(groups));
  match_all(t, references, COUNT(references));
  match_all(t, options, COUNT(options));
  match_all(t, wrong, COUNT(wrong));
  messages(t);
  zeros(t);
  shared_by_all(t);
}
