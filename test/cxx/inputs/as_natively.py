#!/usr/bin/env python3
"""Compiles a C++ program natively and for the device, runs both, and compares what they print and how they end.

usage: as_natively.py SOURCE -o TARGET --gpucxx COMMAND --run COMMAND [--levels -O0,-O2] [--flags FLAGS] [--threads N] [--stderr]

With --threads the device runs N threads, each of which calls main; lines are then compared in sorted order.
With --stderr what the program prints to standard error is compared, too; gpuexec's own lines there are left out.
"""

import argparse
import difflib
import os
import subprocess
import sys

CLANG = "/usr/lib/llvm-22/bin/clang++"


def output(command, folder):
    os.makedirs(folder, exist_ok=True)
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    return done.returncode if done.returncode >= 0 else 128 - done.returncode, done.stdout, done.stderr


def compile_program(command, source, target):
    done = subprocess.run([*command, source, "-o", target], stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit("%s: status %d" % (" ".join([*command, source]), done.returncode))


def lines(text, sort):
    split = text.decode(errors="replace").splitlines()
    return sorted(split) if sort else split


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("-o", dest="target", required=True, help="where the programs go, without suffix")
    parser.add_argument("--gpucxx", required=True)
    parser.add_argument("--run", required=True)
    # ./check --long asks for more: a link with the C++ library takes ten seconds.
    parser.add_argument("--levels", default=os.environ.get("GPUEXEC_TEST_LEVELS", "-O2"))
    parser.add_argument("--flags", default="-std=c++17")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--stderr", action="store_true")
    arguments = parser.parse_args()
    flags, sort = arguments.flags.split(), arguments.threads > 0
    compile_program([CLANG, "-O1", "-w", "-pthread", "-D_GLIBCXX_USE_TBB_PAR_BACKEND=0", *flags], arguments.source, arguments.target + ".host")
    status, expected, told = output([arguments.target + ".host"], arguments.target + ".host.folder")
    expected += told if arguments.stderr else b""
    failed = 0
    for level in arguments.levels.split(","):
        several = ["--gpu-max-threads-per-block=1024"] if arguments.threads and "gfx" in arguments.gpucxx else []
        compile_program([*arguments.gpucxx.split(), level, "-w", *several, *flags], arguments.source, arguments.target)
        run = [*arguments.run.split(), *(["--threads", str(arguments.threads)] if arguments.threads else []), arguments.target]
        ended, found, errors = output(run, arguments.target + ".folder")
        if arguments.stderr:
            found += b"".join(line for line in errors.splitlines(keepends=True) if not line.startswith(b"gpuexec: "))
        if ended != status or lines(found, sort) != lines(expected, sort):
            failed += 1
            print("%s: status %d, natively %d\n%s" % (level, ended, status, errors.decode(errors="replace")[-2000:]))
            print("\n".join(list(difflib.unified_diff(lines(expected, sort), lines(found, sort), "natively", "on the device", lineterm=""))[:60]))
    if not expected.strip():
        print("natively it prints nothing: nothing was compared")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
