"""Checks the banner lines of the sources, '//===-- loader/main.cpp - What it holds ---===//': each is one whole line, and the
one that opens a file names that file.

usage: banners.py ROOT [--repair]       (--repair writes whole lines, 80 columns wide where the text leaves room)
"""

import os
import re
import sys

SOURCES = (".h", ".c", ".cpp", ".def", ".td", ".inc")
FOLDERS = ("bench", "debug-info", "disassembly", "emulator", "examples", "gpu", "lending", "libc-shim", "loader", "offload", "replay",
           "rpc", "services", "startup", "support", "test", "toolchain")


def banner(text, path, opens):
    """The whole line for a banner of which `text` is the words, with or without rest of a line."""
    text = re.sub(r"[ -]*(-\*- C\+\+|- C\+\+)?( -\*-)?[ -]*=*/*$", "", text)
    if opens:
        text = re.sub(r"^//===-- \S+/\S+", lambda _: "//===-- " + path, text)
    end = "-*- C++ -*-===//" if opens and path.endswith(".h") else "===//"
    return text + " " + "-" * (80 - len(text) - 1 - len(end)) + end


def is_broken(line):
    return line.startswith("//===-") and not line.endswith("===//")


def names_other(lines, path):
    found = re.match(r"//===-- (\S+/\S+)", lines[0]) if lines else None
    return found.group(1) if found and found.group(1) != path else None


def problems_of(lines, path):
    for number, line in enumerate(lines, 1):
        if is_broken(line):
            yield "%s:%d: a banner that is no whole line: %s" % (path, number, line)
    other = names_other(lines, path)
    if other:
        yield "%s:1: a banner that names %s" % (path, other)


def repaired(lines, path):
    result, number = [], 0
    while number < len(lines):
        line = lines[number]
        opens = number == 0
        if is_broken(line):
            rest = lines[number + 1] if number + 1 < len(lines) else ""
            if re.match(r"//(?!===-).*==//$", rest):  # the formatter moved the end there
                words = re.sub(r"[ -]*(-\*-)?[-=]*//$", "", rest[2:]).strip()
                line = line.rstrip() + (" " + words if words else "")
                number += 1
            line = banner(line, path, opens)
        elif opens and names_other(lines, path):
            line = banner(line, path, opens)
        result.append(line)
        number += 1
    return result


def main():
    root, repair = sys.argv[1], "--repair" in sys.argv[2:]
    paths = sorted(
        os.path.relpath(os.path.join(folder, name), root)
        for top in FOLDERS
        for folder, _, names in os.walk(os.path.join(root, top))
        for name in names
        if name.endswith(SOURCES)
    )
    problems = []
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().split("\n")
        found = list(problems_of(lines, path))
        if found and repair:
            with open(os.path.join(root, path), "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write("\n".join(repaired(lines, path)))
        else:
            problems += found
    if problems:
        sys.exit("\n".join(problems))
    print("%d sources" % len(paths))


main()
