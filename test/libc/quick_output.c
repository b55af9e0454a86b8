// A thread that is alone writes to a buffer with room without the general code (libc-shim/stdio/quick.h). The bytes are the native program's: of
// strings of all lengths at all alignments, across the ends of buffers, and in their place among what other ways print, whenever the kind of
// buffering or the stream's file changes and when a thread begins.
// RUN: rm -rf %t.d && mkdir -p %t.d/native %t.d/device
// RUN: %hostcc -w %s -o %t.host -lpthread && cd %t.d/native && %t.host > ../expected
// RUN: %gpucc -O2 -w %s -o %t && cd %t.d/device
// RUN: %run %t > ../out && cmp ../expected ../out && cmp ../native/file file && cmp ../native/other other
// RUN: %gpucc -O2 -w -DTHREAD %s -o %t.thread && cd %t.d/device && %run %t.thread > ../out && cmp ../expected ../out && cmp ../native/file file
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#if defined(THREAD) || defined(__x86_64__)
#include <pthread.h>
#endif

static char text[64] = "ab\x80" "defghijklmnop\x01rstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
static char copy[256] __attribute__((aligned(32)));

// Each way of writing a string of `size` bytes that begins at `place` of a line of 32.
static void write_string(FILE *file, int place, int size) {
  memset(copy, 'X', sizeof copy);
  char *string = copy + 64 + place;
  memcpy(string, text + place % 8, size);
  string[size] = 0;
  fputs(string, file);
  putc('|', file);
  fwrite(string, 1, size, file);
  fprintf(file, "%s %d\n", string, size);
  fprintf(file, "%s", string);
  fprintf(file, "%d %s and %s, %c%%, %g %g\n", size, string, string + size / 2, 'c', size * 0.5, 1e10 * size);
  if (file == stdout) {
    puts(string);
    putchar('.');
  }
}

static void strings(FILE *file) {
  for (int place = 0; place < 32; ++place)
    for (int size = 0; size < 34; ++size)
      write_string(file, place, size);
}

static void kinds(void) {
  const int modes[] = {_IOFBF, _IOLBF, _IOFBF, _IONBF, _IOFBF};
  for (int i = 0; i < 5; ++i) {
    fflush(stdout);
    setvbuf(stdout, NULL, modes[i], BUFSIZ);
    puts("a line");
#ifdef __x86_64__
    if (modes[i] != _IOFBF) // glibc keeps the first line behind setvbuf
      fflush(stdout);
#endif
    fputs("half", stdout);
    if (modes[i] != _IOFBF) // it is there already, but for what is half in a line
      write(1, "!\n", 2);
    printf("of %s", "a line");
    printf("%d\n", i);
    putchar('a' + i);
    fwrite("\n", 1, 1, stdout);
    if (modes[i] != _IOFBF)
      write(1, "?\n", 2);
  }
}

static void *other_thread(void *number) {
  printf("thread %d\n", *(int *)number);
  puts("in the thread");
  return number;
}

static void begin_thread(void) {
  int number = 7;
  printf("before %s\n", "the thread");
#if defined(THREAD) || defined(__x86_64__)
  pthread_t thread;
  if (pthread_create(&thread, NULL, other_thread, &number) || pthread_join(thread, NULL))
    puts("no thread");
#else
  other_thread(&number);
#endif
  puts("after it");
  printf("%s\n", "and a record");
}

int main(void) {
  strings(stdout);
  FILE *file = fopen("file", "w+");
  strings(file);
  fprintf(file, "%s", "written\n");
  rewind(file);
  char line[16];
  fgets(line, sizeof line, file);
  fseek(file, 0, SEEK_END);
  fputs(line, file);
  printf("%ld bytes\n", ftell(file));
  fclose(file);
  kinds();
  begin_thread();
  printf("no argument, a long format: 1234567890 1234567890 1234567890\n");
  printf("%d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6);
  printf("%.2s|%5s|%s\n", "cut", "wide", "");
  puts("to stdout");
  if (!freopen("other", "w", stdout))
    return 1;
  puts("to the other file");
  printf("%s\n", "which is now");
  if (!freopen("other", "a", stdout) || fwide(stdout, 1) <= 0)
    return 1;
  // Bytes are refused.
  const int refused = fputs("bytes", stdout) == EOF && puts("b") == EOF;
  fputws(refused ? L"wide\n" : L"not refused\n", stdout);
  return 0;
}
