#!/usr/bin/env python3
"""One C or C++ source on host and device: every line that it prints must agree.

The host's program is compiled once, the device's at each level; it runs in 64 threads, or in fewer that do the work of all
(inputs/lanes.h), with --jit in each of these modes of the emulator's tiers (test/lit/tier_modes.py). Where a line
"NAME CHECKSUM" differs both programs run again with NAME as argument, which makes them print its values, and the first that
differ are shown.
"""

import argparse
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lit"))
import tier_modes


def output(command, extra={}, limit=600):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit, env={**os.environ, **extra})
    if done.returncode:
        variables = ["%s=%s" % item for item in extra.items()]
        print("%s: status %d\n%s" % (" ".join(variables + command), done.returncode, done.stderr[-3000:]))
        sys.exit(1)
    return done.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("--gpucc", required=True)
    parser.add_argument("--gpuexec", required=True)
    parser.add_argument("--hostcc", required=True)
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--threads", default="64", help="on the device: numbers of threads, or of blocks and "
                        "threads (4x1), separated by commas")
    parser.add_argument("--jit", default="", help="modes of the emulator's tiers, separated by commas (default: as the "
                        "environment says)")
    parser.add_argument("--flags", default="", help="for both compilers")
    parser.add_argument("-o", dest="target", required=True, help="where the programs go, without suffix")
    options = parser.parse_args()

    flags = ["-ffp-contract=off", "-w"] + options.flags.split()
    host = options.target + ".host"
    output(options.hostcc.split() + flags + [options.source, "-lm", "-o", host])
    expected = output([host])
    if not expected:
        print("the host's program prints nothing")
        return 1
    runs = [(threads, mode) for threads in options.threads.split(",") for mode in options.jit.split(",")]
    failed = 0
    for level in options.levels.split(","):
        image = options.target + level
        output(options.gpucc.split() + [level] + flags + [options.source, "-lm", "-o", image])
        for threads, mode in runs:
            blocks, _, size = threads.rpartition("x")
            launch = options.gpuexec.split() + ["--blocks", blocks or "1", "--threads", size, image]
            environment = tier_modes.environment(mode, options.target + ".kept") if mode else {}
            for _ in range(tier_modes.times(mode)):
                actual = output(launch, environment)
                if actual != expected:
                    failed = 1
                    print("%s at %s in %s threads%s:" % (options.source, level, threads, ", jit " + mode if mode else ""), end=" ")
                    show(expected, actual, host, launch, environment)
    if not failed:
        print("%s: %d lines agree at %s%s" % (options.source, len(expected), options.levels,
                                              " with each of " + options.jit if options.jit else ""))
    return failed


def show(expected, actual, host, launch, environment):
    """The lines that differ, and of each the first values that do."""
    wrong = [(e, a) for e, a in zip(expected, actual) if e != a]
    print("%d of %d lines differ, %d lines printed" % (len(wrong), len(expected), len(actual)))
    for e, a in wrong[:20]:
        print("  host   %s\n  device %s" % (e, a))
        name = e.split()[0]
        left, right = sorted(output([host, name])), sorted(output(launch + [name], environment))
        details = [(x, y) for x, y in zip(left, right) if x != y]
        for x, y in details[:5]:
            print("      host   %s\n      device %s" % (x, y))
        if len(left) != len(right):
            print("      %d values on the host, %d on the device" % (len(left), len(right)))


if __name__ == "__main__":
    sys.exit(main())
