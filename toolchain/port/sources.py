# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fetches Debian's sources once into a cache, by apt with settings of our own.

The system's apt need not be set up for source packages, and nothing needs root: lists and settings are files of the cache. apt checks
the signature of the archive's index with the keys of debian-archive-keyring, and each file with the checksums in the index.
"""

import fcntl
import functools
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from description import Problem

MIRROR = "http://deb.debian.org/debian"
LISTS_ARE_NEW = 3600  # seconds after which the lists of source packages may be out of date
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
SOURCES = """Types: deb-src
URIs: {mirror}
Suites: {suite} {suite}-updates
Components: main
Signed-By: {keyring}

Types: deb-src
URIs: {mirror}-security
Suites: {suite}-security
Components: main
Signed-By: {keyring}
"""


class Lock:
    """Holds a lock on a file while a `with` block runs, so that two processes do not do the same work. If another process has the lock,
    calls waiting() and then waits."""

    def __init__(self, path, waiting=None):
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._waiting = waiting

    def __enter__(self):
        self._file = open(self._path, "w")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if self._waiting:
                self._waiting()
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self._file.close()

    def is_free(self):
        """Whether no process has the lock at this moment."""
        with open(self._path, "w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True


class Sources:
    """The folder `cache`/sources, with an unpacked tree for each package, and its version in a file beside it. offline: never fetch."""

    def __init__(self, cache, offline=False, mirror=MIRROR):
        self._cache = cache
        self._folder = cache / "sources"
        self._offline = offline
        self._mirror = mirror.rstrip("/")
        self.trouble = ""  # why a part of the lists could not be fetched, if this object has fetched them

    def find(self, package):
        """(tree, version) of a package that is in the cache, or None."""
        tree, version = self._folder / package, self._folder / (package + ".version")
        return (tree, version.read_text().strip()) if version.exists() else None

    def fetch(self, package, suite="bookworm", current=False):
        """(tree, version) of a package of a release of Debian. Fetches and unpacks it if it is not in the cache, or, if current is true, if
        the lists have a newer version. Problem if that fails."""
        found = self.find(package)
        if found and current and self.newest(package, suite) not in ("", found[1].split()[0]):
            self._remove(package)
            found = None
        if found:
            return found
        if self._offline:
            raise Problem("source of %s not in %s (ninja check-projects fetches it)" % (package, self._folder))
        _need("apt-get", "dpkg-source")
        with Lock(self._cache / "locks" / "apt"):
            if not self.find(package):
                self._update(suite)
                self._download(package, suite)
        return self.find(package)

    def archive(self, package, suite="bookworm"):
        """The path of upstream's archive, not unpacked. Fetches it if it is not in the cache. Problem as in fetch()."""
        folder = self._cache / "archives" / package
        if not folder.exists():
            if self._offline:
                raise Problem("source of %s not in %s" % (package, folder.parent))
            _need("apt-get")
            with Lock(self._cache / "locks" / "apt"):
                self._update(suite)
                folder.parent.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryDirectory(dir=folder.parent) as place:
                    said = self._get(package, suite, place, "--tar-only")
                    if said or not list(pathlib.Path(place).glob("*.orig.tar.*[!c]")):
                        raise Problem("apt-get source %s: %s" % (package, said or "no archive came"))
                    shutil.copytree(place, folder, dirs_exist_ok=True)
        return next(folder.glob("*.orig.tar.*[!c]"))

    def newest(self, package, suite="bookworm"):
        """The newest version in the lists of source packages, without versions that could not be fetched; "" if there are no lists yet, or
        none has the package."""
        if not (self._apt(suite) / "complete").exists() or not shutil.which("apt-cache"):
            return ""
        missing = self.missing(package)
        return next((version for version in self._versions(package, suite) if version not in missing), "")

    def missing(self, package):
        """version -> why it could not be fetched, for versions of a package that are in the lists."""
        path = self._folder / (package + ".missing")
        return dict(line.split(" ", 1) for line in path.read_text().splitlines()) if path.exists() else {}

    def _versions(self, package, suite):
        """The versions of a package in the lists, the newest first."""
        command = ["apt-cache", *self._options(suite), "showsrc", "--only-source", package]
        said = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        found = {line.split()[1] for line in said.splitlines() if line.startswith("Version: ")}
        return sorted(found, key=functools.cmp_to_key(lambda a, b: -1 if _is_newer(a, b) else 1))

    def forget(self):
        """Removes the sources and the lists of source packages, so that the next fetch() asks the archive."""
        with Lock(self._cache / "locks" / "apt"):
            for folder in (self._folder, self._cache / "archives", *self._cache.glob("apt*")):
                shutil.rmtree(folder, ignore_errors=True)

    def update(self, suite="bookworm"):
        """Fetches the lists of source packages, unless they are there. Problem as in fetch()."""
        _need("apt-get")
        with Lock(self._cache / "locks" / "apt"):
            self._update(suite)

    def _apt(self, suite):
        """The folder of apt's settings and lists for a release."""
        return self._cache / ("apt" if suite == "bookworm" else "apt-" + suite)

    def _options(self, suite):
        apt = self._apt(suite)
        return ["-qq", "-o", "Dir::Etc::sourcelist=%s/debian.sources" % apt, "-o", "Dir::Etc::sourceparts=/dev/null",
                "-o", "Dir::State::lists=%s/lists" % apt, "-o", "Dir::Cache=%s" % apt,
                "-o", "Dir::State::status=/dev/null", "-o", "APT::Sandbox::User="]

    def _update(self, suite):
        """Fetches the lists of source packages, unless they are there for this mirror. Problem if none could be fetched; if a part is
        missing, self.trouble says why."""
        apt = self._apt(suite)
        sources = apt / "debian.sources"
        (apt / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        (apt / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        text, complete = SOURCES.format(suite=suite, mirror=self._mirror, keyring=KEYRING), apt / "complete"
        if complete.exists() and complete.read_text() == text:
            return
        if not os.path.exists(KEYRING):
            raise Problem("%s does not exist: the keys of Debian's archive (Debian, Ubuntu: apt-get install debian-archive-keyring)" % KEYRING)
        shutil.rmtree(apt / "lists")
        (apt / "lists" / "partial").mkdir(parents=True)
        sources.write_text(text)
        done = subprocess.run(["apt-get", *self._options(suite), "update"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        said = [line for line in (done.stderr or done.stdout).strip().splitlines() if "Failed to fetch" in line] or [str(done.returncode)]
        if done.returncode or "Failed to fetch" in said[0]:
            self.trouble = said[0].removeprefix("W: ").removeprefix("E: ")
        if not list((apt / "lists").glob("*_source_Sources*")):
            raise Problem("no list of Debian's source packages came from %s: %s" % (self._mirror, self.trouble))
        complete.write_text(text)

    def _download(self, package, suite):
        """Fetches and unpacks the newest version that the archive has."""
        self._folder.mkdir(parents=True, exist_ok=True)
        versions = self._versions(package, suite)
        if not versions:
            raise Problem("Debian's %s has no source package '%s'" % (suite, package))
        lacking = []
        for version in versions:
            try:
                self._download_version(package, version, suite, version == versions[-1])
                break
            except Problem as problem:
                if self._is_old(suite):  # the archive has replaced what the lists name
                    (self._apt(suite) / "complete").unlink()
                    self._update(suite)
                    return self._download(package, suite)
                if version == versions[-1]:
                    raise
                lacking.append("%s %s\n" % (version, problem))
        (self._folder / (package + ".missing")).write_text("".join(lacking))

    def _is_old(self, suite):
        return time.time() - (self._apt(suite) / "complete").stat().st_mtime > LISTS_ARE_NEW

    def _download_version(self, package, version, suite, last):
        """Fetches and unpacks one version. last: no other version is left, so upstream's files alone are accepted if the archive lacks
        Debian's."""
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            wanted = "%s=%s" % (package, version)
            said = self._get(wanted, suite, folder)
            described = list(pathlib.Path(folder).glob("*.dsc"))
            if said and not (described and last):
                raise Problem("apt-get source %s: %s" % (wanted, said))
            if said:
                version += self._unpack_upstream(wanted, suite, folder, said)
            else:
                done = subprocess.run(["dpkg-source", "--no-check", "-x", described[0].name, "tree"], cwd=folder, capture_output=True, text=True)
                if done.returncode:
                    raise Problem("dpkg-source %s: %s" % (described[0].name, done.stderr.strip().splitlines()[-1]))
            self._remove(package)
            os.rename(pathlib.Path(folder) / "tree", self._folder / package)
            (self._folder / (package + ".version")).write_text(version + "\n")

    def _remove(self, package):
        (self._folder / (package + ".version")).unlink(missing_ok=True)
        shutil.rmtree(self._folder / package, ignore_errors=True)

    def _get(self, package, suite, folder, only="--only-source"):
        """Downloads those of the package's files that the archive has into folder. Returns apt-get's first error, or ""."""
        command = ["apt-get", *self._options(suite), "source", "--download-only", only, package]
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if not done.returncode:
            return ""
        return next((line.removeprefix("E: ") for line in done.stderr.splitlines() if line.startswith("E: ")), "exit status %d" % done.returncode)

    def _unpack_upstream(self, package, suite, folder, said):
        """Unpacks upstream's archive alone, for a mirror that lacks Debian's part. said: apt-get's error, for the Problem. Returns a note
        to append to the version."""
        if self._get(package, suite, folder, "--tar-only"):
            raise Problem("apt-get source %s: %s" % (package, said))
        (pathlib.Path(folder) / "tree").mkdir()
        for archive in pathlib.Path(folder).glob("*.orig.tar.*[!c]"):  # not the signature, .asc
            done = subprocess.run(["tar", "-xf", archive.name, "--strip-components=1", "-C", "tree"], cwd=folder, capture_output=True, text=True)
            if done.returncode:
                raise Problem("tar %s: %s" % (archive.name, done.stderr.strip()))
        return " (upstream's files alone)"


def _need(*tools):
    """Problem if one of these programs is missing."""
    for tool in tools:
        if not shutil.which(tool):
            raise Problem("%s not found: sources come from Debian's archive (Debian, Ubuntu: apt-get install %s)"
                          % (tool, "apt" if tool == "apt-get" else "dpkg-dev"))


def _is_newer(version, other):
    return not subprocess.run(["dpkg", "--compare-versions", version, "gt", other]).returncode
