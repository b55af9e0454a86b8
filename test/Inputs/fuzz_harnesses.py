#!/usr/bin/env python3
"""fuzz_harnesses.py BUILD: whether each fuzzer's own source still fits the code that it calls.

`./check` does not build the fuzzers. This compiles the source of each that its folder's name or its own says to be a fuzzer's, with the
build's own command, as far as the compiler's last message. Prints how many there are; the exit status is 1 when one does not compile.
"""

import json
import os
import re
import shlex
import subprocess
import sys

NOT_FOR_SYNTAX = re.compile(r"-Xclang -include-pch -Xclang \S+ -Xclang -include -Xclang \S+|-Winvalid-pch|-o \S+ -c")


def harnesses(build):
    """(source, command) of each fuzzer's own source."""
    with open(os.path.join(build, "compile_commands.json")) as file:
        commands = json.load(file)
    for entry in commands:
        if re.search(r"/fuzz-[\w-]+\.dir/", entry["command"]) and "fuzz" in os.path.basename(entry["file"]):
            yield entry["file"], NOT_FOR_SYNTAX.sub("", entry["command"]) + " -fsyntax-only"


def main():
    build = sys.argv[1]
    count = failed = 0
    for source, command in harnesses(build):
        count += 1
        failed += subprocess.run(shlex.split(command), cwd=build).returncode != 0
    print("%d fuzzers, %d do not compile" % (count, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
