#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device heap beside one host request per call and, on an NVIDIA GPU, beside CUDA's own in-kernel malloc.

  bench/heap/run.py [BUILD] [--device NAME] [--threads 1,32,1024,32768,262144] [--sizes 16,128,1024,...]
  bench/heap/run.py [BUILD] --arch sm_90 --pack FOLDER      only puts all that is needed into FOLDER
  FOLDER/run.py --gpuexec PATH [--device NAME] ...          runs from there: no compiler, Python's own modules alone
  ... --beside IMAGE [--beside ...]                         more builds of heap.c, with another library, in the same run

Prints pairs of malloc and free per second of all threads together, in the same image and the same run (one request to
the host costs the same for any size: measured once for a number of threads; mixed: sizes of 16 bytes to the largest of
--sizes). Our heap may take 2 GiB, see --heap-size, CUDA's 8: 262144 threads of an H200 have 0.6 to 1.1 GB in use at once
at 8192 bytes. Then what the heaps waste: bytes taken for a byte asked for, 64 MiB of objects held at once by 1024 threads
(CUDA's: a heap of 128 MiB filled).
"""
import argparse
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CUDA_HEAP = 8 << 30
CUDA_SMALL_HEAP = 128 << 20


def build(options, folder):
    gpucc = os.path.join(options.build, "bin", "gpucc")
    subprocess.run([gpucc, "--arch=" + options.arch, "-O2", "-I", ROOT, os.path.join(HERE, "heap.c"), "-o",
                    os.path.join(folder, "heap")], check=True)
    if options.arch.startswith("sm_"):
        # PTX: the driver compiles it for whatever GPU there is.
        subprocess.run(["clang-22", "--target=nvptx64-nvidia-cuda", "-march=" + options.arch, "-Xclang", "-target-feature",
                        "-Xclang", "+ptx78", "-O2", "-ffreestanding", "-nogpulib", "-nostdlibinc", "-I", HERE, "-isystem",
                        os.path.join(ROOT, "toolchain", "newlib", "config"), "-S", os.path.join(HERE, "cuda_malloc.c"),
                        "-o", os.path.join(folder, "cuda_malloc.ptx")], check=True)
    if folder == options.pack:
        shutil.copy(os.path.abspath(__file__), os.path.join(folder, "run.py"))


def shape(threads):
    block = min(threads, 256)
    return threads // block, block


class Ours:
    """gpuexec runs the image; what it prints is the number."""

    def __init__(self, options, image):
        self.command = [options.gpuexec or os.path.join(options.build, "bin", "gpuexec"), "--heap-size", options.heap_size]
        if options.device:
            self.command.append("--device=" + options.device)
        self.image = image

    def run(self, mode, threads, size, count):
        blocks, block = shape(threads)
        command = self.command + ["--threads", str(block), "--blocks", str(blocks), self.image, mode, str(size), str(count)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if run.returncode:
            sys.exit(f"{' '.join(command)}: status {run.returncode}\n{run.stderr}")
        return float(run.stdout)


class Cuda:
    """The CUDA driver's interface, called from here."""

    def __init__(self, folder, heap=CUDA_HEAP):
        self.driver = ctypes.CDLL("libcuda.so.1")
        device, context, self.module = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.call("cuCtxSetLimit", 2, ctypes.c_size_t(heap))  # CU_LIMIT_MALLOC_HEAP_SIZE
        with open(os.path.join(folder, "cuda_malloc.ptx"), "rb") as file:
            self.call("cuModuleLoadData", ctypes.byref(self.module), ctypes.c_char_p(file.read()))
        self.results = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(self.results), ctypes.c_size_t(24))

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status:
            sys.exit(f"{name}: CUDA error {status}")

    def launch(self, kernel, threads, size, count):
        blocks, block = shape(threads)
        numbers = (ctypes.c_uint64 * 3)(0 if kernel == "fill" else (1 << 64) - 1, 0, 0)
        self.call("cuMemcpyHtoD_v2", self.results, numbers, ctypes.c_size_t(24))
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), self.module, kernel.encode())
        values = [ctypes.c_uint64(size), ctypes.c_uint32(count), self.results]
        pointers = (ctypes.c_void_p * 3)(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
        self.call("cuLaunchKernel", function, blocks, 1, 1, block, 1, 1, 0, None, pointers, None)
        self.call("cuCtxSynchronize")
        self.call("cuMemcpyDtoH_v2", numbers, self.results, ctypes.c_size_t(24))
        return list(numbers)

    def run(self, mode, threads, size, count):
        first, last, failed = self.launch(mode, threads, size, count)
        if failed:
            sys.exit(f"CUDA's malloc: {failed} of {threads * (count + 1)} objects of {size} bytes failed")
        return threads * count / (max(last - first, 1) * 1e-9)


def waste_of_cuda(folder, size):
    """In a process of its own: the heap stays full."""
    script = f"import run; print(run.CUDA_SMALL_HEAP / ({size} * run.Cuda({folder!r}, run.CUDA_SMALL_HEAP).launch('fill', 1024, {size}, 0)[0]))"
    result = subprocess.run([sys.executable, "-c", script], cwd=HERE, capture_output=True, text=True, timeout=600)
    return f"{float(result.stdout):8.2f}" if result.returncode == 0 else "   error"


def rate(heap, mode, threads, size, options, least, most):
    """Pairs per second, best of some runs that each last about `seconds`, the first one `least` pairs a thread. Too short
    a run is one of the heap's beginning, when slabs are asked for."""
    count = least
    found = heap.run(mode, threads, size, count)
    for _ in range(options.runs if found * options.seconds > threads * count else 0):
        count = int(min(max(found * options.seconds / threads, least), most))
        found = max(found, heap.run(mode, threads, size, count))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=os.path.join(ROOT, "build"))
    parser.add_argument("--arch", default="gfx942")
    parser.add_argument("--device")
    parser.add_argument("--gpuexec")
    parser.add_argument("--pack")
    parser.add_argument("--threads", default="1,32,1024,32768,262144")
    parser.add_argument("--sizes", default="16,128,1024,2048,4096,8192")
    parser.add_argument("--beside", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--heap-size", default="2G")
    options = parser.parse_args()
    packed = os.path.exists(os.path.join(HERE, "heap"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = HERE if packed else options.pack or scratch
        if not packed:
            os.makedirs(folder, exist_ok=True)
            build(options, folder)
        if options.pack:
            return
        measure(options, folder)


def measure(options, folder):
    ours = Ours(options, os.path.join(folder, "heap"))
    beside = [Ours(options, image) for image in options.beside]
    cuda = Cuda(folder) if os.path.exists(os.path.join(folder, "cuda_malloc.ptx")) else None
    sizes = list(map(int, options.sizes.split(",")))
    print(f"{'threads':>8} {'bytes':>6} {'heap/s':>13} {'host/s':>12} {'x':>8}" + (f" {'CUDA/s':>13} {'x':>8}" if cuda else "") +
          "".join(f" {os.path.basename(other.image)[-11:] + '/s':>13} {'x':>8}" for other in beside))
    for threads in map(int, options.threads.split(",")):
        host = rate(ours, "host", threads, sizes[0], options, 4, 64)
        for mode, size in [("pairs", size) for size in sizes] + [("mixed", max(sizes))]:
            heap = rate(ours, mode, threads, size, options, 256, 1 << 20)
            line = f"{threads:8} {size if mode == 'pairs' else mode:>6} {heap:13.0f} {host:12.0f} {heap / host:8.1f}"
            if cuda:
                other = rate(cuda, mode, threads, size, options, 4, 1 << 14)
                line += f" {other:13.0f} {heap / other:8.1f}"
            for image in beside:
                other = rate(image, mode, threads, size, options, 256, 1 << 20)
                line += f" {other:13.0f} {heap / other:8.1f}"
            print(line, flush=True)
    print(f"\n{'bytes':>6} {'taken per byte asked for':>25}" + (f" {'CUDA':>8}" if cuda else "") +
          "".join(f" {os.path.basename(other.image)[-12:]:>12}" for other in beside))
    for size in sizes:
        held = max((64 << 20) // (1024 * size), 1)
        line = f"{size:6} {ours.run('hold', 1024, size, held):25.2f}"
        if cuda:
            line += f" {waste_of_cuda(folder, size)}"
        for other in beside:
            line += f" {other.run('hold', 1024, size, held):12.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
