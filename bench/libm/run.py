#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C library's mathematical functions beside those of LLVM's libclc: accuracy and speed, function by function.

  bench/libm/run.py [BUILD]                 on the emulator: accuracy (judged by MPFR) and instructions per call of a wave
  bench/libm/run.py [BUILD] --device NAME   accuracy and the device's own cycles per call of a wave, e.g. on an NVIDIA GPU
  ... --pack FOLDER                         only builds the images, for a machine without compilers
  ... --images FOLDER                       uses such images

Needs Debian's libclc-22 and libmpfr-dev where images are built. A wave computes 64 (or 32) different values at once.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLC = {"gfx": "/usr/lib/clc/amdgcn-amd-amdhsa.bc", "sm_": "/usr/lib/clc/nvptx64--.bc"}
CALLS = 200


def extract(options, folder):
    """The functions that are measured and what they call: not all of libclc can be compiled for every processor."""
    with open(os.path.join(ROOT, "bench", "libm", "libclc.h")) as file:
        names = re.findall(r"(?m)^(?:double|float) (\w+)\(", file.read())
    path = os.path.join(folder, "libclc.bc")
    triple = "amdgcn-amd-amdhsa" if options.arch.startswith("gfx") else "nvptx64-nvidia-cuda"
    subprocess.run(["opt-22", "-mtriple=" + triple, "-passes=internalize,globaldce", "-internalize-public-api-list=" + ",".join(names),
                    CLC[options.arch[:3]], "-o", path], check=True)
    return path


def build(options, folder):
    """accuracy.{ours,libclc}, speed.{ours,libclc} and the judge."""
    inputs = os.path.join(ROOT, "test", "libc", "inputs")
    subprocess.run(["clang-22", "-O2", "-w", "-I", os.path.dirname(inputs), os.path.join(inputs, "accuracy_judge.c"),
                    "-o", os.path.join(folder, "judge"), "-lmpfr", "-lgmp", "-lm"], check=True)
    for kind in ("ours", "libclc"):
        extra = []
        if kind == "libclc":
            extra = ["-include", os.path.join(ROOT, "bench", "libm", "libclc.h"), "-Wl," + extract(options, folder)]
        for name, source in (("accuracy", "test/libc/accuracy.c"), ("speed", "bench/libm/libm.c")):
            command = [os.path.join(options.build, "bin", "gpucc"), "--arch=" + options.arch, "-O2", "-I", ROOT,
                       "-I", os.path.dirname(inputs), os.path.join(ROOT, source), *extra,
                       "-o", os.path.join(folder, f"{name}.{kind}"), "-lm"]
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode:
                sys.exit(result.stderr)


def launch(options, *arguments):
    command = [os.path.join(options.build, "bin", "gpuexec")]
    if options.device:
        command.append("--device=" + options.device)
    return subprocess.run(command + [str(a) for a in arguments], stdout=subprocess.PIPE, check=True, timeout=600).stdout


def accuracy(options, folder, kind):
    """name -> largest error in units of the last place."""
    records = launch(options, "--threads", 64, "--blocks", options.blocks, os.path.join(folder, "accuracy." + kind), options.count)
    table = subprocess.run([os.path.join(folder, "judge"), "-v"], input=records, stdout=subprocess.PIPE).stdout.decode()
    return {m[1]: float(m[2]) for m in re.finditer(r"(?m)^(\w+) +([\d.]+) ulp", table)}


def instructions(options, image, function, calls, folder):
    stats = os.path.join(folder, "stats.json")
    launch(options, "--threads", 64, "--stats-json=" + stats, image, function, calls)
    with open(stats) as file:
        return sum(k["instructions"] for k in json.load(file)["kernels"] if k["kernel"] == "_start")


def speed(options, folder, kind, names, scratch):
    image = os.path.join(folder, "speed." + kind)
    if options.device:
        text = launch(options, "--threads", 32, image).decode()
        return {line.split()[0]: float(line.split()[1]) for line in text.splitlines()}
    return {name: (instructions(options, image, i, CALLS, scratch) - instructions(options, image, i, 0, scratch)) / CALLS
            for i, name in enumerate(names)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=os.path.join(ROOT, "build"))
    parser.add_argument("--arch", default="gfx942")
    parser.add_argument("--device")
    parser.add_argument("--pack")
    parser.add_argument("--images")
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--count", type=int, default=150)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.images or options.pack or scratch
        if not options.images:
            os.makedirs(folder, exist_ok=True)
            build(options, folder)
        if options.pack:
            return
        errors = {kind: accuracy(options, folder, kind) for kind in ("ours", "libclc")}
        times = {kind: speed(options, folder, kind, list(errors["ours"]), scratch) for kind in ("ours", "libclc")}
        unit = "cycles" if options.device else "instructions"
        print(f"| function | ulp | ulp, libclc | {unit} | {unit}, libclc |\n| --- | ---: | ---: | ---: | ---: |")
        for name in errors["ours"]:
            print(f"| {name} | {errors['ours'][name]:.3f} | {errors['libclc'][name]:.3f} "
                  f"| {times['ours'][name]:.0f} | {times['libclc'][name]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
