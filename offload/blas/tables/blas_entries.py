#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the functions that `gpuexec blas` puts before those of a program's BLAS: usage: blas_entries.py FUNCTIONS

For each function of services/blas/tables/blas.txt that a GPU can do faster: what its operands and its work are, and a function for each name that
BLAS libraries give it (CBLAS and Fortran, integers of 32 and 64 bits). offload/blas/run/call.h says how they decide.
"""

import re

import blas
import table

# Operations on real numbers; a complex multiplication with an addition counts as four of a real one.
WORK = {"gemm": "2.0 * m * n * k", "symm": "2.0 * m * n * (side == 141 ? m : n)", "syrk": "1.0 * n * n * k", "syr2k": "2.0 * n * n * k",
        "trmm": "1.0 * m * n * (side == 141 ? m : n)", "gemv": "2.0 * m * n", "symv": "2.0 * n * n"}
WORK |= {"hemm": WORK["symm"], "herk": WORK["syrk"], "her2k": WORK["syr2k"], "trsm": WORK["trmm"], "hemv": WORK["symv"]}
# The same from above, without arguments that are letters.
BOUND = {name: work.replace("(side == 141 ? m : n)", "(m > n ? m : n)") for name, work in WORK.items()}
LEVEL_2 = ("gemv", "symv", "hemv")
TRIANGLES = ("syrk", "herk", "syr2k", "her2k")  # of which the function writes one alone

# Names of a function whose own is x: of Fortran and of CBLAS; the ones with integers of 64 bits second. netlib's, OpenBLAS's, scipy's.
FORTRAN = (("{0}_", "scipy_{0}_"), ("{0}_64_", "{0}64_", "scipy_{0}_64_", "scipy_{0}64_"))
CBLAS = (("cblas_{0}", "scipy_cblas_{0}"), ("cblas_{0}64_", "cblas_{0}_64", "scipy_cblas_{0}64_"))


def operands(function):
    """The arrays: (place, parameter, place of the leading dimension or increment)."""
    for place, parameter in enumerate(function.parameters):
        if parameter.kind == "array":
            yield place, parameter, place + 1


def is_read(function, parameter):
    """Does the function read this array? What it writes it reads where beta is not 0, or where there is none."""
    beta = [p for p in function.parameters if p.name == "beta"]
    if not parameter.writes or not beta:
        return "1"
    return "number_is_set(beta, %d, sizeof(%s))" % (2 if beta[0].kind == "complex" else 1, function.real)


def write_begin(number, function):
    base = function.pattern[1:]
    print("static int begin_%s(offload_call *call, const blas_argument *a) {" % function.name)
    for place, parameter in enumerate(function.parameters):
        if parameter.kind == "int":
            print("  const int %s = a[%d].integer;" % (parameter.name, place))
        elif parameter.name == "beta":
            print("  const void *beta = a[%d].number;" % place)
    checks = [parameter.check for parameter in function.parameters if parameter.check]
    checks += ["(%s != 1 && %s != -1)" % (p.name, p.name) for p in function.parameters if p.name.startswith("inc")]
    print("  call->began = 0;\n  if (%s)\n    return 0;" % " || ".join(checks))
    print("  const double work = %s%s;" % ("4 * " if function.is_complex else "", WORK[base]))
    print("  if (!offload_is_candidate(call, %d, work, %d))\n    return 0;" % (number, base in LEVEL_2))
    arrays = list(operands(function))
    for index, (place, parameter, line_place) in enumerate(arrays):
        if parameter.elements:
            shape = "1, %s" % parameter.elements, 0
        else:
            shape = "order == 102 ? {1} : {0}, order == 102 ? {0} : {1}".format(parameter.rows, parameter.columns), line_place
        part = "(order == 102) == (uplo == 122) ? PART_FROM_DIAGONAL : PART_TO_DIAGONAL" if base in TRIANGLES and parameter.writes else "PART_WHOLE"
        stride = parameter.elements if parameter.elements else "ld" + parameter.name
        print("  call->operands[%d] = (operand){%d, %d, %s, %d, %s, (void *)(uintptr_t)a[%d].array, %d, %s, %s, 0, 0};" %
              (index, place, shape[1], is_read(function, parameter), parameter.writes, part, place, function.size, shape[0], stride))
    print("  call->operand_count = %d;\n  call->arguments = a;\n  call->argument_count = %d;" % (len(arrays), len(function.parameters)))
    numbers = [sum(1 << place for place, parameter in enumerate(function.parameters) if parameter.kind in kinds)
               for kinds in (("real", "complex"), ("complex",))]
    print("  call->numbers = %#x;\n  call->complex_numbers = %#x;\n  call->real_size = sizeof(%s);\n  return offload_begin(call);\n}\n" %
          (*numbers, function.real))


def declaration(parameter, fortran, integer):
    """A parameter of one of the functions that programs call."""
    if fortran and parameter.enumeration:
        return "const char *" + parameter.name
    if parameter.kind == "int" and not parameter.enumeration:
        return "const %s *%s" % (integer, parameter.name) if fortran else "%s %s" % (integer, parameter.name)
    if parameter.kind == "int":
        return "int " + parameter.name
    if parameter.kind == "real":
        return re.sub(r"(\w+)$", r"const void *\1" if fortran else r"\1", parameter.declaration).replace(parameter.declaration.split()[0] + " const", "const")
    return parameter.declaration


def argument(parameter, fortran):
    if parameter.kind == "array":
        return "{.array = (uintptr_t)%s}" % parameter.name
    if parameter.kind != "int":
        return "{.number = %s%s}" % ("&" if parameter.kind == "real" and not fortran else "", parameter.name)
    if fortran and parameter.enumeration:
        return '{.integer = offload_letter(*%s, "%s", %d)}' % (parameter.name, *blas.LETTERS[parameter.enumeration])
    return "{.integer = (int)%s%s}" % ("*" if fortran else "", parameter.name)


def write_entry(function, name, fortran, integer):
    parameters = [parameter for parameter in function.parameters if not fortran or parameter.name != "order"]
    declarations = [declaration(parameter, fortran, integer) for parameter in parameters]
    # gfortran's hidden lengths of letters. Programs in C may not pass them: what passes by is jumped to with whatever is there, as without
    # us; other calls have lengths of their own, since a library written in Fortran may store something else there.
    lengths = sum(1 for parameter in parameters if parameter.enumeration) if fortran else 0
    signature = ", ".join(declarations + ["size_t length%d" % i for i in range(lengths)])
    names = [parameter.name for parameter in parameters]
    call = "cpu(%s);" % ", ".join(names + ["1"] * lengths)
    print('EXPORT void %s(%s);\nEXPORT void %s(%s) {' % ((name, signature) * 2))
    print('  static void *next;\n  void (*cpu)(%s) = (void (*)(%s))NEXT(next, "%s");' % (signature, signature, name))
    sizes = [parameter.name for parameter in parameters if parameter.kind == "int" and not parameter.enumeration]
    bound = re.sub(r"\b([mnk])\b", r"(double)%s\1" % ("*" if fortran else ""), BOUND[function.name.removeprefix("cblas_")[1:]])
    print("  if (offload_passes(%s%s, %d))" % ("4 * " if function.is_complex else "", bound, function.pattern[1:] in LEVEL_2))
    print("    __attribute__((musttail)) return cpu(%s);" % ", ".join(names + ["length%d" % i for i in range(lengths)]))
    if integer == "int64_t":
        print("  if (%s) {\n    %s\n    return;\n  }" % (" || ".join("(int)%s%s != %s%s" % (star, size, star, size) for size in sizes
                                                                      for star in ["*" if fortran else ""]), call))
    arguments = (["{.integer = 102}"] if fortran else []) + [argument(parameter, fortran) for parameter in parameters]
    print("  const blas_argument a[] = {%s};\n  offload_call call;" % ", ".join(arguments))
    print("  if (begin_%s(&call, a))\n    return;\n  %s\n  offload_finish(&call);\n}" % (function.name, call))


def write(functions):
    for number, function in enumerate(functions):
        if function.pattern[1:] not in WORK:
            continue
        write_begin(number, function)
        short = function.name.removeprefix("cblas_")
        for names, fortran in ((FORTRAN, True), (CBLAS, False)):
            for patterns, integer in zip(names, ("int", "int64_t")):
                for pattern in patterns:
                    write_entry(function, pattern.format(short), fortran, integer)


def main():
    import sys

    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    write(table.read(sys.argv[1], blas.Function))


main()
