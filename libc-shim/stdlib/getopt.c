//===-- libc-shim/stdlib/getopt.c - Command lines -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// getopt and getopt_long as in glibc, with per-thread state. Operands are moved
// behind the options only when one thread runs, because all threads share argv.
// With several threads the first operand ends the options, as in POSIX.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/wave.h"
#include "libc-shim/stdlib/getopt_state.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_option(const char *text) {
  return text[0] == '-' && text[1] != 0;
}

/// Moves argv[from] down to argv[to], and the elements between up by one.
static void move_down(char **argv, int from, int to) {
  char *moved = argv[from];
  for (; from > to; --from)
    argv[from] = argv[from - 1];
  argv[to] = moved;
}

typedef struct {
  thread_state *mine;
  int argc;
  char **argv;
  const char *letters;
  const struct option *words;
  int *word_index;
  bool only;
} request;

static void complain(const request *r, const char *format, const char *name) {
  if (r->mine->getopt.error && *r->letters != ':')
    fprintf(stderr, format, r->argv[0], name);
}

static int missing(const request *r) { return *r->letters == ':' ? ':' : '?'; }

/// Reports the options that the abbreviation `text` may stand for.
static __attribute__((noinline)) void complain_of_many(request *r,
                                                       const char *text,
                                                       size_t length,
                                                       const char *dashes) {
  char all[300];
  int used = snprintf(all, sizeof all,
                      "%s%s' is ambiguous; possibilities:", dashes, text);
  for (int i = 0; r->words[i].name && used < (int)sizeof all; ++i)
    if (!strncmp(r->words[i].name, text, length))
      used += snprintf(all + used, sizeof all - (size_t)used, " '%s%s'", dashes,
                       r->words[i].name);
  complain(r, "%s: option '%s\n", all);
}

/// Reads "name" or "name=value" behind `dashes`. -2 with getopt_long_only() if
/// no option has this name, but its first character is a letter option.
static int long_option(request *r, const char *text, const char *dashes) {
  const char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  const struct option *found = NULL;
  bool exact = false, ambiguous = false;
  int index = 0;
  for (int i = 0; r->words[i].name; ++i) {
    const struct option *word = &r->words[i];
    if (strncmp(word->name, text, length))
      continue;
    exact = word->name[length] == 0;
    if (found && !exact &&
        (found->has_arg != word->has_arg || found->flag != word->flag ||
         found->val != word->val))
      ambiguous = true;
    if (!found || exact)
      found = word, index = i;
    if (exact)
      break;
  }
  if (!found && r->only && strchr(r->letters, *text))
    return -2;
  ++r->mine->getopt.index;
  char name[300];
  snprintf(name, sizeof name, "%s%s", dashes, text);
  if (!exact && ambiguous) {
    r->mine->getopt.option = 0;
    complain_of_many(r, text, length, dashes);
    return '?';
  }
  if (!found) {
    r->mine->getopt.option = 0;
    complain(r, "%s: unrecognized option '%s'\n", name);
    return '?';
  }
  snprintf(name, sizeof name, "%s%s", dashes, found->name); // not abbreviated
  if (equals && found->has_arg == no_argument) {
    r->mine->getopt.option = found->val;
    complain(r, "%s: option '%s' doesn't allow an argument\n", name);
    return '?';
  }
  r->mine->getopt.argument = equals ? (char *)equals + 1 : NULL;
  if (!equals && found->has_arg == required_argument) {
    if (r->mine->getopt.index >= r->argc) {
      r->mine->getopt.option = found->val;
      complain(r, "%s: option '%s' requires an argument\n", name);
      return missing(r);
    }
    r->mine->getopt.argument = r->argv[r->mine->getopt.index++];
  }
  if (r->word_index)
    *r->word_index = index;
  if (!found->flag)
    return found->val;
  *found->flag = found->val;
  return 0;
}

/// Reports that the argument of a letter option is missing.
static int miss_argument(request *r, char letter) {
  const char name[2] = {letter, 0};
  r->mine->getopt.option = (unsigned char)letter;
  complain(r, "%s: option requires an argument -- '%s'\n", name);
  return missing(r);
}

/// POSIX's "W;": -Wname and -W name are --name. `text`: what is behind the W in
/// its argument, or null.
static int word_behind_w(request *r, char *text) {
  request plain = *r;
  plain.only = false;
  r->mine->getopt.place = 0;
  if (!text && r->mine->getopt.index >= r->argc)
    return miss_argument(r, 'W');
  return long_option(&plain, text ? text : r->argv[r->mine->getopt.index],
                     "-W ");
}

/// Reads the next letter option of the current argument.
static int letter(request *r) {
  thread_state *mine = r->mine;
  char *text = r->argv[mine->getopt.index];
  char c = text[mine->getopt.place++];
  bool last = !text[mine->getopt.place];
  if (last) {
    ++mine->getopt.index;
    mine->getopt.place = 0;
  }
  const char *known = c == ':' || c == ';' ? NULL : strchr(r->letters, c);
  char name[2] = {c, 0};
  if (!known) {
    mine->getopt.option = (unsigned char)c;
    complain(r, "%s: invalid option -- '%s'\n", name);
    return '?';
  }
  if (c == 'W' && known[1] == ';' && r->words)
    return word_behind_w(r, last ? NULL : text + mine->getopt.place);
  if (known[1] != ':')
    return (unsigned char)c;
  bool optional = known[2] == ':';
  mine->getopt.argument = NULL;
  if (!last) {
    mine->getopt.argument = text + mine->getopt.place;
    ++mine->getopt.index;
    mine->getopt.place = 0;
  } else if (!optional) {
    if (mine->getopt.index >= r->argc)
      return miss_argument(r, c);
    mine->getopt.argument = r->argv[mine->getopt.index++];
  }
  return (unsigned char)c;
}

/// Moves the options in argv[last, index), with their arguments, before the
/// skipped operands, argv[first, last).
static void exchange(request *r) {
  thread_state *mine = r->mine;
  int operands = mine->getopt.last - mine->getopt.first;
  for (int from = mine->getopt.last; from < mine->getopt.index; ++from)
    move_down(r->argv, from, mine->getopt.first++);
  mine->getopt.last = mine->getopt.first + operands;
}

static int next(request *r) {
  thread_state *mine = r->mine;
  mine->getopt.argument = NULL;
  if (mine->getopt.index == 0) { // GNU's way to start again
    mine->getopt.index = mine->getopt.first = mine->getopt.last = 1;
    mine->getopt.place = 0;
  }
  const char order = *r->letters;
  if (order == '+' || order == '-')
    ++r->letters;
  if (mine->getopt.place)
    return letter(r);
  const bool permute = order != '+' && order != '-' &&
                       !getenv("POSIXLY_CORRECT") && grid_has_one_thread();
  int *at = &mine->getopt.index, *first = &mine->getopt.first,
      *last = &mine->getopt.last;
  if (*last > *at)
    *last = *at;
  if (*first > *at)
    *first = *at;
  if (permute) {
    if (*first != *last && *last != *at)
      exchange(r);
    else if (*last != *at)
      *first = *at;
    while (*at < r->argc && !is_option(r->argv[*at]))
      ++*at;
    *last = *at;
  }
  if (*at < r->argc && !strcmp(r->argv[*at], "--")) {
    ++*at;
    if (*first != *last && *last != *at)
      exchange(r);
    else if (*first == *last)
      *first = *at;
    *last = r->argc;
    *at = r->argc;
  }
  if (*at >= r->argc) {
    if (*first != *last)
      *at = *first;
    return -1;
  }
  char *text = r->argv[*at];
  if (!is_option(text)) {
    if (order != '-')
      return -1;
    mine->getopt.argument = text;
    ++*at;
    return 1;
  }
  if (r->words && text[1] == '-') {
    request plain = *r;
    plain.only = false;
    return long_option(&plain, text + 2, "--");
  }
  // With getopt_long_only(), "-x" is the letter x if there is one.
  if (r->words && r->only && (text[2] || !strchr(r->letters, text[1]))) {
    int result = long_option(r, text + 1, "-");
    if (result != -2)
      return result;
  }
  mine->getopt.place = 1;
  return letter(r);
}

int getopt(int argc, char *const argv[], const char *letters) {
  request r = {
      __getopt_state(), argc, (char **)argv, letters, NULL, NULL, false};
  return next(&r);
}
int getopt_long(int argc, char *const argv[], const char *letters,
                const struct option *words, int *index) {
  request r = {
      __getopt_state(), argc, (char **)argv, letters, words, index, false};
  return next(&r);
}
int getopt_long_only(int argc, char *const argv[], const char *letters,
                     const struct option *words, int *index) {
  request r = {
      __getopt_state(), argc, (char **)argv, letters, words, index, true};
  return next(&r);
}
