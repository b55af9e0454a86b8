"""usage: at_once.py COUNT LAUNCHER... IMAGE      the image prints its argument and the sum of squares below it"""

import subprocess
import sys

count, command = int(sys.argv[1]), sys.argv[2:]
numbers = [500 + i for i in range(count)]
processes = [
    subprocess.Popen(command + [str(n)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for n in numbers
]
wrong = 0
for number, process in zip(numbers, processes):
    out, error = process.communicate(timeout=300)
    if out != b"%d %d\n" % (number, sum(i * i for i in range(number))) or process.returncode != number % 100:
        print(number, process.returncode, out[:200], error[:500])
        wrong += 1
sys.exit(1 if wrong else 0)
