"""The table of messages in docs/lending.md is that of lending/wire/requests.def.

usage: requests.py ROOT [--write]       (--write: writes the table into the page)

Each row of requests.def has its meaning in the comment above it. Fails for a row that has none, where the page differs, and for
a number that two messages have.
"""

import os
import re
import sys

BEGIN, END = "<!-- from lending/wire/requests.def -->\n", "<!-- end -->\n"


def arguments(text, start):
    """The arguments of a macro whose '(' is at `start`, and where it ends."""
    parts, depth, begin = [], 0, start + 1
    for at in range(start, len(text)):
        if text[at] in "(<":
            depth += 1
        elif text[at] in ")>":
            depth -= 1
        if depth == 0 or (depth == 1 and text[at] == ","):
            parts.append(" ".join(text[begin:at].split()))
            begin = at + 1
        if depth == 0:
            return parts, at + 1
    sys.exit("requests.def: a macro without an end")


def fields(text):
    """FIELD(type, name, limit) ... as "name: type, up to limit; ..."."""
    found, at = [], 0
    while "FIELD(" in text[at:]:
        parts, at = arguments(text, text.index("FIELD(", at) + len("FIELD"))
        limit = parts[2] if len(parts) > 2 and not parts[2].startswith("known_") else ""
        kind = re.sub(r"std::|_t\b", "", parts[0])
        found.append("%s: %s%s" % (parts[1], kind, ", up to " + limit.removeprefix("Queue::") if limit else ""))
    return "; ".join(found) or "-"


def roles(text):
    return text.lower().replace("_", "'s ").replace(" | ", ", ")


def rows(text):
    for row in re.finditer(r"^(REQUEST|MESSAGE|RECORD|FOREIGN)\(", text, re.M):
        parts, _ = arguments(text, row.end() - 1)
        above = text[:row.start()].split("\n")[-2::-1]
        comment = []
        for line in above:
            if not line.startswith("// "):
                break
            comment.insert(0, line[3:])
        yield row.group(1), parts, " ".join(comment)


def table(text):
    lines = ["| number | message | from | read by | fields | reply | meaning |", "| --- | --- | --- | --- | --- | --- | --- |"]
    records, numbers, problems = [], {}, []
    for kind, parts, comment in rows(text):
        if kind in ("RECORD", "FOREIGN"):
            records.append("- `%s`: %s" % (parts[0], fields(parts[1])))
            continue
        name, number = parts[:2]
        if numbers.setdefault(int(number, 0), name) != name:
            problems.append("%s has the number of %s" % (name, numbers[int(number, 0)]))
        if not comment and kind == "REQUEST":
            problems.append("%s: no comment says what it means" % name)
        if kind == "REQUEST":
            sender, reader, content, reply = "client", parts[2], parts[3], fields(parts[4])
        else:
            sender, reader, content, reply = roles(parts[2]), parts[3], parts[4], ""
        lines.append("| %s | %s | %s | %s | %s | %s | %s |" % (number, name, sender, roles(reader), fields(content), reply, comment))
    if problems:
        sys.exit("\n".join("requests.def: " + problem for problem in problems))
    return "\n".join(lines) + "\n\nParts of messages:\n\n" + "\n".join(records) + "\n"


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "lending", "wire", "requests.def"), encoding="utf-8") as file:
        text = file.read()
    page = os.path.join(root, "docs", "lending.md")
    with open(page, encoding="utf-8") as file:
        before, rest = file.read().split(BEGIN)
    found, after = rest.split(END)
    if "--write" in sys.argv[2:]:
        with open(page, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + table(text) + END + after)
    elif found != table(text):
        sys.exit("docs/lending.md: the table is not that of lending/wire/requests.def; test/Inputs/requests.py . --write writes it")
    print("%d messages" % len(re.findall(r"^(?:REQUEST|MESSAGE)\(", text, re.M)))


main()
