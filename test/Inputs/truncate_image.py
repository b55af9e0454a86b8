"""Truncates an image at many places (each of the first 4096 bytes), and changes bytes: each must be an error in one line.

usage: truncate_image.py IMAGE LAUNCHER...
"""

import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

with open(sys.argv[1], "rb") as file:
    whole = file.read()
launcher = sys.argv[2:]
places = set(range(0, min(len(whole), 256))) | set(range(0, len(whole), max(1, len(whole) // 300)))
places |= {len(whole) - 1 - i for i in range(64)}
folder = tempfile.mkdtemp()


def run(place):
    path = os.path.join(folder, "cut-%d" % place)
    with open(path, "wb") as file:
        file.write(whole[:place])
    result = subprocess.run(launcher + [path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    os.remove(path)
    error = result.stderr.decode("utf-8", "replace")
    good = result.returncode == 126 and error.count("\n") == 1 and error.startswith("gpuexec: error: " + path)
    # What only the section table loses may still be a runnable image: then it must simply run.
    good |= result.returncode == 0 and not error
    return None if good else (place, result.returncode, error[:300])


with ThreadPoolExecutor(2) as pool:
    wrong = [r for r in pool.map(run, sorted(p for p in places if 0 <= p < len(whole))) if r]
os.rmdir(folder)
for place, status, error in wrong[:5]:
    print("cut at %d of %d: status %d, %s" % (place, len(whole), status, error))
sys.exit(1 if wrong else 0)
