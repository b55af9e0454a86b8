#!/usr/bin/env python3
"""Compiles NVIDIA's cuda-samples with gpucc, runs them, and says how each ended.

usage: samples.py --samples FOLDER [options] [SAMPLE...]

FOLDER is a checkout of github.com/NVIDIA/cuda-samples, which nothing here contains. Without names all samples are taken that need no library but the CUDA
runtime and driver: their CMakeLists.txt say so. Each is compiled in a folder of its own and run there, with its data beside it. A sample passes when
it ends with status 0; with 2 it has said itself that it does not suit the device ('waived').
The last line is 'N passed, N failed, N waived'; the exit status is 1 when a sample failed.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# A sample whose CMakeLists.txt mentions one of these needs more than the runtime and the driver.
OTHER_LIBRARIES = re.compile(r"OpenGL|GLUT|GLEW|\bMPI|Vulkan|EGL|FreeImage|cublas|cufft|cusolver|cusparse|curand|npp|nvjpeg|nvrtc|nvJit|cudadevrt|D3D|NvSci|nvvm")
WAIVED = 2  # EXIT_WAIVED of the samples' headers


def parse_arguments():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: ") :], description=what + "\n\n" + how, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", required=True, metavar="FOLDER", help="a checkout of NVIDIA/cuda-samples")
    parser.add_argument("--build", default=os.environ.get("GPUEXEC_BUILD", str(ROOT / "build")), help="gpuexec's build folder (default: $GPUEXEC_BUILD, or build)")
    parser.add_argument("--compiler", help="instead of gpucc: nvcc, with -cudart shared")
    parser.add_argument("--limit", type=int, default=120, metavar="SECONDS", help="time limit of a compilation and of a run (default: 120)")
    parser.add_argument("--keep", metavar="FOLDER", help="build there, and leave what was built")
    parser.add_argument("--json", metavar="FILE", help="write the results as JSON")
    parser.add_argument("--markdown", metavar="FILE", help="write the results as a table")
    parser.add_argument("names", nargs="*", metavar="SAMPLE")
    return parser.parse_args()


def sources_of(folder):
    return [file for where in (folder, folder / "src") if where.is_dir() for file in sorted(where.iterdir()) if file.suffix in (".cu", ".cpp", ".c")]


def suits(folder):
    text = folder / "CMakeLists.txt"
    return text.is_file() and not OTHER_LIBRARIES.search(re.sub(r"(?m)^\s*#.*$", "", text.read_text(errors="replace"))) and sources_of(folder)


def find(samples, names):
    """The samples' folders, in order; an error for a name that is none."""
    folders = {folder.name: folder for folder in sorted((samples / "Samples").glob("[0-6]_*/*")) if folder.is_dir()}
    if not folders:
        sys.exit("samples.py: error: %s: not a checkout of NVIDIA/cuda-samples: it has no folder Samples" % samples)
    unknown = [name for name in names if name not in folders]
    if unknown:
        sys.exit("samples.py: error: %s: no such sample in %s" % (", ".join(unknown), samples))
    return [folders[name] for name in names] if names else [folder for folder in folders.values() if suits(folder)]


def run(command, folder, limit):
    """(exit status or None at the limit, output, seconds) of a command, whose processes all end with it."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        return status, output.read().decode(errors="replace"), time.monotonic() - began


def commands(folder, work, arguments):
    """What compiles a sample: kernels that it loads itself as CMakeLists.txt asks, and the program of the other sources."""
    compiler = [arguments.compiler, "-cudart", "shared"] if arguments.compiler else [str(pathlib.Path(arguments.build) / "bin" / "gpu-nvcc"), "-w"]
    options = ["-O2", "-std=c++17", "-I", str(folder), "-I", str(folder / "inc"), "-I", str(folder.parent.parent.parent / "Common")]
    rules = (folder / "CMakeLists.txt").read_text(errors="replace")
    loaded = set()
    for variable, suffix, option in (("FATBIN", "fatbin", "-fatbin"), ("PTX", "ptx", "-ptx")):
        target = re.search(r"set\(CUDA_%s_FILE\s+\"\$\{CMAKE_CURRENT_BINARY_DIR\}/([^\"]+)\"" % variable, rules)
        source = re.search(r"set\(CUDA_KERNEL_SOURCE\s+\"\$\{CMAKE_CURRENT_SOURCE_DIR\}/([^\"]+)\"", rules)
        if target and source:
            loaded.add(source[1])
            yield compiler + ["-O2", "-std=c++17", "-I", str(folder.parent.parent.parent / "Common"), option, "-o", target[1], str(folder / source[1])]
    sources = [str(file) for file in sources_of(folder) if file.name not in loaded]
    libraries = ["-lcuda"] if "cuda_driver" in rules else []
    yield compiler + options + (["-Xcompiler", "-fopenmp"] if "OpenMP" in rules else []) + sources + ["-o", folder.name] + libraries + ["-lpthread", "-lrt", "-ldl"]


def try_sample(folder, work, arguments):
    """The sample's result, as a dictionary."""
    for data in folder.iterdir():
        if data.name == "data":
            shutil.copytree(data, work / "data")
            for file in data.iterdir():
                if file.is_file():
                    shutil.copy(file, work)
    for command in commands(folder, work, arguments):
        status, output, seconds = run(command, work, arguments.limit)
        if status != 0:
            error = re.search(r"^.*(?:error|undefined).*$", output, re.MULTILINE)
            return {"result": "failed", "why": "compiled in more than %d s" % arguments.limit if status is None else error[0].strip() if error else output[-300:].strip()}
    status, output, seconds = run(["./" + folder.name], work, arguments.limit)
    (work / "output.txt").write_text(output)
    if status == 0:
        return {"result": "passed", "why": "", "seconds": seconds}
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"error|fail|abort|not supported|waiv", line, re.IGNORECASE)] or lines[-1:] or [""]
    if status == WAIVED:
        return {"result": "waived", "why": telling[0], "seconds": seconds}
    ended = "ran for more than %d s" % arguments.limit if status is None else "ended by signal %d" % -status if status < 0 else "status %d" % status
    return {"result": "failed", "why": ended + ": " + telling[0], "seconds": seconds}


def main():
    arguments = parse_arguments()
    results = {}
    with tempfile.TemporaryDirectory(prefix="cuda-samples-") as temporary:
        for folder in find(pathlib.Path(arguments.samples).resolve(), arguments.names):
            work = pathlib.Path(arguments.keep or temporary).resolve() / folder.name
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True)
            results[folder.name] = result = try_sample(folder, work, arguments)
            print("%-32s %-7s %s" % (folder.name, result["result"], result["why"][:200]), flush=True)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1) + "\n")
    if arguments.markdown:
        rows = ["| %s | %s | %s |" % (name, result["result"], result["why"].replace("|", "\\|")[:120]) for name, result in results.items()]
        pathlib.Path(arguments.markdown).write_text("\n".join(["| sample | result | why |", "| --- | --- | --- |"] + rows) + "\n")
    counts = {what: sum(result["result"] == what for result in results.values()) for what in ("passed", "failed", "waived")}
    print("%(passed)d passed, %(failed)d failed, %(waived)d waived" % counts)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
