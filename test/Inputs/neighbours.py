"""usage: neighbours.py FOLDER LAUNCHER...      runs its good, hang, fault, memory and abort side by side"""

import subprocess
import sys

folder, launcher = sys.argv[1], sys.argv[2:]
expected = {"hang": 124, "fault": 139, "memory": 7, "abort": 134}
options = {"hang": ["--timeout", "2"], "memory": ["--heap-size", "64M"]}
running = []
for turn in range(3):
    for name in expected:
        command = launcher + options.get(name, []) + [folder + "/" + name]
        running.append((name, expected[name], None, subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)))
        number = 1000 + 10 * len(running)
        output = b"%d %d\n" % (number, sum(i * i for i in range(number)))
        running.append(("good", number % 100, output, subprocess.Popen(
            launcher + [folder + "/good", str(number)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)))
wrong = 0
for name, status, output, process in running:
    out, _ = process.communicate(timeout=100)
    ended = process.returncode if process.returncode >= 0 else 128 - process.returncode
    if ended != status or (output is not None and out != output):
        print("%s: status %d, expected %d; output %r" % (name, process.returncode, status, out))
        wrong += 1
sys.exit(1 if wrong else 0)
