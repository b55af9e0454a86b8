"""Starts COMMAND..., waits for its first line, sends a signal to one of its threads and prints how it ended.

  crash.py SIGNAL COMMAND...   the thread is not the main thread
"""
import ctypes
import os
import signal
import subprocess
import sys

number, command = getattr(signal, sys.argv[1]), sys.argv[2:]
process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
first = process.stdout.readline()
others = sorted(int(t) for t in os.listdir("/proc/%d/task" % process.pid) if int(t) != process.pid)
assert ctypes.CDLL(None).syscall(234, process.pid, others[0], int(number)) == 0  # tgkill
out, error = process.communicate(timeout=60)
sys.stdout.write((first + out).decode() + error.decode())
print("status", process.returncode)
