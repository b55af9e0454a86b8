//===-- support/trusted_path.c - See trusted_path.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// walk() follows the path as the kernel does, and checks each element before
// the next one. Nobody else can replace an element that has passed the check,
// so the next name means the same to lstat() and to whoever opens the file.
//===----------------------------------------------------------------------===//
#include "support/trusted_path.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; // as in the kernel

/// The path of the running executable, without symbolic links; "" when its file
/// was removed, or there is no /proc.
static void find_own_path(char own[PATH_MAX]) {
  static const char self[] = "/proc/self/exe";
  struct stat by_name, by_link;
  const ssize_t size = readlink(self, own, PATH_MAX - 1);
  own[size < 0 ? 0 : size] = 0;
  if (stat(own, &by_name) || stat(self, &by_link) ||
      by_name.st_ino != by_link.st_ino || by_name.st_dev != by_link.st_dev)
    *own = 0;
}

/// Does the user own the executable `own`, or a folder on the way to it? Such a
/// user can replace it. (The first folder is "/", so root passes, also where a
/// user namespace gives root another number.)
static bool can_replace(const char own[PATH_MAX], uid_t user) {
  char part[PATH_MAX] = "/";
  struct stat facts;
  for (size_t i = 1; own[i - 1]; ++i) {
    const bool is_part = i == 1 || own[i] == '/' || !own[i];
    if (is_part && lstat(part, &facts) == 0 && facts.st_uid == user)
      return true;
    part[i] = own[i];
    part[i + 1] = 0;
  }
  return false;
}

/// Debian's group "staff", whose members may install programs in /usr/local.
#define STAFF 50

/// Can anybody but the owner, or root, change the file, or replace entries of
/// the folder? (Writing to a socket or a device does not change the file; a
/// link cannot be written.)
static bool others_can_write(const char *name, const struct stat *facts) {
  if (!S_ISREG(facts->st_mode) &&
      !(S_ISDIR(facts->st_mode) && !(facts->st_mode & S_ISVTX)))
    return false;
  // In Debian each user has a group with the user's number and no other member.
  const bool is_own_group = !facts->st_gid || facts->st_gid == facts->st_uid ||
                            (facts->st_gid == STAFF && !facts->st_uid);
  return facts->st_mode & S_IWOTH ||
         (facts->st_mode & S_IWGRP &&
          // With an access control list, S_IWGRP is its mask: an entry for
          // another user may have the right to write.
          (!is_own_group ||
           lgetxattr(name, "system.posix_acl_access", NULL, 0) >= 0));
}

/// What is wrong with one element of a path; null when nothing is. Elements of
/// the path `own` of the running executable pass unchecked.
static const char *judge(const char *name, const char *own) {
  struct stat facts;
  const size_t size = strlen(name);
  if (strncmp(name, own, size) == 0 && own[size] == '/')
    return NULL;
  if (lstat(name, &facts))
    return strerror(errno);
  const char *problem = NULL;
  if (facts.st_uid && facts.st_uid != geteuid() &&
      !can_replace(own, facts.st_uid))
    problem = "it belongs to another user: use a copy of your own";
  else if (others_can_write(name, &facts))
    problem = "other users can write to it: chmod go-w";
  errno = EPERM;
  return problem;
}

static const char *fail_with(int error) {
  errno = error;
  return strerror(error);
}

/// Checks each element of `path`, for a process whose executable is `own`.
/// Returns, and sets `real`, as gpuexec_distrust() does.
static const char *walk(const char *path, const char *own,
                        char real[PATH_MAX]) {
  char rest[PATH_MAX] = "", target[PATH_MAX];
  size_t size = 0, length, links = 0;
  *real = 0;
  if (*path != '/' && (!getcwd(rest, sizeof rest) || *rest != '/'))
    return fail_with(ENOENT);
  if (strlen(rest) + strlen(path) + 2 > sizeof rest)
    return fail_with(ENAMETOOLONG);
  strcat(strcat(rest, "/"), path);
  for (char *next = rest; *(next += strspn(next, "/")); next += length) {
    length = strcspn(next, "/");
    const size_t before = size;
    if (strncmp(next, ".", length) == 0)
      continue;
    if (strncmp(next, "..", length) == 0) {
      while (size && real[--size] != '/')
        ;
      real[size] = 0;
      continue;
    }
    if (size + length + 2 > PATH_MAX)
      return fail_with(ENAMETOOLONG);
    real[size] = '/';
    memcpy(real + size + 1, next, length);
    real[size += length + 1] = 0;
    const char *problem = judge(real, own);
    if (problem)
      return problem;
    const ssize_t count = readlink(real, target, sizeof target);
    if (count < 0) // no link
      continue;
    const size_t left = strlen(next + length) + 1;
    if (++links > MOST_LINKS || (size_t)count + left > sizeof rest)
      return fail_with(ELOOP);
    memmove(rest + count, next + length, left);
    memcpy(rest, target, (size_t)count);
    next = rest;
    length = 0;
    real[size = *target == '/' ? 0 : before] = 0;
  }
  if (!size)
    strcpy(real, "/");
  return NULL;
}

const char *gpuexec_distrust(const char *path, char real[PATH_MAX]) {
  char own[PATH_MAX];
  find_own_path(own);
  return walk(path, own, real);
}

const char *gpuexec_distrust_own(char real[PATH_MAX]) {
  char own[PATH_MAX];
  find_own_path(own);
  if (!*own) {
    strcpy(real, "/proc/self/exe");
    return fail_with(ENOENT);
  }
  // With "/" as the executable's path, walk() trusts the owner of "/", which is
  // root's whatever number a user namespace gives root, and checks every folder
  // on the executable's path.
  return walk(own, "/", real);
}
