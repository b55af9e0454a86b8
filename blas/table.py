"""What the generators of BLAS and LAPACK share: reading a table of functions, and the command line."""

import sys


def read(path, make_function):
    """The functions of a table, in its order: what `make_function` makes of a name, a letter for the type, arguments and a result."""
    functions = []
    for line in open(path):
        if not line.strip() or line.startswith("#"):
            continue
        left, _, result = line.partition("->")
        name, letters, *arguments = left.split()
        functions += [make_function(name, letter, arguments, result.strip()) for letter in letters]
    return functions


def write(usage, make_function, writers):
    """Carries out the command line TABLE KIND: calls the writer of that kind with the table's functions."""
    if len(sys.argv) != 3 or sys.argv[2] not in writers:
        raise SystemExit(usage)
    writers[sys.argv[2]](read(sys.argv[1], make_function))
