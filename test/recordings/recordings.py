#!/usr/bin/env python3
"""Records every run of a program in the tests of whole programs, of the C library and of the examples, and replays each with gpuexec
and with gpu-replay in an empty file system (test/Inputs/record_and_replay.py). Output and status must be the same.

usage: recordings.py --build FOLDER [-j N] [-v] [TEST...]
       recordings.py --log FILE      the same report on what the test bundle's `run.py --recordings FILE` found on another machine

TEST is a part of a test's name; without one: program/, libc/ and examples/. The conformance tests of the C library run with one and
with 4096 threads. Prints counts by player and threads, why runs cannot be recorded, and each difference; the status is 1 when there
is one, or when a test fails that passes without a recording.
"""

import argparse
import collections
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = ["emulator :: program/", "emulator :: libc/", "emulator :: examples/"]


def shape(threads):
    return "one thread" if threads == 1 else "4096 threads" if threads == 4096 else "other grids"


def run_tests(options, log):
    command = [sys.executable, os.path.join(HERE, "..", "check.py"), "--build", options.build, "--device", "emulator", "--fuzz", "0",
               "--run-through", "record_and_replay.py --log=" + log]
    if options.jobs:
        command += ["-j", str(options.jobs)]
    if options.verbose:
        command += ["-v"]
    return subprocess.run(command + (options.tests or TESTS)).returncode


def report(lines):
    """Prints the counts; True when nothing differs."""
    counts, reasons, differences = collections.Counter(), collections.Counter(), []
    for line in lines:
        result = "not recorded" if line["not_recorded"] else "failed" if line["difference"] else "passed"
        counts[line["player"], shape(line["threads"]), result] += 1
        if line["not_recorded"]:
            reasons[line["player"], line["not_recorded"]] += 1
        if line["difference"]:
            differences.append("%s: %s, %d threads: %s" % (line["player"], line["test"], line["threads"], line["difference"][:600]))
    print("\n%-12s %-14s %8s %8s %14s" % ("player", "runs with", "passed", "failed", "not recorded"))
    for player in sorted({key[0] for key in counts}):
        for name in ("one thread", "4096 threads", "other grids"):
            print("%-12s %-14s %8d %8d %14d" % ((player, name) + tuple(counts[player, name, what] for what in ("passed", "failed", "not recorded"))))
    print("\nwhy not recorded, or not replayed:")
    for (player, reason), count in sorted(reasons.items()):
        print("%6d %-12s %s" % (count, player, reason))
    for difference in differences:
        print("differs: " + difference)
    return not differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--build", type=os.path.abspath)
    what.add_argument("--log")
    parser.add_argument("-j", dest="jobs", type=int)
    parser.add_argument("-v", dest="verbose", action="store_true")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    log, status = options.log, 0
    if not log:
        log = os.path.join(options.build, "test", "recordings.log")
        os.makedirs(os.path.dirname(log), exist_ok=True)
        if os.path.exists(log):
            os.unlink(log)
        status = run_tests(options, log)
    if not os.path.exists(log):
        sys.exit("recordings: no program was run")
    with open(log) as file:
        same = report([json.loads(line) for line in file])
    sys.exit(0 if same and status == 0 else 1)


if __name__ == "__main__":
    main()
