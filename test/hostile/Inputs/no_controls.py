"""Fails for a file with a character that a terminal obeys, or that is no UTF-8. usage: no_controls.py FILE..."""

import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8", newline="") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            for character in line:
                if ord(character) < 32 or 127 <= ord(character) < 160:
                    sys.exit("%s:%d: %r in %r" % (path, number, character, line))
