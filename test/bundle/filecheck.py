#!/usr/bin/env python3
"""As much of LLVM's FileCheck as the bundled tests need, for machines without LLVM.

usage: FileCheck CHECK-FILE [--check-prefix=P] [--check-prefixes=P,Q] [-DNAME=VALUE] [--allow-empty] < INPUT

Knows CHECK, -NEXT, -SAME, -NOT, -DAG, -EMPTY, {{regular expressions}}, [[NAME]], [[NAME:expression]], [[#@LINE + N]].
"""

import re
import sys


MOST_INPUT = 64 * 1024  # characters of a wrong input that are shown


class Directive:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


def read_directives(path, prefixes):
    pattern = re.compile(
        r"(?<![\w-])(?:%s)(|-NEXT|-SAME|-NOT|-DAG|-EMPTY|-LABEL):(.*)" % "|".join(map(re.escape, prefixes))
    )
    directives = []
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            found = pattern.search(line.rstrip("\n"))
            if found:
                kind = {"-LABEL": ""}.get(found.group(1), found.group(1))
                directives.append(Directive(kind, found.group(2).strip(), number))
    return directives


def to_regex(directive, variables):
    """The directive's text as a regular expression over one line, and the names it captures."""
    parts, names = [], []
    for piece in re.split(r"(\{\{.*?\}\}(?!\})|\[\[.*?\]\](?!\]))", directive.text):
        if piece.startswith("{{"):
            parts.append("(?:%s)" % piece[2:-2].replace("[[:space:]]", r"\s"))
        elif piece.startswith("[[#") and piece[3:].lstrip().startswith("@LINE"):
            offset = piece[piece.index("@LINE") + len("@LINE") : -2].replace(" ", "")
            parts.append(str(directive.line + int(offset or "0")))
        elif piece.startswith("[[") and ":" in piece:
            name, expression = piece[2:-2].split(":", 1)
            parts.append("(?P<%s>%s)" % (name, expression))
            names.append(name)
        elif piece.startswith("[["):
            name = piece[2:-2]
            parts.append("(?P=%s)" % name if name in names else re.escape(variables[name]))
        else: # white space in a row is one space, on both sides
            parts.append(r"[ \t]+".join(re.escape(word) for word in re.split(r"[ \t]+", piece)))
    return re.compile("".join(parts), re.M), names


def check(directives, text, variables):
    """None when the text satisfies the directives, else what is wrong."""
    at = 0  # everything before is consumed
    nots = []

    def find(directive, begin, end):
        regex, names = to_regex(directive, variables)
        found = regex.search(text, begin, end)
        if found:
            variables.update({name: found.group(name) for name in names})
        return found

    def forbidden(begin, end):
        for directive in nots:
            if find(directive, begin, end):
                return "line %d: found what must not be there: %s" % (directive.line, directive.text)
        nots.clear()
        return None

    def end_of_line(position):
        end = text.find("\n", position)
        return len(text) if end < 0 else end

    index = 0
    while index < len(directives):
        directive = directives[index]
        if directive.kind == "-NOT":
            nots.append(directive)
            index += 1
            continue
        if directive.kind == "-DAG":
            group = []
            while index < len(directives) and directives[index].kind == "-DAG":
                group.append(directives[index])
                index += 1
            taken, begin = [], at
            for one in group:
                position = begin
                while True:
                    found = find(one, position, len(text))
                    if not found:
                        return "line %d: not found: %s" % (one.line, one.text)
                    if all(found.end() <= b or found.start() >= e for b, e in taken):
                        break
                    position = max(found.start() + 1, min(e for b, e in taken if found.start() < e))
                taken.append((found.start(), found.end()))
            problem = forbidden(begin, min(b for b, _ in taken))
            if problem:
                return problem
            at = max(e for _, e in taken)
            continue
        begin, end = at, len(text)
        if directive.kind == "-SAME":
            end = end_of_line(at)
        elif directive.kind in ("-NEXT", "-EMPTY"):
            begin = end_of_line(at) + 1
            end = end_of_line(begin)
            if begin > len(text):
                return "line %d: no next line: %s" % (directive.line, directive.text)
        if directive.kind == "-EMPTY":
            if end != begin:
                return "line %d: the next line is not empty" % directive.line
            at = end
        else:
            found = find(directive, begin, end)
            if not found:
                near = text[begin : end_of_line(begin)]
                return "line %d: not found: %s\n  looked from: %s" % (directive.line, directive.text, near)
            problem = forbidden(begin, found.start())
            if problem:
                return problem
            at = found.end()
        index += 1
    return forbidden(at, len(text))


def main():
    prefixes, variables, path, allow_empty = [], {}, None, False
    arguments = iter(sys.argv[1:])
    for argument in arguments:
        if argument.startswith("-D"):
            name, value = argument[2:].split("=", 1)
            variables[name] = value
        elif argument.lstrip("-").startswith("check-prefix"):
            value = argument.split("=", 1)[1] if "=" in argument else next(arguments)
            prefixes += value.split(",")
        elif argument.lstrip("-") == "allow-empty":
            allow_empty = True
        elif argument.startswith("-"):
            sys.exit("FileCheck: option %s is not known here" % argument)
        else:
            path = argument
    directives = read_directives(path, prefixes or ["CHECK"])
    if not directives:
        sys.exit("FileCheck: %s has no directives" % path)
    text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    if not text and not allow_empty:
        sys.exit("FileCheck: the input is empty")
    problem = check(directives, text, variables)
    if problem:
        sys.exit("%s: %s\n--- input ---\n%s" % (path, problem, text[:MOST_INPUT]))


if __name__ == "__main__":
    main()
