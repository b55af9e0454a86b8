//===-- libc-shim/posix/glob.c - Names that match a pattern ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pattern is matched component by component: a component without wildcards is
// looked up by its name; for others the directory is read.
//===----------------------------------------------------------------------===//
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The state of one call of glob().
typedef struct {
  glob_t *found;
  int flags;
  int (*error)(const char *, int);
  size_t first; ///< index in gl_pathv of the first path that this call finds
} search;

static int compare(const void *first, const void *second) {
  return strcoll(*(char *const *)first, *(char *const *)second);
}

/// Adds a path, whose memory it takes over. 0 or GLOB_NOSPACE, also for null.
static int add(search *s, char *path) {
  glob_t *g = s->found;
  const size_t at = g->gl_offs + g->gl_pathc;
  char **larger = path ? realloc(g->gl_pathv, (at + 2) * sizeof(char *)) : NULL;
  if (!larger) {
    free(path);
    return GLOB_NOSPACE;
  }
  if (!g->gl_pathv)
    memset(larger, 0, g->gl_offs * sizeof(char *));
  g->gl_pathv = larger;
  larger[at] = path;
  larger[at + 1] = NULL;
  ++g->gl_pathc;
  return 0;
}

/// Concatenates `first`, `length` bytes of `second`, and `last`. Null without
/// memory; the caller frees the result.
static char *join(const char *first, const char *second, size_t length,
                  const char *last) {
  const size_t before = strlen(first), after = strlen(last);
  char *joined = malloc(before + length + after + 1);
  if (!joined)
    return NULL;
  memcpy(joined, first, before);
  memcpy(joined + before, second, length);
  memcpy(joined + before + length, last, after + 1);
  return joined;
}

static bool has_wildcard(const char *text, size_t length, int flags) {
  for (size_t i = 0; i < length; ++i) {
    if (text[i] == '\\' && !(flags & GLOB_NOESCAPE) && i + 1 < length)
      ++i;
    else if (text[i] == '*' || text[i] == '?' || text[i] == '[')
      return true;
  }
  return false;
}

static void remove_backslashes(char *text) {
  char *to = text;
  for (; *text; *to++ = *text++)
    if (*text == '\\' && text[1])
      ++text;
  *to = '\0';
}

static bool is_directory(const search *s, const char *path) {
  struct stat status;
  int (*ask)(const char *restrict, struct stat *restrict) =
      s->flags & GLOB_ALTDIRFUNC ? s->found->gl_stat : stat;
  return !ask(path, &status) && S_ISDIR(status.st_mode);
}
static bool exists(const search *s, const char *path) {
  struct stat status;
  return !(s->flags & GLOB_ALTDIRFUNC ? s->found->gl_lstat(path, &status)
                                      : lstat(path, &status));
}

static void *open_directory(const search *s, const char *path) {
  return s->flags & GLOB_ALTDIRFUNC ? s->found->gl_opendir(path)
                                    : (void *)opendir(path);
}
static struct dirent *read_entry(const search *s, void *directory) {
  return s->flags & GLOB_ALTDIRFUNC ? s->found->gl_readdir(directory)
                                    : readdir(directory);
}
static void close_directory(const search *s, void *directory) {
  if (s->flags & GLOB_ALTDIRFUNC)
    s->found->gl_closedir(directory);
  else
    closedir(directory);
}

static int match(search *s, const char *base, const char *pattern);

/// Matches the rest of the pattern below `path`, whose memory it takes over.
static int go_on(search *s, char *path, const char *rest) {
  if (!path)
    return GLOB_NOSPACE;
  int result = 0;
  if (*rest) {
    const size_t slashes = strspn(rest, "/");
    char *below = join(path, rest, slashes, "");
    result = !below                  ? GLOB_NOSPACE
             : !is_directory(s, path)   ? 0
             : rest[slashes] == '\0' ? add(s, strdup(below))
                                     : match(s, below, rest + slashes);
    free(below);
  } else if (exists(s, path)) {
    char *marked = (s->flags & GLOB_MARK) && is_directory(s, path)
                       ? join(path, "/", 1, "")
                       : strdup(path);
    result = add(s, marked);
  }
  free(path);
  return result;
}

/// Matches a component that has wildcards against the names in the directory
/// `base`, and the rest of the pattern below them.
static int read_matches(search *s, const char *base, const char *component,
                        const char *rest) {
  const char *name = *base ? base : ".";
  void *directory = open_directory(s, name);
  if (!directory) {
    const int error = errno;
    const bool stops =
        (s->error && s->error(name, error)) || (s->flags & GLOB_ERR);
    return error != ENOENT && error != ENOTDIR && stops ? GLOB_ABORTED : 0;
  }
  const int how = (s->flags & GLOB_PERIOD ? 0 : FNM_PERIOD) |
                  (s->flags & GLOB_NOESCAPE ? FNM_NOESCAPE : 0);
  int result = 0;
  struct dirent *entry;
  while (!result && (entry = read_entry(s, directory)))
    if (!fnmatch(component, entry->d_name, how))
      result =
          go_on(s, join(base, entry->d_name, strlen(entry->d_name), ""), rest);
  close_directory(s, directory);
  return result;
}

/// Matches `pattern` in the directory `base`, which ends with a slash or is
/// empty.
static int match(search *s, const char *base, const char *pattern) {
  const size_t length = strcspn(pattern, "/");
  char *component = join("", pattern, length, "");
  if (!component)
    return GLOB_NOSPACE;
  int result;
  if (has_wildcard(component, length, s->flags)) {
    s->found->gl_flags |= GLOB_MAGCHAR;
    result = read_matches(s, base, component, pattern + length);
  } else {
    if (!(s->flags & GLOB_NOESCAPE))
      remove_backslashes(component);
    result = go_on(s, join(base, component, strlen(component), ""),
                   pattern + length);
  }
  free(component);
  return result;
}

//===-- Braces and tildes -------------------------------------------------===//

/// The comma or brace that ends the alternative at `at`; null if there is none.
static const char *end_of_alternative(const char *at) {
  for (int depth = 0; *at; ++at) {
    if (!depth && (*at == ',' || *at == '}'))
      return at;
    depth += (*at == '{') - (*at == '}');
  }
  return NULL;
}

static int expand(search *s, const char *pattern);

/// Expands the braces at `open`. 0 or an error of glob(); -1 if the brace is
/// not closed.
static int expand_braces(search *s, const char *pattern, const char *open) {
  const char *close = open + 1;
  do
    close = end_of_alternative(close);
  while (close && *close++ != '}');
  if (!close)
    return -1;
  char *before = join("", pattern, (size_t)(open - pattern), "");
  int result = before ? 0 : GLOB_NOSPACE;
  for (const char *at = open + 1; !result && at < close;) {
    const char *end = end_of_alternative(at);
    char *one = join(before, at, (size_t)(end - at), close);
    result = one ? expand(s, one) : GLOB_NOSPACE;
    free(one);
    at = end + 1;
  }
  free(before);
  return result;
}

/// The home directory for ~ or ~name; null when it is not known.
static const char *home_of(const char *name, size_t length) {
  if (!length && getenv("HOME"))
    return getenv("HOME");
  char *user = join("", name, length, "");
  const struct passwd *found =
      length && user ? getpwnam(user) : getpwuid(getuid());
  free(user);
  return found ? found->pw_dir : NULL;
}

static int expand(search *s, const char *pattern) {
  const char *open = s->flags & GLOB_BRACE ? strchr(pattern, '{') : NULL;
  if (open && open[1] != '}') {
    const int result = expand_braces(s, pattern, open);
    if (result >= 0)
      return result;
  }
  char *made = NULL;
  if ((s->flags & (GLOB_TILDE | GLOB_TILDE_CHECK)) && *pattern == '~') {
    const size_t length = strcspn(pattern + 1, "/");
    const char *home = home_of(pattern + 1, length);
    if (!home && (s->flags & GLOB_TILDE_CHECK))
      return GLOB_NOMATCH;
    if (home)
      made = join(home, pattern + 1 + length, strlen(pattern + 1 + length), "");
  }
  const char *whole = made ? made : pattern;
  const size_t slashes = strspn(whole, "/");
  char *root = join("", whole, slashes, "");
  const int result = !root ? GLOB_NOSPACE
                     : slashes && !whole[slashes]
                         ? add(s, strdup(root))
                         : match(s, root, whole + slashes);
  free(root);
  free(made);
  return result;
}

int glob(const char *restrict pattern, int flags,
         int (*error)(const char *, int), glob_t *restrict g) {
  if (!(flags & GLOB_APPEND)) {
    g->gl_pathc = 0;
    g->gl_pathv = NULL;
    if (!(flags & GLOB_DOOFFS))
      g->gl_offs = 0;
  }
  g->gl_flags = flags & ~GLOB_MAGCHAR;
  search s = {g, flags, error, g->gl_offs + g->gl_pathc};
  const size_t before = g->gl_pathc;
  int result = *pattern ? expand(&s, pattern) : 0;
  if (result)
    return result;
  if (g->gl_pathc == before) {
    const bool plain = !has_wildcard(pattern, strlen(pattern), flags);
    if ((flags & GLOB_NOCHECK) || ((flags & GLOB_NOMAGIC) && plain))
      return add(&s, strdup(pattern));
    return GLOB_NOMATCH;
  }
  if (!(flags & GLOB_NOSORT))
    qsort(g->gl_pathv + s.first, g->gl_pathc - before, sizeof(char *), compare);
  return 0;
}

int glob_pattern_p(const char *pattern, int quotes) {
  return has_wildcard(pattern, strlen(pattern), quotes ? 0 : GLOB_NOESCAPE);
}

void globfree(glob_t *g) {
  for (size_t i = 0; i < g->gl_pathc; ++i)
    free(g->gl_pathv[g->gl_offs + i]);
  free(g->gl_pathv);
  g->gl_pathv = NULL;
  g->gl_pathc = 0;
}
