//===-- libc-shim/strings/fnmatch_groups.c - The shell's groups -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ?(a|b) *(a|b) +(a|b) @(a|b) !(a|b), which FNM_EXTMATCH adds to fnmatch(). The
// matcher tries all ways by recursion: what comes behind a group is a list of
// parts of the pattern, a `tail` for each group that has been entered.
//===----------------------------------------------------------------------===//
#include "libc-shim/strings/fnmatch_groups.h"
#include <string.h>

/// What is matched behind a part: [at, end) of the pattern, then `next`.
typedef struct tail {
  const char *at, *end;
  const struct tail *next;
  const char *repeats_from; ///< `at` is a group that is repeated, entered last
                            ///< at this place in the text; else null
} tail;

typedef struct {
  const char *start; ///< of the text
  int flags;
} matcher;

/// The text that a part must match ends at `end`; null: at its zero.
static bool walk(const matcher *m, const char *p, const char *p_end,
                 const tail *rest, const char *text, const char *end);

/// Behind the bracket expression at `p`, or p + 1 if it is not closed.
static const char *skip_set(const char *p, const char *end) {
  const char *at = p + 1;
  at += at < end && (*at == '!' || *at == '^');
  at += at < end && *at == ']';
  while (at < end && *at != ']')
    if (*at == '[' && at + 1 < end && strchr(":.=", at[1])) {
      const char close[] = {at[1], ']', 0}, *found = strstr(at + 2, close);
      at = found && found < end ? found + 2 : at + 1;
    } else {
      at += *at == '\\' && at + 1 < end ? 2 : 1;
    }
  return at < end ? at + 1 : p + 1;
}

static bool is_group(const char *p, const char *end) {
  return p + 1 < end && p[1] == '(' && strchr("?*+@!", *p);
}

/// The end of the alternative at `p`: the | or ) behind it; null if the group
/// is not closed.
static const char *end_of_alternative(const char *p, const char *end) {
  for (int depth = 0; p < end;) {
    if (!depth && (*p == '|' || *p == ')'))
      return p;
    if (*p == '[') {
      p = skip_set(p, end);
    } else if (is_group(p, end)) {
      ++depth;
      p += 2;
    } else {
      depth -= *p == ')';
      p += *p == '\\' && p + 1 < end ? 2 : 1;
    }
  }
  return NULL;
}

/// The ) of the group whose ( is at `open`; null if there is none.
static const char *end_of_group(const char *open, const char *end) {
  const char *at = open;
  do
    at = end_of_alternative(at + 1, end);
  while (at && *at == '|');
  return at;
}

static bool at_end(const char *text, const char *end) {
  return end ? text == end : !*text;
}

/// Does one of the alternatives of the group at `p` match, and the rest behind?
static bool any_alternative(const matcher *m, const char *p, const char *close,
                            const tail *rest, const char *text,
                            const char *end) {
  for (const char *at = p + 2; at <= close;) {
    const char *stop = end_of_alternative(at, close + 1);
    if (walk(m, at, stop, rest, text, end))
      return true;
    at = stop + 1;
  }
  return false;
}

/// The group at `p`, and behind it [close + 1, p_end) and the rest.
static bool walk_group(const matcher *m, const char *p, const char *close,
                       const char *p_end, const tail *rest, const char *text,
                       const char *end) {
  const tail behind = {close + 1, p_end, rest, NULL};
  const tail again = {p, p_end, rest, text};
  switch (*p) {
  case '@':
    return any_alternative(m, p, close, &behind, text, end);
  case '+':
    return any_alternative(m, p, close, &again, text, end);
  case '?':
  case '*':
    return walk(m, close + 1, p_end, rest, text, end) ||
           any_alternative(m, p, close, *p == '?' ? &behind : &again, text,
                           end);
  default: // as in glibc, it matches slashes and leading dots too
    for (const char *to = text;; ++to) {
      if (!any_alternative(m, p, close, NULL, text, to) &&
          walk(m, close + 1, p_end, rest, to, end))
        return true;
      if (at_end(to, end))
        return false;
    }
  }
}

/// A star at `p` with what is behind it.
static bool walk_star(const matcher *m, const char *p, const char *p_end,
                      const tail *rest, const char *text, const char *end) {
  if (!at_end(text, end) && fnmatch_is_hidden(text, m->start, m->flags))
    return false;
  for (;; ++text) {
    if (walk(m, p + 1, p_end, rest, text, end))
      return true;
    if (at_end(text, end) || (*text == '/' && m->flags & FNM_PATHNAME))
      return false;
  }
}

/// Goes on behind a part that has matched up to `text`.
static bool walk_rest(const matcher *m, const tail *rest, const char *text,
                      const char *end) {
  if (!rest)
    return text == end ||
           (end && *text != '/' ? false : fnmatch_ends(text, m->flags));
  if (!rest->repeats_from)
    return walk(m, rest->at, rest->end, rest->next, text, end);
  // A group that may be repeated: it ends here, or it matches once more, unless
  // it has just matched nothing.
  const char *close = end_of_group(rest->at + 1, rest->end);
  const tail again = {rest->at, rest->end, rest->next, text};
  return walk(m, close + 1, rest->end, rest->next, text, end) ||
         (text != rest->repeats_from &&
          any_alternative(m, rest->at, close, &again, text, end));
}

static bool walk(const matcher *m, const char *p, const char *p_end,
                 const tail *rest, const char *text, const char *end) {
  while (p < p_end) {
    const char *close = is_group(p, p_end) ? end_of_group(p + 1, p_end) : NULL;
    if (close)
      return walk_group(m, p, close, p_end, rest, text, end);
    if (*p == '*')
      return walk_star(m, p, p_end, rest, text, end);
    if (at_end(text, end) || !__fnmatch_one(&p, text, m->start, m->flags))
      return false;
    ++text;
  }
  return walk_rest(m, rest, text, end);
}

int __fnmatch_groups(const char *pattern, const char *text, int flags) {
  const matcher m = {text, flags};
  return walk(&m, pattern, pattern + strlen(pattern), NULL, text, NULL)
             ? 0
             : FNM_NOMATCH;
}
