#!/usr/bin/env python3
"""Packs the whole-program tests into a directory that runs on a machine with a GPU and Python 3, but no LLVM and no lit.

usage: gpuexec-test-bundle [-o DIRECTORY] [--arch gfx942,sm_90] [--no-emulator] [--shared] [--list] [-j N] [TEST...]

Every RUN line that compiles is carried out here, once per architecture; what it made is packed. All other RUN lines go
into the bundle as they are, for its run.py to carry out: cd DIRECTORY && ./run.py
"""
# TEST and ROOT are those of the source tree, or of what is installed of it (sources.txt); BUILD is the build folder or the prefix.

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

TEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(TEST)
BUILD = os.path.abspath(os.environ.get("GPUEXEC_BUILD") or os.path.join(ROOT, "build"))
LLVM_BIN = "/usr/lib/llvm-22/bin"
FOLDERS = ["program", "startup", "examples", "libc", "sandbox", "openmp", "threads", "blas", "fft"]  # whole programs that run on every device

COMPILES = re.compile(r"%gpucc\b|%hostcc\b|%hostcxx\b|\bsplit-file\b")
NAME = "gpuexec-test-bundle"
PROGRESS_AFTER = 2.0  # seconds, as in gpucc: what takes longer shows at a terminal how far it is
RUNS = re.compile(r"%run\b|%gpuexec\b|%bin\b")


def read_test(path):
    """RUN lines (continued ones joined) and conditions of a lit test."""
    lines, requires, unsupported = [], [], []
    continued = False
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            found = re.search(r"\b(RUN|REQUIRES|UNSUPPORTED):(.*)", line)
            if not found:
                continue
            kind, text = found.group(1), found.group(2).strip()
            if kind == "REQUIRES":
                requires += [c.strip() for c in text.split(",")]
            elif kind == "UNSUPPORTED":
                unsupported += [c.strip() for c in text.split(",")]
            else:
                if continued:
                    lines[-1] += " " + text.rstrip("\\")
                else:
                    lines.append(text.rstrip("\\"))
                continued = text.endswith("\\")
    return lines, requires, unsupported


def substitute(line, values):
    """lit's substitutions, longest names first; %% is a per cent sign."""
    line = line.replace("%%", "\0")
    for name in sorted(values, key=len, reverse=True):
        line = re.sub(re.escape(name) + r"(?![\w-])" if name not in ("%t", "%s") else re.escape(name) + r"(?!\w)",
                      lambda _: values[name], line)
    return line.replace("\0", "%")


def snapshot(folder):
    state = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            information = os.lstat(path)
            state[path] = (information.st_mtime_ns, information.st_size, information.st_ino)
    return state


def run_here(line, folder, name, tools):
    path = os.pathsep.join([LLVM_BIN, os.environ.get("PATH", "/usr/bin:/bin"), tools])
    result = subprocess.run(["bash", "-c", "set -o pipefail\n" + line], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                            env=dict(os.environ, PATH=path))
    if result.returncode:
        raise RuntimeError("%s: %s\n%s" % (name, line, result.stdout[:1200]))


def runs_elsewhere(lines, at):
    """Whether the native program that line `at` compiles is used by a line of the bundle."""
    named = re.search(r"-o (%t[\w.-]*)", lines[at])
    ran = False
    for line in lines[at:]:
        ran |= bool(RUNS.search(line))
        if ran and not COMPILES.search(line) and (not named or named.group(1) in line):
            return True
    return False


def pack_test(name, arch, out, shared):
    """The test's steps for one architecture: packed files, and lines to carry out later."""
    source = os.path.join(TEST, name)
    lines, _, _ = read_test(source)
    steps, ran = [], False
    with tempfile.TemporaryDirectory() as folder:
        here = {
            "%t": os.path.join(folder, "t"), "%s": source, "%S": os.path.dirname(source), "%source": ROOT,
            "%inputs": os.path.join(TEST, "Inputs"), "%python": sys.executable, "%arch": arch,
            "%gpucc": "%s --arch=%s" % (os.path.join(BUILD, "bin", "gpucc"), arch),
            "%lanes": "" if arch.startswith("sm_") else "--gpu-max-threads-per-block=1024",
            "%hostcc": os.path.join(LLVM_BIN, "clang") + " -O2 -w -std=gnu17 ",
            "%hostcxx": os.path.join(LLVM_BIN, "clang++") + " -O2 -w ",
        }
        later = {
            "%t": "@@TMP@@", "%s": "@@BUNDLE@@/source/test/" + name,
            "%S": "@@BUNDLE@@/source/test/" + os.path.dirname(name), "%source": "@@BUNDLE@@/source",
            "%inputs": "@@BUNDLE@@/source/test/Inputs", "%python": "@@PYTHON@@", "%arch": "@@ARCH@@",
            "%run": "@@RUN@@", "%gpuexec": "@@GPUEXEC@@", "%bin": "@@BUNDLE@@/bin", "%build": "@@BUNDLE@@",
        }
        for at, line in enumerate(lines):
            compiles, runs = bool(COMPILES.search(line)), bool(RUNS.search(line))
            ran |= runs
            before = snapshot(folder)
            if compiles or not ran:
                # What only says here what is expected is linked as in ./check: a static glibc has other locales.
                linked = "-static " if not shared and runs_elsewhere(lines, at) else ""
                line_here = re.sub(r"(%hostc(?:c|xx))(?![\w-])", lambda m: m.group(1) + " " + linked, line)
                run_here(substitute(line_here, here), folder, name, os.path.join(out, "tools"))
            if not compiles:
                steps.append({"line": substitute(line, later)})
                continue
            changed = [p for p, s in snapshot(folder).items() if before.get(p) != s]
            place = os.path.join("files", arch, name, str(len(steps)))
            for path in changed:
                if not os.path.isfile(path):
                    continue  # what the host's program left: a FIFO, a socket
                target = os.path.join(out, place, os.path.relpath(path, folder))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(path, target)
            if changed:
                steps.append({"files": place})
    return steps


class Progress:
    """A line at a terminal that says how far the work is, while it takes long."""

    def __init__(self, total):
        self.total, self.done, self.begin, self.width = total, 0, time.monotonic(), 0
        self.shown = sys.stderr.isatty()

    def step(self, what):
        self.done += 1
        if self.shown and time.monotonic() - self.begin >= PROGRESS_AFTER:
            self.clear()
            text = "%s: %d of %d: %s" % (NAME, self.done, self.total, what)
            self.width = len(text)
            print(text, end="\r", file=sys.stderr, flush=True)

    def clear(self):
        if self.width:
            print(" " * self.width, end="\r", file=sys.stderr, flush=True)
            self.width = 0


def tool(out, name, text):
    path = os.path.join(out, "tools", name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)


def test_names(parts):
    """Names of the tests that contain one of the parts; all where there is no part."""
    names = []
    for folder in FOLDERS:
        for where, folders, files in os.walk(os.path.join(TEST, folder)):
            folders[:] = [f for f in folders if f not in ("Inputs", "inputs")]
            names += [os.path.relpath(os.path.join(where, f), TEST) for f in files if f.endswith((".c", ".cpp", ".cc", ".test"))]
    return sorted(n for n in names if not parts or any(part in n for part in parts))


def suits(arch, requires):
    kind = {"amdgpu" if arch.startswith("gfx") else "nvptx", arch}
    if ("amdgpu" in requires or "nvptx" in requires) and not kind & set(requires):
        return False
    return "emulator" not in requires or arch.startswith("gfx")


def pack_tests(names, arguments, out):
    """(the tests as run.py reads them, how many could not be packed, names of those that compile where they run)"""
    tests, jobs, left_out = [], [], []
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for name in names:
            lines, requires, unsupported = read_test(os.path.join(TEST, name))
            # What runs nothing of ours is about compilers, which are not there.
            if "long" in requires or not any(RUNS.search(line) for line in lines):
                continue
            if any(COMPILES.search(line) and RUNS.search(line) for line in lines):
                left_out.append(name)
                continue
            test = {"name": name, "requires": requires, "unsupported": unsupported, "steps": {}}
            tests.append(test)
            jobs += [(test, arch, pool.submit(pack_test, name, arch, out, arguments.shared)) for arch in arguments.arch.split(",") if suits(arch, requires)]
        failed, progress = 0, Progress(len(jobs))
        for test, arch, job in jobs:
            try:
                test["steps"][arch] = job.result()
            except RuntimeError as error:
                progress.clear()
                print("%s: %s for %s: %s" % (NAME, test["name"], arch, error), file=sys.stderr)
                failed += 1
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)
                raise
            progress.step("%s for %s" % (test["name"], arch))
        progress.clear()
    return tests, failed, left_out


def pack_sources(out):
    """The files of sources.txt that lines of tests name."""
    with open(os.path.join(TEST, "bundle", "sources.txt")) as file:
        parts = [line.split()[0] for line in file if line.strip() and not line.startswith("#")]
    for part in parts:
        source, target = os.path.join(ROOT, part), os.path.join(out, "source", part)
        if os.path.isdir(source):
            shutil.copytree(source, target)
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)


def print_version():
    """As gpuexec's own first line."""
    result = subprocess.run([os.path.join(BUILD, "bin", "gpuexec"), "--version"], stdout=subprocess.PIPE, text=True)
    print(NAME + " " + result.stdout.split("\n")[0].partition(" ")[2])
    return result.returncode


def check_architectures(names):
    """Ends with the compiler's message when it does not know one of them, or lacks a tool for it: no test would compile."""
    for arch in names.split(","):
        result = subprocess.run([os.path.join(BUILD, "bin", "gpucc"), "--arch=" + arch, "-x", "c", "-c", "-o", os.devnull, os.devnull],
                                stderr=subprocess.PIPE, text=True, errors="replace")
        if result.returncode:
            sys.exit("%s: --arch=%s: %s" % (NAME, arch, result.stderr.strip()))


def main():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(
        prog=NAME, usage=usage[len("usage: ") :], description=what + "\n\n" + how, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", dest="out", metavar="DIRECTORY", default="gpuexec-tests", help="where the bundle goes; default: gpuexec-tests")
    parser.add_argument("--arch", metavar="NAMES", default="gfx942,sm_90", help="GPUs as gpucc names them, with commas between; default: gfx942,sm_90")
    parser.add_argument("--no-emulator", action="store_true", help="leave the emulated device out: a smaller bundle")
    parser.add_argument("--shared", action="store_true", help="link native programs of the bundle with shared libraries; otherwise they run on "
                        "any machine, but not those that look up users and groups")
    parser.add_argument("--list", action="store_true", help="print the names of the tests and pack nothing")
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.add_argument("-j", dest="jobs", metavar="N", type=int, default=os.cpu_count() or 1, help="tests compiled at once; default: one for each processor")
    parser.add_argument("tests", metavar="TEST", nargs="*", help="only tests whose name contains one of these")
    arguments = parser.parse_args()
    if arguments.version:
        return print_version()
    names = test_names(arguments.tests)
    if not names:
        sys.exit("%s: no test has a name with %s in it; --list prints the names" % (NAME, " or ".join(map(repr, arguments.tests))))
    if arguments.list:
        print("\n".join(names))
        return 0
    out = os.path.abspath(arguments.out)
    if os.path.exists(out) and (not os.path.isdir(out) or os.listdir(out) and not os.path.exists(os.path.join(out, "tests.json"))):
        sys.exit("%s: %s: not empty and not a bundle: remove it, or name another folder with -o" % (NAME, out))
    check_architectures(arguments.arch)
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(os.path.join(out, "bin"))
    os.makedirs(os.path.join(out, "tools"))

    with open(os.path.join(TEST, "bundle", "filecheck.py")) as file:
        tool(out, "FileCheck", file.read())
    with open(os.path.join(TEST, "bundle", "split_file.py")) as file:
        tool(out, "split-file", file.read())
    # As LLVM's: any status but 0 is well, 134 too, but not the end by a signal.
    tool(out, "not", "#!/usr/bin/env python3\nimport subprocess, sys\n"
         "sys.exit(0 if subprocess.run(sys.argv[1:]).returncode > 0 else 1)\n")
    tests, failed, left_out = pack_tests(names, arguments, out)
    with open(os.path.join(out, "tests.json"), "w") as file:
        json.dump(tests, file, indent=1)

    pack_sources(out)
    for program in ("gpuexec", "gpu-replay"):
        shutil.copy2(os.path.join(BUILD, "bin", program), os.path.join(out, "bin"))
    emulator = os.path.join(BUILD, "lib", "gpuexec")
    shutil.copytree(os.path.join(emulator, "services"), os.path.join(out, "lib", "gpuexec", "services"))
    if not arguments.no_emulator:
        for library in os.listdir(emulator):
            if ".so" in library:
                shutil.copy2(os.path.join(emulator, library), os.path.join(out, "lib", "gpuexec"), follow_symlinks=True)
    for file in (os.path.join(TEST, "bundle", "run.py"), os.path.join(TEST, "lit", "gpuexec_lit.py")):
        shutil.copy2(file, out)
    os.chmod(os.path.join(out, "run.py"), 0o755)
    if left_out:
        print("%s: %d tests compile in the line that runs them, and are left out: %s" % (NAME, len(left_out), " ".join(left_out)), file=sys.stderr)
    print("%s: %d tests for %s" % (arguments.out, len(tests), arguments.arch))
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)  # what was packed so far is no bundle: tests.json comes last
