"""Runs an image with exit statuses from 0 to 255 and a few larger ones: the launcher's status must be their low 8 bits.

usage: statuses.py LAUNCHER... IMAGE      (the image is called with the number)

On a GPU, where the driver takes a third of a second to start, it tries only the statuses that have a meaning elsewhere,
and the limits.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

command = sys.argv[1:]
emulated = any(word.startswith("--device=emulator") for word in command)
statuses = range(256) if emulated else [*range(4), 42, 63, 64, *range(124, 130), 134, 137, 139, 141, 143, 192, 254, 255]


def run(number):
    return number, subprocess.run(command + [str(number)], stdin=subprocess.DEVNULL).returncode


with ThreadPoolExecutor(2) as pool:
    wrong = [(n, got) for n, got in pool.map(run, [*statuses, 256, 511, -1, 65536 + 42]) if got != n & 255]
for number, got in wrong:
    print("asked for %d, got %d" % (number, got))
sys.exit(1 if wrong else 0)
