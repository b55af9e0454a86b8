/* Sorts the lines of standard input or of the named files by their bytes, as sort does in the C locale.
   usage: sort [-n] [-r] [-u] [FILE...]        (-n numbers, -r reversed, -u equal lines once, - standard input) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
  const char *text;
  size_t length;
  double number;
};

static int numeric, reverse, unique;

static void *must(void *memory) {
  if (!memory) {
    fputs("sort: out of memory\n", stderr);
    exit(2);
  }
  return memory;
}

static char *text;
static size_t size, capacity;

static int read_all(FILE *stream) {
  for (;;) {
    if (capacity - size < 65536)
      text = must(realloc(text, capacity = capacity ? capacity * 2 : 1 << 20));
    size_t length = fread(text + size, 1, capacity - size, stream);
    if (!length)
      break;
    size += length;
  }
  /* A last line without its end is a line all the same, and does not run into the next file. */
  if (size && text[size - 1] != '\n')
    text[size++] = '\n';
  return ferror(stream);
}

static int compare_text(const struct line *a, const struct line *b) {
  size_t shorter = a->length < b->length ? a->length : b->length;
  int order = memcmp(a->text, b->text, shorter);
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int compare(const struct line *a, const struct line *b) {
  int order = 0;
  if (numeric)
    order = (a->number > b->number) - (a->number < b->number);
  if (!order && !(numeric && unique))
    order = compare_text(a, b);
  return reverse ? -order : order;
}

/* Merges sorted runs from the bottom up; equal lines keep their order. */
static struct line *merge_sort(struct line *from, struct line *to, size_t count) {
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      size_t middle = begin + width < count ? begin + width : count;
      size_t end = begin + 2 * width < count ? begin + 2 * width : count;
      size_t left = begin, right = middle;
      for (size_t out = begin; out < end; out++) {
        int take_left = right == end || (left < middle && compare(&from[left], &from[right]) <= 0);
        to[out] = take_left ? from[left++] : from[right++];
      }
    }
    struct line *swap = from;
    from = to;
    to = swap;
  }
  return from;
}

int main(int argc, char **argv) {
  int first = 1, status = 0;
  for (; first < argc && argv[first][0] == '-' && argv[first][1]; first++)
    for (const char *option = argv[first] + 1; *option; option++)
      switch (*option) {
      case 'n': numeric = 1; break;
      case 'r': reverse = 1; break;
      case 'u': unique = 1; break;
      default: fprintf(stderr, "sort: unknown option '%c'\n", *option); return 2;
      }

  if (first == argc && read_all(stdin)) {
    perror("sort: standard input");
    return 2;
  }
  for (int i = first; i < argc; i++) {
    int is_stdin = strcmp(argv[i], "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(argv[i], "rb");
    if (!file || read_all(file)) {
      fprintf(stderr, "sort: ");
      perror(argv[i]);
      return 2;
    }
    if (!is_stdin)
      fclose(file);
  }

  size_t count = 0;
  for (size_t i = 0; i < size; i++)
    count += text[i] == '\n';
  struct line *lines = must(malloc((2 * count + 1) * sizeof *lines));
  char *begin = text;
  for (size_t i = 0; i < count; i++) {
    char *end = memchr(begin, '\n', size - (size_t)(begin - text));
    lines[i].text = begin;
    lines[i].length = (size_t)(end - begin);
    *end = 0;
    lines[i].number = numeric ? strtod(begin, NULL) : 0;
    *end = '\n';
    begin = end + 1;
  }
  struct line *sorted = merge_sort(lines, lines + count, count);
  for (size_t i = 0; i < count; i++) {
    if (unique && i && compare(&sorted[i - 1], &sorted[i]) == 0)
      continue;
    if (fwrite(sorted[i].text, 1, sorted[i].length + 1, stdout) != sorted[i].length + 1)
      status = 2;
  }
  if (fflush(stdout))
    status = 2;
  free(lines);
  free(text);
  return status;
}
