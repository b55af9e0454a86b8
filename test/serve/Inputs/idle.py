"""Kills all idle workers of a server and runs a program at once, again and again.

usage: idle.py GPUEXEC SOCKET IMAGE
"""

import os
import re
import signal
import subprocess
import sys

ROUNDS = 30

gpuexec, socket, image = sys.argv[1:]


def workers():
    status = subprocess.run([gpuexec, "serve", "--socket=" + socket, "--status"], check=True, stdout=subprocess.PIPE,
                            text=True).stdout
    return [int(number) for number in re.findall(r"worker (\d+):", status)]


expected = subprocess.run([gpuexec, "--server=" + socket, image], stdout=subprocess.PIPE).stdout
for turn in range(ROUNDS):
    for worker in workers():
        try:
            os.kill(worker, signal.SIGKILL)
        except ProcessLookupError:
            pass
    run = subprocess.run([gpuexec, "--server=" + socket, image], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode or run.stdout != expected or run.stderr:
        sys.exit("FAILED: round %d: status %d, %r, %r" % (turn, run.returncode, run.stdout, run.stderr))
print("%d programs, every one with its output" % ROUNDS)
