"""Checks that the sources use one word for one thing: glossary.py ROOT TABLE

TABLE has a line for each word that is not used: a regular expression, the words that are used instead, and the folders and
files where the expression may stand (a foreign interface has its own words). Tabs separate the three. Files of git are read; without
git or a repository all but those of build folders. Each finding is printed with its line; the status is 1 if there is one.
"""

import os
import re
import subprocess
import sys

ENDINGS = (".c", ".cpp", ".h", ".def", ".td", ".py", ".md", ".1", ".test")


def files(root):
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except FileNotFoundError:
        listed = ""
    if listed:
        return [name for name in listed.splitlines() if os.path.isfile(os.path.join(root, name))]
    return [name for name in all_files(root) if not name.startswith((".", "build"))]


def all_files(root):
    return [os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names]


def table(path):
    with open(path) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                fields = line.rstrip("\n").split("\t")
                yield re.compile(fields[0]), fields[1], tuple(fields[2].split() if len(fields) > 2 else ())


def main():
    root, path = sys.argv[1:]
    rows = list(table(path))
    found = 0
    read = 0
    for name in sorted(files(root)):
        if not name.endswith(ENDINGS) or os.path.basename(name).startswith("glossary.") or name == "CHANGELOG.md":
            continue
        with open(os.path.join(root, name), errors="replace") as file:
            lines = file.read().splitlines()
        read += 1
        for pattern, instead, allowed in rows:
            if name.startswith(allowed or ("\0",)):
                continue
            for number, line in enumerate(lines, 1):
                match = pattern.search(line)
                if match:
                    print("%s:%d: '%s': write %s" % (name, number, match[0], instead), file=sys.stderr)
                    found += 1
    print("%d words, %d files" % (len(rows), read))
    return 1 if found else 0


sys.exit(main())
