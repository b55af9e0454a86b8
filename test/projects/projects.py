#!/usr/bin/env python3
"""Builds programs of Debian for the host and for a GPU, runs the same session with both, and compares what they print.

usage: projects.py [--build FOLDER] [--arch ARCH] [options] [PROJECT...]

Each project is a file in descriptions/, or in that of toolchain/port (description.py there says what is in it). Sources, builds and results are kept in
~/.cache/gpuexec/projects, each under a key of all that it depends on: a second run repeats what has changed.
The last line is 'N passed, N failed, N not possible, N skipped'; the exit status is 1 when a project failed. A program that
needs what a GPU program cannot do (fork) is 'not possible'.
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import shutil
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(ROOT / "toolchain" / "port"))  # what reads and builds descriptions, and those of libraries
import bundle
import description as descriptions
import kept
import process
import sessions
import table
from building import COMMAND_LIMIT, Builder, Target
from sources import Lock, Sources

IMPOSSIBLE = "symbol: fork"  # what the linker says of a program that starts processes


def parse_arguments():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: ") :], description=what + "\n\n" + how,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.environ.get("GPUEXEC_BUILD", str(ROOT / "build")),
                        help="gpuexec's build folder (default: $GPUEXEC_BUILD, or build)")
    parser.add_argument("--arch", default="gfx942", help="gfx942 (default), sm_90 ...; programs for NVIDIA carry PTX")
    parser.add_argument("--device", help="as gpuexec's (default: emulator, for NVIDIA that of the architecture)")
    parser.add_argument("--cache", default=os.path.expanduser("~/.cache/gpuexec/projects"))
    parser.add_argument("--descriptions", help="a folder of descriptions, instead of these two")
    parser.add_argument("--keep-going", action="store_true", help="go on after a project that fails")
    parser.add_argument("--patience", type=int, default=1, metavar="FACTOR",
                        help="sessions may take FACTOR times their limit, on a machine that does other work (default: 1)")
    parser.add_argument("--again", action="store_true", help="repeat what failed, though nothing has changed")
    parser.add_argument("--keep", action="store_true", help="keep the trees of failed builds, in the cache's folder work")
    parser.add_argument("--offline", action="store_true", help="skip projects whose source, or that of what they need, is not in the cache")
    parser.add_argument("--fetch", action="store_true", help="fetch the sources, also of what the projects need, and do nothing else")
    parser.add_argument("--install", metavar="FOLDER", help="build for the device alone, and put the programs there")
    parser.add_argument("--quick", action="store_true", help="only the projects that ./check has")
    parser.add_argument("--kept", action="store_true", help="build and run nothing: the table of the last results")
    parser.add_argument("--markdown", metavar="FILE", help="write the table as Markdown")
    parser.add_argument("--page", metavar="FILE", help="write the table of the last results, which --kept shows, as docs/projects.md")
    parser.add_argument("--json", metavar="FILE", help="write the table as JSON")
    parser.add_argument("--gpu-results", metavar="FILE", help="results.json of a bundle's run.py, for the table's column GPU")
    parser.add_argument("--pack", metavar="FOLDER", help="write a bundle for a machine with a GPU and without compilers; without --device "
                                                               "the sessions run here natively alone")
    parser.add_argument("--pack-size", type=int, default=60, metavar="MIB", help="the most that a bundle takes (default: 60)")
    parser.add_argument("projects", nargs="*", help="names; default: all")
    arguments = parser.parse_args()
    if arguments.page and not arguments.kept:
        parser.error("--page needs --kept: the page is made of kept results")
    arguments.run_here = bool(arguments.device) or not arguments.pack
    if not arguments.device:
        arguments.device = "emulator" + (":" + arguments.arch if arguments.arch.startswith("sm_") else "")
    arguments.build = os.path.abspath(arguments.build)
    for path in ("bin/gpuexec", "bin/gpucc"):
        if not os.path.exists(os.path.join(arguments.build, path)):
            parser.error("%s/%s does not exist: build gpuexec first, or name its build folder with --build" % (arguments.build, path))
    return parser, arguments


class Progress:
    """Says on standard error what a step is doing, when it takes longer than ten seconds."""

    def __init__(self, name):
        self._name = name
        self._next = 10

    def step(self, what):
        self._next = 10
        return lambda seconds: self._tick(what, seconds)

    def _tick(self, what, seconds):
        if seconds >= self._next:
            self._next = seconds + (10 if seconds < 60 else 60)
            print("%s: %s, %d s" % (self._name, what, seconds), file=sys.stderr, flush=True)


class Runner:
    """Runs sessions; the cache remembers a run under a key of its programs, inputs, session and launcher."""

    def __init__(self, cache, build, device, patience):
        self._cache = cache
        self._patience = patience
        self._gpuexec = os.path.join(build, "bin", "gpuexec")
        library = pathlib.Path(build) / "lib" / "gpuexec"
        self._tools = [self._gpuexec, *map(str, library.glob("lib*-runtime64.so.1")), *map(str, library.glob("libgpuexec-emulator*.so"))]
        self._device = device

    def run(self, project, built, native, tick, again=False):
        """What sessions.run_session returns."""
        limit = 600 if native else project.limit * self._patience
        launcher = [] if native else [self._gpuexec, "--device=" + self._device, "--timeout=%d" % limit, *project.options]
        key = self._key(project, built, launcher)
        path = self._cache / "runs" / project.name / (key + ".json")
        with Lock(self._cache / "locks" / (project.name + "-run")):
            if path.exists() and not again:
                run = json.loads(path.read_text())
                return {**run, **{name: base64.b64decode(run[name]) for name in ("stdout", "stderr")}}
            folder = pathlib.Path(built["folder"])
            run = sessions.run_session(project.session, folder / "programs", folder / "inputs", launcher, limit + 5, tick)
            path.parent.mkdir(parents=True, exist_ok=True)
            text = {name: base64.b64encode(run[name]).decode() for name in ("stdout", "stderr")}
            path.write_text(json.dumps({**run, **text}))
        return run

    def _key(self, project, built, launcher):
        total = hashlib.sha256(repr((project.session, launcher[1:])).encode())
        folder = pathlib.Path(built["folder"])
        files = sorted(path for part in ("programs", "inputs") for path in (folder / part).rglob("*") if path.is_file())
        for path in files + (self._tools if launcher else []):
            total.update(os.path.basename(path).encode())
            with open(path, "rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
        return total.hexdigest()[:24]


class Check:
    """One project after the other: build natively, build for the device, run both, compare."""

    def __init__(self, arguments, known):
        cache = pathlib.Path(arguments.cache).resolve()
        self._known = known
        self._arguments = arguments
        self._commit = kept.commit_of(ROOT)
        self.sources = Sources(cache, arguments.offline)
        self.results = cache / "results"
        self._builder = Builder(cache, self.sources, arguments.keep)
        self._runner = Runner(cache, arguments.build, arguments.device, arguments.patience)
        self._targets = [Target("native", arguments.build), Target(arguments.arch, arguments.build)]
        self.built = []  # for the bundle

    def check(self, project):
        """The project's row of the table, which is kept."""
        row = {"project": project.name, "version": "", "way": project.way, "language": project.language, "files": 0, "result": "passed",
               "reason": "", "note": project.note}
        try:
            self._check(project, row)
        except descriptions.Problem as problem:
            needed = descriptions.with_needs(project, self._known)
            skipped = self._arguments.offline and not all(self.sources.find(each.package) for each in needed)
            impossible = IMPOSSIBLE in str(problem)
            row.update(result="skipped" if skipped else "not possible" if impossible else "failed", reason=str(problem))
        kept.keep(self.results, self._arguments.arch, row, self._commit)
        return row

    def install(self, project, folder):
        """Builds the project for the device and copies its programs; Problem says why there are none."""
        built = self._builder.build(project, self._targets[1], self._known, Progress(project.name).step("build"), self._arguments.again)
        if built["reason"]:
            raise descriptions.Problem("%s: %s" % (project.name, built["reason"]))
        folder.mkdir(parents=True, exist_ok=True)
        for program in pathlib.Path(built["folder"], "programs").iterdir():
            print(shutil.copy2(program, folder), flush=True)

    def _check(self, project, row):
        progress = Progress(project.name)
        native, device = self._targets
        results = []
        for target, key in ((native, "build_native"), (device, "build")):
            built = self._builder.build(project, target, self._known, progress.step("build for " + target.name), self._arguments.again)
            row.update({"version": built["version"], "files": built["files"] or row["files"], key: built["seconds"]})
            if built["reason"]:
                raise descriptions.Problem("%sbuild: %s" % ("native " if target.native else "", built["reason"]))
            results.append(built)
        if not project.session:
            row.update(reason="no session: built only")
            return
        expected = self._runner.run(project, results[0], True, progress.step("native run"))
        row["run_native"] = expected["seconds"]
        if expected["status"] is None:
            raise descriptions.Problem("native run: not finished")
        self.built.append((project, results[1]["folder"], expected))
        if not self._arguments.run_here:
            row.update(result="skipped", reason="packed: not run here")
            return
        actual = self._runner.run(project, results[1], False, progress.step("run on " + self._arguments.device), False)
        reason = sessions.difference(expected, actual, project.limit * self._arguments.patience)
        if reason and self._arguments.again:
            actual = self._runner.run(project, results[1], False, progress.step("run on " + self._arguments.device), True)
            reason = sessions.difference(expected, actual, project.limit * self._arguments.patience)
        row["run"] = actual["seconds"]
        if reason:
            raise descriptions.Problem(reason)


def choose(parser, arguments, known):
    unknown = [name for name in arguments.projects if name not in known]
    if unknown:
        parser.error("no project '%s'; there are %s" % (unknown[0], ", ".join(known)))
    names = arguments.projects or [name for name, project in known.items() if project.programs]
    return [known[name] for name in names if known[name].quick or not arguments.quick]


def report(rows, arguments, results):
    """Prints the table and writes its files; results is the folder of the kept rows."""
    if arguments.gpu_results:
        kept.keep_gpu_results(results, pathlib.Path(arguments.gpu_results))
    kept.add_gpu_results(results, rows)
    print(table.as_text(rows) + "\n" + table.by_reason(rows) + table.summary(rows), flush=True)
    forms = ((arguments.markdown, table.as_markdown), (arguments.json, table.as_json),
             (arguments.page, lambda rows: table.as_page(rows, arguments.arch, COMMAND_LIMIT)))
    for path, form in forms:
        if path:
            pathlib.Path(path).write_text(form(rows))


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    parser, arguments = parse_arguments()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # what runs at the time must end with us
        signal.signal(number, interrupt)
    folders = [pathlib.Path(arguments.descriptions)] if arguments.descriptions else [descriptions.FOLDER, HERE / "descriptions"]
    try:
        known = descriptions.read_all(*folders)
    except descriptions.Problem as problem:
        parser.error(str(problem))
    check, rows, status = Check(arguments, known), [], 0
    chosen = choose(parser, arguments, known)
    try:
        if arguments.kept:
            rows = kept.read(check.results, arguments.arch, [project.name for project in chosen])
        for number, project in enumerate([] if arguments.kept else chosen, 1):
            if arguments.fetch:
                for each in descriptions.with_needs(project, known):
                    print("%s %s" % (each.package, check.sources.fetch(each.package, each.suite)[1]), flush=True)
                continue
            if arguments.install:
                check.install(project, pathlib.Path(arguments.install))
                continue
            began = time.monotonic()
            rows.append(check.check(project))
            row = rows[-1]
            print("[%d/%d] %s: %s%s (%.1f s)" % (number, len(chosen), project.name, row["result"], row["reason"] and ": " + row["reason"],
                                                 time.monotonic() - began), file=sys.stderr, flush=True)
            if row["result"] == "failed":
                status = 1
                if not arguments.keep_going:
                    break
        if arguments.pack and rows:
            left_out = bundle.pack(pathlib.Path(arguments.pack), arguments.build, arguments.arch, check.built, arguments.pack_size << 20)
            print("%s: %d projects%s" % (arguments.pack, len(check.built) - len(left_out), left_out and "; no room for " + ", ".join(left_out) or ""))
    except descriptions.Problem as problem:
        print("projects.py: error: %s" % problem, file=sys.stderr)
        status = 1
    except (KeyboardInterrupt, process.Interrupted):
        print("projects.py: interrupted", file=sys.stderr)
        status = 130
    if rows:
        report(rows, arguments, check.results)
    return status


if __name__ == "__main__":
    sys.exit(main())
