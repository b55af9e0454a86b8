#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the suite of bench/lit in the folder that `suite` names, and prints tests per second.

bench/lit --pack puts this file into the pack as run.py. There it needs Python 3, the GPU's driver and nothing else:

usage: ./run.py [--device DEVICE] [-j N] [--passes N] [--programs N] [--at-once N] [--skip-offload] [--only-lit]

1. lit runs the whole suite --passes times; tests whose result differs between passes are reported.
2. The same images run without lit, one process each: gpuexec, a client of LLVM's offload runtime when it is installed,
   and /bin/true, which shows the cost of starting a process.
3. Some of the images run one after the other; the phases of gpuexec's start and end are printed.
4. Many loaders run at once; some of their programs hang, fault, exhaust memory or abort.

In 2 and 3 the programs alternate, so that a change of the machine's load affects all of them. CPU times are printed beside
wall times, which depend more on that load. A run counts only when its output is right to the byte and its status is the
expected one. The exit status is non-zero when a run failed or a result changed.
"""

import argparse
import collections
import glob
import json
import os
import re
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 120  # seconds for one process: beyond that it hangs

ROUNDS = 10  # of those who take turns

Job = collections.namedtuple("Job", "command status output")


def run_job(job, environment):
    """None if the process ended as it should, else what was wrong."""
    try:
        result = subprocess.run(job.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                timeout=LIMIT, env=environment)
    except subprocess.TimeoutExpired:
        return "%s: hangs" % job.command[-1]
    except OSError as error:
        return str(error)
    status = result.returncode if result.returncode >= 0 else 128 - result.returncode
    if status != job.status or (job.output is not None and result.stdout != job.output):
        return "%s: status %d, expected %d; output %r; %s" % (
            os.path.basename(job.command[-1]), status, job.status, result.stdout[:60],
            result.stderr.decode("utf-8", "replace")[-300:].strip())
    return None


Time = collections.namedtuple("Time", "wall cpu")


class Clock:
    """Wall time, and the CPU time of the processes that have ended, with all that they started."""

    def __init__(self):
        self.begin = self.now()

    @staticmethod
    def now():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.perf_counter(), usage.ru_utime + usage.ru_stime

    def read(self):
        wall, cpu = self.now()
        return Time(wall - self.begin[0], cpu - self.begin[1])


def run_jobs(jobs, at_once, environment=None):
    """(Time, list of what was wrong)"""
    clock = Clock()
    with ThreadPoolExecutor(at_once) as pool:
        results = list(pool.map(lambda job: run_job(job, environment), jobs))
    return clock.read(), [r for r in results if r]


def run_lit(lit, images, jobs):
    """(Time, {test: result}) of one pass."""
    folder = os.path.dirname(images[0])
    record = os.path.join(folder, "results.json")
    if os.path.exists(record):
        os.remove(record)
    clock = Clock()
    result = subprocess.run([sys.executable, lit, "-j", str(jobs), "-q", "-o", record] + [image + ".test" for image in images],
                            env=dict(os.environ, GPUEXEC_TEST_JOBS=str(jobs)),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    time_taken = clock.read()
    try:
        with open(record) as file:
            tests = json.load(file)["tests"]
    except (OSError, ValueError):
        sys.exit("lit left no record of its run:\n" + result.stdout[-3000:])
    for test in [t for t in tests if t["code"] != "PASS"][:5]:
        print(test["name"], test["code"], test["output"][-500:], flush=True)
    return time_taken, {test["name"]: test["code"] for test in tests}


def driver_folder(folder):
    """LLVM's runtime asks for libcuda.so, which only the toolkit's stubs provide: a folder with a link to the driver."""
    try:
        listed = subprocess.run(["/sbin/ldconfig", "-p"], stdout=subprocess.PIPE, text=True).stdout
    except OSError:
        listed = ""
    found = re.findall(r"libcuda\.so\.1 .*=> (\S+)", listed) + glob.glob("/usr/local/nvidia/lib*/libcuda.so.1")
    found += [os.path.join(p, "libcuda.so.1") for p in os.environ.get("LD_LIBRARY_PATH", "").split(":") if p]
    place = os.path.join(folder, "driver")
    os.makedirs(place, exist_ok=True)
    link = os.path.join(place, "libcuda.so")
    for path in found:
        if os.path.exists(path):
            if os.path.lexists(link):
                os.remove(link)
            os.symlink(path, link)
            break
    return place


def print_phases(launcher, images, folder):
    """Where gpuexec's time goes, as gpuexec itself tells it: the median of some runs, one after the other."""
    phases = {}
    path = os.path.join(folder, "timings.json")
    for image in images:
        subprocess.run(launcher + ["--timings", path, image], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        with open(path) as file:
            for phase in json.load(file)["phases"]:
                phases.setdefault(phase["name"], []).append(phase["time"])
    print("gpuexec's phases, ms: " + ", ".join("%s %.1f" % (name, sorted(times)[len(times) // 2])
                                               for name, times in phases.items()), flush=True)


def row(what, count, time_taken, failed):
    return [what, "%.2f" % time_taken.wall, "%.1f" % (count / time_taken.wall), "%.1f" % (time_taken.cpu / count * 1e3),
            str(failed)]


def table(header, rows):
    widths = [max(len(r[i]) for r in [header] + rows) for i in range(len(header))]
    for r in [header] + rows:
        print("  ".join([r[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(r[1:], widths[1:])]).rstrip())
    sys.stdout.flush()


def run_suite(suite, device, arguments):
    """suite: folder, lit, gpuexec, hostile {name: (status, options)}, client (command before the image, or None) and
    client_libraries. Returns True when all went well."""
    folder = suite["folder"]
    images = sorted(path[: -len(".expected")] for path in glob.glob(os.path.join(folder, "*.expected")))
    images = images[: arguments.programs]
    expected = {image: open(image + ".expected", "rb").read() for image in images}
    launcher = [suite["gpuexec"], "--device=" + device]
    rows, problems, results, times = [], [], {}, []
    for turn in range(arguments.passes):
        one, codes = run_lit(suite["lit"], images, arguments.jobs)
        times.append(one)
        bad = sum(code != "PASS" for code in codes.values()) + (len(images) - len(codes))
        if bad:
            problems.append("lit, pass %d: %d tests did not pass" % (turn + 1, bad))
        for name, code in codes.items():
            results.setdefault(name, set()).add(code)
        passed = sum(code == "PASS" for code in codes.values())
        print("pass %d: %.2f s, %d of %d passed" % (turn + 1, one.wall, passed, len(images)), flush=True)
    changing = sorted(name for name, codes in results.items() if len(codes) > 1)
    if times:
        times.sort()
        rows.append(row("lit, median of %d passes" % len(times), len(images), times[len(times) // 2], len(problems)))
        rows.append(row("lit, best pass", len(images), times[0], 0))

    if not arguments.only_lit:
        contestants = [("gpuexec, one process each", launcher, None)]
        if suite["client"] and not arguments.skip_offload:
            libraries = suite["client_libraries"] + [driver_folder(folder)] + [os.environ.get("LD_LIBRARY_PATH", "")]
            contestants.append(("LLVM's liboffload, one process each", suite["client"],
                                dict(os.environ, LD_LIBRARY_PATH=":".join(filter(None, libraries)))))
        contestants.append(("/bin/true", None, None))
        wall, cpu, wrong = collections.Counter(), collections.Counter(), collections.defaultdict(list)
        for turn in range(ROUNDS):
            for name, command, environment in contestants:
                jobs = [Job(command + [image], 0, expected[image]) if command else Job(["/bin/true"], 0, b"")
                        for image in images[turn::ROUNDS]]
                one, bad = run_jobs(jobs, arguments.jobs, environment)
                wall[name] += one.wall
                cpu[name] += one.cpu
                wrong[name] += bad
        for name, _, _ in contestants:
            rows.append(row(name, len(images), Time(wall[name], cpu[name]), len(wrong[name])))
            for line in wrong[name][:5]:
                print(name + ": " + line, flush=True)
        problems += wrong["gpuexec, one process each"]  # the others' failures are not ours
        for name, command, environment in contestants[:-1]:
            few = images[:: max(1, len(images) // 20)]
            one, bad = run_jobs([Job(command + [image], 0, expected[image]) for image in few], 1, environment)
            rows.append(row(name.replace("one process each", "one after the other"), len(few), one, len(bad)))
        print_phases(launcher, few, folder)

    if arguments.at_once and not arguments.only_lit:
        jobs = [Job(launcher + [image], 0, expected[image]) for image in images]
        every = max(1, len(jobs) // 16)
        hostile = list(suite["hostile"].items())
        for turn, place in enumerate(range(0, len(jobs), every)):
            name, (status, options) = hostile[turn % len(hostile)]
            jobs.insert(place + turn, Job(launcher + options + [os.path.join(folder, name)], status, None))
        one, wrong = run_jobs(jobs, arguments.at_once)
        problems += wrong
        rows.append(row("gpuexec, %d at once, %d of them hostile" % (arguments.at_once, len(jobs) - len(images)), len(jobs),
                        one, len(wrong)))
        for line in wrong[:5]:
            print("at once: " + line, flush=True)
    table(["%d programs, %d at once" % (len(images), arguments.jobs), "seconds", "tests/s", "CPU ms/test", "failed"], rows)
    if arguments.passes > 1:
        print("%d passes, %d tests changed their result %s" % (arguments.passes, len(changing), " ".join(changing[:9])))
    print("all well" if not problems and not changing else "%d problems" % (len(problems) + len(changing)), flush=True)
    return not problems and not changing


def add_options(parser):
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--device", default="auto")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count())
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=64, help="loaders at once in the last part (0: leave it out)")
    parser.add_argument("--only-lit", action="store_true", help="only the first part")
    parser.add_argument("--skip-offload", action="store_true", help="leave LLVM's offload runtime out")


def main():
    sys.path.insert(0, HERE)
    import gpuexec_lit

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "suite.json")) as file:
        suite = json.load(file)
    for key in ("folder", "lit", "gpuexec"):
        suite[key] = os.path.join(HERE, suite[key])
    if suite["client"]:
        suite["client"] = [os.path.join(HERE, suite["client"][0])]
        suite["client_libraries"] = [os.path.join(HERE, path) for path in suite["client_libraries"]]
    device = gpuexec_lit.choose_device(suite["gpuexec"], arguments.device)
    if device.arch != suite["arch"]:
        sys.exit("the pack is for %s; %s is not" % (suite["arch"], device.description))
    os.environ["GPUEXEC_DEVICE"] = device.name  # lit's configuration reads it
    print("%d cores; %s" % (os.cpu_count(), device.description))
    return 0 if run_suite(suite, device.name, arguments) else 1


if __name__ == "__main__":
    sys.exit(main())
