"""Runs a command that must fail with the expected status, nothing on standard output, and one line on standard error that
begins with 'gpuexec: error: ', or as a line of PROGRAM's, and contains every given text.

usage: one_line.py [--of=PROGRAM] STATUS TEXT[,TEXT...] COMMAND...          (standard input is passed on)
"""

import subprocess
import sys

program = sys.argv.pop(1)[len("--of=") :] if sys.argv[1].startswith("--of=") else "gpuexec"
status, texts, command = int(sys.argv[1]), sys.argv[2].split(","), sys.argv[3:]
result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
error = result.stderr.decode("utf-8", "replace")
problems = []
if result.returncode != status:
    problems.append("status %d, expected %d" % (result.returncode, status))
if result.stdout:
    problems.append("something on standard output: %r" % result.stdout[:200])
if error.count("\n") != 1 or not error.endswith("\n") or not error.startswith(program + ": error: "):
    problems.append("not one line that begins with '%s: error: '" % program)
problems += ["%r is not said" % text for text in texts if text not in error]
print(error, end="")
if problems:
    sys.exit("\n".join(problems))
