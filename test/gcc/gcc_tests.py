#!/usr/bin/env python3
"""Runs GCC 12's own tests of C++ with gpucc and gpuexec, and counts.

usage: gcc_tests.py --build BUILD [--arch gfx942] [options] [FOLDER...]
       gcc_tests.py --build BUILD --record [FOLDER...]      only natively; writes native.txt

The tests are in Debian's package gcc-12-source, unpacked once below BUILD/gcc-tests. FOLDER: g++.dg/eh, g++.old-deja/g++.eh,
g++.dg/torture, g++.dg/coroutines (default: these four), any other of g++.dg/ and g++.old-deja/, libstdc++-v3/testsuite or a part of it
such as libstdc++-v3/testsuite/28_regex.
Only tests that are executed count (dg-do run). What one says of itself is honoured (directives.py): standards, options, targets,
additional sources, levels to skip, output, and that it must end with a failed assertion.

native.txt has what does not pass on the host with g++ or with clang++, which --record found out; a test that g++ passes is due on the
device, unless clang++ does not. known_failures.txt has those that fail there for another reason. The exit status is 1 when more fail, or
none ran.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import run_test
import suite

CLANG = "/usr/lib/llvm-22/bin/clang++"
LINE = re.compile(r"(\S+) (g\+\+|clang\+\+): (.*)")


def parse_arguments():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: "):], description=what + "\n\n" + how,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="gpuexec's build folder")
    parser.add_argument("--arch", default="gfx942", help="gfx942 (default), sm_90 ...; images for NVIDIA need --device")
    parser.add_argument("--device", default="emulator", help="as gpuexec's (default: emulator)")
    parser.add_argument("--levels", default="-O2", help="of optimisation, separated by commas (default: -O2)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth test of each FOLDER")
    parser.add_argument("--filter", default="", help="only tests whose name has a match of this expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--timeout", type=int, default=60, help="seconds that one test may run, and ten times that to compile")
    parser.add_argument("--source", type=pathlib.Path, help="GCC's source, unpacked, instead of the package's")
    parser.add_argument("--native", type=pathlib.Path, default=HERE / "native.txt", help="what --record writes, and other runs read")
    parser.add_argument("--known", type=pathlib.Path, default=HERE / "known_failures.txt")
    parser.add_argument("--record", action="store_true", help="run natively, with g++ and with clang++, and write native.txt")
    parser.add_argument("--list", action="store_true", help="print the tests, with why some do not run, and run none")
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    arguments = parser.parse_args()
    arguments.levels = arguments.levels.split(",")
    arguments.folders = arguments.folders or [name for name in suite.FOLDERS if name != suite.LIBRARY]
    if arguments.every < 1 or arguments.jobs < 1 or arguments.timeout < 1:
        parser.error("--every, --jobs and --timeout are at least 1")
    return arguments


class Native:
    """What does not pass on the host: {test: {compiler: reason}}, and the text of native.txt."""

    def __init__(self, path):
        self._path, self._reasons, self._recorded = path, {}, set()
        if not path.exists():
            return
        for line in path.read_text().splitlines():
            found = LINE.fullmatch(line)
            if found:
                self._reasons.setdefault(found[1], {})[found[2]] = found[3]
            elif line.startswith("# recorded: "):
                self._recorded.add(line.removeprefix("# recorded: "))

    def reason(self, test, compiler):
        return self._reasons.get(test.name, {}).get(compiler, "")

    def passes(self, test, compiler):
        return not self.reason(test, compiler)

    def is_recorded(self, what):
        return what in self._recorded

    def replace(self, what, tests, reasons):
        """Stores the outcome of some tests: reasons[(test's name, compiler)]; what: the folder, if these are all of it."""
        for test in tests:
            self._reasons.pop(test.name, None)
        for (name, compiler), reason in reasons.items():
            if reason:
                self._reasons.setdefault(name, {})[compiler] = reason
        self._recorded |= {what} - {None}
        with open(self._path, "w") as file:
            file.write("# GCC's tests that do not pass on the host, and how they end there (gcc_tests.py --record wrote this).\n")
            file.writelines("# recorded: %s\n" % entry for entry in sorted(self._recorded))
            for name in sorted(self._reasons):
                file.writelines("%s %s: %s\n" % (name, compiler, reason) for compiler, reason in sorted(self._reasons[name].items()))


def known_failures(path, arch):
    """{test: reason} of the lines `TEST REASON`; a reason that begins with `NVIDIA: ` holds for its GPUs alone."""
    lines = path.read_text().splitlines() if path.exists() else []
    known = dict(line.split(None, 1) for line in lines if line and not line.startswith("#"))
    return {test: reason for test, reason in known.items() if arch.startswith("sm_") or not reason.startswith("NVIDIA: ")}


def run_all(work, jobs, results):
    """Fills results with {key: (reason, seconds)} of work, {key: (compiler, test, level, limit)}, as they come; says on standard error how
    far it is, and what does not pass."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(run_test.timed, *arguments): key for key, arguments in work.items()}
        try:
            for future in concurrent.futures.as_completed(running):
                key = running[future]
                results[key] = future.result()
                if results[key][0]:
                    print("%s: %s" % (" ".join(key), results[key][0]), file=sys.stderr, flush=True)
                if len(results) % 20 == 0:
                    print("%d of %d" % (len(results), len(work)), file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            for future in running:
                future.cancel()
            raise


def levels_of(test, levels):
    """The levels to compile a test with: its own alone, if its options have one."""
    own = [option for option in test.options if re.fullmatch(r"-O.?", option)]
    return own[-1:] if own else [level for level in levels if test.allows(level)]


def record(arguments, source, folder, tests):
    """Runs the tests of a folder natively, with both compilers, at -O0 because it compiles in less time."""
    native = Native(arguments.native)
    compilers = [run_test.Compiler("g++", ["g++"], source, gcc=True), run_test.Compiler("clang++", [CLANG], source)]
    for compiler in compilers:
        if folder.startswith(suite.LIBRARY):
            compiler.build_helpers()
    jobs = {(test.name, compiler.name): (compiler, test, levels_of(test, ["-O0", "-O2"])[0], arguments.timeout)
            for test in tests for compiler in compilers if levels_of(test, ["-O0", "-O2"])}
    results = {}
    run_all(jobs, arguments.jobs, results)
    results = {key: reason for key, (reason, _) in results.items()}
    whole = folder + (" every %d" % arguments.every if arguments.every > 1 else "")
    native.replace(None if arguments.filter else whole, tests, results)
    counts = [sum(not results.get((test.name, compiler.name), "") for test in tests) for compiler in compilers]
    print("%s: %d tests, %d pass with g++, %d with clang++" % (folder, len(tests), *counts), flush=True)


class Counts:
    """Of a folder: how many tests there are, pass natively with each compiler, and pass on the device."""

    def __init__(self):
        self.tests = self.gcc = self.clang = self.passed = self.passed_clang = self.known = self.failed = 0


def device_jobs(arguments, source, native, folders):
    """{(test, level): (compiler, test, level, limit)} of what passes natively with g++, in all folders, which are {folder: tests}: one
    list, so that a slow test of one folder does not keep the others waiting."""
    build = pathlib.Path(arguments.build).resolve()
    launcher = [str(build / "bin" / "gpuexec"), "--device=" + arguments.device, "--timeout=%d" % arguments.timeout]
    compiler = run_test.Compiler(arguments.arch, [str(build / "bin" / "gpucc"), "--arch=" + arguments.arch], source, launcher)
    if any(folder.startswith(suite.LIBRARY) for folder in folders):
        compiler.build_helpers()
    return {(test.name, level): (compiler, test, level, arguments.timeout) for tests in folders.values() for test in tests
            if native.passes(test, "g++") for level in levels_of(test, arguments.levels)}


def count(native, tests, results, known, known_name):
    """The Counts of a folder's tests; prints each failure. What was interrupted is not counted."""
    counts = Counts()
    ended = {}
    for (name, level), (reason, _) in sorted(results.items()):
        ended.setdefault(name, []).append((level, reason))
    due = [test for test in tests if native.passes(test, "g++") and test.name in ended]
    counts.tests, counts.gcc = len(tests), len(due)
    for test in due:
        reasons = [(level, reason) for level, reason in ended[test.name] if reason]
        by_clang = native.passes(test, "clang++")
        counts.clang += by_clang
        counts.passed += not reasons
        counts.passed_clang += by_clang and not reasons
        excuse = known.get(test.name) or ("" if by_clang else "clang++ does not pass it natively: " + native.reason(test, "clang++"))
        counts.known += bool(reasons and excuse)
        counts.failed += bool(reasons and not excuse)
        if not reasons and test.name in known:
            print("passes, though %s has it: %s" % (known_name, test.name))
        for level, reason in reasons:
            print("%s: %s at %s: %s%s" % ("known failure" if excuse else "FAILED", test.name, level, reason, excuse and ": " + excuse), flush=True)
    return counts


def percent(part, whole):
    return "%.1f %%" % (100 * part / whole) if whole else "-"


def show(rows):
    """The table by folder."""
    print("\n%-40s %6s %8s %8s %10s %14s %14s" % ("folder", "tests", "g++", "clang++", "on the GPU", "of g++'s", "of clang++'s"))
    for folder, counts in rows:
        print("%-40s %6d %8d %8d %10d %14s %14s" % (folder, counts.tests, counts.gcc, counts.clang, counts.passed,
                                                     percent(counts.passed, counts.gcc), percent(counts.passed_clang, counts.clang)))


def main():
    arguments = parse_arguments()
    work = pathlib.Path(arguments.build).resolve() / "gcc-tests"
    folders, results, interrupted = {}, {}, False
    try:
        source = arguments.source.resolve() if arguments.source else suite.unpack(work)
        known = known_failures(arguments.known, arguments.arch)
        for folder in arguments.folders:
            if not suite.place(source, folder).is_dir():
                raise suite.Problem("no folder %s in %s" % (folder, source))
            runs, others = suite.collect(source, folder, arguments.levels)
            tests = [test for test in runs[::arguments.every] if test.is_due() and re.search(arguments.filter, test.name)]
            if arguments.list:
                print("".join("%s %s\n" % (test.name, " ".join(test.options)) for test in tests), end="")
                print("".join("%s does not run: %s\n" % (test.name, test.reason or "not for this host") for test in others), end="")
            elif arguments.record:
                record(arguments, source, folder, tests)
            else:
                folders[folder] = tests
        native = Native(arguments.native)
        if folders:
            run_all(device_jobs(arguments, source, native, folders), arguments.jobs, results)
    except suite.Problem as problem:
        print("gcc_tests.py: error: %s" % problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        if not results:
            return 130
        interrupted = True
    if arguments.list or arguments.record:
        return 0
    rows = [(folder, count(native, tests, results, known, arguments.known.name)) for folder, tests in folders.items()]
    show(rows)
    total = [sum(getattr(counts, name) for _, counts in rows) for name in ("passed", "failed", "known")]
    print("GCC 12's tests for %s: %d passed, %d failed, %d known failures" % (arguments.arch, *total))
    if interrupted:
        print("interrupted: not counted is what had not ended")
        return 130
    return 1 if total[1] or not sum(total) else 0


if __name__ == "__main__":
    sys.exit(main())
