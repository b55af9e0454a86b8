"""Ends a program that prints at random moments and checks what came. usage: kill_output.py MOMENTS COMMAND...

COMMAND, whose options end with `--`, prints lines "N word 0.5N" (test/program/killed-output.c). After every tenth line, or every line with the
argument `line`, it notes the number of lines on standard error by write(2). In every case the output must be a beginning of the whole text. Besides, as natively, a line that a
line-buffered program has ended is not lost, whatever ends the program; and what gpuexec promises beyond that: with --timeout, SIGTERM and SIGINT
nothing is lost that was printed before.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

moments, command = int(sys.argv[1]), sys.argv[2:]
seed = int(os.environ.get("SEED", random.SystemRandom().randrange(1 << 32)))
print("seed", seed, flush=True)
pick = random.Random(seed)
LINES = 10000000  # more than any machine prints before it is ended


def text(lines):
    return b"".join(b"%d word %s\n" % (i, b"%d.5" % (i // 2) if i % 2 else b"%d.0" % (i // 2)) for i in range(lines))


WHOLE = text(20000)


def end(mode, how, after):
    """(standard output, last number noted) of a program that is ended `how` so many seconds after its first note."""
    options = ["--timeout=%.3f" % (0.15 + after)] if how == "timeout" else []
    with tempfile.TemporaryFile() as out:
        at = command.index("--")
        process = subprocess.Popen(command[:at] + options + command[at + 1:] + [mode, str(LINES)], stdout=out, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        notes = process.stderr.read1(64)
        if how != "timeout":
            time.sleep(after)
            process.send_signal(how)
        notes += process.stderr.read()
        status = process.wait()
        out.seek(0)
        output = out.read()
    if status not in ([124] if how == "timeout" else [-how, 128 + how]):
        sys.exit("%s: status %d: %s" % (how, status, notes[-500:]))
    numbers = [int(line) for line in notes.split(b"\n")[:-1] if line.isdigit()]
    return output, numbers[-1] if numbers else 0


WAYS = ["timeout", signal.SIGTERM, signal.SIGINT, signal.SIGKILL]
most = 0
for moment in range(moments):
    mode, how, after = pick.choice(["full", "line"]), WAYS[moment % len(WAYS)], pick.random() * 0.2
    output, noted = end(mode, how, after)
    where = "moment %d, %s, %s after %.3f s: %d bytes, line %d was noted" % (moment, mode, how, after, len(output), noted)
    while len(WHOLE) < len(output):
        WHOLE = text(2 * WHOLE.count(b"\n"))
    if not WHOLE.startswith(output):
        sys.exit(where + "; not a beginning of the text: ..." + repr(output[-80:]))
    if output.count(b"\n") < noted and (mode == "line" or how != signal.SIGKILL):
        sys.exit(where + "; %d lines came" % output.count(b"\n"))
    most = max(most, output.count(b"\n"))
if not most:
    sys.exit("no moment had any line")
print(moments, "moments, at most", most, "lines")
