# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads cublas.txt: which function of cuBLAS does what a function of CBLAS does."""

import re


class Target:
    """A function of cuBLAS. `by_rows`: its arguments where matrices are by rows; None: it cannot do that. `is_batched`: there is one for
    many calls, of which each array is an array of arrays, and how many there are is the last argument."""

    def __init__(self, pattern, name, by_columns, by_rows):
        self.pattern, self.name, self.by_columns, self.by_rows = pattern, name, by_columns, by_rows
        self.is_batched = False

    def symbol(self, letter, ending="_v2"):
        return "cublas%s%s" % (self.name.replace("?", letter if self.name[0] == "I" else letter.upper()), ending)


def read(path):
    """From the name in blas.txt to its Target."""
    targets, batched = {}, []
    for line in open(path):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("batched "):
            batched.append(line.split()[1])
            continue
        left, slash, rows = line.partition("/")
        pattern, name, *by_columns = left.split()
        targets[pattern] = Target(pattern, name, by_columns, None if slash and rows.split() == ["-"] else rows.split())
    for pattern in batched:
        targets[pattern].is_batched = True
    return targets


def find(functions, targets):
    """Each function with its target and its letter, or with none."""
    for function in functions:
        target = targets.get(function.pattern)
        unknown = set(re.sub(r"[~^*]", "", " ".join(target.by_columns + (target.by_rows or []))).split()) if target else set()
        unknown -= {parameter.name for parameter in function.parameters}
        if unknown:
            raise SystemExit("%s: what is '%s'?" % (function.name, unknown.pop()))
        yield function, target
