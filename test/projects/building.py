"""Builds a project for the host or for a GPU, once for each content of sources, description and compiler.

`cache`/builds/NAME/TARGET-KEY holds what a build made: programs/, inputs/, keeps/, log, and result.json with the reason when
it failed. The tree in which it was built is gone.
"""

import glob
import hashlib
import json
import os
import pathlib
import shutil
import tempfile

import process
import recipe
from description import Problem
from sources import Lock

KEPT = 4  # builds of one project for one target that stay in the cache
COMMAND_LIMIT = 240  # seconds of processor time for one program of the compiler; links of large programs for a GPU take minutes

# Stands in for the compiler: writes down which sources it compiles and limits its processor time, which depends less than time
# on what else the machine does. A test of configure is not a source.
WRAPPER = """#!/bin/sh
case "$*" in *conftest*|*cmTC_*) ;; *) for word; do case "$word" in *.c|*.cc|*.cpp|*.cxx|*.C|*.c++) echo "$PWD/$word" >> '{log}' ;; esac; done ;; esac
ulimit -S -t {limit}
exec {compiler} "$@"
"""


class Target(recipe.Target):
    """A target whose compiler is told from another one's by a key. Programs for NVIDIA carry PTX: a build runs its own tools on an
    emulated GPU, no test of configure waits for ptxas, and the driver of a GPU compiles what is packed."""

    def __init__(self, name, gpuexec, llvm=recipe.LLVM):
        super().__init__(name, gpuexec, llvm)
        self.nvidia = name.startswith("sm_")
        if self.nvidia:
            self.compiler += " --emit-ptx"
            self.compiler_cxx += " --emit-ptx"

    def environment(self, compiler, compiler_cxx, jobs, launcher=""):
        made = super().environment(compiler, compiler_cxx, jobs, launcher)
        if self.nvidia:
            made["GPUEXEC_DEVICE"] = "emulator:" + self.name
            made["CMAKE_OPTIONS"] += " -DCMAKE_EXE_LINKER_FLAGS=--emit-ptx"
        return made

    def key(self):
        """A hash of the compiler with its libraries."""
        if self.native:
            return _hash_files([os.path.realpath(self.compiler)])
        library = self.gpuexec / "lib" / "gpuexec"
        own = [self.gpuexec / "bin" / "gpucc", *library.glob("*.cfg"), *library.glob("libgpuexec-[fp]*.so")]
        return _hash_files([*own, *_files_below(library / self.triple), *_files_below(library / "include"), *_files_below(library / "cmake")])


def _files_below(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def _hash_files(paths):
    total = hashlib.sha256()
    for path in sorted(map(str, paths)):
        with open(path, "rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def first_reason(log):
    """The line of a build's log that says best why it failed."""
    if "CPU time limit exceeded" in log:  # what clang says of a program that the limit ended
        return "the compiler took more than %d s of processor time" % COMMAND_LIMIT
    return recipe.first_reason(log)


class Builder:
    """Builds projects for targets into the cache; keep leaves the trees of failed builds for a look."""

    def __init__(self, cache, sources, keep=False):
        self._cache = cache
        self._sources = sources
        self._keep = keep
        self._keys = {}

    def build(self, description, target, descriptions, tick=None, again=False):
        """The build's result: {"folder", "seconds", "files", "reason", "version"}; reason is "" for success.

        descriptions has the projects that this one needs. again repeats a build that failed.
        """
        tree, version = self._sources.fetch(description.package, description.suite)
        needed = {}
        for name in description.needs:
            needed[name] = self.build(descriptions[name], target, descriptions, tick, again)
            if needed[name]["reason"]:
                raise Problem("needs %s: %s" % (name, needed[name]["reason"]))
        if target.name not in self._keys:
            self._keys[target.name] = target.key()
        parts = [description.library, description.build, description.programs, description.inputs, description.keeps, version, self._keys[target.name],
                 sorted((name, result["folder"]) for name, result in needed.items())]
        key = hashlib.sha256(repr(parts).encode()).hexdigest()[:20]
        place = self._cache / "builds" / description.name / ("%s-%s" % (target.name, key))
        with Lock(self._cache / "locks" / ("%s-%s" % (description.name, target.name))):
            if not (place / "result.json").exists() or (again and json.loads((place / "result.json").read_text())["reason"]):
                self._build(description, target, tree, version, place, needed, tick)
                self._prune(place)
        os.utime(place)
        return {**json.loads((place / "result.json").read_text()), "folder": str(place), "version": version}

    def _build(self, description, target, tree, version, place, needed, tick):
        top = pathlib.Path(tempfile.mkdtemp(prefix="%s-%s-" % (description.name, target.name), dir=self._work()))
        failed = True
        try:
            result = self._build_in(top, description, target, tree, version, needed, tick)
            shutil.rmtree(place, ignore_errors=True)
            place.parent.mkdir(parents=True, exist_ok=True)
            (top / "made" / "result.json").write_text(json.dumps(result))
            os.rename(top / "made", place)
            failed = bool(result["reason"])
        finally:
            if not (self._keep and failed):
                shutil.rmtree(top, ignore_errors=True)

    def _work(self):
        folder = self._cache / "work"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _build_in(self, top, description, target, tree, version, needed, tick):
        """Builds in top/tree, and fills top/made."""
        source, made = top / "tree", top / "made"
        recipe.prepare_tree(tree, source)
        for part in ("programs", "inputs", "keeps"):
            (made / part).mkdir(parents=True)
        log = top / "compiled"
        log.write_text("")
        for name, called in (("cc", target.compiler), ("cxx", target.compiler_cxx), ("launch", "")):
            (top / name).write_text(WRAPPER.format(log=log, limit=COMMAND_LIMIT, compiler=called))
            (top / name).chmod(0o755)
        (top / "deps").mkdir()
        for name, result in needed.items():
            os.symlink(os.path.join(result["folder"], "keeps"), top / "deps" / name)
        environment = {**target.environment(str(top / "cc"), str(top / "cxx"), min(2, os.cpu_count() or 1), str(top / "launch")),
                       "DEPS": str(top / "deps"), "DESTDIR": str(top / "installed")}
        with open(made / "log", "wb") as output:
            status, seconds = process.run(["bash", "-e", "-c", description.library + "\n" + description.build], source, environment, recipe.LIMIT, tick, output)
        text = (made / "log").read_text(errors="replace")
        reason = ""
        if status is None:
            reason = "the build was ended after %d s" % recipe.LIMIT
        elif status:
            reason = first_reason(text)
        else:
            missing = [program for program in description.programs if not (source / program).is_file()]
            reason = "the build made no %s: %s" % (missing[0], first_reason(text)) if missing else ""
        if not reason:
            _collect(description, source, made)
            if description.library:
                recipe.collect_library(description, version, source, top / "installed", made / "keeps")
        files = {os.path.realpath(line) for line in log.read_text().splitlines()}
        return {"seconds": seconds, "files": len(files), "reason": reason}

    def _prune(self, place):
        """Removes the builds of this project and target that were not used for longest."""
        target = place.name.split("-")[0]
        builds = sorted(place.parent.glob(target + "-*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in builds[KEPT:]:
            shutil.rmtree(path, ignore_errors=True)


def _collect(description, source, made):
    for program in description.programs:
        shutil.copy2(source / program, made / "programs" / os.path.basename(program))
    for part, patterns in (("inputs", description.inputs), ("keeps", description.keeps)):
        for pattern in patterns:
            found = glob.glob(str(source / pattern))
            if not found:
                raise Problem("%s: no file matches '%s'" % (description.name, pattern))
            for path in found:
                target = made / part / os.path.basename(path)
                shutil.copytree(path, target) if os.path.isdir(path) else shutil.copy2(path, target)
