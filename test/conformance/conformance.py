#!/usr/bin/env python3
"""Runs public suites of C, POSIX and OpenMP natively and as GPU programs, and counts what of the former the latter passes.

usage: conformance.py --build BUILD [options] SUITE...

SUITE: libc (musl's libc-test), posix (the Open POSIX test suite), openmp (OpenMP_VV, in C), openmp-runtime (the tests of LLVM's OpenMP
runtime). Their sources are no part of gpuexec: git brings them once, at the commits that suites.py names, and apt those of LLVM, into
~/.cache/gpuexec/suites; --source takes a folder that has one already.

Each test is compiled by clang and run natively; what passes is due on the device, where gpucc compiles it and gpuexec runs it, each in
an empty folder of its own. Natively a result is kept in BUILD/conformance; --native-again asks anew. A test that the suite knows to need
what no device can have (fork, a library opened at run time) does not count and is listed by --list.

known/SUITE.txt has a line for each test that is known to fail, with its reason. The exit status is 1 when another fails, or when one of
them passes: the list can only get shorter.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Inputs"))
import suites
from limited_run import Run

CLANG = "/usr/lib/llvm-22/bin/clang"
MEMORY = {"compile": 8 << 30, "native": 4 << 30, "device": 64 << 30}  # bytes of address space; the emulator reserves much
COMPILE_SECONDS = {"native": 60, "device": 300}  # clang 22 does not end after some errors (test_task_transparent of OpenMP_VV)


def parse_arguments():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: "):], description=what + "\n\n" + how,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="gpuexec's build folder")
    parser.add_argument("--arch", default="gfx942", help="gfx942 (default), sm_90 ...; images for NVIDIA carry PTX")
    parser.add_argument("--device", help="as gpuexec's (default: emulator, for NVIDIA that of the architecture)")
    parser.add_argument("--source", type=pathlib.Path, help="the suite's sources, of one SUITE")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path("~/.cache/gpuexec/suites").expanduser())
    parser.add_argument("--known", type=pathlib.Path, default=HERE / "known", help="the folder of the lists of known failures")
    parser.add_argument("--filter", default="", help="only tests whose name has a match of this expression")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth test")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--timeout", type=int, help="seconds that one test may run on the device (default: 60; of posix 120)")
    parser.add_argument("--native-again", action="store_true", help="forget how tests ended natively")
    parser.add_argument("--list", action="store_true", help="print the tests, with why some do not count, and run none")
    parser.add_argument("--pack", type=pathlib.Path, metavar="FOLDER", help="run nothing on a device: write images for packed.py")
    parser.add_argument("suites", nargs="+", choices=sorted(suites.SUITES), metavar="SUITE")
    arguments = parser.parse_args()
    if arguments.every < 1 or arguments.jobs < 1 or (arguments.timeout or 1) < 1:
        parser.error("--every, --jobs and --timeout are at least 1")
    if arguments.source and len(arguments.suites) != 1:
        parser.error("--source is of one SUITE")
    arguments.nvidia = arguments.arch.startswith("sm_")
    if not arguments.device:
        arguments.device = "emulator" + (":" + arguments.arch if arguments.nvidia else "")
    return arguments


def known_failures(path):
    """{test: reason} of the lines `TEST REASON`."""
    lines = path.read_text().splitlines() if path.exists() else []
    return dict((line.split(None, 1) + [""])[:2] for line in lines if line.strip() and not line.startswith("#"))


def attempt(compiler, launcher, test, seconds, memory, image=None):
    """"" when a test passes, else why not. launcher: what runs the program; image: where it stays, if it does."""
    with tempfile.TemporaryDirectory(prefix="gpuexec-conformance-") as folder:
        program = str(image or pathlib.Path(folder, "test"))
        flags = [option for option in test.options if not option.startswith("-l")]
        libraries = [option for option in test.options if option.startswith("-l")]
        compiled = Run([*compiler, *flags, *map(str, test.sources), *libraries, "-o", program], folder,
                       COMPILE_SECONDS["native" if compiler == [CLANG] else "device"], MEMORY["compile"])
        if compiled.status != 0:
            return "does not compile: " + compiled.error()
        if launcher is None:
            return ""
        os.mkdir(os.path.join(folder, "run"))
        run = Run([*launcher, program], os.path.join(folder, "run"), seconds + 10, memory)
    return "" if run.status == 0 else run.how()


def at_once(work, jobs, what):
    """{key: result} of work, {key: a function}; what does not pass is told at once, and now and then how far it is."""
    results = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(function): key for key, function in work.items()}
        try:
            for future in concurrent.futures.as_completed(running):
                key = running[future]
                results[key] = future.result()
                if results[key]:
                    print("%s: %s: %s" % (what, key, results[key]), file=sys.stderr, flush=True)
                if len(results) % 50 == 0:
                    print("%s: %d of %d" % (what, len(results), len(work)), file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            for future in running:
                future.cancel()
            raise
    return results


class Natively:
    """How tests end natively, kept in a file."""

    def __init__(self, path, again):
        self._path = path
        self._ended = json.loads(path.read_text()) if path.exists() and not again else {}

    def run(self, tests, jobs, limit):
        """{name: "" or why a test does not pass}"""
        due = {test.name: test for test in tests if test.name not in self._ended}
        self._ended |= at_once({name: lambda test=test: attempt([CLANG], [], test, limit, MEMORY["native"]) for name, test in due.items()},
                               jobs, "natively")
        if due:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(self._ended, indent=0, sort_keys=True))
        return {test.name: self._ended[test.name] for test in tests}


def report(title, arch, tests, native, results, known):
    """Prints the table by folder and what is not as the list says; whether all is."""
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    good = True
    for test in tests:
        row = rows["/".join(test.name.split("/")[:-1][:3])]
        row[0] += 1
        if native[test.name]:
            continue
        reason = results[test.name]
        row[1] += 1
        row[2] += not reason
        row[3] += bool(reason and test.name in known)
        if reason and test.name not in known:
            print("FAILED: %s: %s" % (test.name, reason))
        elif reason:
            print("known failure: %s: %s: %s" % (test.name, reason, known[test.name]))
        elif test.name in known:
            print("passes, though the list of known failures has it: " + test.name)
        good &= bool(reason) == (test.name in known)
    print("\n%-48s %6s %9s %8s %6s" % ("folder", "tests", "natively", arch, "known"))
    for folder, row in sorted(rows.items()):
        print("%-48s %6d %9d %8d %6d" % (folder, *row))
    total = [sum(column) for column in zip(*rows.values())]
    print("%s: of %d tests %d pass natively, %d of these on %s (%.1f %%); %d failed, %d known failures" % (
        title, total[0], total[1], total[2], arch, 100 * total[2] / max(total[1], 1), total[1] - total[2] - total[3], total[3]), flush=True)
    return good and total[1] > 0


def run_suite(name, arguments):
    kind = suites.SUITES[name]
    suite = kind(arguments.source or kind.bring(arguments.cache))
    everything = [test for test in suite.tests() if re.search(arguments.filter, test.name)][::arguments.every]
    if arguments.list:
        for test in everything:
            print(test.name + (" does not count: " + test.why_not if test.why_not else ""))
        return True
    tests = [test for test in everything if not test.why_not]
    limit = arguments.timeout or suite.limit
    native = Natively(arguments.build / "conformance" / (name + ".json"), arguments.native_again).run(tests, arguments.jobs, suite.limit)
    tools = arguments.build.resolve() / "bin"
    compiler = [str(tools / "gpucc"), "--arch=" + arguments.arch, *(["--emit-ptx"] if arguments.nvidia else [])]  # no test waits for ptxas
    launcher = [str(tools / "gpuexec"), "--device=" + arguments.device, "--timeout=%d" % limit]
    if arguments.pack:
        arguments.pack.mkdir(parents=True, exist_ok=True)
        launcher = None
    images = {test.name: arguments.pack and arguments.pack.resolve() / ("%s-%s" % (name, test.name.replace("/", "+"))) for test in tests}
    due = {test.name: lambda test=test: attempt(compiler, launcher, test, limit, MEMORY["device"], images[test.name])
           for test in tests if not native[test.name]}
    if arguments.pack:
        made = sum(1 for reason in at_once(due, arguments.jobs, "for " + arguments.arch).values() if not reason)
        print("%s: %d images for %s in %s" % (suite.title, made, arguments.arch, arguments.pack))
        return made == len(due)
    return report(suite.title, arguments.arch, tests, native, at_once(due, arguments.jobs, "on " + arguments.arch),
                  known_failures(arguments.known / (name + ".txt")))


def main():
    arguments = parse_arguments()
    try:
        good = [run_suite(name, arguments) for name in arguments.suites]
    except suites.Problem as problem:
        sys.exit("conformance.py: error: %s" % problem)
    except KeyboardInterrupt:
        sys.exit(130)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
