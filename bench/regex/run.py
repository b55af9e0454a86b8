#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""regexec of a device program on the emulated device beside the host's: processor time of a call, and instructions.

  bench/regex/run.py [--seconds S] [--image FILE]

S (default 0.1) is about how long the host matches each case. FILE is bench/regex/cases.c, compiled already. A call's time is the
difference between many calls and none; the emulator's compiler is part of it. One lane runs.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import HOST_CC, Run, machine, table, tool  # noqa: E402

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases.c")


def processor_time(command):
    """The least of two runs, in seconds, and what the program printed."""
    runs = [Run(command, timeout=600) for _ in range(2)]
    return min(run.cpu for run in runs), runs[0].output


def times_for(host, name, seconds):
    """How many calls take the host about this long."""
    times = 10
    while True:
        cpu = Run([host, name, str(times)]).cpu
        if cpu > seconds / 4 or times > 1 << 30:
            return max(10, int(times * seconds / cpu))
        times *= 4


def instructions(image, name, times):
    """Instructions of `times` calls, by --stats."""
    found = subprocess.run([tool("gpuexec"), "--stats", image, name, str(times)], capture_output=True, text=True, check=True)
    return sum(int(re.sub(r"\D", "", line)) for line in re.findall(r"(?m)^  instructions (.*)$", found.stderr))


def measure(host, image, name, seconds):
    """A row of the table."""
    times = times_for(host, name, seconds)
    of_host, expected = processor_time([host, name, str(times)])
    of_host -= processor_time([host, name, "0"])[0]
    of_device, output = processor_time([tool("gpuexec"), image, name, str(times)])
    of_device -= processor_time([tool("gpuexec"), image, name, "0"])[0]
    some = max(1, times // 20)
    count = (instructions(image, name, 2 * some) - instructions(image, name, some)) / some
    note = "" if output == expected else "differs"
    return [name, times, "%.2f" % (of_host / times * 1e6), "%.2f" % (of_device / times * 1e6), "%.1f" % (of_device / of_host), "%.0f" % count, note]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.1, metavar="S")
    parser.add_argument("--image", metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        host = os.path.join(folder, "host")
        subprocess.run([HOST_CC, "-O2", "-w", SOURCE, "-o", host], check=True)
        image = options.image or os.path.join(folder, "device")
        if not options.image:
            subprocess.run([tool("gpucc"), "-O2", SOURCE, "-o", image], check=True)
        names = subprocess.run([host], capture_output=True, text=True, check=True).stdout.splitlines()
        print(machine())
        table(["case", "calls", "host, us", "emulated, us", "times", "instructions", ""], [measure(host, image, name, options.seconds) for name in names])


if __name__ == "__main__":
    main()
