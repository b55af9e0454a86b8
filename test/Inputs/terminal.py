"""Fails for a source that writes to a terminal past say() and say_error(). usage: terminal.py SOURCES"""

import os
import re
import sys

# Where the functions are; what has no text from elsewhere: help, and a fixed line before anything is set up.
ALLOWED = {
    "loader/command_line/messages.cpp": r"printable_lines",
    "loader/info/main.cpp": r'outs\(\) << "(OVERVIEW|An IMAGE)',
    # A library of the program's; what its kernels have printed goes out as it is.
    "lending/cuda/client/session.cpp": r"printable\(text\)|fwrite\(bytes",
    "lending/cuda/client/api_memory.cpp": r"memory that was not allocated by CUDA",
    "lending/cuda/client/api_module.cpp": r"device code of several files|variables in managed memory",
    "lending/relay/main.cpp": r'fputs\("gpuexec-relay: gpuexec starts it',
    "lending/isolated/process.cpp": r"printable_lines",
    "replay/player/main.c": r'fprintf\(stderr, "\\\\x%02x", byte\)|fputc\(byte, stderr\)|fputs\(text, stdout\)',
}
WRITES = re.compile(
    r"\b(outs|errs)\(\) *<<|\b(fprintf|vfprintf)\(std(err|out)|\b(fputs|fputc|fwrite)\([^;]*std(err|out)\b|\bperror\(|\bdprintf\("
    r"|write_all\(STD(ERR|OUT)_FILENO"
)


def sources(top):
    for folder in ("lending", "loader", "replay"):
        for path, _, names in os.walk(os.path.join(top, folder)):
            if "/tests" not in path and not path.endswith("replay/player/packed"):
                yield from (os.path.join(path, name) for name in names if name.endswith((".c", ".cpp", ".h")))


found = []
files = sorted(sources(sys.argv[1]))
for path in files:
    name = os.path.relpath(path, sys.argv[1])
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for statement in re.finditer(r"[^;{}]*;", text):
        if WRITES.search(statement[0]) and not re.search(ALLOWED.get(name, r"(?!)"), statement[0]):
            line = text.count("\n", 0, statement.start() + len(statement[0]) - len(statement[0].lstrip())) + 1
            found.append("%s:%d: %s" % (name, line, " ".join(statement[0].split())))
if found:
    sys.exit("\n".join(found + ["write with say() or say_error() (loader/command_line/messages.h)"]))
print("%d files" % len(files))
