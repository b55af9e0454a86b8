//===-- libc-shim/locale/names.c - Names of locales -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See names.h. A locale is C, POSIX, or has UTF-8 in its name, as in C.UTF-8,
// en_US.UTF-8 and de_AT.utf8@euro.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/names.h"
#include "libc-shim/device/lock.h"
#include "libc-shim/locale/state.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

//===-- Texts that are never freed ----------------------------------------===//

// Names of locales are few and short. They are kept in a static array, because
// many programs call setlocale() and have no heap.
enum { NAMES_SIZE = 4096 };
static struct {
  uint32_t lock;
  uint32_t used;
  char texts[NAMES_SIZE]; ///< one behind the other, each with its null
} names;

/// Returns the text's copy in `names`, a new one if there is none; null without
/// room. Called by one lane that holds the lock.
static const char *find_or_add(const char *text, size_t size) {
  for (const char *at = names.texts; at < names.texts + names.used;
       at += strlen(at) + 1)
    if (!strcmp(at, text))
      return at;
  if (size > NAMES_SIZE - names.used)
    return NULL;
  char *fresh = names.texts + names.used;
  memcpy(fresh, text, size);
  names.used += (uint32_t)size;
  return fresh;
}

const char *__locale_keep(const char *text) {
  const size_t size = strlen(text) + 1;
  const char *result = NULL;
  const uint64_t mask = rpc_lane_mask();
  FOR_EACH_LANE(mask) {
    lock_take(&names.lock);
    result = find_or_add(text, size);
    lock_release(&names.lock);
  }
  return result;
}

//===-- Which locale a name means -----------------------------------------===//

/// Is [at, end) "C", "POSIX", or a language of two or three small letters with
/// or without a territory: "de", "de_AT", "es_419"?
static bool is_language(const char *at, const char *end) {
  const size_t size = (size_t)(end - at);
  if ((size == 1 && *at == 'C') || (size == 5 && !strncmp(at, "POSIX", 5)))
    return true;
  const char *letter = at;
  while (letter < end && islower((unsigned char)*letter))
    ++letter;
  if (letter - at < 2 || letter - at > 3)
    return false;
  if (letter == end)
    return true;
  const char *territory = letter + 1;
  for (letter = territory; letter < end; ++letter)
    if (!isupper((unsigned char)*letter) && !isdigit((unsigned char)*letter))
      return false;
  return territory[-1] == '_' && (end - territory == 2 || end - territory == 3);
}

/// Is the name language.codeset or language.codeset@modifier, where the codeset
/// is UTF-8 or UTF8 in small or capital letters?
static bool has_utf8(const char *name) {
  const char *dot = strchr(name, '.');
  if (!dot || !is_language(name, dot))
    return false;
  const size_t size = strcspn(dot + 1, "@");
  return (size == 5 && !strncasecmp(dot + 1, "UTF-8", size)) ||
         (size == 4 && !strncasecmp(dot + 1, "UTF8", size));
}

/// The environment's name for a category: the value of LC_ALL, else of the
/// category's own variable, else of LANG. Empty variables do not count.
static const char *environment_name(int category) {
  static const char *const variables[] = {
      [LC_COLLATE] = "LC_COLLATE",   [LC_CTYPE] = "LC_CTYPE",
      [LC_MONETARY] = "LC_MONETARY", [LC_NUMERIC] = "LC_NUMERIC",
      [LC_TIME] = "LC_TIME",         [LC_MESSAGES] = "LC_MESSAGES"};
  const char *const order[] = {"LC_ALL", variables[category], "LANG"};
  for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
    const char *value = getenv(order[i]);
    if (value && *value)
      return value;
  }
  return __locale_c;
}

static bool is_plain(const char *name) {
  return !strcmp(name, __locale_c) || !strcmp(name, "POSIX");
}

const char *__locale_find(int category, const char *name) {
  if (!*name) { // an unknown locale of the environment is C, and no failure
    name = environment_name(category);
    if (!has_utf8(name))
      return __locale_c;
  }
  if (is_plain(name))
    return __locale_c;
  return has_utf8(name) ? __locale_keep(name) : NULL;
}
