"""Checks the output of printf-threads.c: every line whole and there once. usage: thread_lines.py FILE THREADS BLOCKS"""

import sys
from collections import Counter

path, threads, blocks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
expected = Counter(
    "block %d thread %d says %.2f and %s" % (block, thread, block + thread / 4, "x" * (thread % 50))
    for block in range(blocks)
    for thread in range(threads)
)
with open(path, encoding="latin-1") as file:
    text = file.read()
if not text.endswith("\n"):
    sys.exit("the last line has no end")
got = Counter(text[:-1].split("\n"))
if got != expected:
    missing, extra = list(expected - got), list(got - expected)
    print("%d lines missing, such as %r" % (len(missing), missing[:3]))
    print("%d lines too many, such as %r" % (len(extra), extra[:3]))
    sys.exit(1)
print("%d lines, all there" % len(got))
