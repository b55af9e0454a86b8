"""Holds toolchain/passes to its table: a row of passes.def has a source and a test, and a source has a row.

usage: passes.py ROOT
"""

import glob
import os
import re
import sys

root = sys.argv[1]
folder = os.path.join(root, "toolchain", "passes")
with open(os.path.join(folder, "passes.def")) as file:
    text = "".join(line for line in file if not line.startswith("//"))
rows = re.findall(r'PASS\((\w+), (language|openmp|fixes|speed), (?:Module|Function|MachineFunction), (?:AMD|NVIDIA|All), (?:Start|Compile|Link|Backend|Structurizer|Selection|Spilling|Emission),'
                  r'\s*"(?:LLVM \d+)?",\s*"[^"]+",\s*"([^"]+)"\)', text)
problems = []
if not rows or len(rows) != text.count("PASS("):
    problems.append("passes.def: %d of %d rows are of the form that its head describes" % (len(rows), text.count("PASS(")))
for name, kind, test in rows:
    if not os.path.exists(os.path.join(folder, kind, name + ".cpp")):
        problems.append("passes.def: %s: there is no %s/%s.cpp" % (name, kind, name))
    path = os.path.join(root, "test", test)
    if not os.path.exists(path):
        problems.append("passes.def: %s: there is no test/%s" % (name, test))
    else:
        with open(path) as file:
            if "RUN:" not in file.read():
                problems.append("passes.def: %s: test/%s is no test" % (name, test))
sources = {os.path.relpath(path, folder)[:-4] for path in glob.glob(os.path.join(folder, "**", "*.cpp"), recursive=True)}
listed = {"%s/%s" % (kind, name) for name, kind, _ in rows} | {"plugin"}
for name in sorted(name for name in sources - listed if not name.startswith("shared/")):
    problems.append("%s.cpp: in no row of passes.def" % name)
if problems:
    sys.exit("\n".join(problems))
