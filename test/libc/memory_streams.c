// fmemopen, open_memstream, open_wmemstream and fopencookie: modes, positions, ends of arrays, what is visible after fflush,
// formatted output and input, errors. Then 4096 threads, each with streams of its own.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#define SLICES 4
#include "libc_test.h"
#include <wchar.h>

static void show_array(struct test *t, const char *what, const char *array, size_t size) {
  char text[64];
  for (size_t i = 0; i < size; ++i)
    text[i] = array[i] ? array[i] : '.';
  text[size] = 0;
  out(t, "%s: [%s]", what, text);
}

static void fixed(struct test *t) {
  static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+", "rb", "w+b"};
  for (unsigned i = 0; i < sizeof modes / sizeof *modes; ++i) {
    if (!section(t))
      continue;
    char array[12] = "first";
    memset(array + 6, '#', 6);
    FILE *f = fmemopen(array, sizeof array, modes[i]);
    out(t, "mode %s: %d, position %ld", modes[i], f != NULL, ftell(f));
    errno = 0;
    out(t, "puts %d", fputs("ab", f) >= 0);
    out(t, "flush %d", fflush(f));
    show_array(t, "array", array, sizeof array);
    out(t, "position %ld", ftell(f));
    clearerr(f);
    rewind(f);
    char text[20] = "";
    errno = 0;
    const size_t got = fread(text, 1, sizeof text - 1, f);
    const int error = ferror(f) ? errno : 0;
    show_array(t, "read", text, got);
    out(t, "error %d end %d", error, feof(f) != 0);
    clearerr(f);
    out(t, "seek %d %ld", fseek(f, -1, SEEK_END), ftell(f));
    out(t, "seek %d %ld", fseek(f, 12, SEEK_SET), ftell(f));
    errno = 0;
    out(t, "seek %d %d", fseek(f, 13, SEEK_SET), errno);
    out(t, "close %d", fclose(f));
    show_array(t, "array", array, sizeof array);
  }
}

static void full(struct test *t) {
  for (int length = 6; length <= 10; ++length) {
    if (!section(t))
      continue;
    char array[8];
    memset(array, '#', sizeof array);
    FILE *f = fmemopen(array, sizeof array, "w");
    const size_t done = fwrite("0123456789", 1, (size_t)length, f);
    errno = 0;
    const int flushed = fflush(f);
    out(t, "%d: %zu, flush %d %d", length, done, flushed, flushed ? errno : 0);
    show_array(t, "array", array, sizeof array);
    fclose(f);
    show_array(t, "array", array, sizeof array);
  }
  if (!section(t))
    return;
  char text[] = "12 words of 0x1f text\nsecond line\nthird";
  FILE *f = fmemopen(text, strlen(text), "r");
  int number = 0;
  unsigned hex = 0;
  char word[10] = "", line[40] = "";
  out(t, "%d", fscanf(f, "%d %9s of %x", &number, word, &hex));
  out(t, "%d %s %x", number, word, hex);
  out(t, "[%s]", fgets(line, sizeof line, f));
  out(t, "%c", ungetc('S', f));
  char *all = NULL;
  size_t size = 0;
  while (getline(&all, &size, f) > 0)
    out(t, "{%s}", all);
  free(all);
  out(t, "%d", feof(f) != 0);
  fclose(f);
  f = fmemopen(NULL, 20, "w+");
  fprintf(f, "%d-%s-%5.2f%n", 7, "text", 1.5, &number);
  out(t, "%d %ld", number, ftell(f));
  rewind(f);
  out(t, "%s", fgets(line, sizeof line, f));
  errno = 0;
  out(t, "%d %d", fileno(f), errno);
  fclose(f);
  errno = 0;
  out(t, "%d", fmemopen(line, 5, "x") == NULL);
}

static void growing(struct test *t) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  fflush(f);
  out(t, "[%s] %zu", text, size);
  fprintf(f, "hello %s %d", "world", 42);
  out(t, "position %ld", ftell(f));
  fflush(f);
  out(t, "[%s] %zu", text, size);
  fseek(f, 6, SEEK_SET);
  fputs("W", f);
  fflush(f);
  out(t, "[%s] %zu", text, size);
  fclose(f); // behind "hello W" there is no SEEK_END to compare: glibc's goes to the 'o'
  out(t, "[%s] %zu", text, size);
  free(text);
  f = open_memstream(&text, &size);
  for (int i = 0; i < 5000; ++i)
    fprintf(f, "%d,", i);
  fclose(f);
  unsigned long sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum = sum * 31 + (unsigned char)text[i];
  out(t, "%zu %lu %d", size, sum, text[size]);
  free(text);
  f = open_memstream(&text, &size);
  fputs("ab", f);
  fseek(f, 5, SEEK_SET);
  fputs("cd", f);
  fclose(f);
  show_array(t, "gap", text, size);
  free(text);
  wchar_t *wide = NULL;
  f = open_wmemstream(&wide, &size);
  fputws(L"wide", f);
  fwprintf(f, L" %d", 9);
  fflush(f);
  out(t, "%ls %zu", wide, size);
  fputwc(L'x', f);
  fclose(f);
  out(t, "%ls %zu %d", wide, size, wide[size]);
  free(wide);
}

// A cookie that keeps what is written and reads it back, a few bytes a call.
struct store {
  char bytes[64];
  size_t length, position;
  int closed, limit;
};
static ssize_t take(void *cookie, const char *from, size_t size) {
  struct store *s = cookie;
  if (s->limit && s->position + size > (size_t)s->limit) {
    errno = ENOSPC;
    return 0;
  }
  memcpy(s->bytes + s->position, from, size);
  s->position += size;
  if (s->position > s->length)
    s->length = s->position;
  return (ssize_t)size;
}
static ssize_t give(void *cookie, char *to, size_t size) {
  struct store *s = cookie;
  if (s->limit < 0) {
    errno = EIO;
    return -1;
  }
  size_t part = s->length - s->position;
  part = part > 3 ? 3 : part;
  part = part > size ? size : part;
  memcpy(to, s->bytes + s->position, part);
  s->position += part;
  return (ssize_t)part;
}
static int go(void *cookie, off64_t *offset, int whence) {
  struct store *s = cookie;
  const long to = *offset + (whence == SEEK_CUR ? (long)s->position : whence == SEEK_END ? (long)s->length : 0);
  if (to < 0 || to > 64)
    return errno = EINVAL, -1;
  *offset = (off64_t)(s->position = (size_t)to);
  return 0;
}
static int end(void *cookie) {
  ((struct store *)cookie)->closed = 1;
  return 0;
}

static void cookies(struct test *t) {
  struct store s = {.length = 0};
  const cookie_io_functions_t all = {give, take, go, end};
  FILE *f = fopencookie(&s, "w+", all);
  fprintf(f, "line %d\nline %d\n", 1, 2);
  fflush(f);
  out(t, "%zu", s.length);
  rewind(f);
  char line[40];
  while (fgets(line, sizeof line, f))
    out(t, "[%s] %ld", line, ftell(f));
  out(t, "%d %d", feof(f) != 0, ferror(f));
  out(t, "%d %ld", fseek(f, -4, SEEK_CUR), ftell(f));
  out(t, "%c", fgetc(f));
  out(t, "%d %d", fclose(f), s.closed);

  s = (struct store){.limit = 4};
  f = fopencookie(&s, "w", all);
  setvbuf(f, NULL, _IONBF, 0);
  out(t, "%d", fputs("abc", f) >= 0);
  out(t, "%zu", s.length);
  errno = 0;
  out(t, "%d %d", fputs("def", f), errno);
  out(t, "%d", ferror(f) != 0);
  clearerr(f);
  errno = 0;
  out(t, "%d %d", fgetc(f), errno);
  fclose(f);

  s = (struct store){.limit = -1};
  f = fopencookie(&s, "r", all);
  errno = 0;
  out(t, "%d %d %d", fgetc(f), errno, ferror(f) != 0);
  clearerr(f);
  errno = 0;
  out(t, "%d %d", fputc('x', f), errno);
  fclose(f);

  s = (struct store){.bytes = "some text", .length = 9};
  f = fopencookie(&s, "r", (cookie_io_functions_t){.read = give});
  out(t, "%d", fscanf(f, "%*s %s", line));
  out(t, "%s", line);
  out(t, "%d", fseek(f, 0, SEEK_SET));
  out(t, "%d", fclose(f));
}

static void run(struct test *t) {
  fixed(t);
  full(t);
  if (section(t))
    growing(t);
  if (section(t))
    cookies(t);
}
