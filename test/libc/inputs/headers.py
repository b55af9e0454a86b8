#!/usr/bin/env python3
"""Writes a source file for each header of the device's C library: headers.py INCLUDE FOLDER"""
import os
import sys

include, folder = sys.argv[1:]
C17 = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype""".split()
NOT_CPP = {"complex", "stdatomic", "tgmath"}  # C++ has others of these names
found = set()
for part in ("gpuexec", "newlib"):
    root = os.path.join(include, part)
    for path, folders, files in os.walk(root):
        # The parts of other headers, and those of services (gpuexec/client.h), are not for everybody.
        folders[:] = [f for f in folders if f not in ("gpuexec", "machine", "ssp", "rpc")]
        found |= {os.path.relpath(os.path.join(path, f), root) for f in files if f.endswith(".h") and not f.startswith("_")}
found |= {name + ".h" for name in C17}
for name in sorted(found):
    base = name[:-2].replace("/", "_")
    text = f"#include <{name}>\n#include <{name}>\nint main(void) {{ return 0; }}\n"
    with open(os.path.join(folder, base + ".c"), "w") as file:
        file.write(text)
    if name[:-2] in C17 and name[:-2] not in NOT_CPP:
        with open(os.path.join(folder, base + ".cpp"), "w") as file:
            file.write(text)
