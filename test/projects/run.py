#!/usr/bin/env python3
"""Runs the projects of this bundle on a device and compares them with their native runs. Needs Python 3 and bash.

usage: ./run.py [--device NAME] [--limit SECONDS] [--jobs N] [--results FILE] [PROJECT...]

The results go to results.json after every project; `projects.py --gpu-results results.json` adds them to its table. With --jobs
several sessions run at a time, and those that fail are repeated alone: they may have lacked memory of the device.
"""

import argparse
import concurrent.futures
import json
import pathlib
import sys

import process
import sessions

HERE = pathlib.Path(__file__).resolve().parent


def run_one(project, device, limit):
    """(seconds, reason why the session differs from the native one, or "")."""
    place = HERE / project["name"]
    launcher = [str(HERE / "bin" / "gpuexec"), "--device=" + device, "--timeout=%d" % limit, *project["options"]]
    run = sessions.run_session(project["session"], place / "programs", place / "inputs", launcher, limit + 5)
    expected = {"status": project["status"], **{key: (place / ("expected." + key)).read_bytes() for key in ("stdout", "stderr")}}
    return run["seconds"], sessions.difference(expected, run, limit)


class Results:
    """The results so far, and the file that has them."""

    def __init__(self, arch, path):
        self._arch, self._path, self.results = arch, path, {}

    def add(self, name, seconds, reason):
        self.results[name] = {"seconds": seconds, "reason": reason}
        print("%s: %s: %.2f s%s" % ("FAIL" if reason else "PASS", name, seconds, reason and ": " + reason), flush=True)
        self._path.write_text(json.dumps({"arch": self._arch, "results": self.results}, indent=1) + "\n")

    def failed(self):
        return [name for name, result in self.results.items() if result["reason"]]


def run_all(projects, arguments, results):
    def limit(project):
        return arguments.limit or project["limit"]

    alone = projects
    if arguments.jobs > 1:
        with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
            running = {pool.submit(run_one, project, arguments.device, limit(project)): project for project in projects}
            for future in concurrent.futures.as_completed(running):
                results.add(running[future]["name"], *future.result())
        alone = [project for project in projects if project["name"] in results.failed()]
    for project in alone:
        results.add(project["name"], *run_one(project, arguments.device, limit(project)))


def main():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: ") :], description=what + "\n\n" + how)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--limit", type=int, help="seconds for one session (default: the project's own)")
    parser.add_argument("--jobs", type=int, default=1, help="sessions at a time (default: 1)")
    parser.add_argument("--results", default="results.json")
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
