"""Programs on a lent device and on one of their own: they print the same, end with the same status, and leave nothing.

usage: lent.py GPUEXEC SOCKET COMMAND...        each COMMAND a program and its arguments, in one word
       lent.py --kill GPUEXEC SOCKET PROGRAM    PROGRAM starts a kernel that does not end: worker and client are killed
"""

import os
import re
import signal
import subprocess
import sys
import time

TIMEOUT = 60


def run(words, **settings):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, **settings)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def status(gpuexec, socket):
    return run([gpuexec, "serve", "--socket", socket, "--status"])[1]


def compare(gpuexec, socket, commands):
    for command in commands:
        words = command.split()
        own = run([gpuexec, "cuda", "--server=off"] + words)
        lent = run([gpuexec, "cuda", "--server=" + socket] + words)
        if own != lent:
            sys.exit("%s:\nof its own: %s\nlent: %s" % (command, own, lent))
    both = [subprocess.Popen([gpuexec, "cuda", "--server=" + socket] + commands[0].split(), stdout=subprocess.PIPE) for _ in range(2)]
    outputs = {process.communicate(timeout=TIMEOUT)[0] for process in both}
    if len(outputs) != 1 or any(process.returncode for process in both):
        sys.exit("two at once: %s" % outputs)
    print("%d programs: the same" % len(commands))


def settle(gpuexec, socket, gone):
    """Waits until the worker has gone and nothing is lent."""
    end = time.monotonic() + TIMEOUT
    while os.path.exists("/proc/%d/exe" % gone) or " lent " in status(gpuexec, socket):
        if time.monotonic() > end:
            sys.exit("left: " + status(gpuexec, socket))
        time.sleep(0.05)


def kill(gpuexec, socket, program):
    for victim in "worker", "client":
        process = subprocess.Popen([gpuexec, "cuda", "--server=" + socket, program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(0.2)
        worker = int(re.search(r"worker (\d+): lent", status(gpuexec, socket)).group(1))
        os.kill(worker if victim == "worker" else process.pid, signal.SIGKILL)
        output, errors = process.communicate(timeout=TIMEOUT)
        settle(gpuexec, socket, worker)
        print(victim, process.returncode, output.decode().strip(), errors.decode().strip())


if sys.argv[1] == "--kill":
    kill(*sys.argv[2:])
else:
    compare(sys.argv[1], sys.argv[2], sys.argv[3:])
