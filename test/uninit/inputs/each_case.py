"""Runs each case of a program under --check=uninit.

usage: each_case.py SOURCE bugs|sound COMMAND...

SOURCE has a line 'CASE(name) { // what' for each; COMMAND is run with the name behind it. bugs: each must end with 139
and a report that says 'what' and names the case's function; sound: each must end with 0 and no report."""

import concurrent.futures
import re
import subprocess
import sys

WHAT = {
    "branch": "a branch depends on it",
    "address": "an address depends on it",
    "output": "it is handed to the host",
    "jump": "the target of a jump depends on it",
}


def complaint(kind, name, what, command):
    run = subprocess.run(command + [name], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    report = run.stderr
    if kind == "sound":
        return None if run.returncode == 0 and "device fault" not in report else "status %d\n%s%s" % (
            run.returncode, run.stdout, report)
    if run.returncode != 139 or "use of an undefined value" not in report:
        return "status %d, not found\n%s%s" % (run.returncode, run.stdout, report)
    wanted = [WHAT[one] for one in what.split("_or_")]
    if not any(one in report for one in wanted):
        return "not as '%s'\n%s" % ("' or '".join(wanted), report)
    if not re.search(r"#\d+ 0x[0-9a-f]+ in %s\b" % name, report):
        return "the report does not name the function\n" + report
    return None


source, kind, command = sys.argv[1], sys.argv[2], sys.argv[3:]
cases = re.findall(r"^CASE\((\w+)\) \{(?: // (\w+))?", open(source).read(), re.M)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(lambda case: complaint(kind, *case, command), cases))
for (name, what), problem in zip(cases, results):
    if problem:
        print("%s: %s" % (name, problem))
print("%d of %d cases as they should be" % (sum(p is None for p in results), len(cases)))
sys.exit(any(results) or not cases)
