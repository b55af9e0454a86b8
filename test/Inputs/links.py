#!/usr/bin/env python3
"""Follows the links of Markdown texts to files beside them.

usage: links.py FILE...: prints each link whose file, or whose heading in it, is not there, and the number of links; the exit
status is 1 when one is dead.
"""
import os
import re
import sys


def anchors(path):
    """The names of a text's headings, as GitHub makes them: small letters, no punctuation, hyphens for spaces."""
    with open(path, encoding="utf-8") as file:
        headings = re.findall(r"^#+ +(.*)$", file.read(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).strip().replace(" ", "-") for heading in headings}


def main():
    count, dead = 0, 0
    for text in sys.argv[1:]:
        with open(text, encoding="utf-8") as file:
            lines = re.sub(r"```.*?```", lambda code: "\n" * code[0].count("\n"), file.read(), flags=re.S).split("\n")
        for number, line in enumerate(lines, 1):
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue # of the network
                count += 1
                path, _, anchor = target.partition("#")
                path = os.path.join(os.path.dirname(text), path) if path else text
                if not os.path.exists(path):
                    problem = "no such file"
                elif anchor and anchor not in anchors(path):
                    problem = "no such heading"
                else:
                    continue
                print("%s:%d: %s: %s" % (text, number, target, problem), file=sys.stderr)
                dead += 1
    print("%d links" % count)
    return dead > 0


sys.exit(main())
