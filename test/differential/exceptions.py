#!/usr/bin/env python3
"""Random C++ programs that throw, catch and jump, on the device and on the host: what they print must agree.

exception_programs.py generates a program per seed. The host's clang++ compiles some of them into one program, gpucc compiles them for
each architecture at each level; each runs with 32 inputs, one after the other in one thread, and, with --lanes, side by side in the
lanes of a wave. Seeds that differ are kept with the command lines that show it, and the exit status is 1.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import sys
import tempfile
import time

import exception_programs
from csmith import run

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "inputs", "exceptions")
LINE = re.compile(r"^seed (\d+) input (\d+): (.*)$", re.M)
LANES = 32
SEVERAL = "--gpu-max-threads-per-block=1024"  # AMD: threads stay lanes of waves, though the program cannot tell


def text(seeds):
    """The source of some seeds, with main."""
    table = ", ".join("{%d, seed_%d::run}" % (seed, seed) for seed in seeds)
    return "\n".join(['#include "trace.h"', '#include "driver.h"', *map(exception_programs.source, seeds),
                      "const Program programs[] = {%s};" % table, "const int program_count = %d;" % len(seeds), ""])


class Batch:
    """Some seeds that share a program of the host and an image of each architecture and level."""

    def __init__(self, seeds, options, folder):
        self.seeds, self.options, self.folder = seeds, options, folder
        self.compared, self.failed = 0, []  # (seed, how it was run, why)
        self.images = {}  # of a compiler's command: as image() returns it
        self.source = self.path("programs.cpp")
        with open(self.source, "w") as file:
            file.write(text(seeds))

    def path(self, name):
        return os.path.join(self.folder, name)

    def compile(self, compiler, target):
        status, _, errors = run([*compiler, "-w", "-std=c++17", "-I", INPUTS, self.source, "-o", target], self.options.compile_seconds)
        return "" if not status else "does not compile: " + errors[:2000]

    def results(self, command):
        """{(seed, input): what is printed}, status, standard error"""
        status, out, errors = run(command, self.options.seconds + 20)
        return {(int(seed), int(number)): rest for seed, number, rest in LINE.findall(out)}, status, errors

    def on_host(self):
        error = self.compile([*self.options.hostcxx, "-O1"], self.path("host"))
        if error:
            raise SystemExit("host: seeds %s: %s" % (self.seeds, error))
        self.expected, status, errors = self.results([self.path("host")])
        if status or len(self.expected) != len(self.seeds) * LANES:
            raise SystemExit("host: seeds %s: status %d: %s" % (self.seeds, status, errors[:500]))

    def image(self, compiler):
        """The image that this command makes, made once, and what is wrong with it."""
        command = tuple(compiler)
        if command not in self.images:
            path = self.path("device-%d" % len(self.images))
            self.images[command] = path, self.compile(compiler, path)
        return self.images[command]

    def on_device(self, arch, level, threads):
        options = [SEVERAL] if threads > 1 and not arch.startswith("sm_") else []
        compiler = [*self.options.gpucc, "--arch=" + arch, level, *options]
        how = "%s %s with %s" % (arch, level, "%d lanes" % threads if threads > 1 else "one thread")
        image, error = self.image(compiler)
        if error:
            self.failed += [(self.seeds[0], how, error)]
            return self.keep(self.seeds[0], how, compiler, threads, error)
        launch = [*self.options.gpuexec, "--timeout", str(self.options.seconds), "--threads", str(threads), image]
        found, status, errors = self.results(launch)
        wrong = {}
        for key, expected in sorted(self.expected.items()):
            self.compared += 1
            if found.get(key) != expected:
                wrong.setdefault(key[0], "input %d: %s, expected %s" % (key[1], found.get(key, "nothing"), expected))
        # The first that did not print may have ended the program: it is named, those after it are not.
        silent = [seed for seed in self.seeds if all((seed, number) not in found for number in range(LANES))]
        for seed, why in wrong.items():
            if seed not in silent[1:]:
                why += "; status %d: %s" % (status, errors.strip()[:800]) if status else ""
                self.failed.append((seed, how, why))
                self.keep(seed, how, compiler, threads, why)
        if status and not wrong:
            self.failed.append((self.seeds[0], how, "status %d: %s" % (status, errors.strip()[:800])))

    def keep(self, seed, how, compiler, threads, why):
        folder = os.path.join(self.options.keep, "seed-%d-%s" % (seed, how.replace(" ", "-")))
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "program.cpp"), "w") as file:
            file.write(text([seed]))
        for name in ("trace.h", "driver.h"):
            shutil.copy(os.path.join(INPUTS, name), folder)
        with open(os.path.join(folder, "show.sh"), "w") as file:
            file.write("#!/bin/sh\n# %s\n# With a seed and an input as arguments both print all that happens.\ncd \"$(dirname \"$0\")\"\n" %
                       why.replace("\n", "\n# "))
            for name, command, launch in (("host", [*self.options.hostcxx, "-O1"], []),
                                          ("device", compiler, [*self.options.gpuexec, "--threads", str(threads)])):
                file.write("%s -w -std=c++17 program.cpp -o %s\n" % (" ".join(command), name))
                file.write("%s ./%s \"$@\" | %s > %s.txt\n" % (" ".join(launch), name, "sort -s -k1,4" if threads > 1 else "cat", name))
            file.write("diff host.txt device.txt\n")
        os.chmod(os.path.join(folder, "show.sh"), 0o755)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpucc", default="gpucc", help="that takes C++")
    parser.add_argument("--gpuexec", default="gpuexec", help="with its options, as in 'gpuexec --device=emulator'")
    parser.add_argument("--hostcxx", default="clang++-22")
    parser.add_argument("--arch", default="gfx942", help="architectures, separated by commas")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--count", type=int, default=1000, help="how many seeds")
    parser.add_argument("--levels", default="-O0,-O2", help="of optimisation, separated by commas")
    parser.add_argument("--lanes", action="store_true", help="the inputs also in the lanes of a wave")
    parser.add_argument("--batch", type=int, default=20, help="programs per image")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=120, help="limit for an image on the device")
    parser.add_argument("--compile-seconds", type=int, default=600)
    parser.add_argument("--minutes", type=float, default=0, help="begin nothing new after so long (0: no limit)")
    parser.add_argument("--keep", default="exception-failures", help="folder for programs that differ")
    parser.add_argument("--print", action="store_true", help="print the source of the seeds, and run nothing")
    options = parser.parse_args()
    for name in ("gpucc", "gpuexec", "hostcxx"):
        setattr(options, name, getattr(options, name).split())
    options.keep = os.path.abspath(options.keep)
    return options


def main():
    options = parse_arguments()
    seeds = list(range(options.first, options.first + options.count))
    if options.print:
        print(text(seeds), end="")
        return 0
    batches = [seeds[begin:begin + options.batch] for begin in range(0, len(seeds), options.batch)]
    started, programs, compared, failed = time.time(), 0, 0, []

    def work(some):
        if options.minutes and time.time() > started + 60 * options.minutes:
            return None
        with tempfile.TemporaryDirectory(prefix="gpuexec-exceptions-") as folder:
            batch = Batch(some, options, folder)
            batch.on_host()
            for arch in options.arch.split(","):
                for level in options.levels.split(","):
                    for threads in (1, LANES) if options.lanes else (1,):
                        batch.on_device(arch, level, threads)
            return batch

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for batch in pool.map(work, batches):
            if not batch:
                continue
            programs, compared, failed = programs + len(batch.seeds), compared + batch.compared, failed + batch.failed
            for seed, how, why in batch.failed:
                print("FAILED: seed %d, %s: %s" % (seed, how, why), flush=True)
            print("%d programs, %d comparisons, %d failed" % (programs, compared, len(failed)), end="\r" if sys.stderr.isatty() else "\n",
                  file=sys.stderr, flush=True)
    print("exceptions: %s %s%s: %d programs, %d comparisons, %d failed; %.0f s" % (
        options.arch, options.levels, " and in lanes" if options.lanes else "", programs, compared, len(failed), time.time() - started))
    if failed:
        print("kept in " + options.keep)
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
