"""Debian's sources of a project, fetched once into the cache with an apt configuration of our own.

The system's apt need not know source packages: its lists and settings stay as they are.
"""

import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile

from description import Problem

SOURCES = """Types: deb-src
URIs: http://deb.debian.org/debian
Suites: {suite} {suite}-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""


class Lock:
    """Holds a lock file while a `with` block runs, so that two processes do not make the same thing."""

    def __init__(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path

    def __enter__(self):
        self._file = open(self._path, "w")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self._file.close()


class Sources:
    """The folder `cache`/sources: one unpacked tree for each package, and beside it the version."""

    def __init__(self, cache, offline=False):
        self._cache = cache
        self._folder = cache / "sources"
        self._offline = offline

    def find(self, package):
        """(tree, version) of a package that is in the cache, or None."""
        tree, version = self._folder / package, self._folder / (package + ".version")
        return (tree, version.read_text().strip()) if version.exists() else None

    def fetch(self, package, suite="bookworm"):
        """(tree, version); fetches and unpacks the package of a release of Debian when the cache lacks it. Problem says what went wrong."""
        found = self.find(package)
        if found:
            return found
        if self._offline:
            raise Problem("source of %s not in %s (ninja check-projects fetches it)" % (package, self._folder))
        for tool in ("apt-get", "dpkg-source"):
            if not shutil.which(tool):
                raise Problem("%s not found: the sources come from Debian's archive (install dpkg-dev)" % tool)
        with Lock(self._cache / "locks" / "apt"):
            if not self.find(package):
                self._update(suite)
                self._download(package, suite)
        return self.find(package)

    def archive(self, package, suite="bookworm"):
        """The path of upstream's archive, which is fetched when the cache lacks it and not unpacked. Problem as fetch()."""
        folder = self._cache / "archives" / package
        if not folder.exists():
            if self._offline:
                raise Problem("source of %s not in %s" % (package, folder.parent))
            if not shutil.which("apt-get"):
                raise Problem("apt-get not found: the source comes from Debian's archive")
            with Lock(self._cache / "locks" / "apt"):
                self._update(suite)
                folder.parent.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryDirectory(dir=folder.parent) as place:
                    said = self._get(package, suite, place, "--tar-only")
                    if said or not list(pathlib.Path(place).glob("*.orig.tar.*[!c]")):
                        raise Problem("apt-get source %s: %s" % (package, said or "no archive came"))
                    shutil.copytree(place, folder, dirs_exist_ok=True)
        return next(folder.glob("*.orig.tar.*[!c]"))

    def _apt(self, suite):
        """The folder of apt's settings and lists for a release."""
        return self._cache / ("apt" if suite == "bookworm" else "apt-" + suite)

    def _command(self, suite):
        apt = self._apt(suite)
        return ["apt-get", "-qq", "-o", "Dir::Etc::sourcelist=%s/debian.sources" % apt, "-o", "Dir::Etc::sourceparts=/dev/null",
                "-o", "Dir::State::lists=%s/lists" % apt, "-o", "Dir::Cache=%s" % apt,
                "-o", "Dir::State::status=/dev/null", "-o", "APT::Sandbox::User="]

    def _update(self, suite):
        """Fetches the list of source packages, once."""
        apt = self._apt(suite)
        sources = apt / "debian.sources"
        (apt / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        (apt / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        if sources.exists() and list((apt / "lists").glob("*_source_Sources*")):
            return
        sources.write_text(SOURCES.format(suite=suite))
        done = subprocess.run(self._command(suite) + ["update"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if not list((apt / "lists").glob("*_source_Sources*")):
            said = (done.stderr or done.stdout).strip().splitlines()
            raise Problem("no deb-src lists: apt-get update with %s failed: %s" % (sources, said[-1] if said else done.returncode))

    def _download(self, package, suite):
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            said = self._get(package, suite, folder)
            described = list(pathlib.Path(folder).glob("*.dsc"))
            if not described:
                raise Problem("apt-get source %s: %s" % (package, said or "no .dsc file came"))
            version = next(line.split()[1] for line in described[0].read_text().splitlines() if line.startswith("Version:"))
            if said:
                version += self._unpack_upstream(package, suite, folder, said)
            else:
                done = subprocess.run(["dpkg-source", "--no-check", "-x", described[0].name, "tree"], cwd=folder, capture_output=True, text=True)
                if done.returncode:
                    raise Problem("dpkg-source %s: %s" % (described[0].name, done.stderr.strip().splitlines()[-1]))
            shutil.rmtree(self._folder / package, ignore_errors=True)
            os.rename(pathlib.Path(folder) / "tree", self._folder / package)
            (self._folder / (package + ".version")).write_text(version + "\n")

    def _get(self, package, suite, folder, only="--only-source"):
        """Downloads the package's files, those that exist, into folder. Returns apt-get's first error, or ""."""
        command = self._command(suite) + ["source", "--download-only", only, package]
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if not done.returncode:
            return ""
        return next((line.removeprefix("E: ") for line in done.stderr.splitlines() if line.startswith("E: ")), "exit status %d" % done.returncode)

    def _unpack_upstream(self, package, suite, folder, said):
        """Unpacks upstream's archive alone, for a mirror that lacks Debian's part; returns what the version says of that."""
        if self._get(package, suite, folder, "--tar-only"):
            raise Problem("apt-get source %s: %s" % (package, said))
        (pathlib.Path(folder) / "tree").mkdir()
        for archive in pathlib.Path(folder).glob("*.orig.tar.*[!c]"):  # not the signature, .asc
            done = subprocess.run(["tar", "-xf", archive.name, "--strip-components=1", "-C", "tree"], cwd=folder, capture_output=True, text=True)
            if done.returncode:
                raise Problem("tar %s: %s" % (archive.name, done.stderr.strip()))
        return " (upstream's files alone)"
