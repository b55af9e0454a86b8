#!/usr/bin/env python3
"""Runs everything that this machine can run, through one call of lit, and counts.

Unit tests (GoogleTest, one result per test case), the host suite, and the whole-program suite once per device all go
into the same lit run, so that they share the cores; the totals come from lit's own record. The last line on standard
output is 'N passed, N failed, N skipped'.
"""

import argparse
import fcntl
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lit"))
import gpuexec_lit
import tier_modes

LLVM_BIN = "/usr/lib/llvm-22/bin"

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}

FAILURE_LINES = 25
LONG_FUZZ_SECONDS = 60  # each fuzzer, with --long
TIMES = ".lit_test_times.txt"

# The isolated device is forked by a process that has threads; what a process leaves to its end (process.cpp) are no leaks.
TSAN_OPTIONS = "die_after_fork=0 report_thread_leaks=0"

SITE = """# Written by check.py; lit reads it when this folder, or one below it, is named.
import os, sys
sys.path.insert(0, {lit_module!r})
import gpuexec_lit
config.gpuexec_site = {{
    "name": {name!r}, "root": {root!r}, "build": {build!r}, "llvm": {llvm!r}, "fuzz_seconds": {fuzz!r}, "fuzz_seed": {seed!r}, "long": {long!r}, "features": {features!r},
    "run_with": {run_with!r}, "run_through": {run_through!r}, "tiers": {tiers!r}, "only": {only!r}, "gpucc": {gpucc!r},
    "device": {device},
}}
config.test_exec_root = os.path.dirname(__file__)
lit_config.load_config(config, {config!r})
"""

UNIT_SITE = """# Written by check.py: the GoogleTest binaries, each test case a result.
import lit.formats
config.name = "unit"
config.test_format = lit.formats.GoogleTest(".", "-test")
config.test_source_root = config.test_exec_root = {folder!r}
config.environment["GPUEXEC_DEVICE"] = "emulator"
config.environment.update({environment!r})
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    import os
    if name in os.environ:
        config.environment[name] = os.environ[name]
"""


def say(text):
    print("check: " + text, file=sys.stderr, flush=True)


def find_devices(gpuexec, wanted, long):
    """(devices to test on, notes on what cannot be tested)."""
    try:
        found = gpuexec_lit.list_devices(gpuexec)
    except (OSError, subprocess.SubprocessError) as error:
        say("error: %s --list-devices: %s" % (gpuexec, error))
        return [], ["whole programs: gpuexec could not list the devices"]
    notes = []
    if wanted:
        devices = []
        for name in wanted.split(","):
            chosen = [d for d in found if name == d.name] or [d for d in found if name == d.kind]
            if not chosen:
                notes.append("whole programs on %s: no such device here" % name)
            devices += [d for d in chosen if d not in devices]
        return devices, notes
    for kind, what in (("cuda", "an NVIDIA GPU"), ("hsa", "an AMD GPU")):
        if not any(d.kind == kind for d in found):
            notes.append("whole programs on %s: this machine has none" % what)
    # One of each kind and architecture says all: several equal GPUs would only repeat it. Of the emulator's
    # architectures the first is enough for every day.
    unique = {}
    for device in found:
        unique.setdefault((device.kind, device.arch if device.kind != "emulator" or long else ""), device)
    return list(unique.values()), notes


def tool_features():
    """Features for tools that only some machines have."""
    features = []
    cuda = os.environ.get("CUDA_PATH", "/usr/local/cuda")
    if shutil.which("ptxas") or os.path.exists(os.path.join(cuda, "bin", "ptxas")):
        features.append("ptxas")
    if shutil.which("unshare") and not subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        features.append("unshare")
    for feature, command in (("rocminfo", "rocminfo"), ("csmith", "csmith"), ("dpkg", "dpkg-query"), ("dpkg-source", "dpkg-source"),
                             ("dejagnu", "runtest"), ("slurm", "slurmctld"), ("parallel", "parallel")):
        if shutil.which(command):
            features.append(feature)
    if os.path.exists(os.path.join(LLVM_BIN, "../lib/libLLVMOffload.so")):
        features.append("liboffload")
    return features


def read_times(top):
    """How long each test took the last time, as lit keeps it, by the names of suites: lit runs the longest first."""
    times = {}
    for path in glob.glob(os.path.join(top, "*", TIMES)):
        with open(path) as file:
            times[os.path.basename(os.path.dirname(path))] = file.read()
    return times


def write_suites(arguments, devices):
    """Writes one lit.site.cfg.py per suite; returns their folders."""
    top = os.path.join(arguments.build, "test", "suites")
    times = read_times(top)
    shutil.rmtree(top, ignore_errors=True)
    features = tool_features()
    for preset in ("asan", "tsan"):
        if os.path.basename(arguments.build) == "build-" + preset:
            features.append(preset)
    suites = []
    fuzzers = os.path.join(arguments.build, "test", "fuzz")
    run_with = arguments.run_with
    tiers = arguments.tiers
    kinds = [("host", None, None, "", tiers, "")] + [(device.name, device, None, run_with, tiers, "") for device in devices]
    if arguments.fuzz > 0 and os.path.isdir(fuzzers):
        kinds.insert(0, ("fuzz", None, fuzzers, "", "", ""))  # first: they take longest
    if arguments.long:
        # Whole programs once more: nothing in them may be taken for a use of an undefined value.
        checked = [device for device in devices if device.name == "emulator"]
        kinds += [(device.name + "-uninit", device, None, "--check=uninit", "", "") for device in checked]
        # Those about the emulator, whichever of its tiers executes them.
        emulated = [device for device in devices if device.kind == "emulator"]
        kinds += [(device.name + "-" + mode, device, None, "", mode, "program") for device in emulated for mode in tier_modes.MODES]
    for name, device, root, run_with, tiers, only in kinds:
        folder = os.path.join(top, name.replace(":", "-"))
        os.makedirs(folder)
        with open(os.path.join(folder, "lit.site.cfg.py"), "w") as file:
            file.write(
                SITE.format(
                    lit_module=os.path.join(HERE, "lit"),
                    name="gpuexec " + name,
                    root=root,
                    build=arguments.build,
                    llvm=LLVM_BIN,
                    fuzz=arguments.fuzz,
                    seed=arguments.fuzz_seed,
                    long=arguments.long,
                    features=features,
                    run_with=run_with,
                    run_through=arguments.run_through,
                    tiers=tiers,
                    only=only,
                    gpucc=arguments.gpucc,
                    device="gpuexec_lit.Device(%r)" % device.description if device else None,
                    config=os.path.join(HERE, "lit.cfg.py"),
                )
            )
        if os.path.basename(folder) in times:
            with open(os.path.join(folder, TIMES), "w") as file:
                file.write(times[os.path.basename(folder)])
        suites.append(folder)
    unit = os.path.join(arguments.build, "test", "unit")
    if os.path.isdir(unit):
        # Not in the folder itself: there everything is taken for a test.
        folder = os.path.join(top, "unit")
        os.makedirs(folder)
        with open(os.path.join(folder, "lit.site.cfg.py"), "w") as file:
            environment = tier_modes.environment(arguments.tiers, os.path.join(folder, "kept")) if arguments.tiers else {}
            file.write(UNIT_SITE.format(folder=unit, environment=environment))
        suites.insert(0, folder)
    return suites


def tell_failure(name, code, lines):
    """Names a failed test and shows the end of what it wrote: a failure on another machine has nothing else to be understood
    by."""
    say("failed: %s (%s)" % (name, code))
    lines = [line[:500] for line in lines]
    if len(lines) > FAILURE_LINES:
        lines = ["(%d lines before; -v shows them)" % (len(lines) - FAILURE_LINES)] + lines[-FAILURE_LINES:]
    for line in lines:
        print("  | " + line, file=sys.stderr)
    sys.stderr.flush()


class Log:
    """Where nobody watches: says every minute how far lit is, and shows a failure when it happens, since a run that is cut
    off has no end at which to show it."""

    MINUTE = 60
    RESULT = re.compile(r"([A-Z]+): (.*) \((\d+) of (\d+)\)$")
    BEGIN, END = re.compile(r"\*{20} TEST '(.*)' [A-Z]+ \*{20}$"), "*" * 20

    def __init__(self):
        self.started = self.told = time.time()
        self.name = self.code = ""
        self.output = None  # the lines of the failure that lit is printing

    def read(self, line):
        result = self.RESULT.match(line)
        begin = self.BEGIN.match(line)
        if self.output is not None:
            if line != self.END:
                self.output.append(line)
                return
            tell_failure(self.name, self.code, self.output)
            self.output = None
        elif result:
            self.code = result[1]
            now = time.time()
            if now - self.told >= self.MINUTE:
                say("%s of %s tests, %d s" % (result[3], result[4], now - self.started))
                self.told = now
        elif begin:
            self.name, self.output = begin[1], []
        elif line.startswith(("lit: ", "error: ", "warning: ", "-- ")):
            print(line, file=sys.stderr, flush=True)


def run_lit(arguments, suites, record):
    """One lit run; returns its tests as lit records them (name, code, output, elapsed), or None."""
    if os.path.exists(record):
        os.remove(record)
    command = [sys.executable, os.path.join(LLVM_BIN, "lit"), "--order=smart", "--allow-empty-runs", "-o", record]
    slow = arguments.long or os.path.basename(arguments.build) in ("build-asan", "build-tsan")
    command += ["--timeout", "3600" if slow else "600"]
    if arguments.jobs:
        command += ["-j", str(arguments.jobs)]
    if arguments.tests:
        command += ["--filter", "|".join(arguments.tests)]
    sys.stdout.flush()
    if arguments.watched:
        command += ["-v" if arguments.verbose else "--print-result-after=failed", "--no-terse-summary"]
        command += ["--progress-bar"] if sys.stderr.isatty() and sys.stdout.isatty() else ["--no-progress-bar"]
        status = subprocess.run(command + suites, stdin=subprocess.DEVNULL).returncode
    else:
        log = Log()
        command += ["-v", "--print-result-after=all", "--no-progress-bar"]
        with subprocess.Popen(command + suites, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace") as lit:
            for line in lit.stdout:
                log.read(line.rstrip("\n"))
        status = lit.returncode
    if status == 0 and not os.path.exists(record):
        return []  # lit writes no record when the filter leaves nothing
    try:
        with open(record) as file:
            return json.load(file)["tests"]
    except (OSError, ValueError, KeyError) as error:
        say("error: lit left no record of its run (%s)" % error)
        return None


def run_clean_room():
    """The parts of the clean room, as lit records tests."""
    sys.path.insert(0, os.path.join(HERE, "clean_room"))
    import clean_room

    results = clean_room.main([])
    if results is None:
        return [{"name": "clean-room :: the room", "code": "FAIL"}]
    print(clean_room.summary(results))
    codes = {"passed": "PASS", "failed": "FAIL", "skipped": "UNSUPPORTED"}
    return [{"name": "clean-room :: " + part, "code": codes[result]} for part, result, _ in results]


def main():
    parser = argparse.ArgumentParser(prog="check", add_help=False)
    parser.add_argument("--build", required=True)
    parser.add_argument("--device", default=os.environ.get("GPUEXEC_TEST_DEVICES", ""))
    parser.add_argument("--run-with", default="")  # options of gpuexec's for every program that %run starts
    parser.add_argument("--run-through", default="")  # a script of test/Inputs that runs gpuexec instead of the shell
    parser.add_argument("--tiers", default="")  # a mode of test/lit/tier_modes.py for all emulated GPUs
    # Compiles whole programs; default: the build's own. One without sanitizers makes the same images, and sooner.
    parser.add_argument("--gpucc", type=os.path.abspath)
    parser.add_argument("--fuzz", type=int)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("-j", dest="jobs", type=int)
    parser.add_argument("-v", dest="verbose", action="store_true")
    parser.add_argument("tests", nargs="*")
    arguments = parser.parse_args()
    arguments.build = os.path.abspath(arguments.build)
    if os.path.basename(arguments.build) == "build-tsan":
        os.environ["TSAN_OPTIONS"] = "%s %s" % (TSAN_OPTIONS, os.environ.get("TSAN_OPTIONS", ""))
    arguments.fuzz_seed = int.from_bytes(os.urandom(4), "big")
    if arguments.fuzz is None:
        arguments.fuzz = LONG_FUZZ_SECONDS if arguments.long else 0

    arguments.watched = arguments.verbose or sys.stderr.isatty() and sys.stdout.isatty()

    started = time.time()
    # Two runs in one build folder would write over each other's files.
    os.makedirs(os.path.join(arguments.build, "test"), exist_ok=True)
    lock = open(os.path.join(arguments.build, "test", ".lock"), "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("waiting for another check in %s" % arguments.build)
        fcntl.flock(lock, fcntl.LOCK_EX)
    devices, notes = find_devices(os.path.join(arguments.build, "bin", "gpuexec"), arguments.device, arguments.long)
    for device in devices:
        say("testing on " + device.description)
    suites = write_suites(arguments, devices)

    tests, changed = [], {}
    for turn in range(arguments.repeat):
        if arguments.repeat > 1:
            say("pass %d of %d" % (turn + 1, arguments.repeat))
        run = run_lit(arguments, suites, os.path.join(arguments.build, "test", "results.json"))
        if run is None:
            print("0 passed, 1 failed, 0 skipped")
            return 1
        tests += run
        for test in run:
            changed.setdefault(test["name"], set()).add(test["code"])
    wanted = not arguments.tests or any(name in "clean-room" for name in arguments.tests)
    if arguments.long and wanted and os.path.basename(arguments.build) == "build":
        tests += run_clean_room()
    for name, codes in sorted(changed.items()):
        if len(codes) > 1:
            say("result changes from pass to pass: %s (%s)" % (name, ", ".join(sorted(codes))))

    printed = arguments.verbose or not arguments.watched  # what failed tests wrote, when they failed
    passed = sum(test["code"] in PASSED for test in tests)
    skipped = sum(test["code"] in SKIPPED for test in tests)
    failed = len(tests) - passed - skipped
    if not tests:
        say("error: no test was run%s" % (": none has a name with " + " or ".join(arguments.tests) if arguments.tests else ""))
        failed = 1
    if not devices:
        failed += 1
    for test in tests:
        if test["code"] not in PASSED | SKIPPED:
            tell_failure(test["name"], test["code"], [] if printed else test.get("output", "").rstrip().splitlines())
    if not arguments.fuzz:
        notes.append("the fuzzers (./check --fuzz 10)")
    if not arguments.long:
        notes.append("the long differential and stress tests, and the clean room (./check --long, ./check --clean-room)")
    for note in notes:
        say("not run: " + note)
    say("%d s" % (time.time() - started))
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
