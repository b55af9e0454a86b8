#!/usr/bin/env python3
"""Every instruction that clang emits for these sources is known to the emulator.

Each source is compiled and linked at each level and the image disassembled; with --library so are the members of an
archive of bitcode (the C library). The mnemonics go to emulator-coverage, which says what it does not know. Exit status
1 if there is any.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

MNEMONIC = re.compile(r"^\s+((?:s|v|ds|flat|global|scratch|buffer)_\w+)", re.M)
LLVM = "/usr/lib/llvm-22/bin/"


def text_of(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600, **options)
    if done.returncode:
        sys.exit("%s: status %d\n%s" % (" ".join(command), done.returncode, done.stderr[-2000:]))
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--gpucc", required=True)
    parser.add_argument("--coverage", required=True, help="emulator-coverage")
    parser.add_argument("--arch", default="gfx942", help="processors, separated by commas")
    parser.add_argument("--levels", default="-O0,-O1,-O2,-O3,-Os")
    parser.add_argument("--library", help="an archive of bitcode")
    options = parser.parse_args()
    failed = 0
    for arch in options.arch.split(","):
        names, files = set(), 0

        with tempfile.TemporaryDirectory() as folder:
            image = os.path.join(folder, "image")
            for level in options.levels.split(","):
                for source in options.sources:
                    text_of(options.gpucc.split() + ["--arch=" + arch, level, "-w", source, "-lm", "-o", image])
                    names.update(MNEMONIC.findall(text_of([LLVM + "llvm-objdump", "-d", "--no-show-raw-insn", image])))
                    files += 1
            if options.library:
                os.remove(image)
                text_of([LLVM + "llvm-ar", "x", os.path.abspath(options.library)], cwd=folder)
                for member in glob.glob(os.path.join(folder, "*")):
                    names.update(MNEMONIC.findall(text_of([LLVM + "llc", "-mcpu=" + arch, "-O2", "-o", "-", member])))
                    files += 1
            names.discard("v_illegal")  # on RDNA what the zeros between functions are
            floor = os.path.join(folder, "floor.txt")
            with open(floor, "w") as file:
                # The report has one name for DS atomics with and without a result.
                file.write("\n".join(sorted(name.replace("_rtn", "") for name in names)) + "\n")
            cpu = "gfx942" if arch == "gfx9-4-generic" else arch
            done = subprocess.run([options.coverage, "--cpu=" + cpu, "--floor=" + floor], capture_output=True, text=True)
        missing = done.stdout.split("## Missing from the floor")[-1].split()
        if done.returncode not in (0, 1) or not names:
            sys.exit("emulator-coverage: status %d\n%s" % (done.returncode, done.stderr))
        print("%s: %d mnemonics in %d files, %d unknown %s" % (arch, len(names), files, len(missing), " ".join(missing)))
        failed |= done.returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
