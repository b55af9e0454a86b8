//===-- libc-shim/posix/accounts.c - Users, groups, uname -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host sends an entry as strings, one behind the other, each with a null.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

typedef struct {
  char *at, *end; ///< the strings that next() has not returned yet
} fields;

/// The next string; an empty one at the end.
static char *next(fields *from) {
  char *text = from->at;
  const size_t size = strnlen(text, (size_t)(from->end - text));
  if (size < (size_t)(from->end - text))
    from->at += size + 1;
  return text;
}

/// Asks the host for an account. Returns 0 or an errno value; *found tells
/// whether there is such an account. The strings are stored in `buffer`, whose
/// `capacity` includes one null after them.
static int ask(const char *name, rpc_account_kind kind, uint64_t id,
               char *buffer, size_t capacity, fields *to, _Bool *found) {
  *found = 0;
  if (!HOST_HAS_POSIX())
    return ENOSYS;
  if (!capacity)
    return ERANGE;
  rpc_port port = __port_open(RPC_ACCOUNT);
  __port_send_n(&port, name, strlen(name) + 1);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = kind;
  packet->words[1] = id;
  __port_send_end(&port);
  const uint64_t size = __port_recv_n(&port, buffer, capacity - 1);
  const host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  if ((int64_t)reply.words[0] < 0)
    return reply.error;
  if (size >= capacity)
    return ERANGE;
  buffer[size] = 0;
  *to = (fields){buffer, buffer + size};
  *found = reply.words[0] != 0;
  return 0;
}

static int get_user(const char *name, uint64_t uid, struct passwd *to,
                    char *buffer, size_t size, struct passwd **result) {
  fields left;
  _Bool found;
  *result = NULL;
  const int error =
      ask(name ? name : "", name ? RPC_USER_BY_NAME : RPC_USER_BY_ID, uid,
          buffer, size, &left, &found);
  if (error || !found)
    return error;
  to->pw_name = next(&left);
  to->pw_passwd = next(&left);
  to->pw_uid = (uid_t)strtoul(next(&left), NULL, 10);
  to->pw_gid = (gid_t)strtoul(next(&left), NULL, 10);
  to->pw_gecos = next(&left);
  to->pw_dir = next(&left);
  to->pw_shell = next(&left);
  *result = to;
  return 0;
}

static int get_group(const char *name, uint64_t gid, struct group *to,
                     char *buffer, size_t size, struct group **result) {
  fields left;
  _Bool found;
  *result = NULL;
  const int error =
      ask(name ? name : "", name ? RPC_GROUP_BY_NAME : RPC_GROUP_BY_ID, gid,
          buffer, size, &left, &found);
  if (error || !found)
    return error;
  to->gr_name = next(&left);
  to->gr_passwd = next(&left);
  to->gr_gid = (gid_t)strtoul(next(&left), NULL, 10);
  // The array of the members' addresses is in the buffer, behind the strings.
  const size_t used = (size_t)(left.end + 1 - buffer);
  const size_t pad = -((uintptr_t)buffer + used) % sizeof(char *);
  size_t count = 0;
  for (const char *at = left.at; at < left.end; ++at)
    count += !*at;
  if (used + pad + (count + 1) * sizeof(char *) > size)
    return ERANGE;
  to->gr_mem = (char **)(void *)(buffer + used + pad);
  for (size_t i = 0; i < count; ++i)
    to->gr_mem[i] = next(&left);
  to->gr_mem[count] = NULL;
  *result = to;
  return 0;
}

int getpwnam_r(const char *name, struct passwd *to, char *buffer, size_t size,
               struct passwd **result) {
  return get_user(name, 0, to, buffer, size, result);
}
int getpwuid_r(uid_t uid, struct passwd *to, char *buffer, size_t size,
               struct passwd **result) {
  return get_user(NULL, uid, to, buffer, size, result);
}
int getgrnam_r(const char *name, struct group *to, char *buffer, size_t size,
               struct group **result) {
  return get_group(name, 0, to, buffer, size, result);
}
int getgrgid_r(gid_t gid, struct group *to, char *buffer, size_t size,
               struct group **result) {
  return get_group(NULL, gid, to, buffer, size, result);
}

// POSIX lets all threads share these results.
static char user_text[1024], group_text[8192];
static struct passwd user;
static struct group group;

/// Sets errno to `error` unless that is 0 (success, or no account found).
/// Returns `result`.
static void *or_errno(int error, void *result) {
  if (error)
    errno = error;
  return result;
}
static struct passwd *shared_user(const char *name, uid_t uid) {
  struct passwd *result;
  const int error =
      get_user(name, uid, &user, user_text, sizeof user_text, &result);
  return or_errno(error, result);
}
static struct group *shared_group(const char *name, gid_t gid) {
  struct group *result;
  const int error =
      get_group(name, gid, &group, group_text, sizeof group_text, &result);
  return or_errno(error, result);
}
struct passwd *getpwnam(const char *name) {
  return shared_user(name, 0);
}
struct passwd *getpwuid(uid_t uid) {
  return shared_user(NULL, uid);
}
struct group *getgrnam(const char *name) {
  return shared_group(name, 0);
}
struct group *getgrgid(gid_t gid) {
  return shared_group(NULL, gid);
}

int getlogin_r(char *name, size_t size) {
  struct passwd entry, *found;
  char text[512];
  const int error = getpwuid_r(getuid(), &entry, text, sizeof text, &found);
  if (error || !found)
    return error ? error : ENXIO;
  return strlcpy(name, found->pw_name, size) < size ? 0 : ERANGE;
}
char *getlogin(void) {
  static char name[256];
  const int error = getlogin_r(name, sizeof name);
  return or_errno(error, error ? NULL : name);
}

//===-- The machine -------------------------------------------------------===//

int uname(struct utsname *to) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  char text[sizeof *to + 1];
  uint64_t size = 0;
  const host_reply reply =
      __host_receive(RPC_UNAME, 0, 0, 0, text, sizeof text - 1, &size);
  if (__host_result(reply) < 0)
    return -1;
  text[size] = 0;
  fields left = {text, text + size};
  char *const members[] = {to->sysname, to->nodename, to->release, to->version,
                           to->machine};
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
    strlcpy(members[i], next(&left), _UTSNAME_LENGTH);
  strlcpy(to->domainname, "(none)", _UTSNAME_LENGTH);
  return 0;
}
