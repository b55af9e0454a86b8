"""Compares gpu/pass_runtime.def, what passes and the C library share, with both sides.

usage: pass_runtime.py ROOT [LIBRARIES]

In toolchain/passes each row is used, and no name of the table, or that looks like one, is written as a string. The file of
libc-shim that defines a function of the table includes the prototypes, gpu/pass_runtime.h. With LIBRARIES, the folder of
the targets' libraries (build/lib/gpuexec): libc.a and crt1.o of each target define the functions, names and variables that
they must, and nothing that a pass defines.
"""

import glob
import os
import re
import subprocess
import sys

TRIPLES = ("amdgcn-amd-amdhsa", "nvptx64-nvidia-cuda")
# The kinds of rows whose symbols the C library defines, and which argument the symbol is.
DEFINED = {"FUNCTION": 1, "C_FUNCTION": 0, "NAME": 1, "OWN_VARIABLE": 2, "SYSTEM_CALL": 1, "VARIABLE": 1}
DEFINED_BY_NOBODY = {"PLACEHOLDER": 1, "CLANG_NAME": 1, "PASS_NAME": 1}
# How passes name a row, with its argument `which`.
USED_AS = {"FUNCTION": ("Runtime::", 0), "C_FUNCTION": ("Runtime::", 0), "PLACEHOLDER": ("Runtime::", 0),
           "VARIABLE": ("RuntimeName::", 0), "CLANG_NAME": ("RuntimeName::", 0), "PASS_NAME": ("RuntimeName::", 0),
           "GROUP": ("RuntimeGroup::", 0), "MEMBER": ("RuntimeMember::", 0), "CONSTANT": ("", 0)}
UNUSED_HERE = {"shared_top_at", "shared_top_end"}  # two members of the thread's record (shared_stack.cpp)


def read_rows(root):
    """(kind, [arguments]) of each row"""
    with open(os.path.join(root, "gpu", "pass_runtime.def")) as file:
        text = file.read().rsplit("#endif", 1)[-1]
    text = re.sub(r"//.*", "", text).split("#undef")[0]
    for kind, arguments in re.findall(r"RUNTIME_(\w+)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", text):
        yield kind, [argument.strip() for argument in re.split(r",(?![^(]*\))", arguments)]


def read_passes(root):
    folder = os.path.join(root, "toolchain", "passes")
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.*"), recursive=True)):
        if path.endswith((".cpp", ".h")):
            with open(path) as file:
                yield os.path.relpath(path, folder), re.sub(r"//.*", "", file.read())


def check_passes(root, rows):
    passes = dict(read_passes(root))
    table = {arguments[column] for kind, arguments in rows for column in [{**DEFINED, **DEFINED_BY_NOBODY}.get(kind)]
             if column is not None}
    for name, text in passes.items():
        text = re.sub(r'#include "[^"]*"', "", text)
        for string in re.findall(r'"((?:[^"\\]|\\.)*)"', text):
            if string in table or (re.match(r"(__(?!builtin_)|omp_|pthread_)\w+$", string) and name != "shared/runtime.h"):
                yield '%s: "%s" is a row of gpu/pass_runtime.def, or ought to be' % (name, string)
    users = "\n".join(text for name, text in passes.items() if not name.startswith("shared/runtime."))
    for kind, arguments in rows:
        if kind in USED_AS:
            prefix, which = USED_AS[kind]
            if arguments[which] not in UNUSED_HERE and not re.search(r"\b%s%s\b" % (prefix, arguments[which]), users):
                yield "%s(%s): no pass uses it" % (kind, arguments[which])


def symbols_of(path):
    """symbol -> the object that defines it: NAME.c.o"""
    lines = subprocess.run(["llvm-nm-22", "-A", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return {words[-1]: words[0].rstrip(":").split(":")[-1] for words in map(str.split, lines.splitlines())}


def includes(root, path, wanted, seen):
    """Does the file include `wanted`, directly or through others of libc-shim?"""
    seen.add(path)
    with open(os.path.join(root, path)) as file:
        names = re.findall(r'#include "([^"]+)"', file.read())
    return wanted in names or any(
        includes(root, name, wanted, seen)
        for name in names if name not in seen and name.startswith("libc-shim/") and os.path.exists(os.path.join(root, name)))


def check_library(root, folder, triple, rows):
    defined = symbols_of(os.path.join(folder, triple, "libc.a"))
    for other in "crt1.o", "libsupc++.a":
        defined.update(symbols_of(os.path.join(folder, triple, other)))
    for kind, arguments in rows:
        symbol = arguments[{**DEFINED, **DEFINED_BY_NOBODY}.get(kind, 0)]
        if kind in DEFINED_BY_NOBODY and symbol in defined:
            yield "%s: %s is defined in %s, and passes define it or remove its uses" % (triple, symbol, defined[symbol])
        if kind not in DEFINED or (kind == "SYSTEM_CALL" and not triple.startswith("nvptx")):
            continue
        if symbol not in defined:
            yield "%s: nothing defines %s" % (triple, symbol)
        elif kind == "FUNCTION" or kind == "OWN_VARIABLE":
            source = defined[symbol].removesuffix(".o").removeprefix("libsupc++-unwind-")
            paths = glob.glob(os.path.join(root, "libc-shim", "*", source))
            if not any(includes(root, os.path.relpath(path, root), "gpu/pass_runtime.h", set()) for path in paths):
                yield "libc-shim/*/%s: defines %s without gpu/pass_runtime.h" % (source, symbol)


def main():
    root = sys.argv[1]
    rows = list(read_rows(root))
    problems = list(check_passes(root, rows))
    if len(sys.argv) > 2:
        for triple in TRIPLES:
            problems += check_library(root, sys.argv[2], triple, rows)
    if problems:
        sys.exit("\n".join(problems))
    print("%d rows" % len(rows))


main()
