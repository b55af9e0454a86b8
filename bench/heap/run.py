#!/usr/bin/env python3
"""Device heap against one host request per call, in the same image and the same run.

  bench/heap/run.py [BUILD] [--threads 1,32,1024] [--sizes 16,256,8192]

Prints pairs of malloc and free per second of all threads together, and how many times more the heap does.
"""
import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def rate(build, image, threads, *arguments):
    block = min(threads, 256)
    command = [os.path.join(build, "bin", "gpuexec"), "--threads", str(block), "--blocks", str(threads // block), image]
    run = subprocess.run(command + [str(a) for a in arguments], capture_output=True, text=True, timeout=300)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: status {run.returncode}\n{run.stderr}")
    return float(run.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=os.path.join(ROOT, "build"))
    parser.add_argument("--threads", default="1,32,1024,4096")
    parser.add_argument("--sizes", default="16,256,8192")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, "heap")
        source = os.path.join(ROOT, "bench", "heap", "heap.c")
        subprocess.run([os.path.join(options.build, "bin", "gpucc"), "-O2", "-I", ROOT, source, "-o", image], check=True)
        print(f"{'threads':>8} {'bytes':>6} {'heap/s':>12} {'host/s':>12} {'ratio':>7}")
        for threads in map(int, options.threads.split(",")):
            for size in map(int, options.sizes.split(",")):
                pairs = max(4, 20000 // threads)
                heap = rate(options.build, image, threads, size, pairs)
                host = rate(options.build, image, threads, size, max(1, pairs // 20), "rpc")
                print(f"{threads:8} {size:6} {heap:12.0f} {host:12.0f} {heap / host:7.1f}", flush=True)


if __name__ == "__main__":
    main()
