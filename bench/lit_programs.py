# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of bench/lit: 500 small ones, the same every time, and four that misbehave.

Each program computes something with features that C library tests use (arithmetic, qsort, the heap, floating point,
strings) and prints it. The expected output is computed here, in Python.
"""

import os
import random

HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"

# name: (source, exit status, options). Run beside the others, they must leave every other result untouched.
HOSTILE = {
    "hang": ("volatile int never;\nint main(void) { while (!never); }\n", 124, ["--timeout", "2"]),
    "fault": ("int main(void) { *(volatile int *)0x10 = 1; }\n", 139, []),
    "memory": (
        HEAD + "int main(void) { size_t total = 0; for (void *p; total < (1ull << 40) && (p = malloc(1 << 20)); total += 1 << 20)\n"
        "*(volatile char *)p = 1; return total >= 1 << 20 && total < (1ull << 40) ? 7 : 8; }\n", 7, ["--heap-size", "64M"]),
    "abort": (HEAD + "int main(void) { abort(); }\n", 134, []),
}


def arithmetic(source, n, a, b):
    total = 1
    for i in range(n):
        total = (total * a + i * b) & 0xFFFFFFFF
    loop = "unsigned t = 1; for (unsigned i = 0; i < %d; i++) t = t * %du + i * %du;" % (n, a, b)
    return "int main(void) { %s printf(\"%%u\\n\", t); return 0; }\n" % loop, str(total)


def sorting(source, n, a, b):
    words = ["".join(source.choices("abcdefgh", k=source.randint(1, 6))) for _ in range(8)]
    return (
        "static int order(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }\n"
        "int main(void) { const char *w[] = {%s}; qsort(w, 8, sizeof *w, order);\n"
        "for (int i = 0; i < 8; i++) puts(w[i]); return 0; }\n" % ", ".join('"%s"' % w for w in words)
    ), "\n".join(sorted(words))


def heap(source, n, a, b):
    values = [source.randint(-999, 999) for _ in range(n)]
    return (
        "int main(void) { int *p = malloc(%d * sizeof *p), s = 0, v[] = {%s}; memcpy(p, v, sizeof v);\n"
        "for (int i = 0; i < %d; i++) s += p[i] * (i + 1); free(p); printf(\"%%d\\n\", s); return 0; }\n"
        % (n, ", ".join(map(str, values)), n)
    ), str(sum(v * (i + 1) for i, v in enumerate(values)))


def floating(source, n, a, b):
    x = start = a / 8
    for _ in range(n):
        x = x * 0.5 + b
    loop = "double x = %r; for (int i = 0; i < %d; i++) x = x * 0.5 + %d;" % (start, n, b)
    return "int main(void) { %s printf(\"%%.6f\\n\", x); return 0; }\n" % loop, "%.6f" % x


def strings(source, n, a, b):
    text = "".join(source.choices("the quick brown fox ", k=n))
    return (
        "int main(void) { char t[100]; int c = 0; strcpy(t, \"%s\"); for (char *p = t; (p = strchr(p, 'o')); p++) c++;\n"
        "printf(\"%%zu %%d\\n\", strlen(t), c); return 0; }\n" % text
    ), "%d %d" % (len(text), text.count("o"))


KINDS = [arithmetic, sorting, heap, floating, strings]


def write(number, folder):
    """Writes program `number`, what it must print, and its lit test; returns (source, image) paths."""
    source = random.Random(number)
    n, a, b = source.randint(5, 60), source.randrange(3, 99, 2), source.randint(1, 999)
    program, expected = KINDS[number % len(KINDS)](source, n, a, b)
    path = os.path.join(folder, "p%03d" % number)
    with open(path + ".c", "w") as file:
        file.write(HEAD + program)
    with open(path + ".expected", "w") as file:
        file.write(expected + "\n")
    with open(path + ".test", "w") as file:
        file.write("RUN: %%run %%S/p%03d | cmp - %%S/p%03d.expected\n" % (number, number))
    return path + ".c", path


def write_hostile(name, folder):
    """Writes one of the programs that misbehave; returns (source, image) paths."""
    path = os.path.join(folder, name)
    with open(path + ".c", "w") as file:
        file.write(HOSTILE[name][0])
    return path + ".c", path
