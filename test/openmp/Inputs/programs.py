#!/usr/bin/env python3
"""Compiles the programs of bench/parallel for the host, without OpenMP, and for the GPU, and compares what they print in grids
of different sizes.

    programs.py FOLDER SCRATCH HOSTCC GPUCC RUN      HOSTCC, GPUCC, RUN: commands, one word each
"""
import os
import shlex
import subprocess
import sys

# Small, and with sizes that no grid divides.
PROGRAMS = {
    "bfs": "3001 4 2",
    "fourier": "1024 2",
    "gradients": "11 12",
    "histogram": "70001 2",
    "jacobi": "50 100",
    "kmeans": "3001 4",
    "lookup": "501 67",
    "mandelbrot": "33 100",
    "matmul": "52 1",
    "montecarlo": "301 8",
    "nbody": "301 2",
    "sort": "5003 100",
}
GRIDS = ["--threads 1", "--threads 65", "--threads 100 --blocks 2", "", "--threads 256 --blocks 16"]


def main():
    folder, scratch, hostcc, gpucc, run = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    failed = 0
    for name, sizes in PROGRAMS.items():
        source = os.path.join(folder, name + ".c")
        host, gpu = (os.path.join(scratch, name + kind) for kind in (".host", ".gpu"))
        subprocess.run(shlex.split(hostcc) + ["-ffp-contract=off", source, "-o", host, "-lm"], check=True)
        subprocess.run(shlex.split(gpucc) + ["-O2", "-fopenmp", source, "-o", gpu, "-lm"], check=True)
        expected = subprocess.run([host, *sizes.split()], check=True, capture_output=True, text=True).stdout
        for grid in GRIDS:
            found = subprocess.run(shlex.split(run) + grid.split() + [gpu, *sizes.split()], capture_output=True, text=True)
            if found.returncode or found.stdout != expected:
                failed += 1
                print(f"{name} {sizes} ({grid or 'default grid'}): status {found.returncode}\n"
                      f"  expected {expected}  found    {found.stdout}{found.stderr}")
    print(f"{len(PROGRAMS)} programs, {len(GRIDS)} grids, {failed} failed")
    return failed > 0


sys.exit(main())
