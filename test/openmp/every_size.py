#!/usr/bin/env python3
"""Runs the tests of this folder with many numbers of OpenMP threads and repeats those that race, on the emulated GPU.

usage: every_size.py [--build FOLDER] [--arch ARCH] [--sizes LIST] [--repeat COUNT] [TEST...]

A test prints the same with each number of threads: what it prints with one thread, which ./check compares with what it should
be. OMP_THREAD_LIMIT sets the number; the grid is the smallest that has so many threads, in blocks of the sizes that are tried in
turn. Tests that race (locks, atomics, reductions, tasks ...) are repeated with few threads. The last line is 'N passed, N failed'.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(__file__).resolve().parent

NAMED = [1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 127, 128, 256, 1000, 1024, 4096]
STRIDE = 61  # between 1 and 4096: a prime, so that all remainders of 32 and 64 occur
BLOCKS = [256, 64, 32, 1024, 100, 128]  # threads of a block, in turn
IDLE = {"gfx9": 63}  # lanes of the first wave that are no threads; elsewhere 31

# Their sessions have arguments and variables of their own.
OTHER = {"environment", "messages"}
SECOND_FILE = {"threadprivate": "-DOTHER"}  # compiled once more with this option, as another file of the program
VARIABLES = {"cancel": ["OMP_CANCELLATION=true"]}
RACING = {"atomics": 64, "exclusive": 70, "locks": 70, "reduction": 100, "tasks": 70, "task-dependences": 70, "cancel": 70,
          "local-variables": 70, "barrier": 130}
LIMIT = 900  # seconds for a run and all its repetitions


def grid_of(threads, arch, turn):
    """--threads and --blocks of the smallest grid with so many threads of OpenMP, in blocks of the size whose turn it is."""
    block = BLOCKS[turn % len(BLOCKS)]
    lanes = 64 if arch.startswith("gfx9") else 32
    if arch.startswith("sm_"):
        idle = 0
    else:
        idle = min(block, lanes) - 1
    if threads == 1 and turn % 2:
        return 1, 1
    return block, -(-(threads + idle) // block)


class Test:
    def __init__(self, name, options, folder):
        self.name, self.options, self.folder = name, options, folder
        self.image = folder / name
        self.expected = None

    def build(self):
        source = str(FOLDER / (self.name + ".c"))
        compiler = [self.options.build + "/bin/gpucc", "--arch", self.options.arch, "-fopenmp", "-O2", "-w"]
        others = []
        if self.name in SECOND_FILE:
            others = [str(self.image) + ".o"]
            subprocess.run([*compiler, SECOND_FILE[self.name], "-c", source, "-o", *others], check=True)
        subprocess.run([*compiler, source, *others, "-o", str(self.image), "-lm"], check=True)
        self.expected = self.run(1, 1, 1)

    def run(self, threads, block, blocks, repeat=1):
        """What it prints, and its status."""
        variables = ["OMP_THREAD_LIMIT=%d" % threads, *VARIABLES.get(self.name, [])]
        command = [self.options.build + "/bin/gpuexec", "--threads", str(block), "--blocks", str(blocks), "--repeat=%d" % repeat]
        for variable in variables:
            command += ["--env", variable]
        try:
            done = subprocess.run([*command, str(self.image)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT,
                                  env={**os.environ, "GPUEXEC_SERVER": "off"}, cwd=self.folder)
        except subprocess.TimeoutExpired:
            return "no end within %d s" % LIMIT
        said = done.stderr.decode(errors="replace") if done.returncode else ""
        return "%s%s\nstatus %d" % (done.stdout.decode(errors="replace"), said, done.returncode)


def sizes_of(text):
    if text == "named":
        return NAMED
    if text == "all":
        return sorted({*NAMED, *range(1, 4097, STRIDE)})
    return [int(size) for size in text.split(",")]


def parse_arguments():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: ") :], description=what + "\n\n" + how,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.environ.get("GPUEXEC_BUILD", str(ROOT / "build")))
    parser.add_argument("--arch", default="gfx942", help="gfx942 (default), gfx1100 ...")
    parser.add_argument("--sizes", default="all", help="all (default): from 1 to 4096 by a stride; named: those at which something "
                        "changes; or a list with commas")
    parser.add_argument("--repeat", type=int, default=1000, help="repetitions of tests that race (default: 1000)")
    parser.add_argument("tests", nargs="*", help="names of files without .c; default: all")
    return parser.parse_args()


def check(test, arguments, counts):
    def note(what, printed, expected):
        counts[printed == expected] += 1
        if printed != expected:
            print("FAIL: %s: %s\n--- expected\n%s\n--- printed\n%s" % (test.name, what, expected[:2000], printed[:2000]), flush=True)

    begun = time.monotonic()
    test.build()
    slowest = (0, 0)
    for turn, size in enumerate(sizes_of(arguments.sizes)):
        before = time.monotonic()
        block, blocks = grid_of(size, arguments.arch, turn)
        note("%d threads, --threads %d --blocks %d" % (size, block, blocks), test.run(size, block, blocks), test.expected)
        slowest = max(slowest, (time.monotonic() - before, size))
    if test.name in RACING and arguments.repeat:
        size = RACING[test.name]
        block, blocks = grid_of(size, arguments.arch, 1)
        once = test.expected[: test.expected.rindex("\nstatus")]
        note("%d repetitions with %d threads" % (arguments.repeat, size), test.run(size, block, blocks, arguments.repeat),
             once * arguments.repeat + "\nstatus 0")
    print("%s: %.0f s; slowest: %d threads, %.1f s" % (test.name, time.monotonic() - begun, slowest[1], slowest[0]), flush=True)


def main():
    arguments = parse_arguments()
    names = arguments.tests or sorted(path.stem for path in FOLDER.glob("*.c") if path.stem not in OTHER)
    counts = {True: 0, False: 0}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            check(Test(name, arguments, pathlib.Path(folder)), arguments, counts)
    print("%d passed, %d failed" % (counts[True], counts[False]))
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
