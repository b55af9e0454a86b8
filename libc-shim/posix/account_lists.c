//===-- libc-shim/posix/account_lists.c - getpwent, getgrent --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// These read /etc/passwd and /etc/group of the host, so accounts of a network
// directory are not listed; accounts.c finds those by name or number. A sandbox
// hides the files, so the lists are empty there.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 512 };

static FILE *users, *groups;

/// Splits a line at its colons into at most `most` fields. Returns their
/// number.
static int split(char *line, char **fields, int most) {
  int count = 0;
  line[strcspn(line, "\n")] = '\0';
  while (line && count < most)
    fields[count++] = strsep(&line, ":");
  return count;
}

/// Reads a line that is no comment into the caller's memory. 0, ENOENT at the
/// end, or ERANGE: then the line is read again by the next call.
static int read_line(FILE *stream, char *line, size_t size) {
  do {
    const off_t before = ftello(stream);
    if (size < 2 ||
        !fgets(line, (int)(size < INT_MAX ? size : INT_MAX), stream))
      return size < 2 ? ERANGE : ENOENT;
    if (!strchr(line, '\n') && !feof(stream)) {
      fseeko(stream, before, SEEK_SET);
      return ERANGE;
    }
  } while (*line == '#');
  return 0;
}

//===-- Users -------------------------------------------------------------===//

/// The entry of a line; false for a line without one.
static bool parse_user(char *line, struct passwd *entry) {
  char *fields[7];
  if (*line == '#' || split(line, fields, 7) < 7)
    return false;
  *entry = (struct passwd){fields[0],
                           fields[1],
                           (uid_t)strtoul(fields[2], NULL, 10),
                           (gid_t)strtoul(fields[3], NULL, 10),
                           fields[4],
                           fields[5],
                           fields[6]};
  return true;
}

struct passwd *fgetpwent(FILE *stream) {
  static char *line;
  static size_t size;
  static struct passwd entry;
  while (getline(&line, &size, stream) >= 0)
    if (parse_user(line, &entry))
      return &entry;
  return NULL;
}

int fgetpwent_r(FILE *restrict stream, struct passwd *restrict entry,
                char *restrict text, size_t size,
                struct passwd **restrict result) {
  int error;
  do
    error = read_line(stream, text, size);
  while (!error && !parse_user(text, entry));
  *result = error ? NULL : entry;
  return error;
}

void endpwent(void) {
  if (users)
    fclose(users);
  users = NULL;
}
void setpwent(void) {
  endpwent();
  users = fopen("/etc/passwd", "r");
}
struct passwd *getpwent(void) {
  if (!users)
    setpwent();
  return users ? fgetpwent(users) : NULL;
}

int getpwent_r(struct passwd *restrict entry, char *restrict text, size_t size,
               struct passwd **restrict result) {
  if (!users)
    setpwent();
  if (users)
    return fgetpwent_r(users, entry, text, size, result);
  *result = NULL;
  return ENOENT;
}

int getpw(uid_t number, char *to) {
  const struct passwd *entry = getpwuid(number);
  if (!entry)
    return -1;
  return sprintf(to, "%s:%s:%u:%u:%s:%s:%s", entry->pw_name, entry->pw_passwd,
                 (unsigned)entry->pw_uid, (unsigned)entry->pw_gid,
                 entry->pw_gecos, entry->pw_dir, entry->pw_shell) < 0
             ? -1
             : 0;
}

int putpwent(const struct passwd *entry, FILE *stream) {
  return fprintf(stream, "%s:%s:%u:%u:%s:%s:%s\n", entry->pw_name,
                 entry->pw_passwd ? entry->pw_passwd : "",
                 (unsigned)entry->pw_uid, (unsigned)entry->pw_gid,
                 entry->pw_gecos ? entry->pw_gecos : "",
                 entry->pw_dir ? entry->pw_dir : "",
                 entry->pw_shell ? entry->pw_shell : "") < 0
             ? -1
             : 0;
}

//===-- Groups ------------------------------------------------------------===//

/// The entry of a line, with room for `most` members and a null pointer. 0,
/// ENOENT for a line without an entry, ERANGE for one with more members.
static int parse_group(char *line, struct group *entry, char **members,
                       size_t most) {
  char *fields[4];
  if (*line == '#' || split(line, fields, 4) < 4)
    return ENOENT;
  size_t count = 0;
  for (char *rest = fields[3], *name; (name = strsep(&rest, ","));)
    if (*name && count == most)
      return ERANGE;
    else if (*name)
      members[count++] = name;
  members[count] = NULL;
  *entry = (struct group){fields[0], fields[1],
                          (gid_t)strtoul(fields[2], NULL, 10), members};
  return 0;
}

struct group *fgetgrent(FILE *stream) {
  static char *line, *members[MOST_MEMBERS + 1];
  static size_t size;
  static struct group entry;
  while (getline(&line, &size, stream) >= 0)
    if (!parse_group(line, &entry, members, MOST_MEMBERS))
      return &entry;
  return NULL;
}

int fgetgrent_r(FILE *restrict stream, struct group *restrict entry,
                char *restrict text, size_t size,
                struct group **restrict result) {
  *result = NULL;
  for (;;) {
    const off_t before = ftello(stream);
    const int error = read_line(stream, text, size);
    if (error)
      return error;
    // The pointers to the members are behind the line.
    const size_t align = sizeof(char *);
    const size_t behind =
        (strlen(text) + 1 + ((uintptr_t)text & (align - 1)) + align - 1) /
            align * align - ((uintptr_t)text & (align - 1));
    const size_t room = size > behind ? (size - behind) / align : 0;
    const int parsed =
        room ? parse_group(text, entry, (char **)(text + behind), room - 1)
             : ERANGE;
    if (parsed == ERANGE)
      fseeko(stream, before, SEEK_SET);
    if (parsed == ENOENT)
      continue;
    if (!parsed)
      *result = entry;
    return parsed;
  }
}

int putgrent(const struct group *restrict entry, FILE *restrict stream) {
  fprintf(stream, "%s:%s:%u:", entry->gr_name,
          entry->gr_passwd ? entry->gr_passwd : "", (unsigned)entry->gr_gid);
  for (char **member = entry->gr_mem; member && *member; ++member)
    fprintf(stream, "%s%s", member == entry->gr_mem ? "" : ",", *member);
  return putc('\n', stream) < 0 ? -1 : 0;
}

void endgrent(void) {
  if (groups)
    fclose(groups);
  groups = NULL;
}
void setgrent(void) {
  endgrent();
  groups = fopen("/etc/group", "r");
}
struct group *getgrent(void) {
  if (!groups)
    setgrent();
  return groups ? fgetgrent(groups) : NULL;
}

int getgrent_r(struct group *restrict entry, char *restrict text, size_t size,
               struct group **restrict result) {
  if (!groups)
    setgrent();
  if (groups)
    return fgetgrent_r(groups, entry, text, size, result);
  *result = NULL;
  return ENOENT;
}

/// Stores the IDs of a user's groups: `group`, then the groups that have the
/// user as a member. *count is the capacity and becomes the number of groups.
/// Returns -1 if the capacity is too small.
int getgrouplist(const char *user, gid_t group, gid_t *to, int *count) {
  int found = 0;
  if (found < *count)
    to[found] = group;
  ++found;
  setgrent();
  for (struct group *entry; (entry = getgrent());)
    for (char **member = entry->gr_mem; *member; ++member)
      if (!strcmp(*member, user) && entry->gr_gid != group) {
        if (found < *count)
          to[found] = entry->gr_gid;
        ++found;
        break;
      }
  endgrent();
  const int capacity = *count;
  *count = found;
  return found <= capacity ? found : -1;
}
