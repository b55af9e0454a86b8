#!/usr/bin/env python3
"""Writes a C program that refers to every function of the C library's list that a GPU has: everything.py > everything.c"""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SHIM = os.path.join(ROOT, "libc-shim")


def unavailable():
    names = set()
    for folder, _, files in os.walk(os.path.join(SHIM, "include")):
        for name in files:
            names |= set(re.findall(r"__GPUEXEC_NO_\w+\((\w+)\)", open(os.path.join(folder, name)).read()))
    return names


names = []
for line in open(os.path.join(SHIM, "functions.txt")):
    if not line.startswith("#") and ":" in line:
        names += [name for name in line.split(":", 1)[1].split() if name not in unavailable() and name not in names]
print("// Every function of libc-shim/functions.txt; by names of their own, so that no header is in the way.")
for name in names:
    print(f'void use_{name}(void) __asm__("{name}");')
print("static void (*volatile const all[])(void) = {")
for name in names:
    print(f"    use_{name},")
print("};\nint main(void) {\n  unsigned count = 0;\n  for (; count < sizeof all / sizeof *all; ++count)\n    if (!all[count])\n      return 1;")
print('  return count < 600;\n}')
