"""Holds every #include of the sources to the table "Who may know whom" of docs/architecture.md, and finds circles: folders
that know each other, directly or through others. (A folder and the ones inside it are one thing: there it is allowed.)

usage: layers.py ROOT
"""

import os
import re
import sys

root = sys.argv[1]
with open(os.path.join(root, "docs", "architecture.md")) as file:
    table = file.read().split("includes only |\n", 1)[1].split("\n\n", 1)[0]
rules = {}  # folder -> folders that it may include from; None: all
for line in table.splitlines()[1:]:
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    folders = re.findall(r"`([\w/-]+/)`", cells[0])
    allowed = None if cells[2] == "everything" else folders + re.findall(r"`([\w/-]+/)`", cells[2])
    rules.update({folder: allowed for folder in folders})

tops = {folder.split("/")[0] for folder in rules}
problems, includes = [], 0
knows = {}  # folder -> folder that it includes from -> where
for top in sorted(tops):
    for folder, _, names in os.walk(os.path.join(root, top)):
        for name in names:
            if not name.endswith((".h", ".c", ".cpp", ".def", ".inc")):
                continue
            path = os.path.relpath(os.path.join(folder, name), root)
            rule = max((r for r in rules if path.startswith(r)), key=len, default=None)
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                for number, line in enumerate(file, 1):
                    found = re.match(r'\s*#\s*include\s+"([\w-]+)/', line)
                    if not found or found.group(1) not in tops:
                        continue
                    includes += 1
                    target = line.split('"')[1]
                    here, there = os.path.dirname(path) + "/", os.path.dirname(target) + "/"
                    if not here.startswith(there) and not there.startswith(here):
                        knows.setdefault(here, {}).setdefault(there, "%s:%d" % (path, number))
                    if rule is None:
                        problems.append("%s:%d: in no row of the table" % (path, number))
                    elif rules[rule] is not None and not target.startswith(tuple(rules[rule])):
                        problems.append("%s:%d: includes %s; %s knows only %s" % (path, number, target, rule, ", ".join(rules[rule])))


def way(start, end):
    """The folders from `start` to `end`, each including from the next; None when there is no way."""
    ways = {start: [start]}
    left = [start]
    while left:
        folder = left.pop(0)
        for to in sorted(knows.get(folder, ())):
            if to == end:
                return ways[folder] + [to]
            if to not in ways:
                ways[to] = ways[folder] + [to]
                left.append(to)
    return None


told = set()
for here in sorted(knows):
    back = way(here, here)
    if back and not told.intersection(back):
        told.update(back)
        problems.append("%s: a circle: %s" % (knows[here][back[1]], " -> ".join(back)))
if includes < 100:
    problems.append("only %d includes found: this test sees nothing" % includes)
if problems:
    sys.exit("\n".join(problems))
