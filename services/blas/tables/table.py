# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generators of BLAS and LAPACK share: reading a table of functions, and the command line."""

import sys


def read(path, make_function):
    """The functions of a table, in its order: what `make_function` makes of a name, a letter for the type, arguments and a result."""
    functions = []
    for line in open(path):
        if not line.strip() or line.startswith("#"):
            continue
        left, _, work = line.partition("@")
        left, _, result = left.partition("->")
        name, letters, *arguments = left.split()
        for letter in letters:
            functions.append(make_function(name, letter, arguments, result.strip()))
            functions[-1].work = work.strip()
    return functions


def blas_argument(parameter, integers, arrays):
    """A parameter's variable as a blas_argument of services/blas/cuda/cublas.h. `integers`, `arrays`: the kinds of parameters that are such; others
    are numbers, of which complex ones are arrays of C."""
    if parameter.kind in integers:
        return "{.integer = %s}" % parameter.name
    if parameter.kind in arrays:
        return "{.array = (uintptr_t)%s}" % parameter.name
    return "{.number = %s%s}" % ("" if parameter.kind in ("complex", "result") else "&", parameter.name)


def write(usage, make_function, writers):
    """Carries out the command line TABLE KIND: calls the writer of that kind with the table's functions."""
    if len(sys.argv) != 3 or sys.argv[2] not in writers:
        raise SystemExit(usage)
    writers[sys.argv[2]](read(sys.argv[1], make_function))
