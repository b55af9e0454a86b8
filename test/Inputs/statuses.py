"""Every exit status from 0 to 255 and a few beyond: the launcher's status must be the low 8 bits.

usage: statuses.py LAUNCHER... IMAGE HOW      (the image is called with HOW and the number)
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

command = sys.argv[1:]


def run(number):
    return number, subprocess.run(command + [str(number)], stdin=subprocess.DEVNULL).returncode


with ThreadPoolExecutor(2) as pool:
    wrong = [(n, got) for n, got in pool.map(run, list(range(256)) + [256, 511, -1, 65536 + 42]) if got != n & 255]
for number, got in wrong:
    print("asked for %d, got %d" % (number, got))
sys.exit(1 if wrong else 0)
