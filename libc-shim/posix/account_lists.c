//===-- libc-shim/posix/account_lists.c - getpwent, getgrent --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// These read /etc/passwd and /etc/group of the host, so accounts of a network
// directory are not listed; accounts.c finds those by name or number. A sandbox
// hides the files, so the lists are empty there.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <grp.h>
#include <pwd.h>
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

//===-- Users -------------------------------------------------------------===//

struct passwd *fgetpwent(FILE *stream) {
  static char *line;
  static size_t size;
  static struct passwd entry;
  while (getline(&line, &size, stream) >= 0) {
    char *fields[7];
    if (*line == '#' || split(line, fields, 7) < 7)
      continue;
    entry = (struct passwd){fields[0],
                            fields[1],
                            (uid_t)strtoul(fields[2], NULL, 10),
                            (gid_t)strtoul(fields[3], NULL, 10),
                            fields[4],
                            fields[5],
                            fields[6]};
    return &entry;
  }
  return NULL;
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

struct group *fgetgrent(FILE *stream) {
  static char *line, *members[MOST_MEMBERS + 1];
  static size_t size;
  static struct group entry;
  while (getline(&line, &size, stream) >= 0) {
    char *fields[4];
    if (*line == '#' || split(line, fields, 4) < 4)
      continue;
    int count = 0;
    for (char *rest = fields[3], *name;
         count < MOST_MEMBERS && (name = strsep(&rest, ","));)
      if (*name)
        members[count++] = name;
    members[count] = NULL;
    entry = (struct group){fields[0], fields[1],
                           (gid_t)strtoul(fields[2], NULL, 10), members};
    return &entry;
  }
  return NULL;
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
