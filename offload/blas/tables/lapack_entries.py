#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the functions of LAPACK that `gpuexec blas` puts before those of a program's library: usage: lapack_entries.py LAPACK_ENTRIES.TXT

A function for each name that libraries give it, with integers of 32 and 64 bits. It packs its parameters (lapack_calls.h), and asks
begin_NAME() (lapack_calls.c) whether the device has done it.
"""

import re
import sys

# netlib's and OpenBLAS's names, and those of the library in scipy's wheels; of a function whose own is x.
NAMES = (("int", ("{0}_", "scipy_{0}_")), ("int64_t", ("{0}_64_", "{0}64_", "scipy_{0}_64_", "scipy_{0}64_")))
LETTERS = ("trans", "uplo", "side", "jobz", "jobu", "jobvt", "range")
SIZES = ("m", "n", "k", "sides", "lda", "ldb", "ldc", "ldz", "ldu", "ldvt", "lwork", "lrwork", "liwork", "il", "iu")
INTEGERS = ("pivots", "found", "isuppz", "iwork", "info")  # that the function writes
NOT_REFERENCED = ("vl", "vu", "il", "iu", "abstol")  # by what we do


def declaration(parameter, integer):
    if parameter in LETTERS:
        return "const char *" + parameter
    if parameter in SIZES:
        return "const %s *%s" % (integer, parameter)
    return "%s *%s" % (integer if parameter in INTEGERS else "void", parameter)


def value(parameter):
    if parameter in LETTERS:
        return "(char)(*%s & ~0x20)" % parameter
    return "%s%s" % ("*" if parameter in SIZES else "", parameter)


def write_entry(real, parameters, letter, integer, name):
    declarations = [declaration(parameter, integer) for parameter in parameters]
    # gfortran's hidden lengths of letters, as in blas_entries.py.
    lengths = sum(parameter in LETTERS for parameter in parameters)
    signature = ", ".join(declarations + ["size_t length%d" % i for i in range(lengths)])
    print("EXPORT void %s(%s);\nEXPORT void %s(%s) {" % ((name, signature) * 2))
    print('  static void *next;\n  void (*cpu)(%s) =\n    (void (*)(%s))NEXT(next, "%s");' % (signature, signature, name))
    sizes = [parameter for parameter in parameters if parameter in ("m", "n", "k", "sides")]
    most = "(double)*%s" % sizes[0]
    for size in sizes[1:]:
        most = "larger_size(%s, (double)*%s)" % (most, size)
    print("  if (offload_passes(most_work(%s), 0))" % most)
    print("    __attribute__((musttail)) return cpu(%s);" % ", ".join(parameters + ["length%d" % i for i in range(lengths)]))
    print("  lapack_use use;\n  use.call.began = 0;")
    fields = [".%s = %s" % (parameter, value(parameter)) for parameter in parameters if parameter not in NOT_REFERENCED]
    print("  const lapack_parameters p = {.type = '%s', .is_long = %d, %s};" % (letter, integer != "int", ", ".join(fields)))
    print("  if (begin_%s(&use, &p))\n    return;" % real)
    print("  cpu(%s);\n  offload_finish(&use.call);\n}\n" % ", ".join(parameters + ["1"] * lengths))


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with open(sys.argv[1]) as table:
        lines = [line for line in table if line.strip() and not line.startswith("#")]
    for line in lines:
        names, _, parameters = line.partition(":")
        real, for_complex = names.split()
        for letter in "sdcz":
            is_complex = letter in "cz"
            own = re.sub(r"\[(.*)\]", r"\1" if is_complex else "", parameters).split()
            for integer, patterns in NAMES:
                for pattern in patterns:
                    write_entry(real, own, letter, integer, pattern.format(letter + (for_complex if is_complex else real)))


main()
