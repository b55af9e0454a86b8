"""usage: source_lines.py SOURCE FOLDER OPTIONS... -- COMPILER... -- LAUNCHER...
Compiles SOURCE with each of OPTIONS ("-g -O2") and makes every kind of report; says which cells of the table lack the line that
SOURCE marks with "here: KIND"."""

import re
import subprocess
import sys

source, folder = sys.argv[1:3]
first = sys.argv.index("--")
second = sys.argv.index("--", first + 1)
levels, compiler, launcher = sys.argv[3:first], sys.argv[first + 1:second], sys.argv[second + 1:]
with open(source) as text:
    lines = {kind: number for number, line in enumerate(text, 1) for kind in re.findall(r"here: ([a-z-]+)", line)}
# What gpuexec is told, the status, and what the line in the report begins with.
kinds = {"fault": ([], 139, "in total "), "callback": ([], 139, "in compare "), "division": ([], 136, "in main "),
         "time-limit": (["--timeout", "0.3"], 124, "in main "), "undefined": (["--check=uninit"], 139, "in main "),
         "deadlock": ([], 134, "pthread_mutex_lock at ")}
wrong = []
for level in levels:
    program = folder + "/" + level.replace(" ", "")
    subprocess.check_call(compiler + level.split() + [source, "-o", program])
    for kind, (options, status, before) in kinds.items():
        place = r"%s\S*source-lines\.c:%d\b" % (before, lines[kind])
        # A busy machine may not have come to main() when the time is over.
        for seconds in ("0.3", "3", "20") if "--timeout" in options else ("",):
            done = subprocess.run(launcher + [seconds if option == "0.3" else option for option in options] + [program, kind],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if re.search(place, done.stderr):
                break
        if done.returncode != status or not re.search(place, done.stderr):
            wrong.append("%s, %s: status %d, no '%s' in:\n%s" % (level, kind, done.returncode, place, done.stderr))
if wrong:
    sys.exit("\n".join(wrong))
