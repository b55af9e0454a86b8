//===-- libc-shim/strings/ctype.c - What a character is ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// isalpha() and its neighbours, as in glibc's locale "C": the values -128 to
// -1, among them EOF, are in no class. The table has newlib's bits.
//===----------------------------------------------------------------------===//
#include <ctype.h>

#define ENTRY(first, last) [128 + (first)... 128 + (last)]

const unsigned char __gpuexec_ctype[128 + 256] = {
    ENTRY(0, 8) = _C,          ENTRY('\t', '\r') = _C | _S,
    ENTRY(14, 31) = _C,        ENTRY(' ', ' ') = _S | _B,
    ENTRY('!', '/') = _P,      ENTRY('0', '9') = _N,
    ENTRY(':', '@') = _P,      ENTRY('A', 'F') = _U | _X,
    ENTRY('G', 'Z') = _U,      ENTRY('[', '`') = _P,
    ENTRY('a', 'f') = _L | _X, ENTRY('g', 'z') = _L,
    ENTRY('{', '~') = _P,      ENTRY(127, 127) = _C,
};

// The macros of <ctype.h> as functions. newlib's functions need newlib's table.
#define FUNCTIONS(name)                                                        \
  int(name)(int c) { return name(c); }                                         \
  int(name##_l)(int c, locale_t locale) { return name(c); }
FUNCTIONS(isalnum)
FUNCTIONS(isalpha)
FUNCTIONS(isblank)
FUNCTIONS(iscntrl)
FUNCTIONS(isdigit)
FUNCTIONS(isgraph)
FUNCTIONS(islower)
FUNCTIONS(isprint)
FUNCTIONS(ispunct)
FUNCTIONS(isspace)
FUNCTIONS(isupper)
FUNCTIONS(isxdigit)

// glibc's tables turn a negative char other than EOF into the unsigned one.
static int positive(int c) { return c >= -128 && c < -1 ? c + 256 : c; }

int toupper(int c) { return islower(c) ? c - 'a' + 'A' : positive(c); }

int tolower(int c) { return isupper(c) ? c - 'A' + 'a' : positive(c); }

int toupper_l(int c, locale_t locale) { return toupper(c); }

int tolower_l(int c, locale_t locale) { return tolower(c); }
