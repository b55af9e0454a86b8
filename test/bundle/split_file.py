#!/usr/bin/env python3
"""LLVM's split-file for machines without it: writes the parts of a file, which begin with '#--- NAME' or '//--- NAME'.

usage: split-file FILE DIRECTORY
"""

import os
import re
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.rsplit("\n\n", 1)[1].strip())
    with open(sys.argv[1], "rb") as file:
        pieces = re.split(rb"^(?:#|//)--- (.+)\n", file.read(), flags=re.M)
    if len(pieces) < 2:
        sys.exit("split-file: %s: no line begins with '#--- ' or '//--- '" % sys.argv[1])
    for name, text in zip(pieces[1::2], pieces[2::2]):
        path = os.path.join(sys.argv[2], name.decode())
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as part:
            part.write(text)


if __name__ == "__main__":
    main()
