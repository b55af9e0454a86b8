//===-- libc-shim/argp/help.c - argp_help ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts and columns are those of glibc when ARGP_HELP_FMT is not set. Here that
// variable has no effect.
//===----------------------------------------------------------------------===//
#include "libc-shim/argp/entries.h"
#include "libc-shim/argp/page.h"
#include "libc-shim/argp/parts.h"
#include <stdlib.h>
#include <string.h>

enum {
  LETTER_COLUMN = 2,
  NAME_COLUMN = 6,
  TEXT_COLUMN = 2, ///< of OPTION_DOC
  DOC_COLUMN = 29,
  HEADER_COLUMN = 1,
  USAGE_INDENT = 12,
};

typedef struct {
  page to;
  entry_list list;
  const struct argp_state *state; ///< may be null
  const entry *before;            ///< the entry that was written last
  bool separate;       ///< from now on a blank line comes between groups
  bool arguments_once; ///< only the long form of some option has its argument
} help;

//===-- Filters -----------------------------------------------------------===//

/// The result of the argp's filter for `text`; to be passed to free_filtered().
static const char *filter(const help *h, const struct argp *argp, int key,
                          const char *text) {
  if (!argp->help_filter)
    return text;
  void *input = NULL;
  if (h->state)
    input = __argp_input(argp, h->state);
  return argp->help_filter(key, text, input);
}
static void free_filtered(const char *filtered, const char *text) {
  if (filtered != text)
    free((char *)filtered);
}

//===-- The list of options -----------------------------------------------===//

static void write_header(help *h, const struct argp *argp, const char *text) {
  const char *filtered = filter(h, argp, ARGP_KEY_HELP_HEADER, text);
  if (!filtered)
    return;
  if (*filtered) {
    if (h->before)
      __page_put(&h->to, "\n");
    __page_indent(&h->to, HEADER_COLUMN);
    __page_margins(&h->to, HEADER_COLUMN, HEADER_COLUMN);
    __page_put(&h->to, filtered);
    __page_margins(&h->to, 0, 0);
    __page_put(&h->to, "\n");
  }
  h->separate = true;
  free_filtered(filtered, text);
}

static bool is_within(const cluster *inner, const cluster *outer) {
  while (inner && inner != outer)
    inner = inner->parent;
  return inner != NULL;
}

/// Called before each name of an entry: writes a header or a comma, and
/// indents.
static void begin_name(help *h, const entry *e, bool *first, size_t column) {
  if (*first) {
    if (h->separate && h->before && e->group != h->before->group)
      __page_put(&h->to, "\n");
    if (e->in && e->in->header && *e->in->header &&
        (!h->before || !is_within(h->before->in, e->in)))
      write_header(h, e->in->argp, e->in->header);
    *first = false;
  } else {
    __page_put(&h->to, ", ");
  }
  __page_indent(&h->to, column);
}

static void write_argument(help *h, const struct argp_option *o,
                           const char *required, const char *optional) {
  if (o->arg && o->flags & OPTION_ARG_OPTIONAL)
    __page_print(&h->to, optional, o->arg);
  else if (o->arg)
    __page_print(&h->to, required, o->arg);
}

static void write_names(help *h, const entry *e, bool *first) {
  const struct argp_option *o = e->options;
  bool has_name = false;
  for (unsigned i = 0; i < e->count; ++i)
    has_name |= __argp_shown_name(e, i) != NULL;
  if (!(o->flags & OPTION_DOC))
    for (unsigned i = 0; i < e->count; ++i) {
      const int letter = __argp_shown_letter(&h->list, e, i);
      if (!letter)
        continue;
      begin_name(h, e, first, LETTER_COLUMN);
      __page_print(&h->to, "-%c", letter);
      if (!has_name)
        write_argument(h, o, " %s", "[%s]");
      else if (o->arg)
        h->arguments_once = true;
    }
  for (unsigned i = 0; i < e->count; ++i) {
    const char *name = __argp_shown_name(e, i);
    if (!name)
      continue;
    if (o->flags & OPTION_DOC) {
      begin_name(h, e, first, TEXT_COLUMN);
      __page_put(&h->to, name);
    } else {
      begin_name(h, e, first, NAME_COLUMN);
      __page_print(&h->to, "--%s", name);
      write_argument(h, o, "=%s", "[=%s]");
    }
  }
}

static void write_entry(help *h, const entry *e) {
  const struct argp_option *o = e->options;
  bool nothing = true;
  write_names(h, e, &nothing);
  if (nothing) {
    if (o->name || __argp_letter(o))
      return; // hidden
    write_header(h, e->argp, o->doc ? o->doc : "");
    h->before = e;
    return;
  }
  const char *doc = filter(h, e->argp, o->key, o->doc);
  if (doc && *doc) {
    const size_t column = __page_column(&h->to);
    __page_margins(&h->to, DOC_COLUMN, DOC_COLUMN);
    if (column > DOC_COLUMN + 3)
      __page_put(&h->to, "\n");
    else if (column >= DOC_COLUMN)
      __page_put(&h->to, "   ");
    else
      __page_indent(&h->to, DOC_COLUMN);
    __page_put(&h->to, doc);
  }
  free_filtered(doc, o->doc);
  __page_margins(&h->to, 0, 0);
  __page_put(&h->to, "\n");
  h->before = e;
}

static void write_options(help *h, const struct argp *argp) {
  static const char note[] =
      "Mandatory or optional arguments to long options are also mandatory or "
      "optional for any corresponding short options.";
  for (unsigned i = 0; i < h->list.count; ++i)
    write_entry(h, &h->list.entries[i]);
  if (!h->arguments_once)
    return;
  const char *text = filter(h, argp, ARGP_KEY_HELP_DUP_ARGS_NOTE, note);
  if (text && *text) {
    __page_put(&h->to, "\n");
    __page_put(&h->to, text);
    __page_put(&h->to, "\n");
  }
  free_filtered(text, note);
}

//===-- The usage ---------------------------------------------------------===//

static bool in_usage(const entry *e, unsigned option) {
  return !((e->options->flags | e->options[option].flags) & OPTION_NO_USAGE);
}

static const char *argument_of(const entry *e, unsigned option) {
  return e->options[option].arg ? e->options[option].arg : e->options->arg;
}

typedef enum { LETTERS, LETTERS_WITH_ARGUMENT, NAMES } usage_part;

static void write_usage_part(help *h, usage_part part, char *letters) {
  for (unsigned i = 0; i < h->list.count; ++i) {
    const entry *e = &h->list.entries[i];
    for (unsigned j = 0; j < e->count; ++j) {
      if (!in_usage(e, j))
        continue;
      const int letter = __argp_shown_letter(&h->list, e, j);
      const char *name = __argp_shown_name(e, j), *arg = argument_of(e, j);
      const bool optional =
          (e->options->flags | e->options[j].flags) & OPTION_ARG_OPTIONAL;
      if (part == LETTERS && letter && !arg) {
        *letters++ = (char)letter;
      } else if (part == LETTERS_WITH_ARGUMENT && letter && arg && optional) {
        __page_print(&h->to, " [-%c[%s]]", letter, arg);
      } else if (part == LETTERS_WITH_ARGUMENT && letter && arg) {
        __page_blank_or_line(&h->to, 6 + strlen(arg));
        __page_print(&h->to, "[-%c %s]", letter, arg);
      } else if (part == NAMES && name && arg) {
        __page_print(&h->to, optional ? " [--%s[=%s]]" : " [--%s=%s]", name,
                     arg);
      } else if (part == NAMES && name) {
        __page_print(&h->to, " [--%s]", name);
      }
    }
  }
}

static void write_usage_options(help *h) {
  char letters[256] = "";
  write_usage_part(h, LETTERS, letters);
  if (*letters)
    __page_print(&h->to, " [-%s]", letters);
  write_usage_part(h, LETTERS_WITH_ARGUMENT, NULL);
  write_usage_part(h, NAMES, NULL);
}

static size_t count_choices(const struct argp *argp) {
  size_t count = argp->args_doc && strchr(argp->args_doc, '\n');
  for (const struct argp_child *c = argp->children; c && c->argp; ++c)
    count += count_choices(c->argp);
  return count;
}

/// Writes one line of args_doc of the argp and of each argp below; **choice is
/// the number of the line, and *choice moves behind the numbers used. With
/// `advance` chooses the next combination of lines. False when all combinations
/// were written.
static bool write_arguments(help *h, const struct argp *argp, unsigned **choice,
                            bool advance) {
  unsigned *mine = *choice;
  bool several = false;
  const char *end = "", *all = argp->args_doc;
  const char *doc = filter(h, argp, ARGP_KEY_HELP_ARGS_DOC, all);
  if (doc) {
    const char *line = doc;
    end = strchrnul(line, '\n');
    if (*end) {
      several = true;
      ++*choice;
      for (unsigned i = 0; i < *mine; ++i) {
        line = end + 1;
        end = strchrnul(line, '\n');
      }
    }
    __page_blank_or_line(&h->to, 1 + (size_t)(end - line));
    __page_write(&h->to, line, (size_t)(end - line));
  }
  const bool more = *end != 0;
  free_filtered(doc, all);
  for (const struct argp_child *c = argp->children; c && c->argp; ++c)
    advance = !write_arguments(h, c->argp, choice, advance);
  if (advance && several) {
    *mine = more ? *mine + 1 : 0;
    advance = !more;
  }
  return !advance;
}

static void write_usage(help *h, const struct argp *argp, const char *name,
                        bool only_short) {
  unsigned *choices = calloc(count_choices(argp) + 1, sizeof *choices);
  bool more = choices != NULL;
  for (bool first = true; more; first = false) {
    __page_margins(&h->to, 0, USAGE_INDENT);
    __page_print(&h->to, "%s %s", first ? "Usage:" : "  or: ", name);
    __page_margins(&h->to, USAGE_INDENT, USAGE_INDENT);
    if (!first || only_short)
      __page_put(&h->to, h->list.count ? " [OPTION...]" : "");
    else
      write_usage_options(h);
    unsigned *choice = choices;
    more = write_arguments(h, argp, &choice, true);
    __page_margins(&h->to, 0, 0);
    __page_put(&h->to, "\n");
  }
  free(choices);
}

//===-- Texts -------------------------------------------------------------===//

/// Writes a text and ends its line.
static void write_text(help *h, const char *text, bool blank_line) {
  if (blank_line)
    __page_put(&h->to, "\n");
  __page_put(&h->to, text);
  if (__page_column(&h->to) > 0)
    __page_put(&h->to, "\n");
}

/// Writes the part of the doc before or behind its '\v', of the argp and of
/// those below. True if any text was written.
static bool write_doc(help *h, const struct argp *argp, bool behind,
                      bool blank_line, bool only_first) {
  bool anything = false;
  char *before = NULL;
  const char *text = argp->doc;
  const char *border = text ? strchr(text, '\v') : NULL;
  if (behind)
    text = border ? border + 1 : NULL;
  else if (border)
    text = before = strndup(text, (size_t)(border - text));
  const char *filtered = filter(
      h, argp, behind ? ARGP_KEY_HELP_POST_DOC : ARGP_KEY_HELP_PRE_DOC, text);
  if (filtered) {
    write_text(h, filtered, blank_line);
    anything = true;
  }
  free_filtered(filtered, text);
  free(before);
  if (behind && argp->help_filter) {
    const char *extra = filter(h, argp, ARGP_KEY_HELP_EXTRA, NULL);
    if (extra) {
      write_text(h, extra, anything || blank_line);
      anything = true;
    }
    free_filtered(extra, NULL);
  }
  for (const struct argp_child *c = argp->children;
       c && c->argp && !(only_first && anything); ++c)
    anything |=
        write_doc(h, c->argp, behind, anything || blank_line, only_first);
  return anything;
}

void __argp_help(const struct argp *argp, const struct argp_state *state,
                 FILE *stream, unsigned flags, const char *name) {
  help h = {.to = {.out = stream}, .state = state};
  bool anything = false;
  if (!stream || !__argp_list(argp, &h.list))
    return;
  if (flags & (ARGP_HELP_USAGE | ARGP_HELP_SHORT_USAGE)) {
    write_usage(&h, argp, name, flags & ARGP_HELP_SHORT_USAGE);
    anything = true;
  }
  if (flags & ARGP_HELP_PRE_DOC)
    anything |= write_doc(&h, argp, false, false, true);
  if (flags & ARGP_HELP_SEE) {
    __page_print(&h.to,
                 "Try `%s --help' or `%s --usage' for more information.\n",
                 name, name);
    anything = true;
  }
  if (flags & ARGP_HELP_LONG && h.list.count) {
    if (anything)
      __page_put(&h.to, "\n");
    write_options(&h, argp);
    anything = true;
  }
  if (flags & ARGP_HELP_POST_DOC)
    anything |= write_doc(&h, argp, true, anything, false);
  if (flags & ARGP_HELP_BUG_ADDR && argp_program_bug_address) {
    if (anything)
      __page_put(&h.to, "\n");
    __page_print(&h.to, "Report bugs to %s.\n", argp_program_bug_address);
  }
  __page_end(&h.to);
  __argp_free_list(&h.list);
}

void argp_help(const struct argp *restrict argp, FILE *restrict stream,
               unsigned flags, char *restrict name) {
  __argp_help(argp, NULL, stream, flags, name);
}
