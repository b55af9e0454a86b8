#!/usr/bin/env python3
"""Prints names that the device's C library defines and its headers do not declare: defined_names.py NM GPUCC ARCHIVE...

configure looks for a function by linking a call of it: what links and is not declared breaks the build that then uses it.
"""

import subprocess
import sys

from declared_names import DIALECTS, HEADERS, has, names

OWN = ["omp.h", "threads.h", "gpuexec.h"]  # headers that the host's library has not
# Names that newlib's own files call in the place of C's, so that they do not take in what the others need.
OF_NEWLIB = {"siprintf", "sniprintf", "siscanf"}
# C11 took it from the headers; old programs declare it.
UNDECLARED = {"gets"}


def defined(nm, archives):
    listed = subprocess.run([nm, "--defined-only", "--extern-only", *archives], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.split("\n")]
    return {row[2] for row in rows if len(row) == 3 and row[1] in "TWVDBR" and not row[2].startswith("_")}


def main():
    nm, gpucc, *archives = sys.argv[1:]
    headers = [header for header in HEADERS + OWN if has([gpucc], header)]
    found = defined(nm, archives)
    if len(found) < 1000:
        sys.exit("only %d names are defined" % len(found))
    for name in sorted(found - names([gpucc], DIALECTS["gnu"], headers) - OF_NEWLIB - UNDECLARED):
        print(name)


if __name__ == "__main__":
    main()
