#!/usr/bin/env python3
"""Writes a C program that calls each function of services/blas/tables/lapack.txt by its name in LAPACKE and in Fortran, on small numbers that a seed makes,
and prints what they return and write: usage: lapack_calls.py SOURCE-TREE TYPES

The numbers suit all functions: matrices are symmetric with a large diagonal, row numbers of interchanges are those of no interchange.
"""

import sys

sys.path.insert(0, sys.argv[1] + "/services/blas/tables")
sys.dont_write_bytecode = True
import lapack  # noqa: E402
import table  # noqa: E402

VALUES = {"m": 5, "n": 4, "k": 3, "nrhs": 2, "kl": 1, "ku": 1, "kd": 1, "il": 1, "iu": 3, "ilo": 1, "ihi": 4, "itype": 1, "ncvt": 2,
          "nru": 3, "ncc": 2}
NUMBERS = {"vl": "-100", "vu": "100", "abstol": "0", "rcond": "1e-3", "anorm": "30", "alpha": "2", "beta": "3"}

# Arrays of which LAPACK defines less on exit than there is, for it says that the rest is destroyed, or says nothing of it: function without
# its type, array, and in C how many elements or rows are defined. cuSOLVER leaves something else in the rest than the host's library.
DEFINED = {
    ("gtsv", "dl"): "n - 2",
    ("gelss", "a"): "lapack_min(m, n)", ("gelsd", "a"): "0", ("gelsy", "b"): "n",
    ("syevr", "a"): "0", ("syevr", "w"): "range == 'I' ? iu - il + 1 : n", ("syevr", "isuppz"): "jobz == 'V' && range == 'A' ? 2 * n : 0",
    ("stev", "e"): "0", ("steqr", "e"): "0", ("sterf", "e"): "0", ("bdsqr", "e"): "0",
    ("geev", "a"): "0", ("ggev", "a"): "0", ("ggev", "b"): "0", ("hseqr", "h"): "job == 'S' ? n : 0",
    ("gesvd", "a"): "jobvt == 'O' ? lapack_min(m, n) : jobu == 'O' ? m : 0", ("gesdd", "a"): "jobz == 'O' ? m : 0",
}
for name in ("syev", "syevd", "sygv", "sygvd"):
    DEFINED[name, "a"] = "jobz == 'V' ? n : 0"
DEFINED.update({(name.replace("sy", "he"), array): count for (name, array), count in DEFINED.items() if name.startswith("sy")})

PROLOGUE = """#include <complex.h>
#include <lapacke.h>
#include <stdio.h>
#include <string.h>
enum { SIZE = 400, WORK = 4000 };
static unsigned seed = 1;
static double next(void) { seed = seed * 1103515245u + 12345u; return ((int)(seed >> 16 & 1023) - 512) / 256.0; }
static union { double complex align; char bytes[WORK * sizeof(double complex)]; } works[3];
"""

# The other triangle of a matrix, and what is behind the elements in use, is LAPACKE's own affair: only sums of what is in use are printed,
# of numbers that may have either sign only the size. `part`: 1 prints what is above the diagonal by rows (by columns: below it) and the
# diagonal, -1 the opposite, 0 everything.
FILLERS = """
static void %(l)s_fill(%(t)s *a, int step, int count) {
  for (int i = 0; i < count; ++i) a[i] = (%(t)s)(next()%(imaginary)s);
  if (step) for (int i = 0; i < step; ++i) for (int j = 0; j <= i && i * step + j < count && j * step + i < count; ++j)
    a[i * step + j] = i == j ? (%(t)s)(9 + i) : %(conj)s(a[j * step + i]);
}
static void %(l)s_print(const char *name, const %(t)s *a, int first, int second, int step, int part) {
  double sum = 0;
  for (int i = 0; i < first; ++i) for (int j = 0; j < second; ++j) if (part * j >= part * i) sum += cabs((double complex)a[i * step + j]) * (1 + i %% 3 + j %% 5);
  printf(" %%s %%.4g", name, sum);
}
"""


def letters_of(function):
    """Each assignment of letters that is allowed, at most 9."""
    choices = [{}]
    for parameter in function.parameters:
        if parameter.kind == "letter":
            choices = [{**choice, parameter.name: letter} for choice in choices for letter in parameter.letters or "UA"]
    return [c for c in choices if not (c.get("jobu") == c.get("jobvt") == "O")][:9]


def write_function(function):
    print("static void test_%s(int order, int fortran%s) {" % (function.name, "".join(", char " + p.name for p in function.parameters if p.kind == "letter")))
    m = 4 if function.name[1:] in ("ormlq", "unmlq", "orglq", "unglq") else VALUES["m"]
    for parameter in function.parameters:
        if parameter.kind == "int" and not parameter.name.startswith("ld"):
            value = m if parameter.name == "m" else VALUES[parameter.name]
            if parameter.name == "n" and function.name[1:] in ("orglq", "unglq"):
                value = 5
            print("  int %s = %d;" % (parameter.name, value))
        elif parameter.kind == "int":
            print("  int %s = 12;" % parameter.name)
        elif parameter.kind == "number":
            print("  %s %s = %s;" % (function.type(parameter.type), parameter.name, NUMBERS[parameter.name]))
        elif parameter.kind in ("matrix", "array", "extra"):
            kind = function.type(parameter.type)
            print("  static %s %s[SIZE];" % (kind, parameter.name))
            if parameter.kind == "extra" or kind == "int":
                print("  for (int i = 0; i < SIZE; ++i) %s[i] = %s;" % (parameter.name, "i + 1" if parameter.type in "pq" else "0"))
            else:
                print("  %s_fill(%s, %d, SIZE);" % (function.letter if parameter.type == "T" else {"c": "s", "z": "d"}.get(function.letter, function.letter),
                                                   parameter.name, 12 if parameter.kind == "matrix" else 0))
        elif parameter.kind == "work":
            print("  %s *%s = (void *)works[%d].bytes;" % (function.type(parameter.type), parameter.name, ["w", "r", "i"].index(parameter.name[0])))
        elif parameter.kind == "length":
            print("  int %s = WORK;" % parameter.name)
    positive(function)
    returns = function.result not in ("", "void")
    print("  double result = 0;")
    print('  printf("%s %%d %%d%s:", order, fortran%s);' % (function.name, "".join(" %c" for p in function.parameters if p.kind == "letter"),
                                                         "".join(", " + p.name for p in function.parameters if p.kind == "letter")))
    lapacke = "LAPACKE_%s(%s)" % (function.name, ", ".join(["order"] * function.has_order() + [p.name for p in function.given()]))
    addresses = [p.name if p.kind in ("matrix", "array", "work") else "&" + p.name for p in function.fortran()]
    if function.has_info():
        addresses.append("&info")
        print("  int info = 0;")
    fortran = "LAPACK_%s(%s)" % (function.name, ", ".join(addresses))
    print("  if (fortran) { %s%s; %s} else %s%s;" % ("result = " if returns else "", fortran, "result = info; " if function.has_info() else "",
                                                    "result = " if returns or function.has_info() else "", lapacke))
    print('  printf(" %.6g", result);')
    for parameter in function.given():
        if not parameter.writes:
            continue
        kind = function.letter if parameter.type == "T" else {"c": "s", "z": "d"}.get(function.letter, function.letter)
        defined = DEFINED.get((function.name[1:], parameter.name))
        if parameter.kind == "matrix":
            hidden = " && !(order == 101 && uplo != 'A')" if function.name.endswith("lacpy") else ""
            print('  { const int rows = %s, columns = %s; if (rows > 0 && columns > 0%s) %s_print("%s", %s, order == 101 ? rows : columns, order == 101 ? columns : rows, 12, %s); }' %
                  (defined or parameter.rows, parameter.columns, hidden, kind, parameter.name, parameter.name, part(function, parameter)))
        elif function.type(parameter.type) == "int":
            print('  { double sum = 0; for (int i = 0; i < %s; ++i) sum += %s[i] * (i %% 7 + 1); printf(" %s %%g", sum); }' % (defined or parameter.count, parameter.name, parameter.name))
        elif parameter.kind != "extra":
            print('  %s_print("%s", %s, 1, %s, 0, 0);' % (kind, parameter.name, parameter.name, defined or parameter.count))
    print('  putchar(\'\\n\');\n}')


def part(function, parameter):
    """What of a matrix is printed: a triangle, where LAPACK writes nothing else."""
    is_whole = function.name[1:] in ("laset", "orgtr", "ungtr") or (function.name[1:], parameter.name) in DEFINED
    is_triangle = parameter.name == "a" and any(p.name == "uplo" for p in function.parameters) and not is_whole
    return "(uplo == 'U') == (order == 101) ? 1 : -1" if is_triangle else "0"


def positive(function):
    """Matrices of which only the band near the diagonal is stored have a large diagonal, too."""
    if function.name[1:3] == "pb":
        print("  for (int j = 0; j < n; ++j) for (int i = 0; i <= kd; ++i) ab[order == 102 ? j * 12 + i : i * 12 + j] = (i == (uplo == 'U' ? kd : 0) ? 4 : 0.5);")
    for parameter in function.parameters:
        if parameter.kind == "array" and parameter.name in ("d", "scale"):
            print("  for (int i = 0; i < SIZE; ++i) %s[i] = 5 + i %% 3;" % parameter.name)


def main():
    functions = [f for f in table.read(sys.argv[1] + "/services/blas/tables/lapack.txt", lapack.Function) if f.letter in sys.argv[2]]
    print(PROLOGUE)
    print("#define lapack_min(a, b) ((a) < (b) ? (a) : (b))\n#define lapack_max(a, b) ((a) > (b) ? (a) : (b))")
    for letter in "sdcz":
        print(FILLERS % {"l": letter, "t": lapack.ELEMENTS[letter], "imaginary": " + next() * I" if letter in "cz" else "",
                         "conj": {"c": "conjf", "z": "conj"}.get(letter, "")})
    for function in functions:
        write_function(function)
    print("int main(void) {")
    for function in functions:
        for letters in letters_of(function):
            arguments = "".join(", '%s'" % letters[p.name] for p in function.parameters if p.kind == "letter")
            print("  for (int way = 0; way < 3; ++way) test_%s(way == 1 ? 101 : 102, way == 2%s);" % (function.name, arguments))
    print("  return 0;\n}")


main()
