"""Compares the options that a program's --help names with those of its manual page, both ways.

COMMAND may have several words.

usage: manual.py PAGE COMMAND [OPTION-THAT-ONLY-THE-PAGE-HAS...]
"""

import re
import subprocess
import sys

page, command, only_page = sys.argv[1], sys.argv[2], set(sys.argv[3:])
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")

text = subprocess.run(command.split() + ["--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
table = {option for line in text.splitlines() for option in OPTION.findall(line.split("  ", 2)[1] if line.startswith("  ") else "")}

described = set()
with open(page) as file:
    after_tag = False
    for line in file:
        if after_tag:  # the line after .TP has what is described
            plain = re.sub(r"\\f[A-Z]", "", line).replace("\\-", "-").replace('"', " ").replace(",", " ")
            described |= set(OPTION.findall(plain))
        after_tag = line.strip() == ".TP"

problems = ["%s: not in %s" % (option, page) for option in sorted(table - described)]
problems += ["%s: not in %s --help" % (option, command) for option in sorted(described - table - only_page)]
if len(table) < 4 or len(described) < 4:
    problems.append("this test does not see the options: %s %s" % (table, described))
if problems:
    sys.exit("\n".join(problems))
