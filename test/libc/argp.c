// argp.h: texts of --help and --usage of several programs (groups, headers, children, aliases, long names, documentation,
// filters), and what parsers are called with for right and wrong command lines; texts, order and status as glibc's.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -w %s -o %t.h/argp
// RUN: %gpucc -O2 -w %s -o %t.d/argp
// RUN: sed -n 's/^\/\/ LINE: //p' %s > %t.lines
// RUN: echo 'while read -r line; do echo "== $line"; eval "$@" $line; echo "status $?"; done 2>&1' > %t.sh
// RUN: cd %t.h && PATH=$PWD:$PATH bash %t.sh argp < %t.lines > %t.expected
// RUN: cd %t.d && bash %t.sh %run argp < %t.lines > %t.out
// RUN: diff %t.expected %t.out
//
// LINE: plain
// LINE: plain --help
// LINE: plain --usage
// LINE: plain -?
// LINE: plain -V
// LINE: plain one
// LINE: plain --version
// LINE: full --help
// LINE: full --usage
// LINE: full --version
// LINE: full -v -o out -l7 --level a b
// LINE: full a -v b -c c --output=x d
// LINE: full a -v b -- -c c
// LINE: full --lev=3 x y --verb
// LINE: full --out
// LINE: full --nonsense
// LINE: full --qu=3
// LINE: full -z
// LINE: full -o
// LINE: full --quiet=3 a b
// LINE: full a
// LINE: full a b c d e
// LINE: full --fail a b
// LINE: full --failure a b
// LINE: full --bad a b
// LINE: tree --help
// LINE: tree --usage
// LINE: tree -b 5 --alpha x --child-option -k y
// LINE: tree --beta x
// LINE: many --help
// LINE: many --usage
// LINE: many ARG
// LINE: filter --help
// LINE: filter --usage
// LINE: order a -x b -x
// LINE: order -x -- -x b
// LINE: noargs -x b
// LINE: noargs -x
// LINE: noargs-index -x b c
// LINE: long -alpha -x
// LINE: long -help
// LINE: silent --nonsense
// LINE: silent a
// LINE: silent --help
// LINE: rest -x a b c
// LINE: empty --help
// LINE: empty a
// LINE: call-help
// LINE: argv0 -x one
#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_bug_address;
const char *argp_program_version;

static const char *key_name(int key) {
  static char text[20];
  switch (key) {
  case ARGP_KEY_ARG: return "ARG";
  case ARGP_KEY_ARGS: return "ARGS";
  case ARGP_KEY_END: return "END";
  case ARGP_KEY_NO_ARGS: return "NO_ARGS";
  case ARGP_KEY_INIT: return "INIT";
  case ARGP_KEY_SUCCESS: return "SUCCESS";
  case ARGP_KEY_ERROR: return "ERROR";
  case ARGP_KEY_FINI: return "FINI";
  }
  snprintf(text, sizeof text, key > 32 && key < 127 ? "'%c'" : "%d", key);
  return text;
}

static int report(const char *who, int key, char *arg, struct argp_state *state) {
  printf("%s %s %s next %d num %u quoted %d input %s\n", who, key_name(key), arg ? arg : "-", state->next, state->arg_num,
         state->quoted, state->input ? (char *)state->input : "-");
  fflush(stdout);
  return 0;
}

// A program without options of its own.
static error_t parse_plain(int key, char *arg, struct argp_state *state) {
  if (key == ARGP_KEY_ARG)
    return report("plain", key, arg, state);
  return ARGP_ERR_UNKNOWN;
}
static const struct argp plain = {0, parse_plain, "FILE", "A plain program."};

enum { FAIL = 1000, FAILURE, BAD };
static const struct argp_option full_options[] = {
    {"verbose", 'v', 0, 0, "Produce verbose output"},
    {"quiet", 'q', 0, 0, "Don't produce any output"},
    {"silent", 's', 0, OPTION_ALIAS},
    {"output", 'o', "FILE", 0, "Output to FILE instead of standard output"},
    {"level", 'l', "N", OPTION_ARG_OPTIONAL, "Level of compression, from one to nine, where nine takes longest and one is fastest of all"},
    {"a-very-long-name-of-an-option", 'y', "AND-ITS-ARGUMENT", 0, "Its text begins on a line of its own"},
    {"this-is-29-columns", 500, "X", 0, "Text after three blanks"},
    {0, 'c', 0, 0, "A letter without a name"},
    {0, 'C', "COUNT", 0, "A letter with an argument"},
    {0, 'D', "COUNT", OPTION_ARG_OPTIONAL, "A letter with an optional one"},
    {"hidden", 'h', 0, OPTION_HIDDEN, "Not shown"},
    {"no-usage", 'n', 0, OPTION_NO_USAGE, "Not in the usage"},
    {"undocumented", 'u'},
    {0, 0, 0, 0, "A group with a header:"},
    {"fail", FAIL, 0, 0, "Call argp_error"},
    {"failure", FAILURE, 0, 0, "Call argp_failure"},
    {"bad", BAD, 0, 0, "A key that the parser does not know\n\nand a second paragraph"},
    {0, 0, 0, 0, "Another header, with a text that is so long that it has to be broken into two lines or more:", 7},
    {"Apple", 'A', 0, 0, "Sorted"},
    {"apple", 'a', 0, 0, "Sorted"},
    {"zebra", 'Z', 0, 0, "Sorted"},
    {"banana", 502, 0, 0, "Sorted"},
    {"cherry", 503, 0, 0, "Sorted"},
    {"at the end", 0, 0, OPTION_DOC, "No option at all", -3},
    {"--doc-text", 0, 0, OPTION_DOC | OPTION_NO_USAGE, "No option either", -3},
    {0}};
static error_t parse_full(int key, char *arg, struct argp_state *state) {
  switch (key) {
  case FAIL:
    argp_error(state, "wrong: %d %s", 42, "text");
    return 0;
  case FAILURE:
    argp_failure(state, 0, ENOENT, "soft %s", "failure");
    argp_failure(state, 9, 0, "hard failure");
    return 0;
  case BAD:
    return ARGP_ERR_UNKNOWN;
  case ARGP_KEY_ARG:
    if (state->arg_num >= 4)
      argp_usage(state);
    return report("full", key, arg, state);
  case ARGP_KEY_END:
    report("full", key, arg, state);
    if (state->arg_num < 2)
      argp_usage(state);
    return 0;
  case ARGP_KEY_ARGS:
    return ARGP_ERR_UNKNOWN;
  }
  return report("full", key, arg, state);
}
static const struct argp full = {full_options, parse_full, "SOURCE TARGET\nSOURCE... FOLDER WITH LONG NAMES OF MANY ARGUMENTS",
                                 "Full -- a program with all kinds of options, whose description is longer than a line of text.\v"
                                 "What comes at the end.\n\n  Indented lines stay, and long ones are broken where blanks are in them."};

static const struct argp_option child_options[] = {{"child-option", 'k', 0, 0, "Of a child"}, {"beta", 'B', 0, 0, "Also"}, {0}};
static error_t parse_child(int key, char *arg, struct argp_state *state) {
  return key == ARGP_KEY_ARG || key == ARGP_KEY_ARGS ? ARGP_ERR_UNKNOWN : report("child", key, arg, state);
}
static const struct argp child = {child_options, parse_child, 0, "Text of the child.\vEnd of the child."};
static const struct argp_option second_options[] = {{"second", 'S', "X", 0, "Of the second child"}, {"alpha-two", 504, 0, 0, "More"}, {0}};
static const struct argp second = {second_options, 0, "[SECOND]"};
static const struct argp_option third_options[] = {{"third", 'T', 0, 0, "Of the third child", 2}, {0}};
static const struct argp_child of_third[] = {{&second, 0, "Within the third:"}, {0}};
static const struct argp third = {third_options, 0, 0, 0, of_third};
static const struct argp_child children[] = {{&child, 0, "Options of the child:"}, {&third, 0, "Third:", 3}, {0}};
static const struct argp_option tree_options[] = {
    {"alpha", 'a', 0, 0, "First"}, {"beta", 'b', "N", 0, "Second"}, {"late", 505, 0, 0, "In group four", 4}, {0}};
static error_t parse_tree(int key, char *arg, struct argp_state *state) {
  if (key == ARGP_KEY_INIT) {
    state->child_inputs[0] = "for the child";
    state->hook = "hook";
  }
  if (key == ARGP_KEY_ARGS)
    return ARGP_ERR_UNKNOWN;
  report(state->hook, key, arg, state);
  return 0;
}
static const struct argp tree = {tree_options, parse_tree, "[ARG...]", "With children.", children};

static const struct argp_option many_options[] = {
    {"one-long-option", 'a', "ARGUMENT", 0, "1"}, {"two-long-option", 'b', "ARGUMENT", OPTION_ARG_OPTIONAL, "2"},
    {"three-long-option", 'c', 0, 0, "3"},         {"four-long-option", 'd', "ARGUMENT", 0, "4"},
    {"five-long-option", 'e', "ARGUMENT", 0, "5"}, {"six", 'f', 0, 0, "6"},
    {"seven", 'g', 0, 0, "7"},                     {"eight", 'h', 0, 0, "An-extremely-long-word-that-fits-into-no-line-of-seventy-nine-columns and more"},
    {"nine", 'a', 0, 0, "The letter is taken"},    {"name", 'i', "X", 0, 0}, {"other", 0, 0, OPTION_ALIAS}, {"third-alias-of-this-long-option", 'j', 0, OPTION_ALIAS},
    {0}};
static error_t parse_args(int key, char *arg, struct argp_state *state) {
  if (key == ARGP_KEY_ARG)
    return ARGP_ERR_UNKNOWN;
  return report("many", key, arg, state);
}
static const struct argp many = {many_options, parse_args, "A\nB\nC D"};

static char *change(int key, const char *text, void *input) {
  char *result = NULL;
  switch (key) {
  case ARGP_KEY_HELP_PRE_DOC: return strdup("Before.");
  case ARGP_KEY_HELP_POST_DOC: return NULL;
  case ARGP_KEY_HELP_EXTRA: return strdup("Extra.");
  case ARGP_KEY_HELP_HEADER: asprintf(&result, "<%s>", text); return result;
  case ARGP_KEY_HELP_ARGS_DOC: return strdup("FILTERED");
  case ARGP_KEY_HELP_DUP_ARGS_NOTE: return strdup("Note.");
  case 'v': asprintf(&result, "%s (%s)", text, input ? (char *)input : "none"); return result;
  }
  return (char *)text;
}
static const struct argp filtered = {full_options, parse_full, "X", "Pre\vPost", 0, change};

static const struct argp_option few_options[] = {{"ex", 'x', 0, 0, "An x"}, {"alpha", 'a', 0, 0, "An alpha"}, {0}};
static error_t parse_few(int key, char *arg, struct argp_state *state) {
  return key == ARGP_KEY_ARGS ? ARGP_ERR_UNKNOWN : report("few", key, arg, state);
}
static error_t parse_no_arguments(int key, char *arg, struct argp_state *state) {
  return key == ARGP_KEY_ARGS || key == ARGP_KEY_ARG ? ARGP_ERR_UNKNOWN : report("few", key, arg, state);
}
static const struct argp few = {few_options, parse_few, "[A]", "Few."}, no_arguments = {few_options, parse_no_arguments};
static const struct argp empty;

int main(int argc, char **argv) {
  const char *which = argv[1];
  argv[1] = argv[0];
  --argc, ++argv;
  int index = -1;
  error_t error = 0;
  if (!strcmp(which, "plain"))
    error = argp_parse(&plain, argc, argv, 0, 0, 0);
  argp_program_version = "full 1.0";
  argp_program_bug_address = "<nobody@example.org>";
  if (!strcmp(which, "full"))
    error = argp_parse(&full, argc, argv, 0, 0, "input");
  else if (!strcmp(which, "tree"))
    error = argp_parse(&tree, argc, argv, 0, 0, "root");
  else if (!strcmp(which, "many"))
    error = argp_parse(&many, argc, argv, 0, 0, 0);
  else if (!strcmp(which, "filter"))
    error = argp_parse(&filtered, argc, argv, 0, 0, "filter input");
  else if (!strcmp(which, "order"))
    error = argp_parse(&few, argc, argv, ARGP_IN_ORDER, 0, 0);
  else if (!strcmp(which, "noargs"))
    error = argp_parse(&few, argc, argv, ARGP_NO_ARGS, 0, 0);
  else if (!strcmp(which, "noargs-index"))
    error = argp_parse(&few, argc, argv, ARGP_NO_ARGS, &index, 0);
  else if (!strcmp(which, "long"))
    error = argp_parse(&few, argc, argv, ARGP_LONG_ONLY, 0, 0);
  else if (!strcmp(which, "silent"))
    error = argp_parse(&no_arguments, argc, argv, ARGP_SILENT, 0, 0);
  else if (!strcmp(which, "rest"))
    error = argp_parse(&no_arguments, argc, argv, 0, &index, 0);
  else if (!strcmp(which, "empty"))
    error = argp_parse(&empty, argc, argv, 0, 0, 0);
  else if (!strcmp(which, "argv0"))
    error = argp_parse(&few, argc - 1, argv + 1, ARGP_PARSE_ARGV0 | ARGP_NO_ERRS, 0, 0);
  else if (!strcmp(which, "call-help")) {
    for (unsigned flag = 1; flag <= ARGP_HELP_BUG_ADDR; flag *= 2)
      argp_help(&tree, stdout, flag, "given-name");
    argp_help(&full, stdout, ARGP_HELP_STD_USAGE, "given-name");
    argp_failure(NULL, 0, EINVAL, "%s", "without a state");
  }
  printf("error %d index %d optind %d\n", error, index, optind);
  return 0;
}
