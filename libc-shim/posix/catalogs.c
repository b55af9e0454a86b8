//===-- libc-shim/posix/catalogs.c - Messages are not translated ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See nl_types.h and libintl.h.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <libintl.h>
#include <nl_types.h>

nl_catd catopen(const char *name, int flags) {
  (void)name, (void)flags;
  errno = ENOENT;
  return (nl_catd)-1;
}
char *catgets(nl_catd catalog, int set, int message, const char *text) {
  (void)catalog, (void)set, (void)message;
  return (char *)text;
}
int catclose(nl_catd catalog) {
  (void)catalog;
  errno = EBADF;
  return -1;
}

char *gettext(const char *text) { return (char *)text; }
char *dgettext(const char *domain, const char *text) {
  (void)domain;
  return (char *)text;
}
char *dcgettext(const char *domain, const char *text, int category) {
  (void)domain, (void)category;
  return (char *)text;
}
char *ngettext(const char *one, const char *many, unsigned long count) {
  return (char *)(count == 1 ? one : many);
}
char *dngettext(const char *domain, const char *one, const char *many,
                unsigned long count) {
  (void)domain;
  return ngettext(one, many, count);
}
char *dcngettext(const char *domain, const char *one, const char *many,
                 unsigned long count, int category) {
  (void)domain, (void)category;
  return ngettext(one, many, count);
}
char *textdomain(const char *domain) {
  static char messages[] = "messages";
  return domain && *domain ? (char *)domain : messages;
}
char *bindtextdomain(const char *domain, const char *directory) {
  (void)domain;
  return (char *)directory;
}
char *bind_textdomain_codeset(const char *domain, const char *codeset) {
  (void)domain;
  return (char *)codeset;
}
