//===-- libc-shim/regex/regerror.c - regerror() ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <regex.h>
#include <string.h>

/// By number; the texts are glibc's.
static const char *const messages[] = {
    [REG_NOERROR] = "Success",
    [REG_NOMATCH] = "No match",
    [REG_BADPAT] = "Invalid regular expression",
    [REG_ECOLLATE] = "Invalid collation character",
    [REG_ECTYPE] = "Invalid character class name",
    [REG_EESCAPE] = "Trailing backslash",
    [REG_ESUBREG] = "Invalid back reference",
    [REG_EBRACK] = "Unmatched [, [^, [:, [., or [=",
    [REG_EPAREN] = "Unmatched ( or \\(",
    [REG_EBRACE] = "Unmatched \\{",
    [REG_BADBR] = "Invalid content of \\{\\}",
    [REG_ERANGE] = "Invalid range end",
    [REG_ESPACE] = "Memory exhausted",
    [REG_BADRPT] = "Invalid preceding regular expression",
    [REG_EEND] = "Premature end of regular expression",
    [REG_ESIZE] = "Regular expression too big",
    [REG_ERPAREN] = "Unmatched ) or \\)"};

size_t regerror(int error, const regex_t *restrict compiled,
                char *restrict text, size_t size) {
  const char *message =
      error >= 0 && (size_t)error < sizeof messages / sizeof *messages
          ? messages[error]
          : "Unknown error";
  const size_t length = strlen(message);
  if (size > 0) {
    const size_t kept = length < size ? length : size - 1;
    memcpy(text, message, kept);
    text[kept] = 0;
  }
  return length + 1;
}
