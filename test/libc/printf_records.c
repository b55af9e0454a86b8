// printf whose result is not used goes to the stream's buffer as a record (libc-shim/stdio/record.h), which the host formats later. The output
// is that of the native program, in a file and at a terminal, together with puts, putchar, other streams, seeks and commands; its calls are few.
// RUN: rm -rf %t.d && mkdir -p %t.d/native %t.d/device
// RUN: %hostcc -w %s -o %t.host && cd %t.d/native && %t.host > ../expected && script -qec %t.host ../expected-terminal < /dev/null > /dev/null
// RUN: %gpucc -O2 -w %s -o %t && cd %t.d/device
// RUN: %run %t > ../out && diff ../expected ../out && cmp ../native/file file
// RUN: script -qec "%run %t" ../terminal < /dev/null > /dev/null
// RUN: sed 1d ../expected-terminal | grep -v '^Script' > ../1; sed 1d ../terminal | grep -v '^Script' | diff ../1 -
// RUN: %run --rpc-stats %t many > ../many 2> ../stats && %t.host many | cmp - ../many
// RUN: awk '/PRINTF|WRITE|FFLUSH/ { calls += $2 } END { exit !(calls > 0 && calls < 30) }' ../stats || (cat ../stats && false)
// RUN: %run --threads=64 --blocks=4 %t lanes > ../lanes && LC_ALL=C sort -u ../lanes | awk '{ if (NF != 4 || $4 != $1 * $2) exit 1 } END { exit NR != 2560 }'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef __x86_64__
#include <gpuintrin.h>
#endif

static void mixed(void) {
  char format[32];
  strcpy(format, "var %d %s|\n");
  for (int i = 0; i < 5; ++i) {
    printf("%d %s\n", i, "word");
    putchar('a' + i);
    printf("[%5.2f] %-8s|%.3s|%c\n", i * 1.5, "x", "abcdef", 'q');
    puts("puts");
    printf(format, i, i & 1 ? "odd" : (char *)0);
    printf("%*d|%.*s|%.8s|%%\n", 6, i, 2, "zyx", "12345678");
    format[0] = 'A' + i; // the records keep the format that they were printed with
  }
  const char unended[3] = {'a', 'b', 'c'};
  printf("%.3s %s %s %s %s %s %s %s\n", unended, "1", "22", "4444444", "88888888", "999999999", "", "x");
  printf("%s %s %s %s %s %s %s %s %s\n", "1", "2", "3", "4", "5", "6", "7", "8", "nine are too many");
  printf("%hhd %hd %d %ld %lld %jd %zd %Lf %x %o %e %g %a\n", 300, 70000, 1, -1L, -1LL, -1L, -1L, 2.5L, 255, 8, 1e5, 1e-5, 0.5);
  int used = printf("used %s\n", "abc"), count = 0;
  printf("returned %d, %d\n", used, printf("%s", ""));
  printf("no newline, then %d%n more", 5, &count);
  printf(" %d %2$s %1$d\n", count, "by number");
  char large[5000];
  memset(large, 'b', sizeof large - 1), large[sizeof large - 1] = 0;
  printf("<%s>\n", large);
  printf("<%.1900s>\n", large);
}

static void files(void) {
  FILE *file = fopen("file", "w+");
  fprintf(file, "%d %s\n", 12, "words");
  fputs("text\n", file);
  printf("at %ld\n", ftell(file));
  fprintf(file, "%g\n", 0.5);
  fseek(file, 3, SEEK_SET);
  fprintf(file, "%c", 'W');
  rewind(file);
  char line[100];
  while (fgets(line, sizeof line, file))
    printf("read %s", line);
  fclose(file);
  file = fopen("file", "a");
  setvbuf(file, NULL, _IOLBF, 0);
  fprintf(file, "%d\n", 13);
  FILE *same = fopen("file", "r");
  while (fgets(line, sizeof line, same))
    printf("seen %s", line);
  fclose(same);
  setvbuf(file, NULL, _IONBF, 0);
  fprintf(file, "%s", "unbuffered");
  fclose(file);
}

static void commands(void) {
  fflush(stdout);
  printf("before %s\n", "the command");
  fflush(stdout);
  system("echo the command");
  printf("after %s\n", "it");
  FILE *pipe = popen("cat", "w");
  fprintf(pipe, "through %s\n", "a pipe");
  fflush(stdout);
  pclose(pipe);
  printf("%s", "without a newline at the end");
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "many")) {
    for (int i = 0; i < 3000; ++i) {
      printf("line %d of %s\n", i, argv[1]);
      putchar('x');
    }
#ifndef __x86_64__
  } else if (argc > 1) {
    const int thread = __gpu_block_id_x() * __gpu_num_threads_x() + __gpu_thread_id_x();
    for (int i = 0; i < 10; ++i)
      printf("%d %d %s %d\n", thread, i, "word", thread * i);
#endif
  } else {
    mixed();
    files();
    commands();
  }
  return 0;
}
