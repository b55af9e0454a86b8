#!/usr/bin/env python3
"""Runs tests of LLVM's libc for GPUs, which llvm_libc.py has built, through gpuexec, and counts.

usage: run.py [FOLDER] [--gpuexec FILE] [--device DEVICE] [--jobs N] [--timeout SECONDS] [--filter REGEX]

FOLDER, by default this script's own, has `tests.json`, `known_failures.txt` and the images. A folder that
`llvm_libc.py --pack` made has `bin/gpuexec` too, and needs nothing else but Python 3 and a GPU's driver. Every test runs in an
empty folder of its own. FOLDER/results.txt has a line for each: status, milliseconds, name; FOLDER/output/ what those printed
that failed. The exit status is 1 when a test failed that known_failures.txt does not name, or when none ran.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))


def known_failures(folder, arch):
    """{name: reason} of the lines `ARCH NAME REASON`, ARCH a pattern."""
    found = {}
    with open(os.path.join(folder, "known_failures.txt")) as file:
        for line in file:
            words = line.split(None, 2)
            if len(words) == 3 and not line.startswith("#") and re.fullmatch(words[0], arch):
                found[words[1]] = words[2].strip()
    return found


class Runner:
    def __init__(self, folder, arguments):
        self.folder, self.arguments = folder, arguments
        self.output = os.path.join(folder, "output")
        shutil.rmtree(self.output, ignore_errors=True)
        os.makedirs(self.output)

    def run(self, test):
        """(name, status, seconds)"""
        images = os.path.join(self.folder, "images")
        command = [self.arguments.gpuexec, "--timeout=%d" % self.arguments.timeout]
        if self.arguments.device:
            command.append("--device=" + self.arguments.device)
        command += [os.path.join(images, word[1:]) if word.startswith("@") else word for word in test["arguments"]]
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="gpuexec-libc-") as place:
            os.mkdir(os.path.join(place, "testdata"))
            try:  # gpuexec ends by itself at its limit; a driver may hang before
                done = subprocess.run(command, cwd=place, env=dict(os.environ, **test["environment"]), stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=self.arguments.timeout + 60)
                status, text = done.returncode, done.stdout
            except subprocess.TimeoutExpired as late:
                status, text = 124, late.stdout or b""
        if status:
            with open(os.path.join(self.output, test["name"]), "wb") as file:
                file.write(text)
        return test["name"], status, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=HERE)
    parser.add_argument("--gpuexec")
    parser.add_argument("--device", help="as gpuexec's --device")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=120, help="seconds that one test may take")
    parser.add_argument("--filter", default="", help="only tests whose name has a match")
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    arguments.gpuexec = os.path.abspath(arguments.gpuexec or os.path.join(folder, "bin", "gpuexec"))
    with open(os.path.join(folder, "tests.json")) as file:
        suite = json.load(file)
    tests = [test for test in suite["tests"] if re.search(arguments.filter, test["name"])]
    expected = known_failures(folder, suite["arch"])
    runner = Runner(folder, arguments)
    begin = time.monotonic()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = sorted(pool.map(runner.run, tests))
    seconds = time.monotonic() - begin
    with open(os.path.join(folder, "results.txt"), "w") as file:
        for name, status, took in results:
            file.write("%d %d %s\n" % (status, took * 1000, name))
    failed = [(name, status) for name, status, _ in results if status]
    for name, status in failed:
        print("%s: %s, status %d%s" % ("known failure" if name in expected else "FAILED", name, status,
                                       ": " + expected[name] if name in expected else ""))
        if name not in expected:
            with open(os.path.join(runner.output, name), errors="replace") as file:
                print("".join("    " + line for line in file.readlines()[-12:]), end="")
    for name, status, _ in results:
        if name in expected and not status:
            print("passes, though known_failures.txt has it: " + name)
    unknown = [name for name, _ in failed if name not in expected]
    for name in suite["not_built"]:
        print("not built: " + name)
    print("LLVM %s's libc on %s: %d passed, %d failed, %d known failures, %d not built; %.0f s" % (
        suite["version"], suite["arch"], len(results) - len(failed), len(unknown), len(failed) - len(unknown),
        len(suite["not_built"]), seconds))
    return 1 if unknown or not results else 0


if __name__ == "__main__":
    sys.exit(main())
