#!/usr/bin/env python3
"""Runs the tests of this folder with many numbers of OpenMP threads and repeats those that race, on the emulated GPU.

usage: every_size.py [--build FOLDER] [--arch ARCH] [--sizes LIST] [--repeat COUNT] [TEST...]
       every_size.py --pack FOLDER --arch ARCH [TEST...]      for a machine with a GPU and Python 3 alone: FOLDER/every_size.py --packed

A test prints the same with each number of threads: what it prints with one thread, which ./check compares with what it should
be. OMP_THREAD_LIMIT sets the number; the grid is the smallest that has so many threads, in blocks of the sizes that are tried in
turn. Tests that race (locks, atomics, reductions, tasks ...) are repeated with few threads. First the test is compiled for the host
(clang-22 -fopenmp, libomp) and must print the same there with 1, 2 and 5 threads, which are all that a team can have. The last line
is 'N passed, N failed'.
"""

import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(__file__).resolve().parent

NAMED = [1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 127, 128, 256, 1000, 1024, 4096]
STRIDE = 61  # between 1 and 4096: a prime, so that all remainders of 32 and 64 occur
BLOCKS = [256, 64, 32, 1024, 100, 128]  # threads of a block, in turn

# Their sessions have arguments and variables of their own, or (busy-waits) an emulated device has no room for so many waves.
OTHER = {"busy-waits", "environment", "messages", "simd-alone"}
SECOND_FILE = {"threadprivate": "-DOTHER"}  # compiled once more with this option, as another file of the program
VARIABLES = {"cancel": ["OMP_CANCELLATION=true"]}
RACING = {"atomics": 64, "exclusive": 70, "locks": 70, "reduction": 100, "shared-arrays": 100, "tasks": 70, "task-dependences": 70,
          "cancel": 70, "local-variables": 70, "barrier": 130}
LIMIT = 900  # seconds for a run and all its repetitions; a third of it on hardware

HOST_THREADS = [1, 2, 5]
NOT_ON_HOST = {
    "cancel": "libomp waits forever at a barrier behind 'cancel parallel'",
    "device-memory": "libomp has no omp_target_alloc: a host has it in libomptarget",
    "unified-memory": "clang updates no static variables of a host",
}
# Beginnings of lines that clang 22 and libomp print otherwise, and why.
OTHERWISE_ON_HOST = {
    "dynamic-loops": ("last:",),  # libomp: lastprivate of a dynamic loop is not the last iteration's
    "large-arrays": ("level", "OMP:"),  # libomp has another affinity format
    # clang: linear variables of 'parallel for simd' are another thread's.
    "more-directives": ("loops:", "teams:"),
    "target-copies": ("combined:",),  # clang: lastprivate of a target region's loop is lost
    "parallel": ("1 0",),  # a host has more threads than processors if OMP_NUM_THREADS says so
}


def grid_of(threads, arch, turn):
    """--threads and --blocks of the smallest grid with so many threads of OpenMP, in blocks of the size whose turn it is."""
    block = min(BLOCKS[turn % len(BLOCKS)], 512 if arch.startswith("sm_") else 1024)  # with 128 registers a thread
    lanes = 64 if arch.startswith("gfx9") else 32
    idle = min(block, lanes) - 1
    if threads == 1 and turn % 2:
        return 1, 1
    return block, -(-(threads + idle) // block)


def host_compiler():
    """clang with OpenMP for the host, or None where it does not link."""
    compiler = ["clang-22", "-fopenmp", "-fopenmp-version=51", "-O1", "-w"]
    with tempfile.TemporaryDirectory() as folder:
        command = [*compiler, "-x", "c", "-", "-o", folder + "/program", "-latomic"]
        try:
            works = not subprocess.run(command, input=b"int main() {\n#pragma omp parallel\n;}", stderr=subprocess.DEVNULL).returncode
        except FileNotFoundError:
            works = False
    return compiler if works else None


class Test:
    def __init__(self, name, options, folder):
        self.name, self.options, self.folder = name, options, folder
        self.image = folder / name
        self.expected = None

    def build(self):
        if self.options.packed:
            self.expected = self.run(1, 1, 1)
            return
        source = str(FOLDER / (self.name + ".c"))
        compiler = [self.options.build + "/bin/gpucc", "--arch", self.options.arch, "-fopenmp", "-O2", "-w"]
        others = []
        if self.name in SECOND_FILE:
            others = [str(self.image) + ".o"]
            subprocess.run([*compiler, SECOND_FILE[self.name], "-c", source, "-o", *others], check=True)
        subprocess.run([*compiler, source, *others, "-o", str(self.image), "-lm"], check=True)
        if not self.options.pack:
            self.expected = self.run(1, 1, 1)

    def on_host(self, compiler, threads):
        """What it prints with libomp, and its status. The libraries are those that gpucc links by itself."""
        source, image = str(FOLDER / (self.name + ".c")), str(self.image) + ".host"
        others = []
        if self.name in SECOND_FILE:
            others = [image + ".o"]
            subprocess.run([*compiler, SECOND_FILE[self.name], "-c", source, "-o", *others], check=True)
        if not os.path.exists(image):
            subprocess.run([*compiler, source, *others, "-o", image, "-lm", "-latomic"], check=True)
        variables = dict(variable.split("=") for variable in VARIABLES.get(self.name, []))
        try:
            done = subprocess.run([image], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=100,
                                  env={**os.environ, **variables, "OMP_NUM_THREADS": str(threads), "OMP_THREAD_LIMIT": str(threads)})
        except subprocess.TimeoutExpired:
            return "no end within 100 s"
        return "%s\nstatus %d" % (done.stdout.decode(errors="replace"), done.returncode)

    def run(self, threads, block, blocks, repeat=1):
        """What it prints, and its status. Repetitions on hardware share the contexts of a server."""
        limit = LIMIT // 3 if self.options.packed else LIMIT
        variables = ["OMP_THREAD_LIMIT=%d" % threads, *VARIABLES.get(self.name, [])]
        command = [self.options.gpuexec, "--threads", str(block), "--blocks", str(blocks), "--repeat=%d" % repeat]
        for variable in variables:
            command += ["--env", variable]
        try:
            done = subprocess.run([*command, str(self.image)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit,
                                  env={**os.environ, "GPUEXEC_SERVER": self.options.server if repeat > 1 else "off"},
                                  cwd=self.folder)
        except subprocess.TimeoutExpired:
            return "no end within %d s" % limit
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
    parser.add_argument("--oracle-only", action="store_true", help="compare with the host, and with one number of threads")
    parser.add_argument("--pack", metavar="FOLDER", type=pathlib.Path,
                        help="compile the tests into FOLDER, beside gpuexec and this script, and end")
    parser.add_argument("--packed", action="store_true", help="run what --pack has made, in this script's folder, on this machine's GPU")
    parser.add_argument("tests", nargs="*", help="names of files without .c; default: all")
    options = parser.parse_args()
    options.gpuexec = str(FOLDER / "gpuexec") if options.packed else options.build + "/bin/gpuexec"
    return options


def pack(options, names):
    """Images of the tests, with what runs them."""
    options.pack.mkdir(parents=True, exist_ok=True)
    for name in names:
        print(name, flush=True)
        Test(name, options, options.pack).build()
        for object_file in options.pack.glob("*.o"):
            object_file.unlink()
    (options.pack / "arch").write_text(options.arch)
    for file in (options.gpuexec, __file__):
        shutil.copy(file, options.pack)


@contextlib.contextmanager
def server(arguments, folder):
    """A server on a GPU, where opening a context takes longer than most tests; its socket. 'off' on the emulated device."""
    if not arguments.packed:
        yield "off"
        return
    socket = os.path.join(folder, "serve")
    with subprocess.Popen([arguments.gpuexec, "serve", "--foreground", "--socket=" + socket], stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not os.path.exists(socket) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        try:
            if not os.path.exists(socket):
                process.kill()
                raise SystemExit("gpuexec serve: " + process.stderr.read().decode(errors="replace"))
            yield socket
        finally:
            process.terminate()


def first_difference(one, other):
    """The number, from 0, of the first line in which two texts differ."""
    lines = list(zip(one.split("\n"), other.split("\n")))
    return next((number for number, (left, right) in enumerate(lines) if left != right), len(lines))


def excerpt(text, place):
    """The lines around one, and the last ones, which say how the program ended."""
    lines = text.split("\n")
    return "\n".join(lines[max(0, place - 2) : place + 6] + (["..."] + lines[-3:] if len(lines) > place + 9 else lines[place + 6 :]))


def check(test, arguments, counts):
    def note(what, printed, expected):
        counts[printed == expected] += 1
        if printed != expected:
            place = first_difference(expected, printed)
            print("FAIL: %s: %s, at line %d\n--- expected\n%s\n--- printed\n%s"
                  % (test.name, what, place + 1, excerpt(expected, place), excerpt(printed, place)), flush=True)

    def comparable(printed):
        return "\n".join(line for line in printed.split("\n") if not line.startswith(OTHERWISE_ON_HOST.get(test.name, ())))

    begun = time.monotonic()
    test.build()
    if arguments.host and test.name not in NOT_ON_HOST:
        for threads in HOST_THREADS:
            note("libomp, %d threads" % threads, comparable(test.on_host(arguments.host, threads)), comparable(test.expected))
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
    if arguments.packed:
        arguments.arch = (FOLDER / "arch").read_text()
        names = [path.name for path in FOLDER.iterdir() if not path.suffix and path.name not in ("gpuexec", "arch") and path.is_file()]
    else:
        names = [path.stem for path in FOLDER.glob("*.c") if path.stem not in OTHER]
    names = arguments.tests or sorted(names)
    if arguments.pack:
        return pack(arguments, names)
    counts = {True: 0, False: 0}
    arguments.host = None if arguments.packed else host_compiler()
    if not arguments.host and not arguments.packed:
        print("not compared with libomp: clang-22 -fopenmp does not link here (libomp-22-dev)", flush=True)
    if arguments.oracle_only:
        arguments.sizes, arguments.repeat = "100", 0
    with tempfile.TemporaryDirectory() as folder, server(arguments, folder) as arguments.server:
        for name in names:
            check(Test(name, arguments, FOLDER if arguments.packed else pathlib.Path(folder)), arguments, counts)
    print("%d passed, %d failed" % (counts[True], counts[False]))
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
