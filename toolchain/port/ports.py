# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs libraries into a prefix, each after the libraries that it needs."""

import hashlib
import os
import pathlib
import re
import sys
import time

import process
import recipe
from description import Problem, with_needs


class Progress:
    """Shows on standard error the step that is being carried out: on a terminal in one line that changes, else in a line for each step."""

    def __init__(self, quiet):
        self._quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._shown = False

    def step(self, name, what):
        """Shows a step. Returns a function to call meanwhile, which shows how many seconds the step has taken."""
        text = "%s: %s" % (name, what)
        if not self._quiet and not self._terminal:
            print(text, file=sys.stderr, flush=True)
        self._show(text)
        return lambda seconds: self._show("%s (%d s)" % (text, seconds))

    def warn(self, text):
        self.clear()
        print("gpucc-port: warning: " + text, file=sys.stderr, flush=True)

    def clear(self):
        """Removes the line, before something else is printed."""
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        self._shown = False

    def _show(self, text):
        if self._terminal and not self._quiet:
            print("\r\033[K" + text, end="", file=sys.stderr, flush=True)
            self._shown = True


class Installer:
    """Builds libraries for one target and installs them into one prefix."""

    def __init__(self, known, sources, prefix, target, logs, progress, jobs):
        """known: the result of read_all(); logs: the folder for the output of builds; jobs: files that a build compiles at a time."""
        self._known = known
        self._sources = sources
        self._prefix = prefix
        self._target = target
        self._logs = logs
        self._progress = progress
        self._jobs = jobs

    def install(self, names, source=None, again=False):
        """Installs libraries, and those that they need. Returns (name, facts, whether it was built now) of each library in `names`.

        source: a folder with the source, if there is only one name. again: build libraries that are installed, too.
        """
        done = []
        for name in names:
            for library in with_needs(self._known[name], self._known):
                if not library.library:
                    raise Problem("%s is no library" % library.name)
                asked = library.name == name
                before = self._prefix.build_of(library.name)
                with self._prefix.lock_library(library.name):
                    facts = self._prefix.installed().get(library.name)
                    # Another process may just have built it: once is enough.
                    wanted = asked and (again or source is not None) and self._prefix.build_of(library.name) == before
                    built = not facts or wanted or not self._is_current(library, facts, asked)
                    if built:
                        facts = self._build(library, source if asked else None)
                if asked:
                    done.append((name, facts, built))
        return done

    def _is_current(self, library, facts, asked):
        """Whether building the library again would change nothing. Its version is compared with Debian's only if the user named it."""
        if facts["made"] != self._key(library):
            return False
        newest = self._sources.newest(library.package, library.suite) if asked and facts["from"] == "Debian" else ""
        return newest in ("", facts["version"].split()[0])

    def _key(self, library):
        """Identifies the commands, the prefix and the compiler by which a library is built."""
        return hashlib.sha256(repr((library.library, recipe.PREFIX, self._target.llvm)).encode()).hexdigest()[:16]

    def _build(self, library, source):
        recipe.check_tools(library, self._target)
        tree, version, origin = self._find_source(library, source)
        tick = self._progress.step(library.name, "building %s for %s" % (version, self._target.name))
        with self._prefix.make_work() as top:
            recipe.prepare_tree(tree, top / "tree")
            (top / "deps").mkdir()
            for name in library.needs:
                os.symlink(self._prefix.library(name).resolve(), top / "deps" / name)
            environment = {**self._target.environment(self._target.compiler, self._target.compiler_cxx, self._jobs), "DEPS": str(top / "deps"), "DESTDIR": str(top / "installed")}
            self._run(library, top, environment, tick)
            (top / "made").mkdir()
            recipe.collect_library(library, version, top / "tree", top / "installed", top / "made")
            facts = {"version": version, "from": origin, "target": self._target.name, "license": library.license, "needs": library.needs,
                     "made": self._key(library), "time": time.strftime("%Y-%m-%d %H:%M")}
            self._prefix.install(library.name, top / "made", facts)
        return facts

    def _find_source(self, library, source):
        """(tree, version, origin) of the source; the origin is "Debian" or a folder."""
        if source is not None:
            return source, _version_of(source), str(source)
        self._progress.step(library.name, "fetching the source")
        try:
            tree, version = self._sources.fetch(library.package, library.suite, current=True)
        except Problem as problem:
            raise Problem("%s: %s; --mirror URL names another mirror of Debian's, --source DIR a folder with the unpacked source"
                          % (library.name, problem)) from None
        if self._sources.trouble:
            self._progress.warn("a part of Debian's lists did not come, and security updates may be missing: " + self._sources.trouble)
        for lacking, reason in self._sources.missing(library.package).items():
            self._progress.warn("%s: %s is in Debian's lists and could not be fetched: %s" % (library.name, lacking, reason))
        return tree, version, "Debian"

    def _run(self, library, top, environment, tick):
        self._logs.mkdir(parents=True, exist_ok=True)
        log = self._logs / ("%s-%s.log" % (library.name, self._target.name))
        with open(log, "wb") as output:
            status, _ = process.run(["bash", "-e", "-c", library.library], top / "tree", environment, recipe.LIMIT, tick, output, pause=1)
        if status is None:
            raise Problem("%s: the build was ended after %d s; its output: %s" % (library.name, recipe.LIMIT, log))
        if status:
            raise Problem("%s: the build failed: %s; its output: %s" % (library.name, recipe.first_reason(log.read_text(errors="replace")), log))


def _version_of(source):
    """The version of a source tree: from debian/changelog, or from the folder's name (zlib-1.3); else "unknown"."""
    changes = source / "debian" / "changelog"
    found = re.match(r"\S+ \(([^)\s]+)\)", changes.read_text(errors="replace")) if changes.is_file() else None
    found = found or re.search(r"-v?(\d[\w.]*)$", source.resolve().name)
    return found.group(1) if found else "unknown"


def needed_by(name, installed):
    """The installed libraries that need this one."""
    return [other for other, facts in installed.items() if name in facts["needs"]]


def cache_folder():
    """The folder for sources and logs."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return pathlib.Path(home if home.startswith("/") else os.path.expanduser("~/.cache")) / "gpuexec" / "ports"
