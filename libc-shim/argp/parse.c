//===-- libc-shim/argp/parse.c - argp_parse -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree of argps is turned into a list of groups, one for each argp that has
// options or a parser. getopt_long() finds the options; the value that it
// returns tells the group.
//===----------------------------------------------------------------------===//
#include "libc-shim/argp/entries.h"
#include "libc-shim/argp/parts.h"
#include "libc-shim/device/thread_state.h"
#include <stdlib.h>
#include <string.h>

typedef struct group {
  const struct argp *argp;
  struct group *parent;
  unsigned parent_index; ///< in the parent's list of children
  unsigned last_letter;  ///< index in parser::letters behind its letters
  unsigned arguments;    ///< number of arguments that its parser has taken
  void *input, *hook;
  void **child_inputs;
} group;

typedef struct {
  struct argp_state state;
  group *groups, *end;
  char *letters;
  struct option *words;
  void **inputs; ///< child_inputs of all groups
  bool options_left;
} parser;

/// Values of getopt_long(): a letter; OPERAND; or, for a long option, the
/// number of the group (from 1) << KEY_BITS | the option's key.
enum { KEY_BITS = 24, OPERAND = 1, OPTIONS_END = -1 };

//===-- Groups ------------------------------------------------------------===//

typedef struct {
  unsigned groups, letters, words, children;
} sizes;

static void count(const struct argp *argp, sizes *all) {
  ++all->groups;
  for (const struct argp_option *o = argp->options; o && !is_end(o); ++o) {
    all->letters += 3;
    ++all->words;
  }
  for (const struct argp_child *c = argp->children; c && c->argp; ++c) {
    ++all->children;
    count(c->argp, all);
  }
}

typedef struct {
  unsigned letters, words, inputs;
} filled;

static bool has_word(const parser *p, unsigned count, const char *name) {
  for (unsigned i = 0; i < count; ++i)
    if (!strcmp(p->words[i].name, name))
      return true;
  return false;
}

static void add_options(parser *p, const group *of, filled *at) {
  const struct argp_option *real = of->argp->options;
  for (const struct argp_option *o = real; o && !is_end(o); ++o) {
    if (!(o->flags & OPTION_ALIAS))
      real = o;
    if (real->flags & OPTION_DOC)
      continue;
    const int argument = !real->arg ? no_argument
                         : real->flags & OPTION_ARG_OPTIONAL
                             ? optional_argument
                             : required_argument;
    const int letter = __argp_letter(o);
    if (letter) {
      p->letters[at->letters++] = (char)letter;
      for (int i = 0; i < argument; ++i)
        p->letters[at->letters++] = ':';
    }
    if (o->name && !has_word(p, at->words, o->name)) {
      const int key = (o->key ? o->key : real->key) & ((1 << KEY_BITS) - 1);
      p->words[at->words++] = (struct option){
          o->name, argument, NULL,
          key | (int)((unsigned)(of - p->groups + 1) << KEY_BITS)};
    }
  }
}

static void add_group(parser *p, const struct argp *argp, group *parent,
                      unsigned parent_index, filled *at) {
  group *mine = NULL;
  if (argp->options || argp->parser) {
    mine = p->end++;
    *mine =
        (group){.argp = argp, .parent = parent, .parent_index = parent_index};
    add_options(p, mine, at);
    mine->last_letter = at->letters;
    if (argp->children) {
      unsigned children = 0;
      while (argp->children[children].argp)
        ++children;
      mine->child_inputs = p->inputs + at->inputs;
      at->inputs += children;
    }
  }
  // The children of an argp that is no group have no parent.
  for (unsigned i = 0; argp->children && argp->children[i].argp; ++i)
    add_group(p, argp->children[i].argp, mine, i, at);
}

static error_t call(parser *p, group *g, int key, char *argument) {
  if (!g->argp->parser)
    return ARGP_ERR_UNKNOWN;
  p->state.hook = g->hook;
  p->state.input = g->input;
  p->state.child_inputs = g->child_inputs;
  p->state.arg_num = g->arguments;
  const error_t error = g->argp->parser(key, argument, &p->state);
  g->hook = p->state.hook;
  return error;
}

/// For keys that a parser need not know: ARGP_ERR_UNKNOWN becomes 0.
static error_t known(error_t error) {
  return error == ARGP_ERR_UNKNOWN ? 0 : error;
}

void *__argp_input(const struct argp *argp, const struct argp_state *state) {
  const parser *p = state->pstate;
  for (const group *g = p->groups; g < p->end; ++g)
    if (g->argp == argp)
      return g->input;
  return NULL;
}

//===-- The command line --------------------------------------------------===//

static error_t parse_option(parser *p, int value, char *argument) {
  error_t error = ARGP_ERR_UNKNOWN;
  const unsigned number = (unsigned)value >> KEY_BITS;
  if (number) {
    const int key =
        (int)((unsigned)value << (32 - KEY_BITS)) >> (32 - KEY_BITS);
    error = call(p, &p->groups[number - 1], key, argument);
  } else {
    const char *at = strchr(p->letters, value);
    for (group *g = p->groups; at && g < p->end; ++g)
      if (g->last_letter > (unsigned)(at - p->letters)) {
        error = call(p, g, value, argument);
        break;
      }
  }
  if (error != ARGP_ERR_UNKNOWN)
    return error;
  static const char message[] =
      "(PROGRAM ERROR) Option should have been recognized!?";
  if (!number) {
    argp_error(&p->state, "-%c: %s", value, message);
  } else {
    const struct option *word = p->words;
    while (word->name && word->val != value)
      ++word;
    argp_error(&p->state, "--%s: %s", word->name ? word->name : "???", message);
  }
  return error;
}

/// Offers the argument before state.next to each parser, first alone, then with
/// all that follow, until one takes it.
static error_t parse_argument(parser *p, char *argument) {
  const int index = --p->state.next;
  error_t error = ARGP_ERR_UNKNOWN;
  int key = ARGP_KEY_ARG;
  group *g = p->groups;
  for (; error == ARGP_ERR_UNKNOWN && g < p->end; ++g) {
    ++p->state.next;
    key = ARGP_KEY_ARG;
    error = call(p, g, key, argument);
    if (error != ARGP_ERR_UNKNOWN)
      continue;
    --p->state.next;
    key = ARGP_KEY_ARGS;
    error = call(p, g, key, NULL);
  }
  if (error)
    return error;
  if (key == ARGP_KEY_ARGS)
    p->state.next = p->state.argc;
  if (p->state.next > index)
    g[-1].arguments += (unsigned)(p->state.next - index);
  else
    p->options_left = true; // the parser wants it parsed again
  return 0;
}

/// optopt before each call: getopt_long() sets it for errors alone.
enum { NO_ERROR = -1 };

/// getopt_long() has returned '?'. Was that an option with this letter, not an
/// error?
static bool is_question(const parser *p) {
  return optopt == NO_ERROR && strchr(p->letters, '?');
}

/// Parses one option or argument. If it returns ARGP_ERR_UNKNOWN and *unparsed
/// is true, an argument is left (or none is): that is no error of its own.
static error_t parse_next(parser *p, bool *unparsed) {
  struct argp_state *s = &p->state;
  int value = OPTIONS_END;
  char *argument = NULL;
  *unparsed = false;
  if (s->quoted && s->next < s->quoted)
    s->quoted = 0;
  if (p->options_left && !s->quoted) {
    optind = s->next;
    optopt = NO_ERROR;
    value = s->flags & ARGP_LONG_ONLY
                ? getopt_long_only(s->argc, s->argv, p->letters, p->words, NULL)
                : getopt_long(s->argc, s->argv, p->letters, p->words, NULL);
    s->next = optind;
    argument = optarg;
    if (value == '?' && !is_question(p))
      return ARGP_ERR_UNKNOWN;
    if (value == OPTIONS_END) {
      p->options_left = false;
      if (s->next > 1 && !strcmp(s->argv[s->next - 1], "--"))
        s->quoted = s->next;
    }
  }
  if (value == OPTIONS_END) {
    *unparsed = true;
    if (s->next >= s->argc || s->flags & ARGP_NO_ARGS)
      return ARGP_ERR_UNKNOWN;
    argument = s->argv[s->next++];
    value = OPERAND;
  }
  if (value != OPERAND)
    return parse_option(p, value, argument);
  *unparsed = true;
  return parse_argument(p, argument);
}

static error_t begin(parser *p, void *input) {
  if (p->groups < p->end)
    p->groups->input = input;
  error_t error = 0;
  for (group *g = p->groups; !error && g < p->end; ++g) {
    if (g->parent)
      g->input = g->parent->child_inputs[g->parent_index];
    if (!g->argp->parser && g->child_inputs && g->argp->children->argp)
      g->child_inputs[0] = g->input;
    error = known(call(p, g, ARGP_KEY_INIT, NULL));
  }
  return error;
}

/// Tells all parsers that there are no more arguments.
static error_t end_arguments(parser *p) {
  error_t error = 0;
  for (group *g = p->groups; !error && g < p->end; ++g)
    if (!g->arguments)
      error = known(call(p, g, ARGP_KEY_NO_ARGS, NULL));
  for (group *g = p->end; !error && g-- > p->groups;)
    error = known(call(p, g, ARGP_KEY_END, NULL));
  return error;
}

static error_t finish(parser *p, error_t error, bool unparsed, int *end_index) {
  struct argp_state *s = &p->state;
  if (error == ARGP_ERR_UNKNOWN && unparsed)
    error = 0;
  if (!error && s->next == s->argc) {
    error = end_arguments(p);
    if (end_index)
      *end_index = s->next;
  } else if (!error && end_index) {
    *end_index = s->next;
  } else if (!error) {
    if (!(s->flags & ARGP_NO_ERRS) && s->err_stream)
      fprintf(s->err_stream, "%s: Too many arguments\n", s->name);
    error = ARGP_ERR_UNKNOWN;
  }
  if (error) {
    if (error == ARGP_ERR_UNKNOWN)
      argp_state_help(s, s->err_stream, ARGP_HELP_STD_ERR);
    for (group *g = p->groups; g < p->end; ++g)
      call(p, g, ARGP_KEY_ERROR, NULL);
  } else {
    for (group *g = p->end; !error && g-- > p->groups;)
      error = known(call(p, g, ARGP_KEY_SUCCESS, NULL));
  }
  for (group *g = p->end; g-- > p->groups;)
    call(p, g, ARGP_KEY_FINI, NULL);
  return error == ARGP_ERR_UNKNOWN ? EINVAL : error;
}

static char *short_name(int argc, char **argv, unsigned flags) {
  if (flags & ARGP_PARSE_ARGV0 || argc < 1 || !argv[0])
    return program_invocation_short_name;
  char *slash = strrchr(argv[0], '/');
  return slash ? slash + 1 : argv[0];
}

static bool allocate(parser *p, const struct argp *root) {
  sizes all = {0};
  count(root, &all);
  p->groups = p->end = calloc(all.groups, sizeof(group));
  p->letters = calloc(all.letters + 2, 1);
  p->words = calloc(all.words + 1, sizeof(struct option));
  p->inputs = calloc(all.children + 1, sizeof(void *));
  return p->groups && p->letters && p->words && p->inputs;
}
static void release(parser *p) {
  free(p->groups);
  free(p->letters);
  free(p->words);
  free(p->inputs);
}

error_t argp_parse(const struct argp *restrict argp, int argc,
                   char **restrict argv, unsigned flags,
                   int *restrict end_index, void *restrict input) {
  const bool version = argp_program_version || argp_program_version_hook;
  const struct argp_child with_help[] = {
      {argp, 0, NULL, 0},
      {&__argp_of_help, 0, NULL, 0},
      {version ? &__argp_of_version : NULL, 0, NULL, 0},
      {NULL, 0, NULL, 0}};
  const struct argp top = {.children = with_help};
  const struct argp *root = flags & ARGP_NO_HELP ? argp : &top;
  parser p = {.options_left = true};
  if (!allocate(&p, root)) {
    release(&p);
    return ENOMEM;
  }
  filled at = {0};
  if (flags & (ARGP_IN_ORDER | ARGP_NO_ARGS))
    p.letters[at.letters++] = flags & ARGP_IN_ORDER ? '-' : '+';
  add_group(&p, root, NULL, 0, &at);
  // The program's state of getopt() is saved and restored. An index of 0 makes
  // getopt() begin a new command line.
  thread_state *mine = __thread_state();
  const __typeof(mine->getopt) before = mine->getopt;
  p.state = (struct argp_state){
      .root_argp = root,
      .argc = argc,
      .argv = argv,
      .flags = flags,
      .name = short_name(argc, argv, flags),
      .err_stream = stderr,
      .out_stream = stdout,
      .pstate = &p,
  };
  if (flags & ARGP_PARSE_ARGV0) { // getopt() skips the first element
    --p.state.argv;
    ++p.state.argc;
  }
  opterr = !(flags & ARGP_NO_ERRS);
  bool unparsed = false;
  error_t error = begin(&p, input);
  while (!error)
    error = parse_next(&p, &unparsed);
  error = finish(&p, error, unparsed, end_index);
  mine->getopt = before;
  release(&p);
  return error;
}
