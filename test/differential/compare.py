#!/usr/bin/env python3
"""One C or C++ source on host and device: every line that it prints must agree.

The host's program is compiled once, the device's at each level; it runs in 64 threads. Where a line "NAME CHECKSUM"
differs both programs run again with NAME as argument, which makes them print its values (see inputs/lanes.h), and the
first that differ are shown.
"""

import argparse
import os
import subprocess
import sys


def output(command, limit=600):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit)
    if done.returncode:
        print("%s: status %d\n%s" % (" ".join(command), done.returncode, done.stderr[-3000:]))
        sys.exit(1)
    return done.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("--gpucc", required=True)
    parser.add_argument("--gpuexec", required=True)
    parser.add_argument("--hostcc", required=True)
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--threads", default="64")
    parser.add_argument("--jit", default="", help="values of GPUEXEC_EMULATOR_JIT to run with, separated by commas")
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
    failed = 0
    for level in options.levels.split(","):
        image = options.target + level
        output(options.gpucc.split() + [level] + flags + [options.source, "-lm", "-o", image])
        for mode in options.jit.split(","):
            if mode:
                os.environ["GPUEXEC_EMULATOR_JIT"] = mode
            launch = options.gpuexec.split() + ["--threads", options.threads, image]
            actual = output(launch)
            if actual == expected:
                continue
            failed = 1
            wrong = [(e, a) for e, a in zip(expected, actual) if e != a]
            print("%s at %s%s: %d of %d lines differ, %d lines printed" % (options.source, level, mode and ", JIT " + mode, len(wrong),
                                                                           len(expected), len(actual)))
            for e, a in wrong[:20]:
                print("  host   %s\n  device %s" % (e, a))
                name = e.split()[0]
                left, right = sorted(output([host, name])), sorted(output(launch + [name]))
                details = [(x, y) for x, y in zip(left, right) if x != y]
                for x, y in details[:5]:
                    print("      host   %s\n      device %s" % (x, y))
                if len(left) != len(right):
                    print("      %d values on the host, %d on the device" % (len(left), len(right)))
    if not failed:
        print("%s: %d lines agree at %s" % (options.source, len(expected), options.levels))
    return failed


if __name__ == "__main__":
    sys.exit(main())
