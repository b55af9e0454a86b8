// stdio.h: buffering, modes of opening, positions, pushed back characters, errors, the v- forms, descriptors and streams.
// Every thread works on a file of its own.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host && cd %t.h && %t.host > %t.expected 2> %t.expected-errors
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: cd %t.d && %run %t > %t.out 2> %t.errors
// RUN: diff %t.expected %t.out
// RUN: diff %t.expected-errors %t.errors
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run --threads 256 --blocks 16 %t $(tail -1 %t.expected) && test -z "$(ls)"
#define _GNU_SOURCE
#define SLICES 4
#include "libc_test.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOW(call)                                                                                                     \
  do {                                                                                                                 \
    errno = 0;                                                                                                         \
    long result_ = (long)(call);                                                                                       \
    out(t, "%s = %ld %d", #call, result_, result_ == EOF || result_ == 0 ? errno : 0);                                \
  } while (0)

// What the file holds, by another stream.
static void contents(struct test *t, const char *name) {
  char text[300];
  FILE *file = fopen(name, "rb");
  size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
  for (size_t i = 0; i < size; ++i)
    if (text[i] == '\n' || !text[i])
      text[i] = text[i] ? '/' : '0';
  text[size] = 0;
  out(t, "file: [%s]", text);
  if (file)
    fclose(file);
}

static void modes(struct test *t, const char *name) {
  static const char *const all[] = {"r", "r+", "w", "rb", "a", "a+", "r+b", "rb+", "wx", "w+", "", "z", "wbx", "re", "we"};
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) {
    errno = 0;
    FILE *file = fopen(name, all[i]);
    int error = errno;
    out(t, "%s: %d %d", all[i], file != NULL, file ? 0 : error);
    if (!file)
      continue;
    errno = 0;
    int written = fputs("text", file);
    int flushed = fflush(file);
    out(t, "%d %d %d", written >= 0, flushed, ferror(file) != 0);
    clearerr(file);
    fseek(file, 0, SEEK_SET);
    int first = fgetc(file);
    out(t, "%d %d %d %ld", first, feof(file) != 0, ferror(file) != 0, ftell(file));
    SHOW(fclose(file));
    contents(t, name);
    if (i == 7)
      remove(name);
  }
  SHOW(remove(name));
  SHOW(remove(name));
  out(t, "%d %d", fopen("no/such/folder", "w") == NULL, errno);
  out(t, "%d %d", fopen(".", "w") == NULL, errno);
  out(t, "%d %d", fopen("", "r") == NULL, errno);
}

static void buffers(struct test *t, const char *name) {
  static char space[100];
  static const int kinds[] = {_IOFBF, _IOLBF, _IONBF};
  for (int i = 0; i < 3; ++i) {
    FILE *file = fopen(name, "w+");
    SHOW(setvbuf(file, NULL, kinds[i], 64));
    fputs("one", file);
    contents(t, name); // what has left the buffer
    fputs("\n", file);
    contents(t, name);
    fputs("3", file);
    SHOW(fflush(file));
    contents(t, name);
    SHOW(fclose(file));
  }
  FILE *file = fopen(name, "w");
  SHOW(setvbuf(file, NULL, 17, 64));
  setbuf(file, NULL);
  fputs("at once", file);
  contents(t, name);
  fclose(file);
  file = fopen(name, "w");
  for (int i = 0; i < 220; ++i)
    fprintf(file, "%*d,", i % 100, i);
  SHOW(ftell(file));
  SHOW(fclose(file));
  struct stat information;
  SHOW(stat(name, &information));
  out(t, "%ld", (long)information.st_size);
  file = fopen(name, "r+");
  SHOW(fseek(file, 5000, SEEK_SET));
  fputs("HERE", file);
  SHOW(fseek(file, -10, SEEK_CUR));
  char text[64] = "";
  SHOW(fread(text, 4, 5, file));
  out(t, "%s", text);
  SHOW(fseek(file, -1, SEEK_SET));
  SHOW(fseek(file, 0, 99));
  SHOW(fseeko(file, 100000, SEEK_SET));
  SHOW(fgetc(file));
  SHOW(feof(file) != 0);
  SHOW(ftello(file));
  fputc('!', file);
  SHOW(fclose(file));
  SHOW(stat(name, &information));
  out(t, "%ld", (long)information.st_size);
  SHOW(truncate(name, 3));
  contents(t, name);
  remove(name);
}

static void reading(struct test *t, const char *name) {
  FILE *file = fopen(name, "w+");
  SHOW(fwrite("ab\0cd\nsecond line, longer\n\n\377end", 1, 32, file));
  SHOW(fwrite("x", 0, 5, file));
  SHOW(fwrite("x", 5, 0, file));
  rewind(file);
  SHOW(fgetc(file));
  SHOW(ungetc('Z', file));
  SHOW(fgetc(file));
  SHOW(ungetc(EOF, file));
  SHOW(ungetc(255, file));
  SHOW(getc(file));
  SHOW(ftell(file));
  rewind(file);
  char line[16];
  memset(line, 'x', sizeof line);
  while (fgets(line, 9, file)) {
    for (int i = 0; i < 9; ++i)
      if (!line[i])
        line[i] = '0';
    out(t, "%.9s", line);
    memset(line, 'x', sizeof line);
  }
  SHOW(feof(file) != 0);
  SHOW(ungetc('Q', file)); // which ends the end of the file
  SHOW(feof(file) != 0);
  SHOW(fgetc(file));
  SHOW(fgetc(file));
  SHOW(fgets(line, 1, file) == line);
  rewind(file);
  SHOW(fgets(line, 1, file) == line);
  SHOW(fread(line, 3, 2, file));
  SHOW(fread(line, 0, 7, file));
  SHOW(fread(line, 7, 0, file));
  SHOW(fseek(file, -2, SEEK_END));
  SHOW(fread(line, 3, 2, file));
  SHOW(feof(file) != 0);
  SHOW(fseek(file, 0, SEEK_SET));
  SHOW(feof(file) != 0);
  char *text = NULL;
  size_t room = 0;
  ssize_t size;
  while ((size = getline(&text, &room, file)) > 0)
    out(t, "%zd %d %d", size, room > (size_t)size, text[size]);
  out(t, "%zd", size);
  rewind(file);
  while ((size = getdelim(&text, &room, 'n', file)) > 0)
    out(t, "%zd %d", size, text[size - 1]);
  free(text);
  errno = 0;
  out(t, "%zd %d", getline(NULL, &room, file), errno);
  SHOW(fclose(file));
  file = fopen(name, "r");
  SHOW(fputc('x', file));
  SHOW(fputs("x", file));
  SHOW(fwrite("x", 1, 1, file));
  SHOW(fprintf(file, "x"));
  SHOW(ferror(file) != 0);
  SHOW(fgetc(file));
  SHOW(ferror(file) != 0);
  clearerr(file);
  SHOW(ferror(file) != 0);
  SHOW(fclose(file));
  file = fopen(name, "a");
  SHOW(fgetc(file));
  SHOW(fread(line, 1, 1, file));
  SHOW(ferror(file) != 0);
  SHOW(ftell(file));
  SHOW(fclose(file));
  file = fopen(name, "a+");
  SHOW(fgetc(file));
  SHOW(fseek(file, 2, SEEK_SET));
  SHOW(fputc('A', file));
  SHOW(ftell(file));
  fpos_t place;
  SHOW(fgetpos(file, &place));
  rewind(file);
  SHOW(fsetpos(file, &place));
  SHOW(fgetc(file));
  SHOW(fclose(file));
  contents(t, name);
  remove(name);
}

static int printed(FILE *file, int how, const char *format, ...) {
  static const char nothing[] = "";
  char text[100];
  char *made = NULL;
  int result;
  va_list list;
  va_start(list, format);
  if (how == 0)
    result = vfprintf(file, format, list);
  else if (how == 1)
    result = vdprintf(fileno(file), format, list);
  else if (how == 2)
    result = vsprintf(text, format, list), fputs(text, file);
  else
    result = vasprintf(&made, format, list), fputs(made ? made : nothing, file), free(made);
  va_end(list);
  return result;
}
static int scanned(FILE *file, const char *from, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = file ? vfscanf(file, format, list) : vsscanf(from, format, list);
  va_end(list);
  return result;
}

static void forms(struct test *t, const char *name) {
  FILE *file = fopen(name, "w+");
  setvbuf(file, NULL, _IONBF, 0);
  for (int how = 0; how < 4; ++how)
    SHOW(printed(file, how, "%d %s %c %5.2f|", how, "word", 'c', 1.0 / 3));
  SHOW(dprintf(fileno(file), "%s", "by descriptor"));
  char *made;
  SHOW(asprintf(&made, "%0*d", 50, 7));
  out(t, "%s", made);
  free(made);
  rewind(file);
  int a = 0;
  char word[20] = "", c = 0;
  float real = 0;
  SHOW(scanned(file, NULL, "%d %19s %c%f", &a, word, &c, &real));
  out(t, "%d %s %c %g", a, word, c, real);
  SHOW(scanned(NULL, "12,x", "%d,%c", &a, &c));
  out(t, "%d %c", a, c);
  SHOW(scanned(NULL, "", "%d", &a));
  SHOW(fscanf(file, "%*[^z]"));
  SHOW(fscanf(file, "%d", &a));
  SHOW(feof(file) != 0);
  SHOW(fclose(file));
  contents(t, name);
}

static void descriptors(struct test *t, const char *name) {
  int number = open(name, O_RDWR | O_TRUNC | O_CREAT, 0600);
  FILE *file = fdopen(number, "r+");
  SHOW(fileno(file) == number);
  SHOW(fputs("through the stream", file) >= 0);
  SHOW(fflush(file));
  SHOW(write(number, ", and below", 11));
  SHOW(lseek(number, 0, SEEK_CUR));
  SHOW(fseek(file, 8, SEEK_SET));
  SHOW(fgetc(file));
  SHOW(fclose(file));
  if (t->mine < 0) // or it is another thread's by now
    printf("%zd\n", write(number, "x", 1));
  contents(t, name);
  errno = 0;
  out(t, "%d %d", fdopen(-1, "r") == NULL, errno);
  number = open(name, O_RDONLY);
  errno = 0;
  out(t, "%d %d", fdopen(number, "q") == NULL, errno);
  close(number);
  file = fopen(name, "r");
  SHOW(fgetc(file));
  FILE *again = freopen(name, "a", file);
  SHOW(again == file);
  SHOW(fputs("+", again) >= 0);
  SHOW(fclose(again));
  contents(t, name);
  char other[64];
  snprintf(other, sizeof other, "%s.other", name);
  SHOW(rename(name, other));
  SHOW(access(name, F_OK));
  SHOW(remove(other));
  file = tmpfile();
  SHOW(fputs("temporary", file) >= 0);
  rewind(file);
  SHOW(fgetc(file));
  SHOW(fclose(file));
  char unique[L_tmpnam];
  SHOW(tmpnam(unique) == unique);
  SHOW(access(unique, F_OK));
  out(t, "%d", strcmp(tmpnam(NULL), unique) != 0);
  char template[] = "fileXXXXXX", folder[] = "folderXXXXXX", bad[] = "nothing";
  number = mkstemp(template);
  SHOW(number >= 0);
  SHOW(strlen(template));
  SHOW(write(number, "1", 1));
  SHOW(close(number));
  SHOW(unlink(template));
  SHOW(mkdtemp(folder) == folder);
  SHOW(rmdir(folder));
  SHOW(mkstemp(bad));
}

/// A stream without a buffer reads no further than it is asked: what others read from its descriptor comes next.
static void unbuffered(struct test *t, const char *name) {
  char text[8] = "";
  FILE *file = fopen(name, "w+");
  fputs("0123456789\nab\ncd", file);
  rewind(file);
  setvbuf(file, NULL, _IONBF, 0);
  SHOW(getc(file));
  SHOW(lseek(fileno(file), 0, SEEK_CUR));
  SHOW(read(fileno(file), text, 1));
  out(t, "%s %d", text, (int)fread(text, 1, 3, file));
  SHOW(read(fileno(file), text + 3, 2));
  out(t, "%s", text);
  SHOW(fgets(text, sizeof text, file) != NULL);
  SHOW(lseek(fileno(file), 0, SEEK_CUR));
  out(t, "%s", text);
  SHOW(fgets(text, sizeof text, file) != NULL);
  SHOW(lseek(fileno(file), 0, SEEK_CUR));
  SHOW(ungetc('x', file));
  SHOW(getc(file));
  SHOW(getc(file));
  SHOW(lseek(fileno(file), 0, SEEK_CUR));
  SHOW(fclose(file));
  SHOW(unlink(name));
}

static void run(struct test *t) {
  char name[32];
  snprintf(name, sizeof name, "file%u", t->thread);
  if (section(t))
    modes(t, name);
  if (section(t))
    buffers(t, name);
  if (section(t))
    reading(t, name);
  if (section(t)) {
    forms(t, name);
    descriptors(t, name);
    unbuffered(t, name);
  }
  if (t->mine < 0) {
    errno = ENOENT;
    perror("name");
    errno = EISDIR;
    perror("");
    errno = 999;
    perror(NULL);
    fprintf(stderr, "%d %s\n", 5, "to standard error");
  }
}
