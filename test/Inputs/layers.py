"""Checks every #include "..." of the sources against the table "Who may know whom" of docs/architecture.md, and finds
circles of includes.

usage: layers.py ROOT

What it reports:
  - a file that includes from a folder that its row of the table does not name;
  - folders that include from each other, directly or through others. The files of a folder itself are a room of their own:
    a folder and a folder in it must not include from each other either;
  - files that include each other, directly or through others, in any folder.
The name in an #include is looked for as the compilers do: beside the including file ("../image/image.h" too), then from
ROOT. A name that is in neither place belongs to a folder given with -I when just one file of the sources ends with it.
"""

import os
import re
import sys

SOURCES = (".h", ".c", ".cpp", ".def", ".inc")

# Includes between a folder and a folder in it that make circles today: (including, included).
KNOWN = {
    ("toolchain/passes/shared/", "toolchain/passes/"),  # to be removed by 43.7: the contract of passes and C library
}


def read_table(root):
    """folder -> folders that it may include from (None: from everywhere)"""
    with open(os.path.join(root, "docs", "architecture.md")) as file:
        table = file.read().split("includes only |\n", 1)[1].split("\n\n", 1)[0]
    rules = {}
    for line in table.splitlines()[1:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        folders = re.findall(r"`([\w/-]+/)`", cells[0])
        allowed = None if cells[2] == "everything" else folders + re.findall(r"`([\w/-]+/)`", cells[2])
        rules.update({folder: allowed for folder in folders})
    return rules


def find_sources(root, tops):
    """The paths, relative to root, of all sources below the folders `tops`."""
    return {
        os.path.relpath(os.path.join(folder, name), root)
        for top in tops
        for folder, _, names in os.walk(os.path.join(root, top))
        for name in names
        if name.endswith(SOURCES)
    }


def find_includes(root, sources, tops):
    """(including path, line number, included path) for each include of one source by another."""
    by_name = {}
    for path in sources:
        by_name.setdefault(os.path.basename(path), []).append(path)
    for path in sorted(sources):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
                if not found:
                    continue
                name = found.group(1)
                beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
                elsewhere = [p for p in by_name.get(os.path.basename(name), ()) if p.endswith("/" + name)]
                if beside in sources:
                    yield path, number, beside
                elif name.split("/")[0] in tops:
                    yield path, number, os.path.normpath(name)
                elif len(elsewhere) == 1:
                    yield path, number, elsewhere[0]


def circle_through(knows, start):
    """The shortest way [start, ..., start] along knows (node -> nodes), or None."""
    ways = {start: [start]}
    left = [start]
    while left:
        node = left.pop(0)
        for to in sorted(knows.get(node, ())):
            if to == start:
                return ways[node] + [to]
            if to not in ways:
                ways[to] = ways[node] + [to]
                left.append(to)
    return None


def circles(knows):
    """A message for each circle in knows (node -> node -> "path:line" of an include); each node is in one message at most."""
    told = set()
    for node in sorted(knows):
        circle = circle_through(knows, node)
        if circle and not told.intersection(circle):
            told.update(circle)
            yield "%s: a circle: %s" % (knows[node][circle[1]], " -> ".join(circle))


def main():
    root = sys.argv[1]
    rules = read_table(root)
    tops = {folder.split("/")[0] for folder in rules}
    problems, includes = [], 0
    folders, files = {}, {}  # node -> node that it includes from -> where
    for path, number, target in find_includes(root, find_sources(root, tops), tops):
        includes += 1
        where = "%s:%d" % (path, number)
        files.setdefault(path, {}).setdefault(target, where)
        here, there = os.path.dirname(path) + "/", os.path.dirname(target) + "/"
        if here != there and (here, there) not in KNOWN:
            folders.setdefault(here, {}).setdefault(there, where)
        rule = max((r for r in rules if path.startswith(r)), key=len, default=None)
        if rule is None:
            problems.append("%s: in no row of the table" % where)
        elif rules[rule] is not None and not target.startswith(tuple(rules[rule])):
            problems.append("%s: includes %s; %s knows only %s" % (where, target, rule, ", ".join(rules[rule])))
    problems += [*circles(folders), *circles(files)]
    if problems:
        sys.exit("\n".join(problems))
    print("%d includes" % includes)


main()
