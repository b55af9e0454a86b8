#!/usr/bin/env python3
"""Runs a program and sends it signals from outside: send_signals.py SIGNALS COMMAND...

SIGNALS, separated by commas: a name such as USR1, or several as USR1+USR2; `=TEXT`: a line for the program's standard input. The next is
sent when the program has printed a line that ends with `?`. Prints what the program prints, and how it ended as a shell says it."""

import signal
import subprocess
import sys
import time

program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                           # lit's workers ignore SIGINT and nohup SIGHUP, and what is ignored is inherited.
                           preexec_fn=lambda: [signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)])
todo = sys.argv[1].split(",")
for line in program.stdout:
    print(line, end="", flush=True)
    if not line.endswith("?\n"):
        continue
    if not todo:
        break
    for what in todo.pop(0).split("+"):
        time.sleep(0.2)  # now the program waits
        if what.startswith("="):
            program.stdin.write(what[1:] + "\n")
            program.stdin.flush()
        else:
            program.send_signal(getattr(signal, "SIG" + what))
status = program.wait(timeout=60)
print("status %d" % (status if status >= 0 else 128 - status))
