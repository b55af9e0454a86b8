# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmarks share: finding the tools, timed runs, tables."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("GPUEXEC_BUILD", os.path.join(ROOT, "build"))
HOST_CC = "/usr/lib/llvm-22/bin/clang"


def tool(name):
    """Path of one of gpuexec's tools, built."""
    path = os.path.join(BUILD, "bin", name)
    if not os.path.exists(path):
        sys.exit("%s is not built: run ./run once, or set GPUEXEC_BUILD" % path)
    return path


class Run:
    """One finished process: wall and CPU seconds, largest resident size in MiB, output, status."""

    def __init__(self, command, stdin=subprocess.DEVNULL, timeout=600, check=True, environment=None):
        begin = time.perf_counter()
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(command, stdin=stdin, stdout=out, env=environment)
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.perf_counter() - begin
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            self.output = out.read()
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024
        self.status = process.returncode
        if check and self.status:
            sys.exit("%s: status %d" % (" ".join(map(str, command)), self.status))


def best(command, times=3, **options):
    """The fastest of several runs: what the machine can do when nothing else disturbs it."""
    return min((Run(command, **options) for _ in range(times)), key=lambda run: run.wall)


def median(command, times=11, **options):
    return statistics.median(Run(command, **options).wall for _ in range(times))


def compile_both(source, folder, arch, flags=()):
    """(host program, device image) of one C source, both at -O2."""
    name = os.path.splitext(os.path.basename(source))[0]
    host, image = os.path.join(folder, name + ".host"), os.path.join(folder, name + "." + arch)
    subprocess.run([HOST_CC, "-O2", "-w", "-std=gnu17", *flags, source, "-o", host, "-lm"], check=True)
    subprocess.run([tool("gpucc"), "--arch=" + arch, "-O2", "-w", *flags, source, "-o", image, "-lm"], check=True)
    return host, image


def table(header, rows):
    """Prints rows of text under a header, numbers to the right."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [header] + rows) for i in range(len(header))]
    for row in [header] + rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join(cells).rstrip())
    sys.stdout.flush()


def machine():
    """The machine in a line."""
    model = "unknown CPU"
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return "%s, %d cores, load %.1f" % (model, os.cpu_count(), os.getloadavg()[0])
