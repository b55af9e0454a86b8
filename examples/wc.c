/* Counts lines, words and bytes of standard input or of the named files, as wc does.
   usage: wc [-l] [-w] [-c] [FILE...]          (- is standard input) */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct counts {
  unsigned long lines, words, bytes;
};

static int count(FILE *stream, struct counts *total) {
  static unsigned char buffer[65536];
  size_t length;
  int in_word = 0;
  while ((length = fread(buffer, 1, sizeof buffer, stream)) > 0) {
    for (size_t i = 0; i < length; i++) {
      total->lines += buffer[i] == '\n';
      int space = isspace(buffer[i]) != 0;
      total->words += !space && !in_word;
      in_word = !space;
    }
    total->bytes += length;
  }
  return ferror(stream);
}

static void print(const struct counts *c, const char *what, const char *name) {
  if (strchr(what, 'l'))
    printf("%8lu", c->lines);
  if (strchr(what, 'w'))
    printf("%8lu", c->words);
  if (strchr(what, 'c'))
    printf("%8lu", c->bytes);
  printf("%s%s\n", name ? " " : "", name ? name : "");
}

int main(int argc, char **argv) {
  char what[8] = "";
  int first = 1, status = 0;
  for (; first < argc && argv[first][0] == '-' && argv[first][1]; first++) {
    for (const char *option = argv[first] + 1; *option; option++) {
      if (!strchr("lwc", *option)) {
        fprintf(stderr, "wc: unknown option '%c'\n", *option);
        return 2;
      }
      if (!strchr(what, *option))
        strncat(what, option, 1);
    }
  }
  if (!*what)
    strcpy(what, "lwc");

  struct counts total = {0, 0, 0};
  if (first == argc) {
    if (count(stdin, &total)) {
      perror("wc: standard input");
      status = 1;
    }
    print(&total, what, NULL);
    return status;
  }
  for (int i = first; i < argc; i++) {
    int is_stdin = strcmp(argv[i], "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(argv[i], "rb");
    struct counts one = {0, 0, 0};
    if (!file || count(file, &one)) {
      fprintf(stderr, "wc: ");
      perror(argv[i]);
      status = 1;
    }
    if (!file)
      continue;
    if (!is_stdin)
      fclose(file);
    print(&one, what, argv[i]);
    total.lines += one.lines;
    total.words += one.words;
    total.bytes += one.bytes;
  }
  if (argc - first > 1)
    print(&total, what, "total");
  return status;
}
