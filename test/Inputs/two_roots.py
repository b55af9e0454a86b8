"""Usage: two_roots.py FOLDER: the empty file systems of record_and_replay.py, of a tool that is built anew while replays run. What a
replay runs in must stay as it is: a program that is there in part ends by a signal."""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import record_and_replay


def files(root):
    paths = sorted(os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names)
    return [(path, os.stat(path).st_ino, os.stat(path).st_mtime_ns, os.path.getsize(path)) for path in paths]


folder = sys.argv[1]
player, emulator = os.path.join(folder, "bin", "player"), os.path.join(folder, "lib", "gpuexec", "libhsa-runtime64.so.1")
for path in (player, emulator):
    os.makedirs(os.path.dirname(path))
    shutil.copy("/bin/true", path)
first = record_and_replay.root_of(player)
before = files(first)
assert record_and_replay.root_of(player) == first and len(before) >= 4, before
os.utime(player, ns=(0, os.stat(player).st_mtime_ns + 10**13))
second = record_and_replay.root_of(player)
assert second != first and files(first) == before, "the file system of running replays was changed"
assert [os.path.relpath(path, second) for path, *_ in files(second)] == [os.path.relpath(path, first) for path, *_ in before]
print("two roots")
