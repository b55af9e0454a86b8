#!/usr/bin/env python3
"""Every source of the product names its license in its first lines.

usage: licenses.py FOLDER: prints each source without the line, and the number of sources; the exit status is 1 when one lacks
it. Tests, documentation and examples are left out: their lines are numbered, or shown to users (REUSE.toml speaks for them).
"""
import os
import sys

LINE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SOURCES = (".c", ".h", ".cpp", ".def", ".inc", ".cu", ".td", ".py", ".sh", ".cmake", ".bash")
LEFT_OUT = {"test", "docs", "examples", "__pycache__"}


def main():
    root = sys.argv[1]
    count, missing = 0, 0
    for folder, folders, files in os.walk(root):
        top = folder == root
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not (top and (f in LEFT_OUT or f.startswith("build"))))
        for name in sorted(files):
            if not name.endswith(SOURCES) and name != "CMakeLists.txt":
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                first = [file.readline() for _ in range(3)]
            count += 1
            if not any(LINE in line for line in first):
                print("%s:1: no line '%s'" % (os.path.relpath(path, root), LINE), file=sys.stderr)
                missing += 1
    print("%d sources" % count)
    return missing > 0


sys.exit(main())
