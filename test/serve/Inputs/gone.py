"""Waits until a server's socket is gone and no process has the path among its arguments any more.

usage: gone.py SOCKET
"""

import glob
import os
import sys
import time


def processes(word):
    """Numbers of the other processes that have the word among their arguments."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                arguments = file.read().split(b"\0")
        except OSError:
            continue
        if word.encode() in b" ".join(arguments) and int(path.split("/")[2]) != os.getpid():
            found.append(int(path.split("/")[2]))
    return found


def main():
    socket = sys.argv[1]
    end = time.monotonic() + 20
    while time.monotonic() < end:
        left = [p for p in processes("--socket=" + socket) if p != os.getppid()]
        if not os.path.exists(socket) and not left:
            return
        time.sleep(0.05)
    sys.exit("still there: %s" % (socket if os.path.exists(socket) else left))


main()
