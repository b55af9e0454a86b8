// getopt_long and getopt_long_only in their rarer forms: abbreviations, flags, "W;", all orders, what optopt has, messages.
// RUN: %hostcc -w %s -o %t.host && %t.host > %t.expected 2> %t.expected-errors
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t > %t.out 2> %t.errors
// RUN: diff %t.expected %t.out && diff %t.expected-errors %t.errors
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>

static const struct {
  char *words[6];
} lines[] = {{"--alpha", "x", "--beta=1"}, {"--al"}, {"--alp"}, {"--gam"}, {"--gamm=q", "y"}, {"--beta"}, {"--alpha=3"}, {"-W", "beta=4"},
             {"-Walpha"}, {"-W"}, {"-Wbeta", "v"}, {"-Wnosuch"}, {"-aWgamma=2", "-a"}, {"-abc"}, {"-b", "val", "--", "-a"},
             {"x", "-a", "y", "--delta", "z"}, {"-alpha"}, {"-beta", "5"}, {"-g"}, {"--nosuch"}, {"-q"}, {"--"}, {"-"}, {"-b"},
             {"--gamma", "opt"}};
static const char *const letters[] = {"ab:g::W;", "+ab:", "-ab:", ":ab:W;", ""};

static void parse(const char *known, int only, char *const *words) {
  static int flag;
  static const struct option options[] = {{"alpha", no_argument, NULL, 'a'},       {"beta", required_argument, NULL, 'b'},
                                          {"gamma", optional_argument, NULL, 'g'}, {"gam", no_argument, &flag, 7},
                                          {"alpine", no_argument, NULL, 'p'},      {"delta", no_argument, &flag, 3},
                                          {0}};
  char *argv[8] = {"program"};
  int argc = 1, which = -1;
  for (; words[argc - 1]; ++argc)
    argv[argc] = words[argc - 1];
  optind = 0;
  printf("[%s]%s", known, only ? " only" : "");
  for (int c; (c = (only ? getopt_long_only : getopt_long)(argc, argv, known, options, &which)) != -1; which = -1)
    printf(" %d arg=%s which=%d optopt=%d flag=%d", c, optarg ? optarg : "-", which, optopt, flag);
  printf(" | %d:", optind);
  for (int i = 1; i < argc; ++i)
    printf(" %s", argv[i]);
  puts("");
}

int main(void) {
  for (int i = 0; i < 5; ++i)
    for (int only = 0; only < 2; ++only)
      for (unsigned j = 0; j < sizeof lines / sizeof *lines; ++j)
        parse(letters[i], only, lines[j].words);
  return 0;
}
