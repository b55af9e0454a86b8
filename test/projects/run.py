#!/usr/bin/env python3
"""Runs the projects of this bundle on a device and compares them with their native runs. Needs Python 3 and bash.

usage: ./run.py [--device NAME] [--server SOCKET] [--limit SECONDS] [--jobs N] [--once] [--results FILE] [--keep FOLDER] [PROJECT...]

The results go to results.json after every project; `projects.py --gpu-results results.json` adds them to its table. With --jobs
several sessions run at a time, and those that fail are repeated alone: they may have lacked memory of the device. A session of many
small programs is faster with devices of `gpuexec serve` (--server).
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import sys

import process
import sessions

HERE = pathlib.Path(__file__).resolve().parent


def processor_seconds():
    """Of all processes that this one has waited for, and that those have."""
    times = os.times()
    return times.children_user + times.children_system


def run_one(project, options, limit, keep):
    """(seconds, those of the processor, reason why the session differs from the native one, or ""). options: gpuexec's; keep: a folder for
    what a session printed that differs, or None."""
    place = HERE / project["name"]
    launcher = [str(HERE / "bin" / "gpuexec"), *options, "--timeout=%d" % limit, *project["options"]]
    before = processor_seconds()
    run = sessions.run_session(project["session"], place / "programs", place / "inputs", launcher, limit + 5)
    expected = {"status": project["status"], **{key: (place / ("expected." + key)).read_bytes() for key in ("stdout", "stderr")}}
    reason = sessions.difference(expected, run, limit)
    if reason and keep:
        keep.mkdir(parents=True, exist_ok=True)
        for key in ("stdout", "stderr"):
            (keep / ("%s.%s" % (project["name"], key))).write_bytes(run[key])
    return run["seconds"], processor_seconds() - before, reason


class Results:
    """The results so far, and the file that has them."""

    def __init__(self, arch, path):
        self._arch, self._path, self.results = arch, path, {}

    def add(self, name, seconds, processor, reason):
        self.results[name] = {"seconds": seconds, "processor": processor, "reason": reason}
        print("%s: %s: %.2f s (%.2f s of processor time)%s" % ("FAIL" if reason else "PASS", name, seconds, processor, reason and ": " + reason), flush=True)
        self._path.write_text(json.dumps({"arch": self._arch, "results": self.results}, indent=1) + "\n")

    def failed(self):
        return [name for name, result in self.results.items() if result["reason"]]


def run_all(projects, arguments, results):
    options = ["--device=" + arguments.device, *(["--server=" + arguments.server] if arguments.server else [])]

    def what(project):
        return project, options, arguments.limit or project["limit"], arguments.keep

    alone = projects
    if arguments.jobs > 1:
        with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
            running = {pool.submit(run_one, *what(project)): project for project in projects}
            for future in concurrent.futures.as_completed(running):
                results.add(running[future]["name"], *future.result())
        alone = [] if arguments.once else [project for project in projects if project["name"] in results.failed()]
    for project in alone:
        results.add(project["name"], *run_one(*what(project)))


def main():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: ") :], description=what + "\n\n" + how)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--server", help="as gpuexec's: the socket of a gpuexec serve")
    parser.add_argument("--limit", type=int, help="seconds for one session (default: the project's own)")
    parser.add_argument("--jobs", type=int, default=1, help="sessions at a time (default: 1)")
    parser.add_argument("--once", action="store_true", help="with --jobs: repeat nothing")
    parser.add_argument("--results", default="results.json")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="keep what a session printed that differs")
    parser.add_argument("projects", nargs="*", help="names; default: all")
    arguments = parser.parse_args()
    bundle = json.loads((HERE / "projects.json").read_text())
    results, interrupted = Results(bundle["arch"], pathlib.Path(arguments.results)), False
    try:
        run_all([project for project in bundle["projects"] if not arguments.projects or project["name"] in arguments.projects], arguments, results)
    except (process.Interrupted, KeyboardInterrupt):
        interrupted = True
        print("interrupted", file=sys.stderr)
    failed = len(results.failed())
    print("%d passed, %d failed" % (len(results.results) - failed, failed))
    return 1 if failed or interrupted or not results.results else 0


if __name__ == "__main__":
    sys.exit(main())
