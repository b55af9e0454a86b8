//===-- libc-shim/posix/host_tables.c - getloadavg and getmntent ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// getloadavg() reads /proc, getmntent() a table that the program names. A
// sandbox shows neither unless it is granted.
//===----------------------------------------------------------------------===//
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int getloadavg(double *to, int count) {
  enum { MOST = 3 };
  FILE *file = fopen("/proc/loadavg", "r");
  if (!file)
    return -1;
  int found = 0;
  while (found < count && found < MOST && fscanf(file, "%lf", &to[found]) == 1)
    ++found;
  fclose(file);
  return found ? found : -1;
}

FILE *setmntent(const char *path, const char *mode) {
  return fopen(path, mode);
}
int endmntent(FILE *file) {
  if (file)
    fclose(file);
  return 1; // always, as in glibc
}

/// Replaces \040 and the like by the character.
static char *decode(char *text) {
  char *to = text;
  for (const char *from = text; *from;) {
    const int digits = from[0] == '\\' ? (int)strspn(from + 1, "01234567") : 0;
    if (digits >= 3) {
      *to++ =
          (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
      from += 4;
    } else {
      *to++ = *from++;
    }
  }
  *to = '\0';
  return text;
}

/// Reads the fields of a line; false for one that has none.
static bool parse(char *line, struct mntent *entry) {
  static char nothing[] = "";
  static const char blank[] = " \t\n";
  char *rest = line + strspn(line, blank), *fields[6];
  if (!*rest || *rest == '#')
    return false;
  for (int i = 0; i < 6; ++i) {
    rest = rest ? rest + strspn(rest, blank) : rest;
    fields[i] = rest && *rest ? strsep(&rest, blank) : nothing;
  }
  *entry =
      (struct mntent){decode(fields[0]), decode(fields[1]), decode(fields[2]),
                      decode(fields[3]), atoi(fields[4]),   atoi(fields[5])};
  return true;
}

struct mntent *getmntent(FILE *file) {
  static char *line;
  static size_t size;
  static struct mntent entry;
  while (getline(&line, &size, file) >= 0)
    if (parse(line, &entry))
      return &entry;
  return NULL;
}

struct mntent *getmntent_r(FILE *restrict file, struct mntent *restrict entry,
                           char *restrict text, int size) {
  while (fgets(text, size, file)) {
    if (!strchr(text, '\n'))
      for (int c; (c = getc(file)) != EOF && c != '\n';)
        ;
    if (parse(text, entry))
      return entry;
  }
  return NULL;
}

/// Writes a field with \040 for a space, and its like for a tab, a newline and
/// a backslash.
static void encode(FILE *file, const char *text, char behind) {
  for (; *text; ++text)
    if (strchr(" \t\n\\", *text))
      fprintf(file, "\\%03o", (unsigned)*text);
    else
      putc(*text, file);
  putc(behind, file);
}

int addmntent(FILE *restrict file, const struct mntent *restrict entry) {
  if (fseek(file, 0, SEEK_END))
    return 1;
  encode(file, entry->mnt_fsname, ' ');
  encode(file, entry->mnt_dir, ' ');
  encode(file, entry->mnt_type, ' ');
  encode(file, entry->mnt_opts, ' ');
  fprintf(file, "%d %d\n", entry->mnt_freq, entry->mnt_passno);
  return fflush(file) || ferror(file);
}

/// The address of the option in the entry's list; null if it is not there.
char *hasmntopt(const struct mntent *entry, const char *option) {
  const size_t length = strlen(option);
  for (char *at = entry->mnt_opts; (at = strstr(at, option)); ++at) {
    const char end = at[length];
    if ((at == entry->mnt_opts || at[-1] == ',') &&
        (!end || end == ',' || end == '='))
      return at;
  }
  return NULL;
}
