// Files: written, read, positioned, appended, renamed and removed on the host's file system.
// RUN: %gpucc -O2 %s -o %t
// RUN: %hostcc %s -o %t.host
// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: %t.host %t.dir/a > %t.expected
// RUN: %run %t %t.dir/b > %t.out
// RUN: cmp %t.expected %t.out
// RUN: cmp %t.dir/a.renamed %t.dir/b.renamed
// RUN: not test -e %t.dir/b
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char line[100], renamed[4096];
  FILE *file = fopen(argv[1], "wb");
  for (int i = 0; i < 1000; i++)
    fprintf(file, "line %d of the file\n", i);
  printf("tell %ld\n", ftell(file));
  printf("close %d\n", fclose(file));

  file = fopen(argv[1], "r+b");
  fseek(file, 14, SEEK_SET);
  printf("%s", fgets(line, sizeof line, file));
  fseek(file, -7, SEEK_END);
  printf("%zu <%.6s>\n", fread(line, 1, sizeof line, file), line);
  printf("eof %d error %d\n", !!feof(file), !!ferror(file));
  rewind(file);
  fputs("LINE", file);
  fseek(file, 0, SEEK_SET);
  printf("%s", fgets(line, 10, file));
  puts("");
  printf("ungetc %c", ungetc('!', file));
  printf(" %c\n", getc(file));
  fclose(file);

  file = fopen(argv[1], "ab");
  fputs("appended\n", file);
  fclose(file);
  snprintf(renamed, sizeof renamed, "%s.renamed", argv[1]);
  printf("rename %d\n", rename(argv[1], renamed));
  file = fopen(argv[1], "rb");
  printf("gone %d\n", file == NULL);
  printf("%s\n", errno == ENOENT ? "no such file" : strerror(errno));
  snprintf(renamed, sizeof renamed, "%s.other", argv[1]);
  file = fopen(renamed, "w");
  fclose(file);
  printf("remove %d\n", remove(renamed));
  return 0;
}
